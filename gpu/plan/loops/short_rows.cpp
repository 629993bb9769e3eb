// First the arrays that only such nests make and read: all of them to begin with, until no loop
// rejects another one. Then the views around them.
#include "gpu/plan/loops/short_rows.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/permutation.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

bool hasShortRows(const Type& type) {
  return type.rank() >= 2 && type.shape.back().isConstant() && isFew({type.shape.back()}) &&
         type.shape.back().constant.asSigned() > 1 && !isFew(type.shape);
}

// (k, 0, 1, ..) of k + 1 axes.
std::vector<int> lastFirst(int rank) {
  std::vector<int> permutation = {rank - 1};
  for (int axis = 0; axis + 1 < rank; ++axis) permutation.push_back(axis);
  return permutation;
}

// Neighbours stay neighbours.
bool keepsDistance(const PrimOp& e) {
  static constexpr Op kOps[] = {Op::kAdd, Op::kSub, Op::kMin, Op::kMax, Op::kMachineRem,
                                Op::kEq,  Op::kNe,  Op::kLt,  Op::kLe,  Op::kGt,
                                Op::kGe,  Op::kAnd, Op::kOr};
  return std::find(std::begin(kOps), std::end(kOps), e.op) != std::end(kOps);
}

// Of all arrays of short rows in host code: where they come from, and whether all uses suit.
class Candidates {
 public:
  Candidates(const Program& program, const Function& host) : program_(program) {
    near_.insert(host.params.begin(), host.params.end());
    for (const Operand& result : host.body.results) reject(result);
    for (size_t before = rejected_.size() + 1; before != rejected_.size();) {
      before = rejected_.size();
      find(host.body);
    }
  }

  bool isMade(const Operand& value) const { return suits(value) && made_.contains(value.value); }
  // By the parameter.
  bool isCarried(const Carried& carried) const { return carried_.contains(carried.param); }

 private:
  void find(const Body& host) {
    for (const Stm& stm : host.stms) {
      if (const auto* node = std::get_if<Screma>(&stm.expr)) {
        addMade(*node, stm.results);
        findSpread(*node);
        readNode(*node);
      } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        findLoop(stm, *loop);
      } else {
        rejectAll(stm.expr);
        if (const auto* iota = std::get_if<Iota>(&stm.expr)) addIota(*iota, stm.results[0]);
        forEachBody(stm.expr, [&](const Body& inner) {
          find(inner);
          for (const Operand& result : inner.results) reject(result);
        });
      }
      for (ValueId result : stm.results) {
        if (program_.type(result).isScalar()) near_.insert(result);
      }
    }
  }

  bool suits(const Operand& value) const {
    return !value.isConstant() && hasShortRows(program_.type(value.value)) &&
           !rejected_.contains(value.value);
  }
  void reject(const Operand& operand) {
    if (operand.isConstant()) return;
    auto row = rows_.find(operand.value);
    rejected_.insert(row == rows_.end() ? operand.value : row->second);
  }
  void rejectAll(const Expr& expr) {
    forEachOperand(expr, [&](const Operand& operand) { reject(operand); });
  }

  void findLoop(const Stm& stm, const Loop& loop) {
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) near_.insert(counted->index);
    for (const Carried& carried : loop.carried) {
      made_.insert(carried.param);
      if (program_.type(carried.param).isScalar()) near_.insert(carried.param);
    }
    made_.insert(stm.results.begin(), stm.results.end());
    ++depth_;
    find(loop.body);
    depth_--;
    for (size_t k = 0; k < loop.carried.size(); ++k) decide(stm, loop, k);
  }
  // A loop in a loop would transpose its arrays each time, unless they lie by element around it,
  // too.
  void decide(const Stm& stm, const Loop& loop, size_t k) {
    const Carried& carried = loop.carried[k];
    const Operand& next = loop.body.results[k];
    const bool fits_around = depth_ == 0 || (isMade(carried.initial) && suits(stm.results[k]));
    if (!carried.consumed && suits(carried.param) && isMade(next) && fits_around) {
      carried_.insert(carried.param);
      return;
    }
    carried_.erase(carried.param);
    for (const Operand& name : {Operand(carried.param), carried.initial, next}) reject(name);
    reject(stm.results[k]);
  }

  // ---- makers: a cell of short arrays alone is one invocation's

  void addMade(const Screma& node, const std::vector<ValueId>& results) {
    if (!isMap(node) || node.flattening.has(Flattening::kOnlyIntra)) return;
    const std::vector<const Screma*> levels = mapNest(node, SIZE_MAX);
    if (!isSmall(levels.back()->map.body)) return;
    for (ValueId result : results) {
      if (program_.type(result).rank() == static_cast<int>(levels.size()) + 1) made_.insert(result);
    }
  }
  bool isSmall(const Body& cell) const {
    return std::all_of(cell.stms.begin(), cell.stms.end(), [&](const Stm& stm) {
      const bool are_few =
          isCheap(stm) || std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
            const Type& type = program_.type(result);
            return type.isScalar() || isFew(type.shape);
          });
      const auto* node = std::get_if<Screma>(&stm.expr);
      if (!are_few || (node != nullptr && !isFew({node->width}))) return false;
      bool are_small = true;
      forEachBody(stm.expr, [&](const Body& inner) { are_small &= isSmall(inner); });
      return are_small;
    });
  }

  // ---- uses in a nest

  void addIota(const Iota& iota, ValueId value) {
    if (iota.step == Operand::ofI64(1)) iotas_.insert(value);
  }
  bool isNear(const Operand& operand) const {
    return operand.isConstant() || near_.contains(operand.value);
  }
  // Whose elements are lanes: the levels of a nest, and a reduction or scan of its rows.
  void findSpread(const Screma& node) {
    const std::vector<const Screma*> levels = mapNest(node, SIZE_MAX);
    spread_.insert(levels.begin(), levels.end());
    const Body& cell = levels.back()->map.body;
    const auto* last = cell.stms.empty() ? nullptr : std::get_if<Screma>(&cell.stms.back().expr);
    if (last != nullptr) spread_.insert(last);
  }
  void readNode(const Screma& node) {
    const bool is_spread = spread_.contains(&node);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId param = node.map.params[i];
      const bool splits_rows = is_spread && program_.type(node.inputs[i]).rank() == 1;
      if (splits_rows && rows_.contains(node.inputs[i])) reject(node.inputs[i]);
      alias(param, node.inputs[i]);
      if (!iotas_.contains(node.inputs[i])) continue;
      near_.insert(param);
      if (!is_spread) turns_.insert(param);
    }
    for (const Reduction& reduction : node.reductions) {
      for (const Operand& neutral : reduction.neutral) reject(neutral);
    }
    for (const Scan& scan : node.scans) {
      for (const Operand& neutral : scan.neutral) reject(neutral);
    }
    readBody(node.map.body);
  }
  // `view` is a row of `array`, or several.
  void alias(ValueId view, ValueId array) {
    auto above = rows_.find(array);
    const ValueId root = above == rows_.end() ? array : above->second;
    if (hasShortRows(program_.type(root)) && !program_.type(view).isScalar()) rows_[view] = root;
  }

  void readBody(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* index = std::get_if<Index>(&stm.expr)) {
        readElement(*index, stm.results[0]);
      } else if (const auto* node = std::get_if<Screma>(&stm.expr)) {
        readNode(*node);
      } else {
        rejectAll(stm.expr);
        if (const auto* iota = std::get_if<Iota>(&stm.expr)) addIota(*iota, stm.results[0]);
        if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
          const auto* counted = std::get_if<ForLoop>(&loop->form);
          if (counted != nullptr) near_.insert(counted->index);
          if (counted != nullptr) turns_.insert(counted->index);
        }
        forEachBody(stm.expr, [&](const Body& inner) { readBody(inner); });
      }
      addNear(stm);
    }
    for (const Operand& result : body.results) reject(result);
  }
  void addNear(const Stm& stm) {
    const auto* prim = std::get_if<PrimOp>(&stm.expr);
    const bool moves = (prim != nullptr && keepsDistance(*prim)) ||
                       std::holds_alternative<Select>(stm.expr) ||
                       std::holds_alternative<Convert>(stm.expr);
    bool are_near = moves;
    forEachOperand(stm.expr, [&](const Operand& operand) { are_near &= isNear(operand); });
    if (are_near) near_.insert(stm.results.begin(), stm.results.end());
  }
  // Axes of cells by places near the cell's own; the last one is the element.
  void readElement(const Index& e, ValueId result) {
    auto row = rows_.find(e.array);
    const ValueId root = row == rows_.end() ? e.array : row->second;
    if (!hasShortRows(program_.type(root))) return;
    alias(result, e.array);
    const size_t rank = static_cast<size_t>(program_.type(e.array).rank());
    for (size_t k = 0; k < e.indices.size(); ++k) {
      const Operand& at = e.indices[k];
      const bool is_element = k + 1 == rank;
      const bool suits = is_element ? at.isConstant() || turns_.contains(at.value) : isNear(at);
      if (!suits) rejected_.insert(root);
    }
  }

  const Program& program_;
  int depth_ = 0;                              // loops around the statement at hand
  std::unordered_set<ValueId> carried_;        // parameters of loops
  std::unordered_set<ValueId> made_;           // by nests of small cells, or loops of them
  std::unordered_set<ValueId> rejected_;       // another use wants rows
  std::unordered_map<ValueId, ValueId> rows_;  // views in cells: their arrays
  std::unordered_set<ValueId> iotas_;
  std::unordered_set<ValueId> near_;   // scalars of all cells, positions, and sums of them
  std::unordered_set<ValueId> turns_;  // indices of an invocation's loops
  std::unordered_set<const Screma*> spread_;
};

class Turner {
 public:
  Turner(Program& program, const Candidates& candidates)
      : program_(program), candidates_(candidates) {}

  void turn(Body& body) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      substitute(program_, stm.expr, by_row_);
      if (std::holds_alternative<Loop>(stm.expr)) {
        turnLoop(std::move(stm), body.stms);
        continue;
      }
      const bool is_nest = std::holds_alternative<Screma>(stm.expr);
      if (!is_nest) forEachBody(stm.expr, [&](Body& inner) { turn(inner); });
      const std::vector<ValueId> results = stm.results;
      body.stms.push_back(std::move(stm));
      for (ValueId result : results) {
        if (is_nest && candidates_.isMade(result)) turnMade(result, body.stms);
      }
    }
    for (Operand& result : body.results) {
      auto found = result.isConstant() ? by_row_.end() : by_row_.find(result.value);
      if (found != by_row_.end()) result = found->second;
    }
  }

 private:
  ValueId view(ValueId array, const std::vector<int>& permutation, std::vector<Stm>& out) {
    Type type = program_.type(array);
    const Operands shape = type.shape;
    for (size_t k = 0; k < permutation.size(); ++k) {
      type.shape[k] = shape[static_cast<size_t>(permutation[k])];
    }
    const ValueId result = program_.add(program_.values[array].name, std::move(type));
    out.push_back({{result}, Rearrange{array, permutation}, false, {}});
    return result;
  }
  // Later statements take the array from its transposed form.
  void turnMade(ValueId made, std::vector<Stm>& out) {
    const std::vector<int> order = lastFirst(program_.type(made).rank());
    turned_[made] = view(made, order, out);
    const ValueId again = view(turned_[made], inverse(order), out);
    turned_[again] = turned_[made];
    by_row_[made] = again;
  }
  ValueId turnedOf(ValueId array, std::vector<Stm>& out) {
    auto found = turned_.find(array);
    if (found != turned_.end()) return found->second;
    return view(array, lastFirst(program_.type(array).rank()), out);
  }
  // The old name of a loop's array, as a view of the new one.
  ValueId rename(ValueId& name, std::vector<Stm>& out) {
    const std::vector<int> order = lastFirst(program_.type(name).rank());
    std::vector<Stm> unused;
    const ValueId turned = view(name, order, unused);
    out.push_back({{name}, Rearrange{turned, inverse(order)}, false, {}});
    turned_[name] = turned;
    return std::exchange(name, turned);
  }

  void turnLoop(Stm stm, std::vector<Stm>& out) {
    auto& loop = std::get<Loop>(stm.expr);
    std::vector<size_t> slots;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (candidates_.isCarried(loop.carried[k])) slots.push_back(k);
    }
    std::vector<Stm> first, behind;
    for (size_t k : slots) {
      loop.carried[k].initial = turnedOf(loop.carried[k].initial.value, out);
      rename(loop.carried[k].param, first);
    }
    loop.body.stms.insert(loop.body.stms.begin(), first.begin(), first.end());
    turn(loop.body);
    for (size_t k : slots) {
      loop.body.results[k] = turnedOf(loop.body.results[k].value, loop.body.stms);
      rename(stm.results[k], behind);
    }
    out.push_back(std::move(stm));
    std::move(behind.begin(), behind.end(), std::back_inserter(out));
  }

  Program& program_;
  const Candidates& candidates_;
  std::unordered_map<ValueId, ValueId> turned_;  // arrays by element
  Substitution by_row_;                          // their views by row
};

}  // namespace

void layShortRowsByElement(Program& program, Function& host) {
  const Candidates candidates(program, host);
  Turner(program, candidates).turn(host.body);
}

}  // namespace halo::gpu

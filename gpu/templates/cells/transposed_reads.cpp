// Indices are followed as linear functions of the cell's indices, with factors 0, 1 and any other.
// That is enough to see along which dimension a read moves by one element.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "gpu/templates/cells/cell_code.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// How an index changes with each index of the cell.
enum class Slope : uint8_t { kNone, kOne, kOther };
// Nothing: it is no linear function of them.
using Slopes = std::optional<std::vector<Slope>>;

class Follower {
 public:
  explicit Follower(const Operands& indices) : rank_(indices.size()) {
    for (size_t k = 0; k < rank_; ++k) {
      if (indices[k].isConstant()) continue;
      std::vector<Slope> slopes(rank_, Slope::kNone);
      slopes[k] = Slope::kOne;
      known_[indices[k].var] = slopes;
    }
  }

  // A variable that changes, which no slice of the code gives.
  void change(VarId var) {
    known_[var] = std::nullopt;
    changing_.insert(var);
  }
  bool changes(const Operand& operand) const {
    return !operand.isConstant() && changing_.contains(operand.var);
  }

  void follow(const Let& let) {
    bool is_fixed = true;
    forEachOperand(Stm{let}, [&](const Operand& operand) { is_fixed &= !changes(operand); });
    if (!is_fixed) return change(let.var);
    Slopes slopes;
    if (const auto* prim = std::get_if<Prim>(&let.expr)) slopes = of(*prim);
    if (const auto* load = std::get_if<Load>(&let.expr)) slopes = still({load->index});
    if (const auto* convert = std::get_if<Convert>(&let.expr)) slopes = still({convert->arg});
    if (const auto* select = std::get_if<Select>(&let.expr)) {
      slopes = still({select->condition, select->on_true, select->on_false});
    }
    known_[let.var] = slopes;
  }

  // A variable from outside of the cell is the same in all cells.
  Slopes at(const Operand& operand) const {
    const auto found = operand.isConstant() ? known_.end() : known_.find(operand.var);
    return found == known_.end() ? std::vector<Slope>(rank_, Slope::kNone) : found->second;
  }

 private:
  static bool isStill(const Slopes& slopes) {
    return slopes && std::all_of(slopes->begin(), slopes->end(),
                                 [](Slope slope) { return slope == Slope::kNone; });
  }
  // The same in all cells if all operands are.
  Slopes still(const Operands& operands) const {
    for (const Operand& operand : operands) {
      if (!isStill(at(operand))) return std::nullopt;
    }
    return std::vector<Slope>(rank_, Slope::kNone);
  }

  Slopes of(const Prim& prim) const {
    const bool is_index = prim.type == ScalarType::kI64 && prim.args.size() == 2;
    if (!is_index) return still(prim.args);
    const Slopes a = at(prim.args[0]), b = at(prim.args[1]);
    if (!a || !b) return std::nullopt;
    if (prim.op == Op::kMul && (isStill(a) || isStill(b))) {
      const bool is_one = prim.args[0] == i64(1) || prim.args[1] == i64(1);
      return scaled(isStill(a) ? *b : *a, is_one);
    }
    if (prim.op == Op::kAdd || prim.op == Op::kSub) return sum(*a, *b, prim.op == Op::kAdd);
    return still(prim.args);
  }
  static Slopes scaled(std::vector<Slope> slopes, bool is_one) {
    for (Slope& slope : slopes) {
      if (slope != Slope::kNone && !is_one) slope = Slope::kOther;
    }
    return slopes;
  }
  static Slopes sum(std::vector<Slope> a, const std::vector<Slope>& b, bool is_sum) {
    for (size_t k = 0; k < a.size(); ++k) {
      if (b[k] == Slope::kNone) continue;
      a[k] = a[k] == Slope::kNone && is_sum ? b[k] : Slope::kOther;
    }
    return a;
  }

  size_t rank_;
  std::unordered_map<VarId, Slopes> known_;
  std::unordered_set<VarId> changing_;
};

// Looks for transposed reads in code and in branches of it.
class Finder {
 public:
  Finder(const Program& program, const Operands& indices)
      : program_(program), follower_(indices), rank_(indices.size()) {}

  // `reachable`: its conditions are part of a slice.
  void visit(const Block& block, bool reachable) {
    for (const Stm& stm : block) {
      if (const auto* let = std::get_if<Let>(&stm.node)) {
        const Load* load = loadOf(stm);
        if (load != nullptr && program_.buffers[load->buffer].space != Space::kDevice) {
          follower_.change(let->var);  // slices have no stores
        } else {
          follower_.follow(*let);
        }
        if (load != nullptr) visit(*load, reachable);
      } else if (const auto* declare = std::get_if<Declare>(&stm.node)) {
        follower_.change(declare->var);
      } else if (const auto* branch = std::get_if<If>(&stm.node)) {
        const bool inside = reachable && !follower_.changes(branch->condition);
        visit(branch->then_block, inside);
        visit(branch->else_block, inside);
      } else if (storeOf(stm) == nullptr && !std::holds_alternative<Assign>(stm.node)) {
        is_plain_ = false;
      }
    }
  }

  std::optional<TransposedReads> most() const {
    const auto found = std::max_element(
        reads_.begin(), reads_.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    const bool is_some = is_plain_ && found != reads_.end();
    return is_some ? std::optional(TransposedReads{found->first, found->second}) : std::nullopt;
  }

 private:
  void visit(const Load& load, bool reachable) {
    const size_t here = number_++;
    const BufferInfo& buffer = program_.buffers[load.buffer];
    const Slopes slopes = follower_.at(load.index);
    const bool is_transposed = reachable && slopes && slopes->back() == Slope::kOther &&
                               buffer.space == Space::kDevice && prim::byteSize(buffer.type) >= 4;
    if (!is_transposed) return;
    for (size_t k = 0; k + 1 < rank_; ++k) {
      if ((*slopes)[k] == Slope::kOne) reads_[k].push_back(here);
    }
  }

  const Program& program_;
  Follower follower_;
  size_t rank_;
  size_t number_ = 0;                            // of the next load
  std::map<size_t, std::vector<size_t>> reads_;  // by dimension
  bool is_plain_ = true;                         // no loops, no failures
};

}  // namespace

const Load* loadOf(const Stm& stm) { return boundAs<Load>(stm); }

std::optional<TransposedReads> transposedReads(const Program& program, const Block& cell,
                                               const Operands& indices) {
  Finder finder(program, indices);
  finder.visit(cell, true);
  return finder.most();
}

}  // namespace halo::gpu

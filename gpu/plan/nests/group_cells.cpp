// One walk over the cell: whether each statement can be a team's, which shared memory is live at
// once, which extents lanes go through. Then the conditions that sizes must meet.
#include "gpu/plan/nests/group_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/levels.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nests/written_results.h"
#include "gpu/plan/nodes/cell_products.h"
#include "lang/core/aliases.h"
#include "lang/core/bound_values.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/in_place_root.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kMaxPrivate = 256;  // elements of an array of a lane
// Without arrays, or of narrow statements: an invocation for each is enough.
constexpr int64_t kManyCells = int64_t{1} << 16;
// Up to four for each multiprocessor: an invocation for each would leave most of the device idle.
constexpr int64_t kFewCells = 512;
constexpr int64_t kNarrow = 32;  // elements: no statement occupies more than a subgroup
// Terms of a product of all cells: then tiles (cell_products.h) save more than launches cost.
constexpr int64_t kMaxCellTerms = int64_t{1} << 24;
// Terms of a product with an array that the first-level cache holds: reading it again is free.
constexpr int64_t kFewTerms = 16 * 16 * 16;
constexpr size_t kWorthStatements = 4;  // so many launches for each are worth one

bool isKnown(int64_t bound) { return bound != INT64_MAX; }

struct Live {  // arrays of one size
  Operands shape;
  int64_t words = 1;
  int64_t count = 0;
};
using Lives = std::map<std::string, Live>;

void add(Lives& to, const Lives& more) {
  for (const auto& [key, live] : more) {
    Live& known = to.try_emplace(key, Live{live.shape, live.words, 0}).first->second;
    known.count += live.count;
  }
}
void raiseTo(Lives& to, const Lives& other) {
  for (const auto& [key, live] : other) {
    Live& known = to.try_emplace(key, Live{live.shape, live.words, 0}).first->second;
    known.count = std::max(known.count, live.count);
  }
}

class Cell {
 public:
  Cell(Program& program, const std::vector<const Screma*>& levels, const ScalarCode& code,
       const GroupSizes& sizes)
      : program_(program), levels_(levels), code_(code), sizes_(sizes), aliases_(program) {
    for (size_t k = 0; k < levels.size(); ++k) {
      const Lambda& map = levels[k]->map;
      cell_values_.insert(map.params.begin(), map.params.end());
      if (k + 1 == levels.size()) break;
      for (const Stm& stm : map.body.stms) between(stm);
    }
    const Body& cell = levels.back()->map.body;
    written_ = writtenInPlace(program, cell);
    makes_planes_ = makesPlanes(program, cell);
    peak_ = uniform(cell);
    products_ = cellProducts(program, cell,
                             [this](ValueId value) { return !cell_values_.contains(value); });
    std::erase_if(products_, [&](const Operands& extents) {
      return !sizes.bounds_width || !isComputable(extents) || productBound(extents) <= kFewTerms;
    });
  }

  bool fits() const { return possible_ && (parallel_ > 0 || sizes_.serial_loops); }
  bool isWorth() const {
    const bool saves =
        has_loop_ || makes_planes_ || sizes_.serial_loops || parallel_ >= kWorthStatements;
    return plain_ && saves && (sizes_.plane_words > 0 || has_loop_ || isWholeSize(peak_));
  }
  bool alwaysFits() const {
    int64_t words = 0;
    for (const auto& [key, live] : peak_) {
      int64_t most = productBound(live.shape);
      if (__builtin_mul_overflow(most, live.words * live.count, &most)) return false;
      if (__builtin_add_overflow(words, most, &words)) return false;
    }
    return words <= mostWords();
  }
  // Host code for the conditions.
  Body condition() {
    Builder host(program_);
    Operands needed;
    for (const Lives* lives : {&peak_, &tables_}) {
      for (const auto& [key, live] : *lives) {
        needed.insert(needed.end(), live.shape.begin(), live.shape.end());
      }
    }
    for (const Operands& extents : extents_) {
      needed.insert(needed.end(), extents.begin(), extents.end());
    }
    for (const Operands& extents : products_) {
      needed.insert(needed.end(), extents.begin(), extents.end());
    }
    for (const Screma* level : levels_) needed.push_back(level->width);
    Body sizes = withNeeded(program_, cheap_, {{}, needed});
    sizes = freshCopy(program_, sizes);
    for (Stm& stm : sizes.stms) host.append(std::move(stm));
    size_t next = 0;
    auto product = [&](size_t count) {
      Operand all = Operand::ofI64(1);
      for (size_t k = 0; k < count; ++k) all = host.mul(all, sizes.results[next++]);
      return all;
    };
    auto wordsOf = [&](const Lives& lives) {
      Operand words = Operand::ofI64(0);
      for (const auto& [key, live] : lives) {
        Operand elements = product(live.shape.size());
        words = host.add(words, host.mul(elements, Operand::ofI64(live.words * live.count)));
      }
      return words;
    };
    const Operand words = wordsOf(peak_);
    const Operand of_tables = wordsOf(tables_);
    Operand widest = Operand::ofI64(0);
    std::vector<Operand> seen;
    for (const Operands& extents : extents_) {
      Operand width = product(extents.size());
      if (std::find(seen.begin(), seen.end(), width) != seen.end()) continue;
      seen.push_back(width);
      widest = widest == Operand::ofI64(0)
                   ? width
                   : host.prim(prim::Op::kMax, ScalarType::kI64, {widest, width});
    }
    std::vector<Operand> terms;
    for (const Operands& extents : products_) terms.push_back(product(extents.size()));
    auto compare = [&](prim::Op op, const Operand& a, int64_t b) {
      return host.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
    };
    auto both = [&](const Operand& a, const Operand& b) {
      if (a == Operand(Scalar::ofBool(true))) return b;
      return host.prim(prim::Op::kAnd, ScalarType::kBool, {a, b});
    };
    Operand suits = compare(prim::Op::kLe, words, mostWords());
    if (!tables_.empty()) {
      const Operand apart = both(suits, compare(prim::Op::kLe, of_tables, sizes_.table_words));
      const int64_t most = isWholeSize(tables_) ? mostWords() : sizes_.plane_words;
      return host.take({compare(prim::Op::kLe, host.add(words, of_tables), most), apart});
    }
    if (sizes_.bounds_width) {
      suits = both(suits, both(compare(prim::Op::kGe, widest, sizes_.least_width),
                               compare(prim::Op::kLe, widest, sizes_.most_width)));
    }
    const int64_t most = mostCells();
    if (most < INT64_MAX || !terms.empty()) {
      const Operand cells = product(levels_.size());
      if (most < INT64_MAX) suits = both(suits, compare(prim::Op::kLt, cells, most));
      for (const Operand& each : terms) {
        suits = both(suits, compare(prim::Op::kLt, host.mul(cells, each), kMaxCellTerms));
      }
    }
    return host.take({suits});
  }

 private:
  // ---- sizes

  // From the launch's arguments, by scalar code that the host may run as well.
  bool isComputable(const Operand& operand) const {
    return operand.isConstant() || !cell_values_.contains(operand.value) ||
           computable_.contains(operand.value);
  }
  bool isComputable(const Operands& operands) const {
    return std::all_of(operands.begin(), operands.end(),
                       [&](const Operand& operand) { return isComputable(operand); });
  }
  int64_t productBound(const Operands& extents) const {
    int64_t product = 1;
    for (const Operand& extent : extents) {
      const int64_t bound = upperBound(extent, code_);
      if (!isKnown(bound) || __builtin_mul_overflow(product, bound, &product)) return INT64_MAX;
    }
    return product;
  }
  // Arrays of two unknown extents hardly ever fit.
  bool isWholeSize(const Lives& lives) const {
    return std::all_of(lives.begin(), lives.end(), [&](const auto& entry) {
      int unknown = 0;
      for (const Operand& extent : entry.second.shape)
        unknown += !isKnown(upperBound(extent, code_));
      return unknown < 2;
    });
  }

  int64_t mostWords() const {
    return sizes_.plane_words > 0 && !isWholeSize(peak_) ? sizes_.plane_words : sizes_.most_words;
  }

  // From so many cells on an invocation for each finishes them sooner.
  int64_t mostCells() const {
    if (sizes_.are_few) return kFewCells;
    const bool may_be_sequential = peak_.empty() || (sizes_.bounds_width && isNarrow());
    return may_be_sequential ? kManyCells : INT64_MAX;
  }
  // Whether an invocation could have a cell's arrays and go through its statements.
  bool isNarrow() const {
    const bool has_small_arrays = std::all_of(peak_.begin(), peak_.end(), [&](const auto& entry) {
      return productBound(entry.second.shape) <= kMaxPrivate;
    });
    return has_small_arrays && widest_ <= kNarrow;
  }

  void noteScalar(const Stm& stm) {
    const bool is_code = !stm.checked && (std::holds_alternative<PrimOp>(stm.expr) ||
                                          std::holds_alternative<Convert>(stm.expr) ||
                                          std::holds_alternative<Select>(stm.expr));
    bool known = is_code;
    if (is_code) {
      visitUses(stm.expr, [&](const auto& use) { known = known && isComputable(Operand(use)); });
    }
    if (known) {
      computable_.insert(stm.results[0]);
      cheap_.push_back(stm);
      return;
    }
    const auto* prim = std::get_if<PrimOp>(&stm.expr);
    if (prim == nullptr || prim->op != prim::Op::kMin) return;
    for (const Operand& arg : prim->args) {
      if (isComputable(arg)) bound_.insert_or_assign(stm.results[0], arg);
    }
  }
  // Room for an array whose size is made by a step of a loop (loops/bounded_extents.h).
  Type roomOf(Type type) const {
    for (Operand& extent : type.shape) {
      if (isComputable(extent)) continue;
      const auto found = bound_.find(extent.value);
      if (found != bound_.end()) extent = found->second;
    }
    return type;
  }

  void between(const Stm& stm) {
    noteScalar(stm);
    cell_values_.insert(stm.results.begin(), stm.results.end());
  }

  Lives single(const Type& type) const {
    std::string key;
    for (const Operand& extent : type.shape) {
      key += extent.isConstant() ? fmt::format("{} ", extent.constant.asSigned())
                                 : fmt::format("v{} ", extent.value.index);
    }
    const int64_t words = prim::byteSize(type.scalar) == 8 ? 2 : 1;
    return {{key + fmt::format("x{}", words), {type.shape, words, 1}}};
  }

  // ---- statements

  // Whether lanes take part of it, or it is a name for something, or scalar.
  static bool isScalarOrView(const Stm& stm) {
    return isCheap(stm) || viewed(stm.expr) || std::holds_alternative<Assert>(stm.expr) ||
           std::holds_alternative<Literal>(stm.expr);
  }

  // Code that a lane runs by itself: its arrays are its own.
  void lane(const Body& body) {
    for (const Stm& stm : body.stms) {
      const bool makes = !isScalarOrView(stm) && !std::holds_alternative<Update>(stm.expr);
      for (ValueId result : stm.results) {
        const Type& type = program_.type(result);
        if (!makes || type.isScalar()) continue;
        int64_t count = 1;
        for (const Operand& extent : type.shape) {
          const int64_t known = extent.isConstant() ? extent.constant.asSigned() : INT64_MAX;
          if (__builtin_mul_overflow(count, known, &count)) count = INT64_MAX;
        }
        // Rows that are results, or become results in place, are where the result is.
        const bool is_result =
            std::any_of(body.results.begin(), body.results.end(), [&](const Operand& returned) {
              return !returned.isConstant() && !program_.type(returned).isScalar() &&
                     imp::inPlaceRoot(program_, body, returned.value) == result;
            });
        const bool is_known =
            std::none_of(type.shape.begin(), type.shape.end(), [&](const Operand& extent) {
              return !extent.isConstant() && cell_values_.contains(extent.value);
            });
        if (count > kMaxPrivate && !is_result && !is_known) possible_ = false;
        if (count > kMaxPrivate && !is_result) plain_ = false;
      }
      if (std::holds_alternative<Call>(stm.expr)) possible_ = false;
      bind(stm);
      visitBodies(stm.expr, [&](const Body& inner) { lane(inner); });
    }
  }
  void bind(const Stm& stm) { core::addBound(stm, cell_values_); }

  void parallel(const Operands& extents) {
    ++parallel_;
    if (isComputable(extents)) extents_.push_back(extents);
    widest_ = std::max(widest_, productBound(extents));
  }

  // Uniform code; its arrays that are live at once.
  Lives uniform(const Body& body) {
    std::map<ValueId, size_t> last;  // use of a root
    auto uses = [&](ValueId value, size_t at) {
      if (program_.type(value).isScalar()) return;
      for (ValueId root : aliases_.of(value)) last[root] = at;
    };
    std::vector<Lives> inside(body.stms.size() + 1);
    std::vector<std::vector<ValueId>> roots(body.stms.size() + 1);
    for (size_t i = 0; i < body.stms.size(); ++i) {
      const Stm& stm = body.stms[i];
      noteScalar(stm);
      inside[i] = statement(stm);
      bind(stm);
      for (ValueId value : freeValues(program_, stm)) uses(value, i);
      const std::vector<Roots> shown = aliases_.resultRoots(stm);
      for (size_t k = 0; k < stm.results.size(); ++k) {
        const ValueId result = stm.results[k];
        const Type& type = program_.type(result);
        aliases_.bind(result, shown[k]);
        if (type.isScalar()) continue;
        // A result in place has the memory of the overwritten array, a replicate's from there on.
        ValueId root = imp::inPlaceRoot(program_, body, result);
        if (handed_.contains(result)) root = handed_.at(result);
        if (root != result) aliases_.bind(result, {root});
        if (root == result && (shown[k] != Roots{result} || isScalarOrView(stm))) continue;
        if (!counted_.insert(root).second) continue;
        if (!isComputable(roomOf(type).shape)) possible_ = false;
        if (written_.contains(result)) continue;
        // A loop counts its carried arrays itself.
        const size_t from = std::holds_alternative<Loop>(stm.expr) ? i + 1 : i;
        roots[from].push_back(root);
        last[root] = from;
      }
    }
    for (const Operand& result : body.results) {
      if (!result.isConstant()) uses(result.value, body.stms.size());
    }
    return peakOf(roots, last, inside);
  }

  Lives peakOf(const std::vector<std::vector<ValueId>>& roots,
               const std::map<ValueId, size_t>& last, const std::vector<Lives>& inside) {
    Lives peak;
    for (size_t i = 0; i < roots.size(); ++i) {
      Lives here = inside[i];
      for (size_t j = 0; j <= i; ++j) {
        for (ValueId root : roots[j]) {
          const bool is_table = in_place_.contains(root);
          if (is_table && i == j) add(tables_, single(program_.type(root)));
          if (!is_table && last.at(root) >= i) add(here, single(roomOf(program_.type(root))));
        }
      }
      raiseTo(peak, here);
    }
    return peak;
  }

  Lives statement(const Stm& stm) {
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
      const std::vector<const Screma*> nest = mapNest(*screma, SIZE_MAX);
      Operands extents;
      for (const Screma* level : nest) extents.push_back(level->width);
      parallel(extents);
      if (!hasScalarOperators(program_, *screma)) plain_ = false;
      lane(screma->map.body);
    } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      parallel({scatter->width});
      lane(scatter->map.body);
    } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
      return loopBody(stm, *loop);
    } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
      Lives peak = uniform(match->otherwise);
      for (const Case& one : match->cases) raiseTo(peak, uniform(one.body));
      return peak;
    } else if (std::holds_alternative<Call>(stm.expr)) {
      possible_ = false;
    } else if (std::holds_alternative<Hist>(stm.expr) ||
               std::holds_alternative<Stencil>(stm.expr) || std::holds_alternative<Pad>(stm.expr)) {
      plain_ = false;  // one lane does it
      visitBodies(stm.expr, [&](const Body& inner) { lane(inner); });
    }
    return {};
  }

  // A loop that keeps lanes waiting, element by element, is better an invocation's.
  Lives loopBody(const Stm& stm, const Loop& loop) {
    std::vector<bool> own;  // its initial value has memory of the cell's
    for (const Carried& carried : loop.carried) {
      own.push_back(!carried.initial.isConstant() && counted_.contains(carried.initial.value));
      cell_values_.insert(carried.param);
      aliases_.bindFresh(carried.param);
      counted_.insert(carried.param);
    }
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) cell_values_.insert(counted->index);
    const size_t before = parallel_;
    const bool is_outermost = !std::exchange(in_loop_, true);
    Lives peak = uniform(loop.body);
    in_loop_ = !is_outermost;
    const bool works = parallel_ > before;
    has_loop_ = has_loop_ || works;
    bool updates = false;
    const std::vector<size_t> from = sourcesOf(loop);
    bool exchanges = false;
    for (size_t k = 0; k < from.size(); ++k) {
      exchanges = exchanges || (from[k] != SIZE_MAX && from[k] != k);
    }
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const Type& type = program_.type(loop.carried[k].param);
      if (type.isScalar()) continue;
      updates = true;
      if (!isComputable(type.shape)) possible_ = false;
      // A step's own result is one of them, unless arrays are exchanged.
      int buffers = exchanges ? 2 : 1;
      if (from[k] == k) buffers = 0;
      const bool is_table = from[k] == k && is_outermost && sizes_.table_words > 0 && own[k];
      if (is_table) in_place_.insert(loop.carried[k].initial.value);
      if (changesPlaces(loop, from, k)) {
        buffers = own[k] ? 0 : 1;
        if (own[k]) handed_[stm.results[k]] = loop.carried[k].initial.value;
      }
      for (; buffers > 0; buffers--) add(peak, single(type));
    }
    const bool may_wait = sizes_.serial_loops || sizes_.are_few;
    if (updates && !works && !may_wait) plain_ = false;
    return peak;
  }

  // The carried array in whose memory the next one of each is; else SIZE_MAX.
  std::vector<size_t> sourcesOf(const Loop& loop) const {
    std::vector<size_t> from(loop.carried.size(), SIZE_MAX);
    for (size_t k = 0; k < from.size(); ++k) {
      const Operand& next = loop.body.results[k];
      if (next.isConstant() || program_.type(next).isScalar()) continue;
      const ValueId root = imp::inPlaceRoot(program_, loop.body, next.value);
      for (size_t j = 0; j < from.size(); ++j) {
        if (loop.carried[j].param == root) from[k] = j;
      }
    }
    return from;
  }
  // Memory that moves from one carried array to another: no step needs more.
  bool changesPlaces(const Loop& loop, const std::vector<size_t>& from, size_t k) const {
    const size_t giver = from[k];
    return giver != SIZE_MAX && giver != k && from[giver] != SIZE_MAX && from[giver] != giver &&
           std::count(from.begin(), from.end(), giver) == 1 &&
           program_.type(loop.carried[k].param) == program_.type(loop.carried[giver].param);
  }

  Program& program_;
  const std::vector<const Screma*>& levels_;
  const ScalarCode& code_;
  const GroupSizes& sizes_;
  Aliases aliases_;
  std::unordered_set<ValueId> cell_values_, computable_;
  std::unordered_map<ValueId, Operand> bound_;  // computable, of minima that are not
  std::unordered_set<ValueId> counted_;         // arrays with memory
  std::unordered_set<ValueId> written_;         // results that are made where they go
  // Results of loops whose memory alternates with that of the initial value.
  std::unordered_map<ValueId, ValueId> handed_;
  std::vector<Stm> cheap_;  // that computable values need
  std::vector<Operands> extents_;
  std::vector<Operands> products_;  // of its rows with those of arrays from outside
  size_t parallel_ = 0;
  int64_t widest_ = 0;  // bound of the elements of parallel nodes
  bool possible_ = true;
  bool plain_ = true;  // nothing of it is one lane's for all
  bool has_loop_ = false;
  bool in_loop_ = false;
  bool makes_planes_ = false;
  Lives peak_;
  std::unordered_set<ValueId> in_place_;  // initial values of arrays that loops change in place
  Lives tables_;                          // those of them that are no part of the peak
};

}  // namespace

int64_t upperBound(const Operand& size, const ScalarCode& code) {
  if (size.isConstant()) return size.constant.asSigned();
  auto made = code.find(size.value);
  if (made == code.end()) return INT64_MAX;
  if (const auto* prim = std::get_if<PrimOp>(&made->second)) {
    const bool is_min = prim->op == prim::Op::kMin && prim->type == ScalarType::kI64;
    if (is_min) return std::min(upperBound(prim->args[0], code), upperBound(prim->args[1], code));
    const bool is_max = prim->op == prim::Op::kMax && prim->type == ScalarType::kI64;
    if (is_max) return std::max(upperBound(prim->args[0], code), upperBound(prim->args[1], code));
    const bool is_sum = prim->op == prim::Op::kAdd && prim->type == ScalarType::kI64;
    const bool is_product = prim->op == prim::Op::kMul && prim->type == ScalarType::kI64;
    if (!is_sum && !is_product) return INT64_MAX;
    const int64_t a = upperBound(prim->args[0], code), b = upperBound(prim->args[1], code);
    int64_t both = 0;
    const bool overflows =
        is_sum ? __builtin_add_overflow(a, b, &both) : __builtin_mul_overflow(a, b, &both);
    return !isKnown(a) || !isKnown(b) || a < 0 || b < 0 || overflows ? INT64_MAX : both;
  }
  const auto* select = std::get_if<Select>(&made->second);
  if (select == nullptr) return INT64_MAX;
  const int64_t a = upperBound(select->on_true, code), b = upperBound(select->on_false, code);
  auto condition = select->condition.isConstant() ? code.end() : code.find(select->condition.value);
  const auto* compare = condition == code.end() ? nullptr : std::get_if<PrimOp>(&condition->second);
  const bool is_less = compare != nullptr &&
                       (compare->op == prim::Op::kLt || compare->op == prim::Op::kLe) &&
                       compare->args[0] == select->on_true && compare->args[1] == select->on_false;
  return is_less ? std::min(a, b) : std::max(a, b);
}

void addScalarCode(const Body& body, ScalarCode& code) {
  visitStms(body, [&](const Stm& stm) {
    const bool is_scalar =
        std::holds_alternative<PrimOp>(stm.expr) || std::holds_alternative<Select>(stm.expr);
    if (is_scalar) code.insert_or_assign(stm.results[0], stm.expr);
  });
}

std::optional<GroupCells> asGroupCells(Program& program, const Stm& nest, size_t max_levels,
                                       const ScalarCode& code, const GroupSizes& sizes) {
  const std::vector<const Screma*> levels = mapNest(std::get<Screma>(nest.expr), max_levels);
  Cell cell(program, levels, code, sizes);
  if (!cell.fits() || (!sizes.are_forced && !cell.isWorth())) return std::nullopt;
  return GroupCells{cell.condition(), cell.alwaysFits()};
}

std::string describeGroup() {
  const GroupSizes usual;
  return fmt::format(
      "cells by workgroups where their arrays fit {} KB and their widest statement has {} to {} "
      "elements",
      (usual.most_words * 4 + 1023) / 1024, usual.least_width, usual.most_width);
}

}  // namespace halo::gpu

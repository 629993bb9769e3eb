// One walk over the cell: whether each statement can be a workgroup's, which shared memory is live
// at once, which extents lanes go through.
#include "gpu/plan/workgroup/cell_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/plan/limits.h"
#include "gpu/plan/nests/kinds.h"
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

// Terms of a product with an array that the first-level cache holds: reading it again is free.
constexpr int64_t kFewTerms = 16 * 16 * 16;

void add(LiveSets& to, const LiveSets& more) {
  for (const auto& [key, live] : more) {
    LiveArrays& known = to.try_emplace(key, LiveArrays{live.shape, live.words, 0}).first->second;
    known.count += live.count;
  }
}
void raiseTo(LiveSets& to, const LiveSets& other) {
  for (const auto& [key, live] : other) {
    LiveArrays& known = to.try_emplace(key, LiveArrays{live.shape, live.words, 0}).first->second;
    known.count = std::max(known.count, live.count);
  }
}

class CellWalk {
 public:
  CellWalk(Program& program, const ScalarCode& code, const GroupSizes& sizes)
      : program_(program), code_(code), sizes_(sizes), aliases_(program) {}

  CellNeeds run(const std::vector<const Screma*>& levels) {
    std::unordered_set<ValueId> shared;  // by all cells of the innermost level
    for (size_t k = 0; k < levels.size(); ++k) {
      const Lambda& map = levels[k]->map;
      if (k + 1 == levels.size()) shared = cell_values_;
      cell_values_.insert(map.params.begin(), map.params.end());
      if (k + 1 == levels.size()) break;
      for (const Stm& stm : map.body.stms) between(stm);
    }
    const Body& cell = levels.back()->map.body;
    written_ = writtenInPlace(program_, cell);
    needs_.makes_planes = makesPlanes(program_, cell);
    needs_.peak = uniform(cell);
    needs_.products = cellProducts(program_, cell, [&](ValueId value) {
      return shared.contains(value) || !cell_values_.contains(value);
    });
    std::erase_if(needs_.products, [&](const Operands& extents) {
      return !sizes_.bounds_width || !isComputable(extents) ||
             productBound(extents, code_) <= kFewTerms;
    });
    return std::move(needs_);
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
      needs_.cheap.push_back(stm);
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

  LiveSets single(const Type& type) const {
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
        if (count > kMaxPrivateElements && !is_result && !is_known) needs_.possible = false;
        if (count > kMaxPrivateElements && !is_result) needs_.plain = false;
      }
      if (std::holds_alternative<Call>(stm.expr)) needs_.possible = false;
      bind(stm);
      visitBodies(stm.expr, [&](const Body& inner) { lane(inner); });
    }
  }
  void bind(const Stm& stm) { core::addBound(stm, cell_values_); }

  void parallel(const Operands& extents) {
    ++needs_.parallel;
    if (isComputable(extents)) needs_.extents.push_back(extents);
    needs_.widest = std::max(needs_.widest, productBound(extents, code_));
  }

  // Uniform code; its arrays that are live at once.
  LiveSets uniform(const Body& body) {
    std::map<ValueId, size_t> last;  // use of a root
    auto uses = [&](ValueId value, size_t at) {
      if (program_.type(value).isScalar()) return;
      for (ValueId root : aliases_.of(value)) last[root] = at;
    };
    std::vector<LiveSets> inside(body.stms.size() + 1);
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
        if (!isComputable(roomOf(type).shape)) needs_.possible = false;
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

  LiveSets peakOf(const std::vector<std::vector<ValueId>>& roots,
                  const std::map<ValueId, size_t>& last, const std::vector<LiveSets>& inside) {
    LiveSets peak;
    for (size_t i = 0; i < roots.size(); ++i) {
      LiveSets here = inside[i];
      for (size_t j = 0; j <= i; ++j) {
        for (ValueId root : roots[j]) {
          const bool is_table = in_place_.contains(root);
          if (is_table && i == j) add(needs_.tables, single(program_.type(root)));
          if (!is_table && last.at(root) >= i) add(here, single(roomOf(program_.type(root))));
        }
      }
      raiseTo(peak, here);
    }
    return peak;
  }

  LiveSets statement(const Stm& stm) {
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
      const std::vector<const Screma*> nest = mapNest(*screma, SIZE_MAX);
      Operands extents;
      for (const Screma* level : nest) extents.push_back(level->width);
      parallel(extents);
      if (!hasScalarOperators(program_, *screma)) needs_.plain = false;
      lane(screma->map.body);
    } else if (const auto* scatter = std::get_if<Scatter>(&stm.expr)) {
      parallel({scatter->width});
      lane(scatter->map.body);
    } else if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
      return loopBody(stm, *loop);
    } else if (const auto* match = std::get_if<Match>(&stm.expr)) {
      LiveSets peak = uniform(match->otherwise);
      for (const Case& one : match->cases) raiseTo(peak, uniform(one.body));
      return peak;
    } else if (std::holds_alternative<Call>(stm.expr)) {
      needs_.possible = false;
    } else if (std::holds_alternative<Hist>(stm.expr) ||
               std::holds_alternative<Stencil>(stm.expr) || std::holds_alternative<Pad>(stm.expr)) {
      needs_.plain = false;  // one lane does it
      visitBodies(stm.expr, [&](const Body& inner) { lane(inner); });
    }
    return {};
  }

  // A loop that keeps lanes waiting, element by element, is better an invocation's.
  LiveSets loopBody(const Stm& stm, const Loop& loop) {
    std::vector<bool> own;  // its initial value has memory of the cell's
    for (const Carried& carried : loop.carried) {
      own.push_back(!carried.initial.isConstant() && counted_.contains(carried.initial.value));
      cell_values_.insert(carried.param);
      aliases_.bindFresh(carried.param);
      counted_.insert(carried.param);
    }
    if (const auto* counted = std::get_if<ForLoop>(&loop.form)) cell_values_.insert(counted->index);
    const size_t before = needs_.parallel;
    const bool is_outermost = !std::exchange(in_loop_, true);
    LiveSets peak = uniform(loop.body);
    in_loop_ = !is_outermost;
    const bool works = needs_.parallel > before;
    needs_.has_loop = needs_.has_loop || works;
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
      if (!isComputable(type.shape)) needs_.possible = false;
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
    if (updates && !works && !may_wait) needs_.plain = false;
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
  const ScalarCode& code_;
  const GroupSizes& sizes_;
  Aliases aliases_;
  CellNeeds needs_;
  std::unordered_set<ValueId> cell_values_, computable_;
  std::unordered_map<ValueId, Operand> bound_;  // computable, of minima that are not
  std::unordered_set<ValueId> counted_;         // arrays with memory
  std::unordered_set<ValueId> written_;         // results that are made where they go
  // Results of loops whose memory alternates with that of the initial value.
  std::unordered_map<ValueId, ValueId> handed_;
  std::unordered_set<ValueId> in_place_;  // initial values of arrays that loops change in place
  bool in_loop_ = false;
};

}  // namespace

CellNeeds cellNeeds(Program& program, const std::vector<const Screma*>& levels,
                    const ScalarCode& code, const GroupSizes& sizes) {
  return CellWalk(program, code, sizes).run(levels);
}

}  // namespace halo::gpu

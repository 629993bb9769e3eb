// A nest is cut from the inside. The inner map becomes statements of the outer map's body, of which
// the sort gets arrays of one more dimension. Cuts work on copies, so one that fails leaves
// nothing.
#include "lang/passes/calls/sort_rows.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/aliases.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::Type;
using core::ValueId;
using Values = std::unordered_set<ValueId>;

// A sort on its way out of a nest: its arrays have a dimension for each map that was cut.
struct RowSort {
  std::string function;
  Operand row;  // elements of one
  // Keys first. Nothing: 0, 1, .. below `row` in each row.
  std::vector<std::optional<ValueId>> arrays;
  std::vector<ValueId> sorted;
  source::Span span;
};

struct Cut {
  std::vector<Stm> before;
  RowSort sort;
  Stm after;
};

bool mayFail(const Stm& stm) { return core::mayFail(stm); }

bool isNest(const Stm& stm) {
  const auto* screma = std::get_if<Screma>(&stm.expr);
  return screma != nullptr && core::isMap(*screma) && !screma->flattening.any();
}

class RowSorts {
 public:
  explicit RowSorts(core::Program& program) : program_(program) {}

  void body(Body& b) {
    std::vector<Stm> left = std::move(b.stms);
    b.stms.clear();
    std::reverse(left.begin(), left.end());
    while (!left.empty()) {
      Stm stm = std::move(left.back());
      left.pop_back();
      noteCounts(stm);
      std::optional<Cut> parts = isNest(stm) && hasSort(stm) ? cut(stm) : std::nullopt;
      if (!parts) {
        if (core::isControl(stm.expr))
          core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
        b.stms.push_back(std::move(stm));
        continue;
      }
      std::move(parts->before.begin(), parts->before.end(), std::back_inserter(b.stms));
      write(parts->sort, b.stms);
      left.push_back(std::move(parts->after));  // it may sort as well
    }
  }

 private:
  bool hasSort(const Stm& nest) const {
    const std::vector<Stm>& stms = std::get<Screma>(nest.expr).map.body.stms;
    return std::any_of(stms.begin(), stms.end(), [&](const Stm& stm) { return sorts(stm); });
  }
  bool sorts(const Stm& stm) const {
    return sortIn(program_, stm).has_value() || (isNest(stm) && hasSort(stm));
  }

  // Arrays of 0, 1, ..
  void noteCounts(const Stm& stm) {
    if (core::isPlainIota(stm.expr)) counts_.insert(stm.results[0]);
  }

  std::optional<RowSort> sortOf(const Stm& stm) const {
    const auto sort = sortIn(program_, stm);
    if (sort->row_sort.empty()) return std::nullopt;
    RowSort made{sort->row_sort, sort->size, {sort->keys}, stm.results, stm.span};
    for (ValueId array : sort->beside) {
      made.arrays.push_back(counts_.contains(array) ? std::nullopt : std::optional(array));
    }
    return made;
  }

  std::optional<Cut> cut(const Stm& nest) {
    const Screma& screma = std::get<Screma>(nest.expr);
    std::vector<Stm> first, last;
    std::optional<RowSort> sort;
    for (const Stm& stm : screma.map.body.stms) {
      noteCounts(stm);
      if (sort || !sorts(stm)) {
        (sort ? last : first).push_back(stm);
      } else if (!isNest(stm)) {
        if (!(sort = sortOf(stm))) return std::nullopt;
      } else {
        auto inner = cut(stm);
        if (!inner) return std::nullopt;
        std::move(inner->before.begin(), inner->before.end(), std::back_inserter(first));
        sort = std::move(inner->sort);
        last.push_back(std::move(inner->after));
      }
    }
    return cutAt(nest, std::move(first), *std::move(sort), std::move(last));
  }

  // The nest's body as what is before a sort, the sort, and what is behind it.
  std::optional<Cut> cutAt(const Stm& nest, std::vector<Stm> first, RowSort sort,
                           std::vector<Stm> last) {
    const Screma& screma = std::get<Screma>(nest.expr);
    const Body behind{std::move(last), screma.map.body.results};
    Values bound(screma.map.params.begin(), screma.map.params.end());
    const std::vector<ValueId> passed = passedOn(first, behind, sort, bound);
    const auto isFixed = [&](ValueId value) { return hasFixedExtents(value, bound); };
    if (!std::all_of(passed.begin(), passed.end(), isFixed) ||
        !std::all_of(sort.sorted.begin(), sort.sorted.end(), isFixed)) {
      return std::nullopt;
    }
    std::unordered_map<ValueId, ValueId> lifted;
    for (size_t i = 0; i < screma.inputs.size(); ++i) {
      lifted.emplace(screma.map.params[i], screma.inputs[i]);
    }
    Cut made{{}, std::move(sort), {}};
    if (!passed.empty()) {
      Stm before{{}, screma, false, nest.span};
      Screma& map = std::get<Screma>(before.expr);
      map.map.body = {std::move(first), {passed.begin(), passed.end()}};
      for (ValueId value : passed) {
        before.results.push_back(lift(value, screma.width));
        lifted.insert_or_assign(value, before.results.back());
      }
      made.before.push_back(std::move(before));
    }
    for (std::optional<ValueId>& array : made.sort.arrays) {
      if (array) array = lifted.at(*array);
    }
    std::vector<ValueId> rows = made.sort.sorted;
    for (ValueId& sorted : made.sort.sorted) sorted = lift(sorted, screma.width);
    Screma after = screma;
    after.map.body = behind;
    for (ValueId value : passed) {
      if (!bound.contains(value)) continue;
      after.inputs.push_back(lifted.at(value));
      after.map.params.push_back(value);
    }
    after.inputs.insert(after.inputs.end(), made.sort.sorted.begin(), made.sort.sorted.end());
    after.map.params.insert(after.map.params.end(), rows.begin(), rows.end());
    copyConsumed(after.map);
    after.map = core::freshCopy(program_, after.map);
    made.after = {nest.results, std::move(after), false, nest.span};
    return made;
  }

  // What the part behind the sort and the sort itself need from the part before it. `bound` gets
  // what that part makes.
  std::vector<ValueId> passedOn(const std::vector<Stm>& first, const Body& behind,
                                const RowSort& sort, Values& bound) const {
    const Values params = bound;
    std::vector<ValueId> passed;
    const std::unordered_set<ValueId> free = core::freeValues(program_, behind);
    const auto isSorted = [&](ValueId value) {
      return std::find(sort.arrays.begin(), sort.arrays.end(), std::optional(value)) !=
             sort.arrays.end();
    };
    for (const Stm& stm : first) {
      for (ValueId result : stm.results) {
        bound.insert(result);
        if (free.contains(result) || isSorted(result)) passed.push_back(result);
      }
    }
    for (const std::optional<ValueId>& array : sort.arrays) {  // the same for all rows
      if (array && !bound.contains(*array)) passed.push_back(*array);
    }
    // Checks stay, also where no value is made.
    const bool is_lost = passed.empty() && std::any_of(first.begin(), first.end(), mayFail);
    if (is_lost && sort.arrays[0]) passed.push_back(*sort.arrays[0]);
    return passed;
  }

  bool hasFixedExtents(ValueId value, const Values& bound) const {
    const Operands& shape = program_.type(value).shape;
    return std::none_of(shape.begin(), shape.end(), [&](const Operand& extent) {
      return !extent.isConstant() && bound.contains(extent.value);
    });
  }

  ValueId lift(ValueId value, const Operand& width) {
    Type type = program_.type(value);
    type.shape.insert(type.shape.begin(), width);
    return program_.add(program_.values[value].name, type);
  }

  // Rows of an input belong to it.
  void copyConsumed(core::Lambda& map) {
    Values consumed;
    core::visitStms(map.body, [&](const Stm& stm) {
      for (ValueId value : core::consumedBy(program_, stm.expr)) consumed.insert(value);
    });
    std::vector<Stm> copies;
    for (ValueId& param : map.params) {
      if (!consumed.contains(param)) continue;
      const ValueId row = program_.add(program_.values[param].name, program_.type(param));
      copies.push_back({{param}, core::Copy{row}, false, {}});
      param = row;
    }
    map.body.stms.insert(map.body.stms.begin(), copies.begin(), copies.end());
  }

  void write(const RowSort& sort, std::vector<Stm>& out) {
    core::Builder builder(program_);
    const Operands shape = program_.type(sort.sorted[0]).shape;
    Operand all = shape[0];
    for (size_t i = 1; i < shape.size(); ++i) all = builder.mul(all, shape[i]);
    Operands args = {all};
    std::vector<Type> types;
    for (const std::optional<ValueId>& array : sort.arrays) {
      const ValueId flat = array ? flatten(*array, all, builder) : counts(all, sort.row, builder);
      args.emplace_back(flat);
      types.push_back(program_.type(flat));
    }
    args.push_back(sort.row);
    const core::Call call{sort.function, args};
    const std::vector<ValueId> flat = builder.bindAll("sorted", types, call, false, sort.span);
    for (size_t i = 0; i < flat.size(); ++i) {
      builder.append({{sort.sorted[i]}, core::Reshape{flat[i], shape}, false, sort.span});
    }
    std::move(builder.body().stms.begin(), builder.body().stms.end(), std::back_inserter(out));
  }

  ValueId flatten(ValueId array, const Operand& all, core::Builder& builder) {
    return builder.bind("flat", {program_.type(array).scalar, {all}}, core::Reshape{array, {all}});
  }

  // Each element's place in its row.
  ValueId counts(const Operand& all, const Operand& row, core::Builder& builder) {
    using prim::Op;
    using prim::ScalarType;
    const Type type{ScalarType::kI64, {all}};
    const core::Iota iota{ScalarType::kI64, all, Operand::ofI64(0), Operand::ofI64(1)};
    const ValueId places = builder.bind("places", type, iota);
    core::Builder inside(program_);
    const ValueId place = program_.add("place", {});
    const Operand divisor = inside.prim(Op::kMax, ScalarType::kI64, {row, Operand::ofI64(1)});
    const Operand own = inside.prim(Op::kRem, ScalarType::kI64, {place, divisor});
    Screma map{all, {places}, {{place}, inside.take({own})}, {}, {}};
    return builder.bind("places", type, std::move(map));
  }

  core::Program& program_;
  Values counts_;
};

}  // namespace

core::Program sortRows(const core::Program& program) {
  if (!hasSorts(program)) return program;
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    if (function.kernel.empty()) RowSorts(result).body(body);
  });
}

}  // namespace halo::passes

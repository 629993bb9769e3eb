// One function per node. Shapes are equal when their sizes are the same operands. Where a node has
// results that are sizes of its other results (match, loop, call), a result's type is compared
// after replacing those sizes by what the arm, iteration or callee returns for them.
#include "lang/core/type_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/base/match.h"
#include "lang/core/shorthand.h"
#include "lang/diag/failure_operands.h"

namespace halo::core {
namespace {

constexpr ScalarType kI64 = ScalarType::kI64;
constexpr ScalarType kBool = ScalarType::kBool;

using Renaming = std::map<ValueId, Operand>;

class Rules {
 public:
  Rules(const Program& program, const Stm& stm) : program_(program), stm_(stm) {}
  explicit Rules(const Program& program) : program_(program), stm_(kNoStm) {}

  std::optional<std::string> run() {
    base::match(stm_.expr, [&](const auto& node) { check(node); });
    return error_;
  }

  std::optional<std::string> returns(const Function& f) {
    returned(f.body.results, f.results, "the function returns", {});
    return error_;
  }

 private:
  static const Stm kNoStm;

  // ---- messages

  template <typename... Args>
  void fail(fmt::format_string<Args...> format, Args&&... args) {
    if (!error_) error_ = fmt::format(format, std::forward<Args>(args)...);
  }
  std::string show(const Type& t) const { return text(program_, t); }
  std::string show(const Operand& o) const { return text(program_, o); }
  bool need(bool condition, std::string_view message) {
    if (!condition) fail("{}", message);
    return condition;
  }
  void same(const Type& found, const Type& needed, std::string_view what) {
    if (found != needed) fail("{} has type `{}`, needed `{}`", what, show(found), show(needed));
  }

  // ---- parts

  Type type(const Operand& o) const { return program_.type(o); }
  Type type(ValueId v) const { return program_.type(v); }
  void scalar(const Operand& o, ScalarType needed, std::string_view what) {
    same(type(o), {needed, {}}, fmt::format("{} `{}`", what, show(o)));
  }
  void sizes(const Operands& os) {
    for (const Operand& o : os) scalar(o, kI64, "size");
  }
  // The statement has these results.
  void gives(const std::vector<Type>& types) {
    if (stm_.results.size() != types.size()) {
      return fail("{} results bound, the operation has {}", stm_.results.size(), types.size());
    }
    for (size_t i = 0; i < types.size(); i++) {
      same(type(stm_.results[i]), types[i], fmt::format("result `{}`", show(stm_.results[i])));
    }
  }
  void onlyProven() { need(!stm_.checked, "the operation is `checked` but cannot fail"); }

  static Type row(Type t) {
    t.shape.erase(t.shape.begin());
    return t;
  }
  static Type arrayOf(const Operands& outer, Type element) {
    element.shape.insert(element.shape.begin(), outer.begin(), outer.end());
    return element;
  }
  static Type renamed(Type t, const Renaming& renaming) {
    for (Operand& size : t.shape) {
      auto found = size.isConstant() ? renaming.end() : renaming.find(size.value);
      if (found != renaming.end()) size = found->second;
    }
    return t;
  }

  // Operands against binders that may be sizes of each other.
  void returned(const Operands& found, const std::vector<ValueId>& binders, std::string_view what,
                Renaming renaming) {
    if (found.size() != binders.size()) {
      return fail("{} {} values, needed {}", what, found.size(), binders.size());
    }
    for (size_t i = 0; i < found.size(); i++) renaming[binders[i]] = found[i];
    for (size_t i = 0; i < found.size(); i++) {
      Type needed = renamed(type(binders[i]), renaming);
      if (type(found[i]) != needed) {
        fail("{} `{}` of type `{}`, needed `{}`", what, show(found[i]), show(type(found[i])),
             show(needed));
      }
    }
  }

  bool selected(ValueId array, const Operands& indices, Type* part) {
    *part = type(array);
    if (indices.size() > part->shape.size()) {
      fail("{} indices into `{}` of type `{}`", indices.size(), show(array), show(*part));
      return false;
    }
    for (const Operand& index : indices) scalar(index, kI64, "index");
    part->shape.erase(part->shape.begin(),
                      part->shape.begin() + static_cast<std::ptrdiff_t>(indices.size()));
    return true;
  }
  bool sliced(ValueId array, const std::vector<SliceDim>& dims, Type* part) {
    *part = type(array);
    if (dims.size() != part->shape.size()) {
      fail("{} slices of `{}` of type `{}`", dims.size(), show(array), show(*part));
      return false;
    }
    for (size_t i = 0; i < dims.size(); i++) {
      scalar(dims[i].start, kI64, "start"), scalar(dims[i].length, kI64, "length");
      scalar(dims[i].stride, kI64, "stride");
      part->shape[i] = dims[i].length;
    }
    return true;
  }

  // ---- scalars

  void check(const Literal& n) { onlyProven(), gives({{n.value.type, {}}}); }
  void check(const PrimOp& n) {
    const prim::OpInfo& info = prim::info(n.op);
    if (!prim::existsAt(n.op, n.type)) {
      return fail("`{}` does not exist at `{}`", info.name, prim::name(n.type));
    }
    if (static_cast<int>(n.args.size()) != info.arity) {
      return fail("`{}` has {} operands, needs {}", info.name, n.args.size(), info.arity);
    }
    for (const Operand& arg : n.args) scalar(arg, n.type, "operand");
    if (!prim::canFail(n.op, n.type)) onlyProven();
    gives({{prim::resultType(n.op, n.type), {}}});
  }
  void check(const Convert& n) {
    onlyProven();
    scalar(n.arg, n.from, "operand");
    bool good = true;
    if (n.kind == prim::ConvertKind::kBits) good = prim::byteSize(n.from) == prim::byteSize(n.to);
    if (n.kind == prim::ConvertKind::kMachine) {
      good = prim::isFloat(n.from) && prim::isInteger(n.to);
    }
    need(good, "no such conversion");
    gives({{n.to, {}}});
  }
  void check(const Select& n) {
    onlyProven();
    scalar(n.condition, kBool, "condition");
    need(type(n.on_true).isScalar(), "select of arrays");
    same(type(n.on_false), type(n.on_true), "second choice");
    gives({type(n.on_true)});
  }

  // ---- arrays

  void check(const Index& n) {
    Type part;
    if (selected(n.array, n.indices, &part)) gives({part});
  }
  void check(const Slice& n) {
    Type part;
    if (sliced(n.array, n.dims, &part)) gives({part});
  }
  void check(const Update& n) {
    Type part;
    if (!n.indices.empty() && !n.dims.empty()) return fail("update with indices and slices");
    bool good =
        n.dims.empty() ? selected(n.array, n.indices, &part) : sliced(n.array, n.dims, &part);
    if (!good) return;
    same(type(n.value), part, "the new value");
    gives({type(n.array)});
  }
  void check(const Iota& n) {
    onlyProven();
    need(prim::isInteger(n.type), "iota of a type that is no integer");
    scalar(n.count, kI64, "count"), scalar(n.start, n.type, "start"),
        scalar(n.step, n.type, "step");
    gives({{n.type, {n.count}}});
  }
  void check(const Replicate& n) {
    onlyProven(), sizes(n.shape), need(!n.shape.empty(), "replicate without a size");
    gives({arrayOf(n.shape, type(n.value))});
  }
  void check(const ArrayLiteral& n) {
    onlyProven();
    if (!need(!n.elements.empty(), "array literal without elements")) return;
    Type element = type(n.elements[0]);
    need(element.scalar == n.type, "elements are not of the array's scalar type");
    for (const Operand& e : n.elements) same(type(e), element, "element");
    gives({arrayOf({Operand::ofI64(static_cast<int64_t>(n.elements.size()))}, element)});
  }
  void check(const Scratch& n) { onlyProven(), sizes(n.shape), gives({{n.type, n.shape}}); }
  void check(const Rearrange& n) {
    onlyProven();
    Type t = type(n.array);
    std::vector<bool> seen(t.shape.size());
    Type result{t.scalar, {}};
    if (n.permutation.size() != t.shape.size()) return fail("rearrange of a wrong rank");
    for (int d : n.permutation) {
      bool good = d >= 0 && d < t.rank() && !seen[static_cast<size_t>(d)];
      if (!need(good, "rearrange by what is no permutation")) return;
      seen[static_cast<size_t>(d)] = true;
      result.shape.push_back(t.shape[static_cast<size_t>(d)]);
    }
    gives({result});
  }
  void check(const Reshape& n) {
    onlyProven(), sizes(n.shape);
    need(!type(n.array).isScalar() && !n.shape.empty(), "reshape of or to a scalar");
    gives({{type(n.array).scalar, n.shape}});
  }
  void check(const Concat& n) {
    onlyProven(), sizes({n.size});
    if (!need(!n.arrays.empty(), "concat of nothing")) return;
    for (ValueId array : n.arrays) {
      if (!need(!type(array).isScalar(), "concat of a scalar")) return;
      same(row(type(array)), row(type(n.arrays[0])), "row");
    }
    gives({arrayOf({n.size}, row(type(n.arrays[0])))});
  }
  void check(const Copy& n) {
    onlyProven(), need(!type(n.array).isScalar(), "copy of a scalar");
    gives({type(n.array)});
  }

  // ---- second-order

  void params(const Lambda& lambda, const std::vector<Type>& needed, std::string_view what) {
    if (lambda.params.size() != needed.size()) {
      return fail("{} has {} parameters, needs {}", what, lambda.params.size(), needed.size());
    }
    for (size_t i = 0; i < needed.size(); i++) {
      same(type(lambda.params[i]), needed[i],
           fmt::format("parameter `{}` of {}", show(lambda.params[i]), what));
    }
  }
  // Parameters: accumulators, elements; results: accumulators.
  std::vector<Type> combiner(const Lambda& op, const Operands& neutral, std::string_view what) {
    std::vector<Type> types;
    for (const Operand& n : neutral) types.push_back(type(n));
    std::vector<Type> twice = types;
    twice.insert(twice.end(), types.begin(), types.end());
    params(op, twice, what);
    if (op.body.results.size() != types.size()) {
      fail("{} returns {} values, needs {}", what, op.body.results.size(), types.size());
      return types;
    }
    for (size_t i = 0; i < types.size(); i++) same(type(op.body.results[i]), types[i], what);
    return types;
  }
  // The row of an input of an index space.
  void input(ValueId array, const Operands& space, std::vector<Type>* elements) {
    Type t = type(array);
    for (const Operand& size : space) {
      if (t.shape.empty() || t.shape[0] != size) {
        return fail("input `{}` of type `{}` does not span `{}`", show(array), show(type(array)),
                    show(Type{t.scalar, space}));
      }
      t = row(t);
    }
    elements->push_back(t);
  }

  // Results of the map: operands of reductions, of scans, then passed through.
  template <typename Node>
  void mapped(const Node& n, const Operands& space, const std::vector<Scan>& scans) {
    std::vector<Type> results;
    size_t next = 0;
    auto take = [&](const Lambda& op, const Operands& neutral, std::string_view what, bool array) {
      for (const Type& t : combiner(op, neutral, what)) {
        if (next >= n.map.body.results.size()) return fail("{} lacks operands", what);
        same(type(n.map.body.results[next++]), t, fmt::format("operand of {}", what));
        results.push_back(array ? arrayOf(space, t) : t);
      }
    };
    for (const Reduction& r : n.reductions) take(r.op, r.neutral, "the reduction", false);
    for (const Scan& s : scans) take(s.op, s.neutral, "the scan", true);
    for (; next < n.map.body.results.size(); next++) {
      results.push_back(arrayOf(space, type(n.map.body.results[next])));
    }
    gives(results);
  }
  void check(const Screma& n) {
    onlyProven(), sizes({n.width});
    std::vector<Type> elements;
    for (ValueId array : n.inputs) input(array, {n.width}, &elements);
    params(n.map, elements, "the map");
    mapped(n, {n.width}, n.scans);
  }
  void boundary(const Boundary& b, const Type& element) {
    if (b.kind == BoundaryKind::kConstant) same(type(b.value), element, "the boundary's constant");
  }
  void window(const Window& w, const Operands& space, std::vector<Type>* elements) {
    Type t = type(w.array);
    if (t.shape != space) {
      return fail("window on `{}` of type `{}` does not span `{}`", show(w.array), show(t),
                  show(Type{t.scalar, space}));
    }
    need(w.boundary.size() == space.size(), "window needs one boundary for each axis");
    for (const Boundary& b : w.boundary) boundary(b, {t.scalar, {}});
    if (w.dynamic.empty()) {
      for (const auto& offset : w.offsets) {
        need(offset.size() == space.size(), "offset needs one number for each axis");
        elements->push_back({t.scalar, {}});
      }
      return;
    }
    need(w.offsets.empty(), "window with static and dynamic offsets");
    need(w.dynamic.size() == space.size(), "window needs one offset array for each axis");
    Type first = type(w.dynamic[0]);
    need(first.rank() == 1 && first.scalar == kI64, "offset array is not of type `[d]i64`");
    for (ValueId array : w.dynamic) same(type(array), first, "offset array");
    elements->push_back({t.scalar, first.shape});
  }
  void check(const Stencil& n) {
    onlyProven(), sizes(n.space);
    need(!n.space.empty() && n.space.size() <= 3,
         "stencil over a space that is not of rank 1 to 3");
    std::vector<Type> elements;
    for (const Window& w : n.windows) window(w, n.space, &elements);
    for (ValueId array : n.inputs) input(array, n.space, &elements);
    params(n.map, elements, "the map");
    mapped(n, n.space, {});
  }
  void check(const Scatter& n) {
    onlyProven(), sizes({n.width});
    std::vector<Type> elements, results;
    for (ValueId array : n.inputs) input(array, {n.width}, &elements);
    params(n.map, elements, "the map");
    const Operands& found = n.map.body.results;
    size_t next = 0;
    for (const ScatterDest& d : n.destinations) {
      Type t = type(d.array);
      results.push_back(t);
      if (!need(d.index_rank >= 1 && d.index_rank <= t.rank(), "destination of a wrong rank"))
        return;
      size_t rank = static_cast<size_t>(d.index_rank);
      if (!need(next + rank < found.size(), "the map returns too few values")) return;
      for (size_t i = 0; i < rank; i++) scalar(found[next++], kI64, "index"), t = row(t);
      same(type(found[next++]), t, "scattered value");
    }
    need(next == found.size(), "the map returns too many values");
    gives(results);
  }

  void check(const Hist& n) {
    onlyProven(), sizes({n.width});
    std::vector<Type> elements, results;
    for (ValueId array : n.inputs) input(array, {n.width}, &elements);
    params(n.map, elements, "the map");
    size_t next = 0;
    for (const HistOp& operation : n.operations) histogram(n, operation, &next, &results);
    need(next == n.map.body.results.size(), "the map returns too many values");
    gives(results);
  }
  void histogram(const Hist& n, const HistOp& operation, size_t* next, std::vector<Type>* results) {
    const Operands& found = n.map.body.results;
    std::vector<Type> types = combiner(operation.op, operation.neutral, "the operator");
    if (!need(operation.destinations.size() == types.size() && !types.empty(),
              "an operation needs one destination for each neutral value")) {
      return;
    }
    Operands outer;
    size_t rank = static_cast<size_t>(std::max(operation.index_rank, 0));
    for (size_t k = 0; k < types.size(); k++) {
      Type t = type(operation.destinations[k]);
      if (!need(rank >= 1 && rank <= t.shape.size(), "destination of a wrong rank")) return;
      if (k == 0) outer = {t.shape.begin(), t.shape.begin() + operation.index_rank};
      same(t, arrayOf(outer, types[k]), "destination");
      results->push_back(t);
    }
    if (!need(*next + rank + types.size() <= found.size(), "the map returns too few values")) {
      return;
    }
    for (size_t i = 0; i < rank; i++) scalar(found[(*next)++], kI64, "index");
    for (const Type& t : types) same(type(found[(*next)++]), t, "combined value");
  }

  void check(const Pad& n) {
    onlyProven(), sizes(n.shape);
    Type t = type(n.array);
    if (!need(!n.dims.empty() && n.dims.size() <= t.shape.size() && n.shape.size() == n.dims.size(),
              "pad of a wrong rank")) {
      return;
    }
    Type element = t;
    for (size_t k = 0; k < n.dims.size(); k++) element = row(element), t.shape[k] = n.shape[k];
    for (const PadDim& dim : n.dims) {
      sizes({dim.before, dim.after}), boundary(dim.boundary, element);
    }
    gives({t});
  }
  void check(const Slide& n) {
    onlyProven();
    Type element = type(n.array);
    if (!need(!n.dims.empty() && n.dims.size() <= element.shape.size(), "slide of a wrong rank")) {
      return;
    }
    Operands counts, windows;
    for (const SlideDim& dim : n.dims) {
      sizes({dim.size, dim.step, dim.count});
      counts.push_back(dim.count), windows.push_back(dim.size), element = row(element);
    }
    gives({arrayOf(counts, arrayOf(windows, element))});
  }

  // ---- control

  void check(const Match& n) {
    onlyProven();
    Type t = type(n.scrutinee);
    need(t.isScalar(), "match on an array");
    for (size_t i = 0; i < n.cases.size(); i++) {
      need(n.cases[i].value.type == t.scalar, "case of another type than the scrutinee");
      for (size_t j = 0; j < i; j++) need(!(n.cases[i].value == n.cases[j].value), "case twice");
      returned(n.cases[i].body.results, stm_.results, "an arm returns", {});
    }
    returned(n.otherwise.results, stm_.results, "the last arm returns", {});
  }
  void check(const Loop& n) {
    onlyProven();
    std::vector<ValueId> carried;
    Operands initial, results;
    for (const Carried& c : n.carried) carried.push_back(c.param), initial.push_back(c.initial);
    for (ValueId result : stm_.results) results.push_back(result);
    returned(initial, carried, "the loop starts with", {});
    returned(n.body.results, carried, "the iteration returns", {});
    returned(results, carried, "the loop gives", {});
    if (const auto* form = std::get_if<ForLoop>(&n.form)) {
      Type bound = type(form->bound);
      need(bound.isScalar() && prim::isInteger(bound.scalar), "loop bound is not an integer");
      same(type(form->index), bound, "loop index");
      return;
    }
    int condition = std::get<WhileLoop>(n.form).condition;
    if (need(condition >= 0 && condition < static_cast<int>(carried.size()),
             "loop without its condition")) {
      same(type(carried[static_cast<size_t>(condition)]), {kBool, {}}, "loop condition");
    }
  }
  void check(const Call& n) {
    const Function* f = program_.find(n.function);
    if (f == nullptr) return fail("call of `{}`, which is not in the program", n.function);
    returned(n.args, f->params, "the call passes", {});
    Renaming renaming;
    for (size_t i = 0; i < n.args.size() && i < f->params.size(); i++) {
      renaming[f->params[i]] = n.args[i];
    }
    Operands results;
    for (ValueId result : stm_.results) results.push_back(result);
    returned(results, f->results, "the call gives", renaming);
  }
  void check(const Assert& n) {
    need(stm_.checked, "assert is always `checked`");
    scalar(n.condition, kBool, "condition");
    for (const Operand& o : n.operands) scalar(o, kI64, "operand");
    need(diag::isRunTimeFailure(n.code, n.operands.size()),
         "assert with a code and operands of no run-time failure");
    gives({});
  }

  const Program& program_;
  const Stm& stm_;
  std::optional<std::string> error_;
};

const Stm Rules::kNoStm{};

}  // namespace

std::optional<std::string> typeError(const Program& program, const Stm& stm) {
  return Rules(program, stm).run();
}

std::optional<std::string> resultTypeError(const Program& program, const Function& function) {
  return Rules(program).returns(function);
}

}  // namespace halo::core

// Scalars and control, and the helpers of all rules.
#include "lang/core/rules/type_rules.h"

#include "lang/base/match.h"
#include "lang/core/rules/rules.h"
#include "lang/diag/failure_operands.h"

namespace halo::core {

namespace {

using enum prim::ScalarType;

bool isScalarOf(const Program& program, const Operand& o, ScalarType wanted) {
  if (o.isConstant()) return o.constant.type == wanted;
  const Type& type = program.type(o.value);
  return type.scalar == wanted && type.isScalar();
}

}  // namespace

const Stm Rules::kNoStm{};

std::optional<std::string> Rules::run() {
  base::match(stm_.expr, [&](const auto& node) { check(node); });
  return error_;
}

std::optional<std::string> Rules::returns(const Function& f) {
  returned(f.body.results, f.results, "the function returns", {});
  return error_;
}

void Rules::scalar(const Operand& o, ScalarType needed, std::string_view what) {
  if (isScalarOf(program_, o, needed)) return;
  same(type(o), {needed, {}}, fmt::format("{} `{}`", what, show(o)));
}

// The statement has these results.
void Rules::gives(const std::vector<Type>& types) {
  if (stm_.results.size() != types.size()) {
    return fail("{} results bound, the operation has {}", stm_.results.size(), types.size());
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const Type& found = program_.type(stm_.results[i]);
    if (found != types[i]) same(found, types[i], fmt::format("result `{}`", show(stm_.results[i])));
  }
}

Type Rules::arrayOf(const Operands& outer, Type element) {
  element.shape.insert(element.shape.begin(), outer.begin(), outer.end());
  return element;
}

Type Rules::renamed(Type t, const Renaming& renaming) {
  for (Operand& size : t.shape) {
    auto found = size.isConstant() ? renaming.end() : renaming.find(size.value);
    if (found != renaming.end()) size = found->second;
  }
  return t;
}

// Operands against binders that may be sizes of each other.
void Rules::returned(const Operands& found, const std::vector<ValueId>& binders,
                     std::string_view what, Renaming renaming) {
  if (found.size() != binders.size()) {
    return fail("{} {} values, needed {}", what, found.size(), binders.size());
  }
  for (size_t i = 0; i < found.size(); ++i) renaming[binders[i]] = found[i];
  for (size_t i = 0; i < found.size(); ++i) {
    Type needed = renamed(type(binders[i]), renaming);
    if (type(found[i]) != needed) {
      fail("{} `{}` of type `{}`, needed `{}`", what, show(found[i]), show(type(found[i])),
           show(needed));
    }
  }
}

bool Rules::selected(ValueId array, const Operands& indices, Type* part) {
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

bool Rules::sliced(ValueId array, const std::vector<SliceDim>& dims, Type* part) {
  *part = type(array);
  if (dims.size() != part->shape.size()) {
    fail("{} slices of `{}` of type `{}`", dims.size(), show(array), show(*part));
    return false;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    scalar(dims[i].start, kI64, "start"), scalar(dims[i].length, kI64, "length");
    scalar(dims[i].stride, kI64, "stride");
    part->shape[i] = dims[i].length;
  }
  return true;
}

void Rules::check(const Literal& n) { onlyProven(), gives({{n.value.type, {}}}); }

void Rules::check(const PrimOp& n) {
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

void Rules::check(const Convert& n) {
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

void Rules::check(const Select& n) {
  onlyProven();
  scalar(n.condition, kBool, "condition");
  need(type(n.on_true).isScalar(), "select of arrays");
  same(type(n.on_false), type(n.on_true), "second choice");
  gives({type(n.on_true)});
}

void Rules::check(const Match& n) {
  onlyProven();
  Type t = type(n.scrutinee);
  need(t.isScalar(), "match on an array");
  for (size_t i = 0; i < n.cases.size(); ++i) {
    need(n.cases[i].value.type == t.scalar, "case of another type than the scrutinee");
    for (size_t j = 0; j < i; ++j) need(!(n.cases[i].value == n.cases[j].value), "case twice");
    returned(n.cases[i].body.results, stm_.results, "an arm returns", {});
  }
  returned(n.otherwise.results, stm_.results, "the last arm returns", {});
}

void Rules::check(const Loop& n) {
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

void Rules::check(const Call& n) {
  const Function* f = program_.find(n.function);
  if (f == nullptr) {
    if (const auto derivative = derivativeName(n.function)) return derived(n, *derivative);
    if (const auto move = moveOf(n.function)) return moved(n, *move);
    return fail("call of `{}`, which is not in the program", n.function);
  }
  returned(n.args, f->params, "the call passes", {});
  Renaming renaming;
  for (size_t i = 0; i < n.args.size() && i < f->params.size(); ++i) {
    renaming[f->params[i]] = n.args[i];
  }
  Operands results;
  for (ValueId result : stm_.results) results.push_back(result);
  returned(results, f->results, "the call gives", renaming);
}

void Rules::derived(const Call& n, const DerivativeName& name) {
  const Function* f = program_.find(name.function);
  if (f == nullptr) return fail("derivative of `{}`, which is not in the program", name.function);
  if (!need(name.arguments <= f->params.size() && name.results <= f->results.size(),
            "derivative by more than there is")) {
    return;
  }
  const std::vector<ValueId> arguments(f->params.end() - std::ptrdiff_t(name.arguments),
                                       f->params.end());
  const std::vector<ValueId> results(f->results.end() - std::ptrdiff_t(name.results),
                                     f->results.end());
  // Seeds and tangents have the types of other binders, which keep their own meaning as sizes.
  Operands given;
  for (ValueId result : stm_.results) given.push_back(result);
  const std::vector<ValueId>& seeds = name.reverse ? results : arguments;
  const std::vector<ValueId>& made = name.reverse ? arguments : results;
  if (!need(n.args.size() == f->params.size() + seeds.size() &&
                given.size() == f->results.size() + made.size(),
            "derivative with a wrong number of operands or results")) {
    return;
  }
  Renaming renaming;
  for (size_t i = 0; i < f->params.size(); ++i) renaming[f->params[i]] = n.args[i];
  for (size_t i = 0; i < f->results.size(); ++i) renaming[f->results[i]] = given[i];
  auto agree = [&](const Operand& found, ValueId binder) {
    same(type(found), renamed(type(binder), renaming), fmt::format("`{}`", show(found)));
  };
  for (size_t i = 0; i < f->params.size(); ++i) agree(n.args[i], f->params[i]);
  for (size_t i = 0; i < seeds.size(); ++i) agree(n.args[f->params.size() + i], seeds[i]);
  for (size_t i = 0; i < f->results.size(); ++i) agree(given[i], f->results[i]);
  for (size_t i = 0; i < made.size(); ++i) agree(given[f->results.size() + i], made[i]);
}

void Rules::check(const Assert& n) {
  need(stm_.checked, "assert is always `checked`");
  scalar(n.condition, kBool, "condition");
  for (const Operand& o : n.operands) scalar(o, kI64, "operand");
  // Host code for a device asks for another engine.
  const bool gives_up = n.code == diag::Code::engine_unsupported && n.operands.empty();
  need(gives_up || diag::isRunTimeFailure(n.code, n.operands.size()),
       "assert with a code and operands of no run-time failure");
  gives({});
}

std::optional<std::string> typeError(const Program& program, const Stm& stm) {
  return Rules(program, stm).run();
}

std::optional<std::string> resultTypeError(const Program& program, const Function& function) {
  return Rules(program).returns(function);
}

namespace {

// The function that a sort names for rows: it takes the number of all elements, the sort's arrays,
// and the number of a row's elements. (The sort itself takes no number where that is a constant.)
std::optional<std::string> rowSortError(const Program& program, const Function& sort) {
  const std::string& name = sort.kernel[0].row_sort;
  const Function* rows = name.empty() ? nullptr : program.find(name);
  if (name.empty()) return std::nullopt;
  if (rows == nullptr) return fmt::format("the sort of rows `{}` does not exist", name);
  // The number of all elements, element types of the arrays, the number of a row's elements.
  std::vector<std::pair<ScalarType, bool>> expected{{ScalarType::kI64, false}}, given;
  for (ValueId param : sort.params) {
    const Type& type = program.type(param);
    if (!type.isScalar()) expected.emplace_back(type.scalar, true);
  }
  expected.emplace_back(ScalarType::kI64, false);
  for (ValueId param : rows->params) {
    given.emplace_back(program.type(param).scalar, !program.type(param).isScalar());
  }
  const bool fits =
      rows->kernel.empty() && given == expected && rows->results.size() == sort.results.size();
  return fits ? std::nullopt
              : std::optional(fmt::format("`{}` is no sort of rows for this sort", name));
}

}  // namespace

std::optional<std::string> sortError(const Program& program, const Function& kernel) {
  if (auto wrong = rowSortError(program, kernel)) return wrong;
  const auto sorts =
      std::count_if(kernel.body.stms.begin(), kernel.body.stms.end(), [&](const Stm& stm) {
        const auto* call = std::get_if<Call>(&stm.expr);
        const Function* callee = call == nullptr ? nullptr : program.find(call->function);
        return callee != nullptr && !callee->kernel.empty() &&
               callee->kernel[0].kind == KernelKind::kSort;
      });
  if (sorts == 1) return std::nullopt;
  if (sorts > 1) return "a kernel has several sorts";
  for (const ValueId param : kernel.params) {
    const Type& type = program.type(param);
    if (type.isScalar()) continue;
    return type.rank() == 1 && prim::isUnsigned(type.scalar)
               ? std::nullopt
               : std::optional<std::string>("the keys of a sort are unsigned integers");
  }
  return "a sort has no keys";
}

}  // namespace halo::core

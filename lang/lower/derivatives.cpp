// `jvp`, `vjp` and their kin. The function becomes a Core function of its captured values and its
// argument. Calls by names of lang/core/derivative_name.h differentiate it. Tags of sums are no
// numbers: they are arguments beside the captured values, and a tangent has those of its value.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/core/derivative_name.h"
#include "lang/core/rewrite.h"
#include "lang/lower/derivatives.h"
#include "lang/types/infer/derivatives.h"

namespace halo::lower {

namespace {

// Of the leaves of a type: whether they are tags.
void findTags(const MonoType& type, std::vector<bool>& tags) {
  base::match(
      type.node, [&](const ScalarType&) { tags.push_back(false); },
      [&](const MonoArray& array) { findTags(*array.element, tags); },
      [&](const MonoRecord& record) {
        for (const MonoTypeRef& field : record.fields) findTags(*field, tags);
      },
      [&](const MonoSum& sum) {
        if (sum.hasTag()) tags.push_back(true);
        tags.insert(tags.end(), sum.slots.size(), false);
      },
      [](const MonoFunction&) {});
}

}  // namespace

Leaves::Leaves(const MonoTypeRef& type) : type_(type) { findTags(*type, is_tag_); }

Operands Leaves::tags(const Operands& all) const { return part(all, true); }
Operands Leaves::numbers(const Operands& all) const { return part(all, false); }

Operands Leaves::part(const Operands& all, bool tags) const {
  Operands part;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_tag_[i] == tags) part.push_back(all[i]);
  }
  return part;
}

size_t Leaves::count(bool tags) const {
  return static_cast<size_t>(std::count(is_tag_.begin(), is_tag_.end(), tags));
}

StaticValue Leaves::value(const Operands& tags, const Operands& numbers) const {
  Operands all;
  size_t next_tag = 0, next = 0;
  for (const bool is_tag : is_tag_) all.push_back(is_tag ? tags[next_tag++] : numbers[next++]);
  return fromLeaves(type_, all);
}

std::vector<core::Type> Leaves::types(bool tags) const {
  std::vector<core::Type> types;
  const std::vector<core::Type> all = leafTypes(type_);
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_tag_[i] == tags) types.push_back(all[i]);
  }
  return types;
}

namespace {

// Values from around lambdas that they use, with the sizes of arrays among them, in the order of
// their making: sizes before arrays.
std::vector<ValueId> capturedBy(const core::Program& program,
                                const std::vector<const core::Lambda*>& lambdas) {
  std::vector<ValueId> all;
  for (const core::Lambda* lambda : lambdas) {
    for (const ValueId value : core::freeValues(program, *lambda)) {
      all.push_back(value);
      for (const Operand& size : program.type(value).shape) {
        if (!size.isConstant()) all.push_back(size.value);
      }
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Operands asOperands(const std::vector<ValueId>& values) { return {values.begin(), values.end()}; }

}  // namespace

// The lambda as a function: of the captured values, then its own parameters in the order given.
void Lowering::addFunction(const std::string& name, const std::vector<ValueId>& captured,
                           const core::Lambda& lambda, const std::vector<ValueId>& params,
                           const Operands& results) {
  core::Lambda whole{captured, lambda.body};
  whole.params.insert(whole.params.end(), params.begin(), params.end());
  whole.body.results = results;
  whole = core::freshCopy(out, whole);
  core::Function function;
  function.name = name;
  function.params = whole.params;
  function.consumed.assign(whole.params.size(), false);
  for (const Operand& result : whole.body.results) {
    function.results.push_back(out.add("r", out.type(result)));
  }
  function.body = std::move(whole.body);
  function.span = place_;
  out.functions.push_back(std::move(function));
  constants_in_front_.insert(name);
}

namespace {

// Directions that `#[unroll]` writes out.
constexpr int64_t kMaxUnrolled = 32;

bool isFew(const Operand& many) {
  if (!many.isConstant()) return false;
  const int64_t count = many.constant.asSigned();
  return count >= 1 && count <= kMaxUnrolled;
}

// The derivatives of all seeds, one application each.
Operands oneByOne(Lowering& lowering, const ArrayValue& seeds, const std::vector<core::Type>& types,
                  const std::function<StaticValue(const Operands&)>& of_seed) {
  const int64_t many = seeds.type->array()->size.constant.asSigned();
  std::vector<core::ArrayLiteral> rows;
  for (const core::Type& type : types) rows.push_back({type.scalar, {}});
  for (int64_t i = 0; i < many; ++i) {
    Operands seed;
    for (const ValueId leaf : seeds.leaves) {
      const core::Type row = core::rowOf(lowering.out.type(leaf));
      seed.push_back(lowering.bind(row, core::Index{leaf, {Operand::ofI64(i)}}));
    }
    const Operands found = lowering.leavesOf(of_seed(seed));
    for (size_t k = 0; k < rows.size(); ++k) rows[k].elements.push_back(found[k]);
  }
  Operands leaves;
  for (size_t k = 0; k < rows.size(); ++k) {
    leaves.push_back(lowering.bind(types[k], std::move(rows[k])));
  }
  return leaves;
}

}  // namespace

// One application of a derivative operator: the function that is differentiated, and calls of its
// derivative.
class DerivativeCall {
 public:
  DerivativeCall(Lowering& lowering, const DerivativeUse& use, const std::vector<StaticValue>& args,
                 const MonoTypeRef& result, Span span)
      : low_(lowering),
        use_(use),
        args_(args),
        span_(span),
        derived_type_(result->record()->fields[1]),
        in_(lowering.typeOf(args[1])),
        back_(result->record()->fields[0]),
        point_(lowering.leavesOf(args[1])),
        in_tags_(in_.tags(point_)),
        primal_types_(back_.types(true)) {
    for (const core::Type& type : back_.types(false)) primal_types_.push_back(type);
  }

  StaticValue run() {
    addFunction(function());
    return use_.many ? ofSeeds() : ofSeed();
  }

 private:
  core::Lambda function() {
    ++low_.differentiating_;
    const bool outside = std::exchange(low_.in_reverse_, low_.in_reverse_ || use_.reverse);
    core::Lambda made = low_.lambda({in_.type()}, [&](const std::vector<StaticValue>& x) {
      const StaticValue value = low_.applyFromBuiltIn(args_[0], x, span_);
      return low_.coerce(value, back_.type(), Code::shape_mismatch, span_);
    });
    low_.in_reverse_ = outside;
    --low_.differentiating_;
    return made;
  }

  // Tags stand before numbers, among arguments and results alike.
  void addFunction(const core::Lambda& lambda) {
    name_.reverse = use_.reverse;
    name_.arguments = in_.count(false);
    name_.results = back_.count(false);
    name_.function = low_.functionName("differentiated");
    const std::vector<ValueId> captured = capturedBy(low_.out, {&lambda});
    const Operands params = asOperands(lambda.params);
    Operands ordered = in_.tags(params), results = back_.tags(lambda.body.results);
    append(ordered, in_.numbers(params));
    append(results, back_.numbers(lambda.body.results));
    std::vector<ValueId> own;
    for (const Operand& param : ordered) own.push_back(param.value);
    low_.addFunction(name_.function, captured, lambda, own, results);
    given_ = asOperands(captured);
    append(given_, in_tags_);
    append(given_, in_.numbers(point_));
  }

  const Leaves& seeded() const { return use_.reverse ? back_ : in_; }
  const Leaves& derived() const { return use_.reverse ? in_ : back_; }

  // The derivative of one seed; `primal`: the leaves of the function's value.
  StaticValue call(const Operands& seed, Operands& primal) {
    Operands all = given_;
    append(all, seeded().numbers(seed));
    std::vector<core::Type> both = primal_types_;
    for (const core::Type& type : derived().types(false)) both.push_back(type);
    const Operands found = asOperands(low_.bindAll(both, core::Call{name_.text(), all}));
    const auto split = found.begin() + static_cast<std::ptrdiff_t>(primal_types_.size());
    primal.assign(found.begin(), split);
    const Operands numbers(split, found.end());
    const Operands tags = tagsOf(primal);
    checkTags(low_, *seeded().type(), seeded().tags(seed), use_.reverse ? tags : in_tags_, span_);
    return derived().value(use_.reverse ? in_tags_ : tags, numbers);
  }

  Operands tagsOf(const Operands& primal) const {
    return {primal.begin(), primal.begin() + static_cast<std::ptrdiff_t>(back_.count(true))};
  }

  StaticValue valueOf(const Operands& primal) const {
    const auto split = primal.begin() + static_cast<std::ptrdiff_t>(back_.count(true));
    return back_.value({primal.begin(), split}, {split, primal.end()});
  }

  StaticValue ofSeed() {
    Operands primal;
    const StaticValue value = call(low_.leavesOf(args_[2]), primal);
    return recordOf({"0", "1"}, {valueOf(primal), value});
  }

  StaticValue ofSeeds() {
    const StaticValue primal =
        valueOf(asOperands(low_.bindAll(primal_types_, core::Call{name_.function, given_})));
    return recordOf({"0", "1"}, {primal, fromLeaves(derived_type_, leavesOfSeeds())});
  }

  Operands leavesOfSeeds() {
    const ArrayValue& seeds = *args_[2].array();
    const Operand many = seeds.type->array()->size;
    const std::vector<core::Type> types = leafTypes(derived_type_);
    const auto of_seed = [&](const Operands& seed) {
      Operands ignored;
      return call(seed, ignored);
    };
    if (low_.unrolled_ == span_ && isFew(many)) return oneByOne(low_, seeds, types, of_seed);
    core::Screma node;
    node.width = many;
    node.inputs = seeds.leaves;
    node.map = low_.lambda(
        {seeds.type->array()->element},
        [&](const std::vector<StaticValue>& seed) { return of_seed(low_.leavesOf(seed[0])); });
    return asOperands(low_.bindAll(types, std::move(node)));
  }

  Lowering& low_;
  const DerivativeUse& use_;
  const std::vector<StaticValue>& args_;
  const Span span_;
  const MonoTypeRef derived_type_;
  const Leaves in_, back_;  // of the argument; of the function's value
  const Operands point_, in_tags_;
  std::vector<core::Type> primal_types_;
  core::DerivativeName name_;
  Operands given_;  // the arguments of the function
};

StaticValue Lowering::derivative(const DerivativeUse& use, const std::vector<StaticValue>& args,
                                 const MonoTypeRef& result, Span span) {
  return DerivativeCall(*this, use, args, result, span).run();
}

// `with_vjp f f' x` under an operator: a call of `f`, with `f'` as its adjoint.
StaticValue Lowering::withVjp(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                              Span span) {
  const MonoTypeRef from = typeOf(args[2]);
  const core::Lambda function = lambda({from}, [&](const std::vector<StaticValue>& x) {
    return coerce(applyFromBuiltIn(args[0], x, span), result, Code::shape_mismatch, span);
  });
  const core::Lambda rule = lambda({result, result}, [&](const std::vector<StaticValue>& given) {
    const StaticValue value = applyFromBuiltIn(args[1], given, span);
    return coerce(value, from, Code::shape_mismatch, span);
  });
  const std::vector<ValueId> captured = capturedBy(out, {&function, &rule});
  const std::string name = functionName("custom");
  addFunction(name, captured, function, function.params, function.body.results);
  core::Lambda adjoint = rule;
  const core::Lambda unused = core::freshCopy(out, function);  // for the arguments' names
  adjoint.params = unused.params;
  adjoint.params.insert(adjoint.params.end(), rule.params.begin(), rule.params.end());
  addFunction(core::adjointOf(name), captured, adjoint, adjoint.params, rule.body.results);
  Operands given = asOperands(captured);
  append(given, leavesOf(args[2]));
  const std::vector<ValueId> leaves = bindAll(leafTypes(result), core::Call{name, given});
  return fromLeaves(result, asOperands(leaves));
}

DefId Lowering::preludeDef(const std::string& name) const {
  for (size_t i = source.defs.size(); i-- > 0;) {
    const types::Def& def = source.defs[DefId(i)];
    if (def.is_prelude && def.name == name) return DefId(i);
  }
  return {};
}

// Under an operator, functions with a rule stand for the function that differentiates them.
std::optional<StaticValue> Lowering::ruled(const types::Def& def, DefId id,
                                           const Instantiation& instantiation,
                                           const std::vector<StaticValue>& args, Span span) {
  if (differentiating_ == 0 || !def.is_prelude || def.built_in) return std::nullopt;
  const DefId instead = preludeDef(types::insteadName(def.name));
  if (instead.valid()) return inlineDef(instead, instantiation, args, span);
  const DefId rule = preludeDef(types::partialsName(def.name));
  if (!rule.valid()) return std::nullopt;
  return callRuled(def, id, rule, args, span);
}

StaticValue Lowering::callRuled(const types::Def& def, DefId id, DefId rule,
                                const std::vector<StaticValue>& args, Span span) {
  Operands given;
  std::vector<MonoTypeRef> types;
  for (const StaticValue& arg : args) {
    given.push_back(*arg.scalar());
    types.push_back(typeOf(arg));
  }
  auto known = ruled_.find(id);
  if (known == ruled_.end()) {
    const std::string name = functionName(def.name);
    const MonoTypeRef result = evalType(def.result, newFrame(nullptr, true, span));
    const ScalarType type = std::get<ScalarType>(result->node);
    known = ruled_.emplace(id, RuledFunction{name, type}).first;  // rules call each other
    OpenFunction* const outer = open_;
    OpenFunction open;
    open_ = &open;
    const int depth = std::exchange(differentiating_, 0);
    const core::Lambda function = lambda(
        types, [&](const std::vector<StaticValue>& x) { return inlineDef(id, {}, x, span); });
    differentiating_ = depth;
    std::vector<MonoTypeRef> with_result = types;
    with_result.push_back(scalarType(type));
    core::Lambda partials = lambda(with_result, [&](const std::vector<StaticValue>& x) {
      return inlineDef(rule, {}, x, span);
    });
    open_ = outer;
    while (partials.body.results.size() < types.size()) {
      partials.body.results.push_back(prim::zero(type));
    }
    addFunction(name, {}, function, function.params, function.body.results);
    addFunction(core::partialsOf(name), {}, partials, partials.params, partials.body.results);
  }
  return {Operand(bind({known->second.type, {}}, core::Call{known->second.name, given}))};
}

}  // namespace halo::lower

// Branches and loops. Sizes that differ between branches are results, those that change from step
// to step carried values. They are of type i64, in front of the arrays that mention them.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

Operands lookUp(const std::vector<BinderId>& binders, const Frame& frame) {
  Operands operands;
  for (BinderId binder : binders) {
    const StaticValue* value = frame.find(binder);
    HALO_CHECK(value != nullptr, "lower: a size that its value does not tell");
    operands.push_back(*value->scalar());
  }
  return operands;
}

}  // namespace

Operands Lowering::joined(const StaticValue& value, types::TypeId type,
                          const std::vector<BinderId>& binders, Span span, Frame& frame) {
  bindSizes(type, value, binders, frame);
  const MonoTypeRef wanted = evalType(type, frame);
  Operands results = lookUp(binders, frame);
  append(results, leavesOf(coerce(value, wanted, Code::shape_mismatch, span)));
  return results;
}

StaticValue Lowering::bindJoined(types::TypeId type, const std::vector<BinderId>& binders,
                                 Frame& frame, std::vector<ValueId>& values) {
  for (BinderId binder : binders) {
    const ValueId size = out.add(source.binders[binder].name, {});
    values.push_back(size);
    sizes().addExtent(size);
    frame.binders.insert_or_assign(binder, StaticValue{Operand(size)});
  }
  return parameter(evalType(type, frame), "t", values);
}

StaticValue Lowering::lowerIf(ExprId id, const syntax::If& node, Frame& frame) {
  const Operand condition = lowerScalar(node.condition, frame);
  const types::TypeId type = source.type_of.at(id);
  const std::vector<BinderId>& binders = source.binds.at(id);
  evalKnownSizes(type, binders, frame);
  const auto branch = [&](ExprId expr) {
    openBody();
    return closeBody(joined(lower(expr, frame), type, binders, spanOf(id, frame), frame));
  };
  core::Match match{condition, {}, {}};
  match.cases.push_back({prim::Scalar::ofBool(true), branch(node.then_branch)});
  match.otherwise = branch(node.else_branch);
  std::vector<ValueId> results;
  const StaticValue value = bindJoined(type, binders, frame, results);
  builder().append({std::move(results), std::move(match), false, {}});
  return value;
}

StaticValue Lowering::lowerLogic(types::Logic logic, const Operand& lhs, ExprId rhs, Frame& frame) {
  const bool is_and = logic == types::Logic::kAnd;
  openBody();
  const Operand value = lowerScalar(rhs, frame);
  core::Body evaluated = closeBody({value});
  core::Body known;
  known.results = {prim::Scalar::ofBool(!is_and)};
  core::Match match{lhs, {}, is_and ? std::move(known) : evaluated};
  match.cases.push_back(
      {prim::Scalar::ofBool(true), is_and ? std::move(evaluated) : std::move(known)});
  return {Operand(bind({ScalarType::kBool, {}}, std::move(match)))};
}

// One loop. It carries the sizes that change, the leaves of the pattern, and for `while` the
// condition. That is evaluated before the first iteration and at the end of each.
class LoopLowering {
 public:
  LoopLowering(Lowering& lowering, ExprId id, const syntax::Loop& node, Frame& frame)
      : lowering_(lowering), source_(lowering.source), id_(id), node_(node), frame_(frame) {
    type_ = source_.pattern_type.at(node.pattern);
    sizes_ = source_.loop_sizes.at(id);
    for (BinderId binder : source_.size_names.at(id)) {
      if (std::find(sizes_.begin(), sizes_.end(), binder) == sizes_.end()) sizes_.push_back(binder);
    }
  }

  StaticValue run() {
    const types::LoopAttributes asked = lowering_.takeLoopAttributes();
    const std::optional<int64_t> most = asked.most_steps;
    const bool has_states = asked.is_about_states || lowering_.isDifferentiating();
    const Span place = has_states ? lowering_.spanOf(id_, frame_) : Span{};
    const StaticValue first = lowering_.lower(node_.initial, frame_);
    lowering_.evalKnownSizes(type_, sizes_, frame_);  // some, the initial value has told
    Operands initial = carry(first);
    const auto* condition = std::get_if<syntax::LoopWhile>(&node_.form);
    if (condition != nullptr) initial.push_back(conditionFor(initial, condition->condition));
    const core::Operand bound = boundOf();

    core::Loop loop;
    lowering_.openBody();
    std::vector<ValueId> params;
    const StaticValue carried = lowering_.bindJoined(type_, sizes_, frame_, params);
    lowering_.bindPattern(node_.pattern, carried, frame_);
    if (condition != nullptr) params.push_back(lowering_.out.add("go_on", {ScalarType::kBool, {}}));
    openForm(loop, bound, static_cast<int>(params.size()) - 1);
    const bool is_bounded = most && condition != nullptr;
    if (is_bounded) {
      initial.push_back(Operand::ofI64(0));
      params.push_back(lowering_.out.add("steps", {}));
      requireStep(params.back(), *most);
    }
    Operands next = carry(lowering_.lower(node_.body, frame_));
    if (condition != nullptr) next.push_back(conditionFor(next, condition->condition));
    if (is_bounded) next.push_back(lowering_.builder().add(params.back(), Operand::ofI64(1)));
    loop.body = lowering_.closeBody(std::move(next));

    for (size_t i = 0; i < params.size(); ++i)
      loop.carried.push_back({params[i], initial[i], false});
    std::vector<ValueId> results;
    const StaticValue value = lowering_.bindJoined(type_, sizes_, frame_, results);
    if (condition != nullptr) results.push_back(lowering_.out.add("t", {ScalarType::kBool, {}}));
    if (is_bounded) results.push_back(lowering_.out.add("steps", {}));
    lowering_.builder().append({std::move(results), std::move(loop), false, place});
    return value;
  }

 private:
  Operands carry(const StaticValue& value) {
    return lowering_.joined(value, type_, sizes_, lowering_.spanOf(id_, frame_), frame_);
  }

  // `#[bound(n)]` under reverse mode: step n is one too many.
  void requireStep(ValueId steps, int64_t most) {
    const Operand bound = Operand::ofI64(most);
    const Operand more = lowering_.prim(Op::kLt, ScalarType::kI64, {steps, bound});
    lowering_.builder().assertThat(more, Code::bound_exceeded, {bound},
                                   lowering_.spanOf(id_, frame_));
  }

  // The condition sees the pattern bound to the values about to be carried.
  Operand conditionFor(const Operands& carried, ExprId condition) {
    const Operands leaves(carried.begin() + static_cast<std::ptrdiff_t>(sizes_.size()),
                          carried.end());
    const MonoTypeRef type = lowering_.evalType(type_, frame_);
    lowering_.bindPattern(node_.pattern, fromLeaves(type, leaves), frame_);
    return lowering_.lowerScalar(condition, frame_);
  }

  Operand boundOf() {
    return base::match(
        node_.form,
        [&](const syntax::LoopFor& form) {
          const Operand bound = lowering_.lowerScalar(form.bound, frame_);
          index_type_ = lowering_.out.type(bound).scalar;
          return iterations(lowering_.toI64(bound));
        },
        [&](const syntax::LoopForIn& form) {
          items_ = lowering_.lower(form.array, frame_);
          HALO_CHECK(items_.array() != nullptr, "lower: a loop over something else than an array");
          return items_.array()->type->array()->size;
        },
        [](const syntax::LoopWhile&) { return Operand(); });
  }

  // A u64 above all i64 is negative here. No loop makes so many iterations in this life.
  Operand iterations(const Operand& bound) {
    if (index_type_ != ScalarType::kU64) return bound;
    const Operand fits = lowering_.compare(Op::kGe, bound, Operand::ofI64(0));
    return lowering_.choose(
        fits, [&] { return bound; }, [] { return Operand::ofI64(INT64_MAX); });
  }

  // Inside the body: the index or item gets its value.
  void openForm(core::Loop& loop, const Operand& bound, int condition) {
    if (std::holds_alternative<syntax::LoopWhile>(node_.form)) {
      loop.form = core::WhileLoop{condition};
      return;
    }
    const ValueId index = lowering_.out.add("i", {});
    loop.form = core::ForLoop{index, bound};
    if (const auto* in = std::get_if<syntax::LoopForIn>(&node_.form)) {
      lowering_.bindPattern(in->pattern, lowering_.element(items_, {index}, false, {}), frame_);
      return;
    }
    const BinderId variable = source_.loop_variable.at(id_);
    lowering_.out.values[index].name = source_.binders[variable].name;
    const Operand typed =
        lowering_.builder().convert(prim::ConvertKind::kValue, index_type_, index);
    lowering_.bindNamed(variable, {typed}, frame_);
  }

  Lowering& lowering_;
  const types::Program& source_;
  ExprId id_;
  const syntax::Loop& node_;
  Frame& frame_;
  types::TypeId type_;
  std::vector<BinderId> sizes_;
  ScalarType index_type_ = ScalarType::kI64;
  StaticValue items_;
};

StaticValue Lowering::lowerLoop(ExprId id, const syntax::Loop& node, Frame& frame) {
  return LoopLowering(*this, id, node, frame).run();
}

}  // namespace halo::lower

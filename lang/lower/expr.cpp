// Expressions. Chains of `let` and of left-associative operators are walked by loops: they may be
// thousands long, while everything else is nested at most 256 deep.
#include "lang/base/match.h"
#include "lang/core/flattening.h"
#include "lang/lower/lowering.h"
#include "lang/syntax/application.h"
#include "lang/types/declare/attributes.h"

namespace halo::lower {

namespace {

// `#[scratch] e` in the prelude: an array like `e`, whose elements are written before any read. A
// program's own attribute is left alone; it may stand where that is not so.
bool isScratch(const syntax::Attributed& node, const Frame& frame) {
  return frame.prelude && node.attribute.text == "scratch";
}

// `#[blank] e`: any value of the type, e is not evaluated.
bool isBlank(const syntax::Attributed& node) { return node.attribute.text == "blank"; }

bool isLoop(const types::Program& program, ExprId id) {
  const syntax::ExprNode* node = &program.tree.exprs[id].node;
  for (;;) {
    const auto* inner = std::get_if<syntax::Parenthesised>(node);
    const auto* attributed = std::get_if<syntax::Attributed>(node);
    if (inner == nullptr && attributed == nullptr) break;
    node = &program.tree.exprs[inner != nullptr ? inner->value : attributed->value].node;
  }
  return std::holds_alternative<syntax::Loop>(*node);
}

StaticValue blank(Lowering& lowering, ExprId id, Frame& frame) {
  for (BinderId size : lowering.source.binds.at(id)) {
    frame.binders.insert_or_assign(size, StaticValue{Operand::ofI64(0)});
  }
  return lowering.unreached(id, lowering.source.type_of.at(id), frame);
}

// A function that an attribute stands before: `xs |> #[sequential] map f`.
StaticValue withFlattening(const StaticValue& value, core::Flattening flattening) {
  if (!flattening.any() || value.closure() == nullptr) return value;
  Closure marked = *value.closure();
  marked.flattening.add(flattening);
  return closureOf(std::move(marked));
}

StaticValue scratchLike(Lowering& lowering, const StaticValue& like) {
  HALO_CHECK(like.array() != nullptr, "lower: scratch memory for what is no array");
  ArrayValue result{like.array()->type, {}};
  for (const ValueId leaf : like.array()->leaves) {
    const core::Type type = lowering.out.type(leaf);
    result.leaves.push_back(lowering.bind(type, core::Scratch{type.scalar, type.shape}));
  }
  return {result};
}

// Fields are evaluated as written and stored as the type orders them.
StaticValue lowerRecord(Lowering& lowering, ExprId id, const syntax::RecordExpr& node,
                        Frame& frame) {
  std::unordered_map<std::string, StaticValue> values;
  for (const auto& [name, value] : node.fields) values[name.name] = lowering.lower(value, frame);
  const auto& type =
      std::get<types::RecordType>(lowering.source.types[lowering.source.type_of.at(id)]);
  RecordValue record{type.names, {}};
  for (const std::string& name : type.names) record.fields.push_back(std::move(values.at(name)));
  return {std::move(record)};
}

StaticValue lowerUse(Lowering& lowering, ExprId id, Frame& frame) {
  HALO_CHECK(lowering.source.use_of.at(id).has_value(), "lower: a name without a meaning");
  return lowering.closureFor(*lowering.source.use_of.at(id), lowering.spanOf(id, frame), frame);
}

StaticValue lowerApply(Lowering& lowering, ExprId id, Frame& frame) {
  const syntax::ApplicationChain chain = syntax::applicationChain(lowering.source.tree, id);
  const StaticValue function = lowering.lower(chain.function, frame);
  std::vector<StaticValue> args;
  for (const ExprId argument : chain.arguments) args.push_back(lowering.lower(argument, frame));
  const StaticValue value = lowering.apply(function, std::move(args), lowering.spanOf(id, frame));
  lowering.bindSizes(lowering.source.type_of.at(id), value, lowering.source.binds.at(id), frame);
  return value;
}

StaticValue applyBinary(Lowering& lowering, ExprId id, const syntax::Binary& node,
                        const StaticValue& lhs, Frame& frame) {
  const types::Use& use = *lowering.source.use_of.at(id);
  if (const auto* logic = std::get_if<types::LogicTarget>(&use.target)) {
    return lowering.lowerLogic(logic->logic, *lhs.scalar(), node.rhs, frame);
  }
  const StaticValue rhs = lowering.lower(node.rhs, frame);
  const Span span = lowering.spanOf(id, frame);
  return lowering.apply(lowering.closureFor(use, span, frame), {lhs, rhs}, span);
}

StaticValue lowerBinary(Lowering& lowering, ExprId id, Frame& frame) {
  std::vector<ExprId> spine;
  ExprId leftmost = id;
  while (const auto* node =
             std::get_if<syntax::Binary>(&lowering.source.tree.exprs[leftmost].node)) {
    spine.push_back(leftmost);
    leftmost = node->lhs;
  }
  StaticValue value = lowering.lower(leftmost, frame);
  for (auto at = spine.rbegin(); at != spine.rend(); ++at) {
    const auto& node = std::get<syntax::Binary>(lowering.source.tree.exprs[*at].node);
    value = applyBinary(lowering, *at, node, value, frame);
    lowering.bindSizes(lowering.source.type_of.at(*at), value, lowering.source.binds.at(*at),
                       frame);
  }
  return value;
}

StaticValue lowerSection(Lowering& lowering, ExprId id, const syntax::OperatorSection& node,
                         Frame& frame) {
  const Span span = lowering.spanOf(id, frame);
  const StaticValue function = lowering.closureFor(*lowering.source.use_of.at(id), span, frame);
  if (node.lhs.valid()) return lowering.apply(function, {lowering.lower(node.lhs, frame)}, span);
  const std::optional<Span> site = frame.prelude ? std::nullopt : std::optional(span);
  return closureOf({FlippedClosure{{function, lowering.lower(node.rhs, frame)}}, {}, {}, site});
}

StaticValue replaceField(const StaticValue& record, const std::vector<syntax::Identifier>& path,
                         size_t depth, const StaticValue& value) {
  if (depth == path.size()) return value;
  RecordValue result = *record.record();
  for (size_t i = 0; i < result.names.size(); ++i) {
    if (result.names[i] != path[depth].name) continue;
    result.fields[i] = replaceField(result.fields[i], path, depth + 1, value);
  }
  return {std::move(result)};
}

}  // namespace

ExprId Lowering::descend(ExprId id, Frame& frame, Enclosing& around) {
  for (bool descending = true; descending;) {
    const ExprId outer = id;
    descending = base::match(
        source.tree.exprs[id].node,
        [&](const syntax::Let& n) {
          const StaticValue value = lower(n.value, frame);
          bindSizes(source.pattern_type.at(n.pattern), value, source.size_names.at(id), frame);
          bindPattern(n.pattern, value, frame);
          id = n.body;
          return true;
        },
        [&](const syntax::LetFunction& n) {
          frame.binders.insert_or_assign(source.local_function.at(id)->binder,
                                         closureOf({CodeClosure{id, &frame}, {}, {}, {}}));
          id = n.body;
          return true;
        },
        [&](const syntax::Ascribe& n) { return id = n.value, true; },
        [&](const syntax::Attributed& n) {
          if (isScratch(n, frame) || isBlank(n)) return false;
          if (in_reverse_ && isLoop(source, n.value)) of_loop_.add(n.attribute.text);
          around.is_unrolled |= n.attribute.text == "unroll";
          around.requested.add(core::flatteningOf(n.attribute.text));
          flattening_.add(around.requested);
          return id = n.value, true;
        },
        [&](const syntax::Parenthesised& n) { return id = n.value, true; },
        [&](const syntax::LocalOpen& n) { return id = n.value, true; },
        base::otherwise([](const auto&) { return false; }));
    if (!source.binds.at(outer).empty()) around.exprs.push_back(outer);
  }
  return id;
}

StaticValue Lowering::lower(ExprId id, Frame& frame) {
  Enclosing around;
  const core::Flattening outside_flattening = flattening_;
  id = descend(id, frame, around);
  const Span outside = std::exchange(place_, spanOf(id, frame));
  const Span outside_unrolled = unrolled_;
  if (around.is_unrolled) unrolled_ = place_;
  const StaticValue value = withFlattening(lowerNode(id, frame), around.requested);
  unrolled_ = outside_unrolled;
  place_ = outside;
  flattening_ = outside_flattening;
  for (auto outer = around.exprs.rbegin(); outer != around.exprs.rend(); ++outer) {
    bindSizes(source.type_of.at(*outer), value, source.binds.at(*outer), frame);
  }
  return value;
}

Operand Lowering::lowerScalar(ExprId expr, Frame& frame) {
  const StaticValue value = lower(expr, frame);
  HALO_CHECK(value.scalar() != nullptr, "lower: a scalar was expected");
  return *value.scalar();
}

Operand Lowering::lowerIndex(ExprId expr, Frame& frame) { return toI64(lowerScalar(expr, frame)); }

StaticValue Lowering::lowerNode(ExprId id, Frame& frame) {
  const auto closure = [&](auto code) {
    const std::optional<Span> site =
        frame.prelude ? std::nullopt : std::optional(source.tree.exprs[id].span);
    return closureOf({std::move(code), {}, {}, site});
  };
  const auto in_loop = [](const auto&) -> StaticValue {
    HALO_UNREACHABLE("lower: handled by the loop in lower()");
  };
  const auto gone = [](const auto&) -> StaticValue {
    HALO_UNREACHABLE("lower: the checker makes something simpler of a path");
  };
  return base::match(
      source.tree.exprs[id].node,
      [&](const syntax::Number&) -> StaticValue {
        HALO_CHECK(source.literal_of.at(id).has_value(), "lower: a number without a type");
        return {Operand(*source.literal_of.at(id))};
      },
      [](const syntax::BoolLiteral& n) -> StaticValue {
        return {Operand(prim::Scalar::ofBool(n.value))};
      },
      [&](const syntax::StringLiteral& n) { return lowerText(n.bytes); },
      [&](const syntax::Variable&) { return lowerUse(*this, id, frame); },
      [&](const syntax::TupleExpr& n) {
        RecordValue record;
        for (size_t i = 0; i < n.elements.size(); ++i) {
          record.names.push_back(std::to_string(i));
          record.fields.push_back(lower(n.elements[i], frame));
        }
        return StaticValue{std::move(record)};
      },
      [&](const syntax::RecordExpr& n) { return lowerRecord(*this, id, n, frame); },
      [&](const syntax::ArrayExpr& n) { return lowerArray(id, n, frame); },
      [&](const syntax::RangeExpr& n) { return lowerRange(id, n, frame); },
      [&](const syntax::Project& n) { return field(lower(n.record, frame), n.field.name); },
      [&](const syntax::IndexExpr& n) {
        const StaticValue array = lower(n.array, frame);
        return index(array, lowerParts(n.parts, frame), spanOf(id, frame));
      },
      [&](const syntax::UpdateExpr& n) {
        const StaticValue array = lower(n.array, frame);
        const std::vector<IndexValue> parts = lowerParts(n.parts, frame);
        return update(array, parts, lower(n.value, frame), spanOf(id, frame));
      },
      [&](const syntax::RecordUpdate& n) {
        const StaticValue record = lower(n.record, frame);
        return replaceField(record, n.path, 0, lower(n.value, frame));
      },
      [&](const syntax::Apply&) { return lowerApply(*this, id, frame); },
      [&](const syntax::Unary& n) {
        const StaticValue operand = lower(n.operand, frame);
        const Span span = spanOf(id, frame);
        return apply(closureFor(*source.use_of.at(id), span, frame), {operand}, span);
      },
      [&](const syntax::Binary&) { return lowerBinary(*this, id, frame); },
      [&](const syntax::OperatorSection& n) { return lowerSection(*this, id, n, frame); },
      [&](const syntax::ProjectSection& n) {
        ProjectClosure code;
        for (const syntax::Identifier& name : n.path) code.path.push_back(name.name);
        return closure(std::move(code));
      },
      [&](const syntax::IndexSection& n) {
        return closure(IndexClosure{lowerParts(n.parts, frame), spanOf(id, frame)});
      },
      [&](const syntax::Lambda&) {
        return closure(CodeClosure{id, &frame});
      },
      [&](const syntax::If& n) { return lowerIf(id, n, frame); },
      [&](const syntax::Constructor& n) { return construct(id, n, frame); },
      [&](const syntax::MatchExpr& n) { return lowerMatch(id, n, frame); },
      [&](const syntax::Hole&) { return hole(id, frame); },
      [&](const syntax::PathUpdate& n) { return gone(n); },
      [&](const syntax::PathSection& n) { return gone(n); },
      [&](const syntax::LocalOpen& n) { return in_loop(n); },
      [&](const syntax::Loop& n) { return lowerLoop(id, n, frame); },
      [&](const syntax::Coerce& n) {
        const StaticValue value = lower(n.value, frame);
        const MonoTypeRef type = evalType(source.coerced_to.at(id), frame);
        return coerce(value, type, Code::shape_mismatch, spanOf(id, frame));
      },
      [&](const syntax::AssertExpr& n) {
        const Operand condition = lowerScalar(n.condition, frame);
        builder().assertThat(condition, Code::assertion_failed, {}, spanOf(id, frame));
        return lower(n.value, frame);
      },
      [&](const syntax::Let& n) { return in_loop(n); },
      [&](const syntax::LetFunction& n) { return in_loop(n); },
      [&](const syntax::Ascribe& n) { return in_loop(n); },
      [&](const syntax::Attributed& n) {
        return isBlank(n) ? blank(*this, n.value, frame)
                          : scratchLike(*this, lower(n.value, frame));
      },
      [&](const syntax::Parenthesised& n) { return in_loop(n); });
}

// Reaching it fails; the values behind it have the right type and nothing else.
StaticValue Lowering::hole(ExprId id, Frame& frame) {
  builder().assertThat(prim::Scalar::ofBool(false), Code::hole_reached, {}, spanOf(id, frame));
  return blank(*this, id, frame);
}

// A value of a hole's type, or of a part of it; functions are found out when they are applied.
StaticValue Lowering::unreached(ExprId hole, types::TypeId type, Frame& frame) {
  const types::TypeNode& node = source.types[type];
  if (std::holds_alternative<types::FunctionType>(node)) {
    return closureOf({CodeClosure{hole, &frame, type}, {}, {}, {}});
  }
  const MonoTypeRef mono = evalType(type, frame);
  if (!hasFunction(mono)) return scratch(mono);
  const auto all = [&](const std::vector<types::TypeId>& parts) {
    std::vector<StaticValue> values;
    for (types::TypeId part : parts) values.push_back(unreached(hole, part, frame));
    return values;
  };
  if (const auto* record = std::get_if<types::RecordType>(&node)) {
    return {RecordValue{record->names, all(record->fields)}};
  }
  if (const auto* sum = std::get_if<types::SumType>(&node)) {
    return {ConstructedValue{mono, 0, all(sum->payloads[0])}};
  }
  unsupported(spanOf(hole, frame), "a hole whose type hides functions behind a type parameter");
  return {Operand::ofI64(0)};
}

}  // namespace halo::lower

// Everything but names and calls, which are in prepare_call.cpp.
#include "interp/prepare/prepare_expr.h"

#include <algorithm>

#include "lang/base/match.h"

namespace halo::interp {

using namespace syntax;  // NOLINT: every node kind is mentioned here
using types::BinderId;
using types::TypeId;

UserFunction::Parts ExprPreparation::function(const std::vector<PatternId>& parameters,
                                              ExprId body) {
  UserFunction::Parts parts;
  for (size_t i = 0; i < parameters.size(); ++i) scope_.newSlot();
  for (size_t i = 0; i < parameters.size(); ++i) {
    PatternId pattern = parameters[i];
    for (;;) {
      const PatternNode& node = program_.tree.patterns[pattern].node;
      if (const auto* typed = std::get_if<PatternTyped>(&node)) {
        pattern = typed->pattern;
      } else if (const auto* attributed = std::get_if<PatternAttributed>(&node)) {
        pattern = attributed->pattern;
      } else {
        break;
      }
    }
    if (std::holds_alternative<PatternName>(program_.tree.patterns[pattern].node)) {
      scope_.bindSlotAt(program_.binder_of.at(pattern), static_cast<int>(i));
    } else if (!std::holds_alternative<PatternWildcard>(program_.tree.patterns[pattern].node)) {
      Target parameter = target(pattern);
      const bool is_unit = parameter.kind == Target::Kind::kTuple && parameter.parts.empty();
      if (!is_unit) parts.destructured.push_back({static_cast<int>(i), std::move(parameter)});
    }
  }
  parts.body = expr(body);
  parts.frame_slots = scope_.slotCount();
  return parts;
}

UserFunction::Parts ExprPreparation::entry(const std::vector<PatternId>& parameters, ExprId body) {
  UserFunction::Parts parts = function(parameters, body);
  std::vector<Step> checks;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const TypeId type = program_.pattern_type.at(parameters[i]);
    const auto apart = [i](const auto& argument) { return argument.slot == static_cast<int>(i); };
    const bool is_whole = std::none_of(parts.destructured.begin(), parts.destructured.end(), apart);
    if (!is_whole || !hasComputedSize(program_, type)) continue;
    const auto slot = static_cast<int>(i);
    const Site where{program_.tree.patterns[parameters[i]].span, false};
    Step& step = checks.emplace_back();
    step.target.slot = slot;
    step.value = coerceNode(slotNode(slot, true), wantedShapes(program_, scope_, type, {}), where);
  }
  if (!checks.empty()) parts.body = blockNode(std::move(checks), std::move(parts.body));
  parts.frame_slots = scope_.slotCount();
  return parts;
}

Target ExprPreparation::target(PatternId pattern) {
  const auto tuple = [&](const std::vector<PatternId>& elements) {
    Target whole{Target::Kind::kTuple, 0, {}};
    for (PatternId element : elements) whole.parts.push_back(target(element));
    return whole;
  };
  return base::match(
      program_.tree.patterns[pattern].node,
      [&](const PatternName&) {
        return Target{Target::Kind::kSlot, scope_.bindSlot(program_.binder_of.at(pattern)), {}};
      },
      [&](const PatternWildcard&) {
        return Target{Target::Kind::kSlot, scope_.newSlot(), {}};
      },
      [&](const PatternTuple& node) { return tuple(node.elements); },
      [&](const PatternRecord& node) {
        const TypeId type = program_.pattern_type.at(pattern);
        Target whole{Target::Kind::kTuple, 0, {}};
        whole.parts.resize(std::get<types::RecordType>(program_.types[type]).fields.size());
        for (const auto& [name, field] : node.fields) {
          whole.parts[static_cast<size_t>(fieldIndex(program_, type, name.name))] = target(field);
        }
        return whole;
      },
      [&](const PatternConstructor& node) {
        Target whole = tuple(node.payload);
        whole.kind = Target::Kind::kSum;
        whole.slot = scope_.newSlot();
        return whole;
      },
      [&](const PatternLiteral&) {
        return Target{Target::Kind::kSlot, scope_.newSlot(), {}};
      },
      [&](const PatternAttributed& node) { return target(node.pattern); },
      [&](const PatternTyped& node) { return target(node.pattern); });
}

CasePattern ExprPreparation::casePattern(PatternId pattern) {
  using Kind = CasePattern::Kind;
  const TypeId type = program_.pattern_type.at(pattern);
  CasePattern result;
  base::match(
      program_.tree.patterns[pattern].node,
      [&](const PatternName&) {
        result.kind = Kind::kSlot;
        result.slot = scope_.bindSlot(program_.binder_of.at(pattern));
      },
      [](const PatternWildcard&) {},
      [&](const PatternTuple& node) {
        result.kind = Kind::kRecord;
        for (PatternId element : node.elements) result.parts.push_back(casePattern(element));
      },
      [&](const PatternRecord& node) {
        result.kind = Kind::kRecord;
        result.parts.resize(std::get<types::RecordType>(program_.types[type]).fields.size());
        for (const auto& [name, field] : node.fields) {
          const auto index = static_cast<size_t>(fieldIndex(program_, type, name.name));
          result.parts[index] = casePattern(field);
        }
      },
      [&](const PatternConstructor& node) {
        result.kind = Kind::kSum;
        result.constructor = constructorIndex(program_, type, node.name.name);
        for (PatternId part : node.payload) result.parts.push_back(casePattern(part));
      },
      [&](const PatternLiteral& node) {
        result.kind = Kind::kLiteral;
        const auto& literal = program_.literal_of.at(node.value);
        const auto* truth = std::get_if<BoolLiteral>(&program_.tree.exprs[node.value].node);
        HALO_CHECK(literal.has_value() || truth != nullptr, "a literal pattern without a value");
        result.literal = Datum::scalar(truth != nullptr ? Scalar::ofBool(truth->value) : *literal);
      },
      [&](const PatternAttributed& node) { result = casePattern(node.pattern); },
      [&](const PatternTyped& node) { result = casePattern(node.pattern); });
  return result;
}

Nodes ExprPreparation::exprs(const std::vector<ExprId>& ids) {
  Nodes nodes;
  for (ExprId id : ids) nodes.push_back(expr(id));
  return nodes;
}

NodeRef ExprPreparation::expr(ExprId id) {
  all_.state_->checkStack();
  id = stripped(program_, id);
  NodeRef node = withoutSizes(id);
  const auto& binders = program_.binds.at(id);
  if (binders.empty()) return node;
  auto sizes = bindSizes(program_, scope_, program_.type_of.at(id), binders);
  return bindSizesNode(std::move(node), std::move(sizes));
}

NodeRef ExprPreparation::withoutSizes(ExprId id) {
  return base::match(
      program_.tree.exprs[id].node,
      [&](const Number&) {
        const auto& literal = program_.literal_of.at(id);
        HALO_CHECK(literal.has_value(), "a number without a value");
        return constantNode(Datum::scalar(*literal));
      },
      [](const BoolLiteral& node) {
        return constantNode(Datum::scalar(Scalar::ofBool(node.value)));
      },
      [&](const StringLiteral& node) { return stringLiteral(node, id); },
      [&](const Variable&) { return variable(id); },
      [&](const TupleExpr& node) {
        std::vector<int> positions;
        for (size_t i = 0; i < node.elements.size(); ++i) positions.push_back(static_cast<int>(i));
        return recordNode(exprs(node.elements), std::move(positions));
      },
      [&](const RecordExpr& node) { return record(id, node); },
      [&](const ArrayExpr& node) { return array(id, node); },
      [&](const RangeExpr& node) { return range(id, node); },
      [&](const Project& node) {
        const TypeId type = program_.type_of.at(node.record);
        return fieldNode(expr(node.record), fieldIndex(program_, type, node.field.name));
      },
      [&](const IndexExpr& node) {
        NodeRef whole = expr(node.array);
        return indexNode(std::move(whole), indices(node.parts), site(id));
      },
      [&](const UpdateExpr& node) {
        NodeRef whole = expr(node.array);
        IndexList list = indices(node.parts);
        return updateNode(std::move(whole), std::move(list), expr(node.value), site(id));
      },
      [&](const RecordUpdate& node) { return recordUpdate(node); },
      [&](const Apply&) { return apply(id); },
      [&](const Unary& node) { return applied(callee(id), {node.operand}, {site(id)}); },
      [&](const Binary& node) { return binary(id, node); },
      [&](const OperatorSection& node) { return section(id, node); },
      [&](const ProjectSection& node) { return projectSection(id, node); },
      [&](const IndexSection& node) { return indexSection(id, node); },
      [&](const Lambda& node) { return lambda(id, node); }, [&](const Let&) { return block(id); },
      [&](const LetFunction&) { return block(id); },
      [&](const If& node) {
        NodeRef condition = expr(node.condition);
        NodeRef then_branch = expr(node.then_branch);
        return ifNode(std::move(condition), std::move(then_branch), expr(node.else_branch));
      },
      [&](const Loop& node) { return loop(id, node); },
      [&](const Ascribe& node) { return expr(node.value); },
      [&](const Coerce& node) { return coerce(id, node); },
      [&](const AssertExpr& node) {
        NodeRef condition = expr(node.condition);
        return assertNode(std::move(condition), expr(node.value), site(id));
      },
      [&](const Attributed& node) { return attributed(node); },
      [&](const Constructor& node) { return constructor(id, node); },
      [&](const MatchExpr& node) { return matching(node); },
      [&](const Hole&) { return holeNode(site(id)); },
      [&](const LocalOpen& node) { return expr(node.value); },
      [](const PathUpdate&) -> NodeRef { HALO_UNREACHABLE("the checker replaces path updates"); },
      [](const PathSection&) -> NodeRef { HALO_UNREACHABLE("the checker replaces path sections"); },
      [&](const Parenthesised& node) { return expr(node.value); });
}

NodeRef ExprPreparation::constructor(ExprId id, const Constructor& node) {
  const TypeId type = program_.type_of.at(id);
  Nodes payload = exprs(node.arguments);
  return sumNode(typeNode(program_, scope_, type), constructorIndex(program_, type, node.name.name),
                 std::move(payload), site(id));
}

NodeRef ExprPreparation::matching(const MatchExpr& node) {
  NodeRef scrutinee = expr(node.scrutinee);
  std::vector<Case> cases;
  for (const MatchCase& one : node.cases) {
    Case& made = cases.emplace_back();
    made.pattern = casePattern(one.pattern);
    made.body = expr(one.body);
  }
  return matchNode(std::move(scrutinee), std::move(cases));
}

// `#[trace]`, `#[trace(tag)]` and `#[break]` print, `#[blank]` is not evaluated, `#[bound(n)]` is
// for the loop behind it; the others mean nothing here.
NodeRef ExprPreparation::attributed(const Attributed& node) {
  if (const auto bound = boundOf(node.attribute)) {
    const ExprNode& loop = program_.tree.exprs[stripped(program_, node.value)].node;
    if (std::holds_alternative<Loop>(loop)) most_steps_ = bound;
    return expr(node.value);
  }
  NodeRef value = expr(node.value);
  const auto tag = traceTag(node.attribute);
  const bool is_blank = node.attribute.text == "blank";
  if (!tag && !is_blank) return value;
  NodeRef type = typeNode(program_, scope_, program_.type_of.at(node.value));
  if (is_blank) return blankNode(std::move(value), std::move(type));
  return traceNode(std::move(value), std::move(type), *tag);
}

NodeRef ExprPreparation::stringLiteral(const StringLiteral& node, ExprId id) {
  Nodes bytes;
  for (const char byte : node.bytes) {
    bytes.push_back(constantNode(Datum::scalar(ScalarType::kU8, static_cast<uint8_t>(byte))));
  }
  auto* type = new RuntimeType(RuntimeType::Form::kScalar);
  type->scalar = ScalarType::kU8;
  return arrayNode(std::move(bytes), constantNode(Datum(type)), site(id));
}

NodeRef ExprPreparation::record(ExprId id, const RecordExpr& node) {
  Nodes fields;
  std::vector<int> positions;
  for (const auto& [name, value] : node.fields) {
    fields.push_back(expr(value));
    positions.push_back(fieldIndex(program_, program_.type_of.at(id), name.name));
  }
  return recordNode(std::move(fields), std::move(positions));
}

NodeRef ExprPreparation::array(ExprId id, const ArrayExpr& node) {
  NodeRef element_type;
  if (node.elements.empty()) {
    const auto& type = std::get<types::ArrayType>(program_.types[program_.type_of.at(id)]);
    element_type = typeNode(program_, scope_, type.element);
  }
  return arrayNode(exprs(node.elements), std::move(element_type), site(id));
}

NodeRef ExprPreparation::range(ExprId id, const RangeExpr& node) {
  RangeParts parts{*scalarOf(program_, program_.type_of.at(node.first)), node.end, nullptr, nullptr,
                   nullptr};
  parts.first = expr(node.first);
  if (node.second.valid()) parts.second = expr(node.second);
  parts.last = expr(node.last);
  return rangeNode(std::move(parts), site(id));
}

NodeRef ExprPreparation::recordUpdate(const RecordUpdate& node) {
  std::vector<int> path;
  TypeId type = program_.type_of.at(node.record);
  for (const Identifier& field : node.path) {
    path.push_back(fieldIndex(program_, type, field.name));
    const auto& record = std::get<types::RecordType>(program_.types[type]);
    type = record.fields[static_cast<size_t>(path.back())];
  }
  NodeRef record = expr(node.record);
  return recordUpdateNode(std::move(record), std::move(path), expr(node.value));
}

// A chain of lets becomes one node: it may be very long.
NodeRef ExprPreparation::block(ExprId id) {
  std::vector<Step> steps;
  for (;;) {
    const ExprNode& node = program_.tree.exprs[id].node;
    if (const auto* let = std::get_if<Let>(&node)) {
      Step step;
      step.value = expr(let->value);
      step.sizes = bindSizes(program_, scope_, program_.pattern_type.at(let->pattern),
                             program_.size_names.at(id));
      step.target = target(let->pattern);
      steps.push_back(std::move(step));
      id = stripped(program_, let->body);
    } else if (const auto* function = std::get_if<LetFunction>(&node)) {
      steps.push_back(localFunction(id, *function));
      id = stripped(program_, function->body);
    } else {
      break;
    }
    if (!program_.binds.at(id).empty()) break;
  }
  return blockNode(std::move(steps), expr(id));
}

NodeRef ExprPreparation::loop(ExprId id, const Loop& node) {
  LoopParts parts;
  parts.most_steps = std::exchange(most_steps_, std::nullopt);
  parts.initial = expr(node.initial);
  if (const auto* up = std::get_if<LoopFor>(&node.form)) parts.controlling = expr(up->bound);
  if (const auto* in = std::get_if<LoopForIn>(&node.form)) parts.controlling = expr(in->array);
  std::vector<BinderId> sizes = program_.size_names.at(id);
  const auto& changing = program_.loop_sizes.at(id);
  sizes.insert(sizes.end(), changing.begin(), changing.end());
  parts.sizes = bindSizes(program_, scope_, program_.pattern_type.at(node.pattern), sizes);
  parts.carried = target(node.pattern);
  base::match(
      node.form,
      [&](const LoopFor&) {
        const BinderId variable = program_.loop_variable.at(id);
        parts.variable = scope_.bindSlot(variable);
        parts.variable_type = *scalarOf(program_, program_.binders[variable].type);
      },
      [&](const LoopForIn& form) {
        parts.form = LoopParts::Form::kForIn;
        parts.item = target(form.pattern);
      },
      [&](const LoopWhile& form) {
        parts.form = LoopParts::Form::kWhile;
        parts.controlling = expr(form.condition);
      });
  parts.body = expr(node.body);
  return loopNode(std::move(parts), site(id));
}

NodeRef ExprPreparation::coerce(ExprId id, const Coerce& node) {
  NodeRef value = expr(node.value);
  auto wanted = wantedShapes(program_, scope_, program_.coerced_to.at(id), program_.binds.at(id));
  return coerceNode(std::move(value), std::move(wanted), site(id));
}

IndexList ExprPreparation::indices(const std::vector<IndexPart>& parts) {
  std::vector<IndexList::Part> list;
  for (const IndexPart& part : parts) {
    IndexList::Part& to = list.emplace_back();
    to.is_slice = part.is_slice;
    if (!part.is_slice) {
      to.index.emplace(expr(part.index));
      to.index_type = *scalarOf(program_, program_.type_of.at(part.index));
    }
    if (part.start.valid()) to.start = expr(part.start);
    if (part.end.valid()) to.end = expr(part.end);
    if (part.stride.valid()) to.stride = expr(part.stride);
  }
  return IndexList(std::move(list));
}

}  // namespace halo::interp

// Names, calls and function values.
#include "interp/prepare/prepare_expr.h"
#include "lang/base/match.h"
#include "lang/types/sizes/given.h"

namespace halo::interp {

using namespace syntax;  // NOLINT: as in prepare_expr.cpp
using types::DefTarget;
using types::EqualityTarget;
using types::LocalTarget;
using types::LogicTarget;
using types::PrimMeaning;

Nodes ExprPreparation::env(const types::Use& use) {
  Nodes nodes;
  for (types::TypeId type : use.type_arguments) {
    nodes.push_back(typeNode(program_, scope_, type));
  }
  for (types::SizeId size : use.size_arguments) {
    nodes.push_back(sizeNode(program_, scope_, size));
  }
  return nodes;
}

ExprPreparation::Callee ExprPreparation::callee(ExprId named_by) const {
  const auto& use = program_.use_of.at(named_by);
  if (!use) return {nullptr, named_by, 0};
  const int arity = base::match(
      use->target, [](const LocalTarget&) { return 0; },
      [&](const DefTarget& target) {
        const types::Def& def = program_.defs[target.def];
        return def.built_in ? functionArity(program_, def.type)
                            : static_cast<int>(def.parameters.size());
      },
      [](const PrimMeaning& meaning) { return prim::info(meaning.op).arity; },
      [](const EqualityTarget&) { return 2; }, [](const LogicTarget&) { return 2; });
  return {&*use, named_by, arity};
}

const Function* ExprPreparation::functionFor(const types::Target& target) {
  return base::match(
      target,
      [](const LocalTarget&) -> const Function* {
        HALO_UNREACHABLE("a local function is known at run time only");
      },
      [&](const DefTarget& def) { return all_.functionOf(def.def); },
      [&](const PrimMeaning& meaning) { return all_.primitive(meaning); },
      [&](const EqualityTarget& equality) -> const Function* {
        return all_.keep(equalityFunction(equality.negated));
      },
      [&](const LogicTarget& logic) -> const Function* {
        return all_.keep(logicFunction(logic.logic));
      });
}

// The function that a name or operator stands for, with the first arguments it has already got.
NodeRef ExprPreparation::functionValue(const Callee& callee, Nodes args) {
  const types::Use& use = *callee.use;
  const Site where = site(callee.named_by);
  if (const auto* local = std::get_if<LocalTarget>(&use.target)) {
    Nodes instance = env(use);
    const bool take = instance.empty() && all_.last_uses_.contains(callee.named_by) &&
                      !scalarOf(program_, program_.binders[local->binder].type);
    NodeRef value = placeNode(scope_.find(local->binder), take);
    if (!instance.empty()) value = instantiateNode(std::move(value), std::move(instance));
    return args.empty() ? std::move(value) : applyNode(std::move(value), std::move(args), where);
  }
  const auto* def = std::get_if<DefTarget>(&use.target);
  if (def == nullptr || callee.arity > 0) {
    return closureNode(functionFor(use.target), env(use), std::move(args), where);
  }
  if (types::isGiven(program_.defs[def->def])) return constantDefNode(def->def, nullptr, where);
  const Function* constant = all_.functionOf(def->def);
  Nodes instance = env(use);
  if (instance.empty() && !program_.defs[def->def].is_prelude) {
    all_.constants_.try_emplace(def->def, constantDefNode(def->def, constant, where));
  }
  NodeRef value = instance.empty() ? constantDefNode(def->def, constant, where)
                                   : callNode(constant, std::move(instance), {}, where);
  return args.empty() ? std::move(value) : applyNode(std::move(value), std::move(args), where);
}

NodeRef ExprPreparation::fullCall(const Callee& callee, Nodes args, Site where) {
  const auto call = [&](const types::Target& target) {
    return callNode(functionFor(target), env(*callee.use), std::move(args), where);
  };
  const auto primitive = [&](const PrimMeaning& meaning) {
    const Function* library = all_.libraryFunction(meaning);
    return library != nullptr ? callNode(library, {}, std::move(args), where)
                              : primNode(meaning.op, meaning.type, std::move(args), where);
  };
  return base::match(
      callee.use->target,
      [](const LocalTarget&) -> NodeRef {
        HALO_UNREACHABLE("a local function has no known arity");
      },
      [&](const DefTarget& target) -> NodeRef {
        const auto& built_in = program_.defs[target.def].built_in;
        if (!built_in) return call(target);
        return base::match(
            *built_in, [&](types::Intrinsic) { return call(target); },
            [&](const PrimMeaning& meaning) { return primitive(meaning); },
            [&](const types::ConvertMeaning& meaning) {
              return convertNode(meaning.kind, meaning.from, meaning.to, std::move(args[0]));
            });
      },
      [&](const PrimMeaning& meaning) { return primitive(meaning); },
      [&](const EqualityTarget& equality) -> NodeRef {
        return equalityNode(equality.negated, std::move(args[0]), std::move(args[1]));
      },
      [&](const LogicTarget& logic) -> NodeRef {
        return logicNode(logic.logic, std::move(args[0]), std::move(args[1]));
      });
}

// `sites[i]`: the expression that applies argument i.
NodeRef ExprPreparation::applied(const Callee& callee, const std::vector<ExprId>& arguments,
                                 const std::vector<Site>& sites) {
  const size_t arity = static_cast<size_t>(callee.arity);
  if (arity > arguments.size()) return functionValue(callee, exprs(arguments));
  NodeRef function;
  if (arity == 0) {
    function = callee.use != nullptr ? functionValue(callee, {}) : expr(callee.named_by);
  } else {
    Nodes args = exprs({arguments.begin(), arguments.begin() + callee.arity});
    function = fullCall(callee, std::move(args), sites[arity - 1]);
  }
  if (arity == arguments.size()) return function;
  Nodes rest = exprs({arguments.begin() + callee.arity, arguments.end()});
  return applyNode(std::move(function), std::move(rest), sites.back());
}

NodeRef ExprPreparation::variable(ExprId id) { return functionValue(callee(id), {}); }

NodeRef ExprPreparation::apply(ExprId id) {
  const Application application = applicationOf(program_, id);
  const ExprId head = application.function;
  const bool is_name = std::holds_alternative<Variable>(program_.tree.exprs[head].node) &&
                       program_.binds.at(head).empty();
  std::vector<Site> sites;
  for (ExprId applies : application.applications) sites.push_back(site(applies));
  const Callee called = is_name ? callee(head) : Callee{nullptr, head, 0};
  return applied(called, application.arguments, sites);
}

// The primitive operator that an expression is, if it is one and has no sizes to bind.
const PrimMeaning* ExprPreparation::primOperator(ExprId id) const {
  const auto& use = program_.use_of.at(id);
  const bool is_operator = std::holds_alternative<Binary>(program_.tree.exprs[id].node) &&
                           use.has_value() && program_.binds.at(id).empty();
  const auto* meaning = is_operator ? std::get_if<PrimMeaning>(&use->target) : nullptr;
  return meaning != nullptr && all_.libraryFunction(*meaning) == nullptr ? meaning : nullptr;
}

NodeRef ExprPreparation::binary(ExprId id, const Binary& node) {
  const ExprId lhs = stripped(program_, node.lhs);
  if (primOperator(id) != nullptr && primOperator(lhs) != nullptr) return chain(id);
  const Site where = site(id);
  return applied(callee(id), {node.lhs, node.rhs}, {where, where});
}

NodeRef ExprPreparation::chain(ExprId id) {
  std::vector<ExprId> operators;
  while (primOperator(id) != nullptr) {
    operators.push_back(id);
    id = stripped(program_, std::get<Binary>(program_.tree.exprs[id].node).lhs);
  }
  NodeRef first = expr(id);
  std::vector<ChainStep> steps;
  for (size_t i = operators.size(); i-- > 0;) {
    const PrimMeaning& meaning = *primOperator(operators[i]);
    NodeRef rhs = expr(std::get<Binary>(program_.tree.exprs[operators[i]].node).rhs);
    steps.push_back({meaning.op, meaning.type, site(operators[i]), std::move(rhs)});
  }
  return primChainNode(std::move(first), std::move(steps));
}

NodeRef ExprPreparation::section(ExprId id, const OperatorSection& node) {
  const Callee op = callee(id);
  if (node.lhs.valid()) return applied(op, {node.lhs}, {site(id)});
  Nodes operands;
  operands.push_back(functionValue(op, {}));
  operands.push_back(expr(node.rhs));
  return closureNode(all_.keep(rightSectionFunction()), std::move(operands), {}, site(id));
}

// `(.[i, j])`: the positions are evaluated where the section stands and become its env.
NodeRef ExprPreparation::indexSection(ExprId id, const IndexSection& node) {
  Nodes captured;
  const auto capture = [&](NodeRef value) {
    captured.push_back(std::move(value));
    return envNode(static_cast<int>(captured.size()) - 1);
  };
  std::vector<IndexList::Part> parts;
  for (const IndexPart& part : node.parts) {
    IndexList::Part& to = parts.emplace_back();
    to.is_slice = part.is_slice;
    if (!part.is_slice) {
      to.index.emplace(capture(expr(part.index)));
      to.index_type = *scalarOf(program_, program_.type_of.at(part.index));
    }
    if (part.start.valid()) to.start = capture(expr(part.start));
    if (part.end.valid()) to.end = capture(expr(part.end));
    if (part.stride.valid()) to.stride = capture(expr(part.stride));
  }
  const Function* function = all_.keep(indexSectionFunction(IndexList(std::move(parts)), site(id)));
  return closureNode(function, std::move(captured), {}, site(id));
}

NodeRef ExprPreparation::projectSection(ExprId id, const ProjectSection& node) {
  const auto& function = std::get<types::FunctionType>(program_.types[program_.type_of.at(id)]);
  types::TypeId type = function.parameter;
  std::vector<int> path;
  for (const Identifier& field : node.path) {
    path.push_back(fieldIndex(program_, type, field.name));
    type =
        std::get<types::RecordType>(program_.types[type]).fields[static_cast<size_t>(path.back())];
  }
  return closureNode(all_.keep(projectionFunction(std::move(path))), {}, {}, site(id));
}

NodeRef ExprPreparation::closureOf(ExprId id,
                                   const std::vector<types::TypeParamId>& type_parameters,
                                   const std::vector<types::BinderId>& size_parameters,
                                   const std::vector<PatternId>& parameters, ExprId body) {
  Scope inner(&scope_, scope_.in_prelude, all_);
  for (auto parameter : type_parameters) inner.bindArgument(parameter);
  for (auto size : size_parameters) inner.bindArgument(size);
  auto* function = all_.keep(
      std::make_unique<UserFunction>(static_cast<int>(parameters.size()), scope_.in_prelude));
  function->fill(ExprPreparation(all_, inner).function(parameters, body));
  Nodes captures;
  for (Place place : inner.captures()) captures.push_back(placeNode(place));
  return closureNode(function, std::move(captures), {}, site(id));
}

NodeRef ExprPreparation::lambda(ExprId id, const Lambda& node) {
  return closureOf(id, {}, {}, node.parameters, node.body);
}

Step ExprPreparation::localFunction(ExprId id, const LetFunction& node) {
  const auto& local = *program_.local_function.at(id);
  Step step;
  step.value = closureOf(id, local.type_parameters, local.size_parameters, node.function.parameters,
                         node.function.body);
  step.target = {Target::Kind::kSlot, scope_.bindSlot(local.binder), {}};
  return step;
}

}  // namespace halo::interp

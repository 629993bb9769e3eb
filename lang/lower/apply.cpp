// Applying function values. A function runs when its last argument arrives. Lambdas, local
// functions and prelude code are beta-reduced on the spot, definitions of the program become Core
// functions.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"
#include "lang/types/sorts.h"

namespace halo::lower {

namespace {

size_t functionArity(const types::Program& program, types::TypeId type) {
  size_t count = 0;
  while (const auto* function = std::get_if<types::FunctionType>(&program.types[type])) {
    type = function->result;
    ++count;
  }
  return count;
}

size_t parameterCount(const types::Program& program, const CodeClosure& code) {
  const ExprId id = code.expr;
  const syntax::ExprNode& node = program.tree.exprs[id].node;
  if (const auto* lambda = std::get_if<syntax::Lambda>(&node)) return lambda->parameters.size();
  if (std::holds_alternative<syntax::Hole>(node)) {
    return functionArity(program, code.hole_type);
  }
  return std::get<syntax::LetFunction>(node).function.parameters.size();
}

const StaticValue& project(const StaticValue& value, const std::vector<std::string>& path) {
  const StaticValue* at = &value;
  for (const std::string& name : path) at = &field(*at, name);
  return *at;
}

size_t arity(const types::Program& source, const Closure& closure) {
  return base::match(
      closure.code, [&](const CodeClosure& code) { return parameterCount(source, code); },
      [&](const DefClosure& code) {
        const types::Def& def = source.defs[code.def];
        return def.built_in ? functionArity(source, def.type) : def.parameters.size();
      },
      [](const PrimClosure& code) {
        return static_cast<size_t>(prim::info(code.meaning.op).arity);
      },
      [](const EqualityClosure&) { return size_t{2}; },
      [](const LogicClosure&) { return size_t{2}; },
      [](const FlippedClosure&) { return size_t{1}; },
      [](const ProjectClosure&) { return size_t{1}; },
      [](const IndexClosure&) { return size_t{1}; });
}

// The result of a function that is a hole is never seen: the program failed where it was made.
StaticValue applyHole(Lowering& lowering, const CodeClosure& hole,
                      const std::vector<StaticValue>& args, Frame& frame) {
  types::TypeId type = hole.hole_type;
  for (const StaticValue& arg : args) {
    const auto& function = std::get<types::FunctionType>(lowering.source.types[type]);
    if (function.parameter_name) frame.binders.insert_or_assign(*function.parameter_name, arg);
    for (BinderId size : function.existentials) {
      frame.binders.insert_or_assign(size, StaticValue{Operand::ofI64(0)});
    }
    type = function.result;
  }
  return lowering.unreached(hole.expr, type, frame);
}

}  // namespace

void bindInstantiation(const std::vector<TypeParamId>& type_params,
                       const std::vector<BinderId>& size_params, const Instantiation& known,
                       Frame& frame) {
  HALO_CHECK(known.types.size() == type_params.size() && known.sizes.size() == size_params.size(),
             "lower: a use with the wrong number of type or size arguments");
  for (size_t i = 0; i < type_params.size(); ++i)
    frame.type_params[type_params[i]] = known.types[i];
  for (size_t i = 0; i < size_params.size(); ++i) {
    frame.binders.insert_or_assign(size_params[i], StaticValue{known.sizes[i]});
  }
}

bool Lowering::isPreludeCode(const Closure& closure) const {
  return base::match(
      closure.code, [](const CodeClosure& code) { return code.frame->prelude; },
      [&](const DefClosure& code) {
        return source.defs[code.def].is_prelude || source.defs[code.def].built_in.has_value();
      },
      base::otherwise([](const auto&) { return true; }));
}

StaticValue Lowering::apply(const StaticValue& function, std::vector<StaticValue> args, Span span) {
  StaticValue at = function;
  size_t used = 0;
  while (used < args.size()) {
    const Closure* closure = at.closure();
    HALO_CHECK(closure != nullptr, "lower: application of something else than a function");
    const size_t missing = arity(source, *closure) - closure->args.size();
    const size_t count = std::min(missing, args.size() - used);
    Closure extended = *closure;
    for (size_t i = 0; i < count; ++i) extended.args.push_back(std::move(args[used + i]));
    used += count;
    at = count == missing ? applyFull(extended, span) : closureOf(std::move(extended));
  }
  return at;
}

StaticValue Lowering::applyFromBuiltIn(const StaticValue& function, std::vector<StaticValue> args,
                                       Span span) {
  const Closure* closure = function.closure();
  HALO_CHECK(closure != nullptr, "lower: a function was expected");
  const bool names_site = closure->site && isPreludeCode(*closure);
  return apply(function, std::move(args), names_site ? *closure->site : span);
}

StaticValue Lowering::applyFull(const Closure& closure, Span span) {
  const core::Flattening outside = flattening_;
  flattening_.add(closure.flattening);
  StaticValue result = applyClosure(closure, span);
  flattening_ = outside;
  return result;
}

StaticValue Lowering::applyClosure(const Closure& closure, Span span) {
  const std::vector<StaticValue>& args = closure.args;
  return base::match(
      closure.code,
      [&](const CodeClosure& code) { return applyCode(code, closure.instantiation, args, span); },
      [&](const DefClosure& code) { return applyDef(code.def, closure.instantiation, args, span); },
      [&](const PrimClosure& code) -> StaticValue {
        return {applyPrim(code.meaning.op, code.meaning.type, leavesOfAll(args), span)};
      },
      [&](const EqualityClosure& code) -> StaticValue {
        const Operand same = equal(args[0], args[1]);
        return {code.negated ? prim(Op::kNot, ScalarType::kBool, {same}) : same};
      },
      [&](const LogicClosure& code) -> StaticValue {  // as a value it is strict
        const Op op = code.logic == types::Logic::kAnd ? Op::kAnd : Op::kOr;
        return {prim(op, ScalarType::kBool, leavesOfAll(args))};
      },
      [&](const FlippedClosure& code) {
        return apply(code.operands[0], {args[0], code.operands[1]}, span);
      },
      [&](const ProjectClosure& code) { return project(args[0], code.path); },
      [&](const IndexClosure& code) { return index(args[0], code.parts, code.span); });
}

Operands Lowering::leavesOfAll(const std::vector<StaticValue>& values) {
  Operands leaves;
  for (const StaticValue& value : values) appendLeaves(dynamic(value), leaves);
  return leaves;
}

StaticValue Lowering::applyCode(const CodeClosure& code, const Instantiation& instantiation,
                                const std::vector<StaticValue>& args, Span span) {
  const syntax::ExprNode& node = source.tree.exprs[code.expr].node;
  const auto* named = std::get_if<syntax::LetFunction>(&node);
  const Chain chain(*this, named != nullptr ? named->function.name.name : "", span);
  Frame& frame = newFrame(code.frame, code.frame->prelude, span);
  if (std::holds_alternative<syntax::Hole>(node)) return applyHole(*this, code, args, frame);
  const auto* lambda = std::get_if<syntax::Lambda>(&node);
  if (lambda == nullptr) {
    const types::LocalFunction& local = *source.local_function.at(code.expr);
    bindInstantiation(local.type_parameters, local.size_parameters, evaluate(instantiation), frame);
  }
  const auto& parts = lambda != nullptr ? lambda->parameters
                                        : std::get<syntax::LetFunction>(node).function.parameters;
  for (size_t i = 0; i < parts.size(); ++i) bindPattern(parts[i], args[i], frame);
  return lower(lambda != nullptr ? lambda->body : std::get<syntax::LetFunction>(node).function.body,
               frame);
}

StaticValue Lowering::applyDef(DefId id, const Instantiation& instantiation,
                               const std::vector<StaticValue>& args, Span span) {
  const types::Def& def = source.defs[id];
  if (def.built_in) {
    return base::match(
        *def.built_in,
        [&](const types::Intrinsic& intrinsic) {
          return applyIntrinsic(id, intrinsic, instantiation, args, span);
        },
        [&](const types::PrimMeaning& meaning) -> StaticValue {
          return {applyPrim(meaning.op, meaning.type, leavesOfAll(args), span)};
        },
        [&](const types::ConvertMeaning& meaning) -> StaticValue {
          return {convert(meaning, *args[0].scalar())};
        });
  }
  if (auto value = ruled(def, id, instantiation, args, span)) return *std::move(value);
  const bool is_inlined = def.is_prelude && !def.is_recursive && !types::isSort(def);
  if (is_inlined) return inlineDef(id, instantiation, args, span);
  return callSpecialised(id, instantiation, args, span);
}

StaticValue Lowering::inlineDef(DefId id, const Instantiation& instantiation,
                                const std::vector<StaticValue>& args, Span span) {
  const types::Def& def = source.defs[id];
  const Instantiation known = evaluate(instantiation);
  const Chain chain(*this, def.name, span);
  Frame& frame = newFrame(nullptr, def.is_prelude, span);
  bindInstantiation(def.type_parameters, def.size_parameters, known, frame);
  for (size_t i = 0; i < args.size(); ++i) bindPattern(def.parameters[i], args[i], frame);
  return lower(def.body, frame);
}

Instantiation Lowering::evaluate(const Instantiation& instantiation) {
  if (instantiation.use == nullptr) return instantiation;
  Instantiation known;
  for (types::TypeId type : instantiation.use->type_arguments) {
    known.types.push_back(evalType(type, *instantiation.frame));
  }
  for (types::SizeId size : instantiation.use->size_arguments) {
    known.sizes.push_back(evalSize(size, *instantiation.frame));
  }
  return known;
}

StaticValue Lowering::closureFor(const types::Use& use, Span site, Frame& frame) {
  const std::optional<Span> user_site = frame.prelude ? std::nullopt : std::optional(site);
  const Instantiation instantiation{&use, &frame, {}, {}};
  return base::match(
      use.target,
      [&](const types::LocalTarget& target) -> StaticValue {
        const StaticValue* value = frame.find(target.binder);
        HALO_CHECK(value != nullptr,
                   ("lower: `" + source.binders[target.binder].name + "` is not bound").c_str());
        if (use.type_arguments.empty() && use.size_arguments.empty()) return *value;
        Closure closure = *value->closure();
        closure.instantiation = instantiation;
        return closureOf(std::move(closure));
      },
      [&](const types::DefTarget& target) {
        const types::Def& def = source.defs[target.def];
        if (def.built_in || !def.parameters.empty()) {
          return closureOf({DefClosure{target.def}, instantiation, {}, user_site});
        }
        const bool is_function =
            std::holds_alternative<types::FunctionType>(source.types[def.type]);
        const bool is_generic = !def.type_parameters.empty() || !def.size_parameters.empty();
        if (is_function || is_generic) return inlineDef(target.def, instantiation, {}, site);
        return constant(target.def);
      },
      [&](const types::PrimMeaning& meaning) {
        return closureOf({PrimClosure{meaning}, {}, {}, user_site});
      },
      [&](const types::EqualityTarget& target) {
        return closureOf({EqualityClosure{target.negated}, {}, {}, user_site});
      },
      [&](const types::LogicTarget& target) {
        return closureOf({LogicClosure{target.logic}, {}, {}, user_site});
      });
}

Operand Lowering::callPrelude(const std::string& name, const Operands& args, Span span) {
  std::vector<StaticValue> values;
  for (const Operand& arg : args) values.push_back({arg});
  for (size_t i = source.defs.size(); i-- > 0;) {
    const types::Def& def = source.defs[DefId(i)];
    if (!def.is_prelude || def.name != name) continue;
    return *applyDef(DefId(i), {}, values, span).scalar();
  }
  unsupported(span, "compiled code needs `" + name + "` for this, which the prelude lacks");
  return args[0];
}

Operand ValueEmission::convert(const types::ConvertMeaning& meaning, const Operand& arg) {
  const auto compute = [&] { return builder().convert(meaning.kind, meaning.to, arg); };
  if (meaning.to != ScalarType::kI64 || arg.isConstant()) return compute();
  return once(sizes().key(std::string(prim::name(meaning.from)) +
                              std::to_string(static_cast<int>(meaning.kind)),
                          {arg}),
              compute);
}

Operand Lowering::applyPrim(Op op, ScalarType type, const Operands& args, Span span) {
  using prim::ConvertKind;
  const bool is_known =
      std::all_of(args.begin(), args.end(), [](const Operand& arg) { return arg.isConstant(); });
  // The exact `%` of constants may be folded, `**` only as the library computes it.
  const bool in_library = prim::isFloat(type) && (op == Op::kPow || (op == Op::kMod && !is_known));
  if (in_library && type == ScalarType::kF16) {  // computed in f32, rounded once
    Operands wide;
    for (const Operand& arg : args) {
      wide.push_back(builder().convert(ConvertKind::kValue, ScalarType::kF32, arg));
    }
    const Operand result = applyPrim(op, ScalarType::kF32, wide, span);
    return builder().convert(ConvertKind::kValue, ScalarType::kF16, result);
  }
  if (in_library) {
    const std::string name = op == Op::kMod ? "fmod_" : "pow_";
    return callPrelude(name + std::string(prim::name(type)), args, span);
  }
  const bool is_linear = op == Op::kAdd || op == Op::kSub || op == Op::kMul;
  if (type == ScalarType::kI64 && is_linear) return sizeArithmetic(op, args[0], args[1]);
  const bool checked = prim::canFail(op, type);
  const auto compute = [&] {
    return builder().prim(op, type, args, checked, checked ? span : Span{});
  };
  if (op == Op::kDiv && type == ScalarType::kI64 && args[1] == Operand::ofI64(1)) return args[0];
  if (type != ScalarType::kI64 || is_known || prim::resultType(op, type) != type) return compute();
  return once(sizes().key(std::string(prim::info(op).name), args), compute);
}

}  // namespace halo::lower

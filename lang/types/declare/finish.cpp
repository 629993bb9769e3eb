// The end of one declaration: an undetermined unknown gets its default or becomes a parameter, and
// everything known is written to the program's tables (write_tables.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/exhaustive.h"
#include "lang/types/declare/finish.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/modules/on_demand.h"
#include "lang/types/report.h"
#include "lang/types/sizes/dependent_result.h"

namespace halo::types {

using diag::Code;
using prim::ScalarType;
using syntax::Number;

void Finisher::finishDeclaration(CurrentDef& def) {
  exprs_.retryFields(false);
  applyDefaults();
  exprs_.retryFields(true);
  applyDefaults();
  exprs_.rejectOpenSums();
  settleHoles(def);
  if (auto failed = inference_.solvePostponed()) {
    auto& diagnostic =
        sink_.error(Code::size_mismatch, failed->span,
                    fmt::format("size `{}` is not `{}`", inference_.print(failed->found_size),
                                inference_.print(failed->needed_size)));
    comparison_.labelSizes(diagnostic, *failed);
  }
  declarations_.settleUntold(def);
  rejectOpenEquality();
  generalise(def);
  for (const auto& [found, needed] : std::exchange(pending_.coerced, {})) {
    const auto atom = asAtom(inference_.resolve(found));
    if (atom && atom->is_unknown) inference_.unifySizes(found, needed);
  }
  rejectHiddenSizes(def);
  rejectUnusedSizes(def);
  checkDetermined();
  declarations_.warnOfArithmetic();
  warnOfHoles();
  writeTables();
  const bool is_seen = !environment_.opaque;  // else users see the opaque world
  const bool is_written = !options_.is_prelude && context_.applied_depth == 0;
  if (is_seen && is_written && !context_.hasFollowingErrors()) {
    rejectDependentResults(program_, inference_.dependentResults(), sink_);
  }
  rejectEscapingTypes();
  if (!sink_.hasErrors()) {
    checkExhaustive(program_, pending_.matches, pending_.irrefutable, sink_);
  }
  Def& finished = program_.defs[def.id];
  finished.type_parameters = def.info.type_parameters;
  finished.size_parameters = def.info.size_parameters;
  finished.type = inference_.finishAsWritten(def.info.type);
  finished.result = inference_.finish(def.info.result);
  inference_.writeCopies();
}

// Numbers are i32 where they may be, else f64.
void Finisher::applyDefaults() {
  for (TypeRef type : std::exchange(pending_.overloaded, {})) {
    auto* unknown = inference_.as<UnknownType>(type);
    if (!unknown || unknown->allowed == kAnyType) {
      if (unknown) pending_.overloaded.push_back(type);
      continue;
    }
    Allowed allowed = unknown->allowed;
    ScalarType choice = ScalarType::kF64;
    if (allowed & allow(ScalarType::kI32)) {
      choice = ScalarType::kI32;
    } else if (!(allowed & allow(ScalarType::kF64))) {
      for (ScalarType candidate : prim::kAllScalarTypes) {
        if (allowed & allow(candidate)) choice = candidate;
      }
    }
    inference_.unify(type, inference_.scalar(choice));
  }
}

namespace {

// The functions in records and sums: they are as general as definitions of their own.
std::vector<TypeRef> functionsIn(Inference& inference, TypeRef type) {
  std::vector<TypeRef> found;
  auto visit = [&](auto& self, TypeRef part) -> void {
    const InferNode node = inference.node(part);
    if (auto* record = std::get_if<InferRecord>(&node)) {
      for (TypeRef field : record->fields) {
        if (inference.as<InferFunction>(field)) found.push_back(field);
        self(self, field);
      }
    } else if (auto* sum = std::get_if<InferSum>(&node)) {
      for (const auto& payload : sum->payloads) {
        for (TypeRef field : payload) {
          if (inference.as<InferFunction>(field)) found.push_back(field);
          self(self, field);
        }
      }
    }
  };
  visit(visit, type);
  return found;
}

}  // namespace

// A size that only the result of an entry has can become no parameter: no argument would tell it.
// Nor can one that is written `[]` in a result, which is the value's own.
void Finisher::rejectOpenSizes(const CurrentDef& def) {
  if (sink_.hasErrors()) return;  // some may be only consequences
  std::vector<SizeAtom> of_parameters;
  TypeRef type = def.info.type;
  while (auto* function = inference_.as<InferFunction>(type)) {
    type = function->result;
    std::vector<SizeAtom> atoms = inference_.sizeAtoms(function->parameter);
    of_parameters.insert(of_parameters.end(), atoms.begin(), atoms.end());
  }
  for (TypeRef function : functionsIn(inference_, def.info.type)) {
    std::vector<SizeAtom> atoms = inference_.sizeAtoms(function);
    of_parameters.insert(of_parameters.end(), atoms.begin(), atoms.end());
  }
  if (def.is_entry) pending_.results.push_back(type);
  for (TypeRef result : pending_.results) {
    for (SizeAtom atom : inference_.sizeAtoms(result)) {
      bool is_told =
          std::find(of_parameters.begin(), of_parameters.end(), atom) != of_parameters.end();
      if (!atom.is_unknown || is_told) continue;
      sink_.error(Code::size_not_determined, inference_.originOf(atom),
                  fmt::format("nothing determines this size in the result of `{}`, of type `{}`",
                              def.name, inference_.print(result)));
      inference_.solveSize(atom, constantSize(0));
    }
  }
}

// Arguments of a function that a caller got back have sizes that the caller knows; a
// constant with size parameters has no others at all.
void Finisher::rejectHiddenSizes(const CurrentDef& def) {
  if (sink_.hasErrors()) return;
  std::vector<BinderId> known = def.info.size_parameters;
  auto require = [&](TypeRef type, const std::string& what) {
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      const BinderId size(atom.index);
      if (!atom.isBinder() || std::find(known.begin(), known.end(), size) != known.end()) continue;
      sink_.error(Code::size_escapes, program_.binders[size].span,
                  fmt::format("nobody outside of `{}` knows the size `{}` in {}, of type `{}`",
                              def.name, program_.binders[size].name, what, inference_.print(type)));
      return;
    }
  };
  TypeRef type = def.info.type;
  while (auto* found = inference_.as<InferFunction>(type)) {
    const InferFunction function = *found;
    require(function.parameter, "a parameter");
    if (function.parameter_name) known.push_back(*function.parameter_name);
    known.insert(known.end(), function.existentials.begin(), function.existentials.end());
    type = function.result;
  }
  const bool is_constant = type == def.info.type;
  if (is_constant && !def.info.size_parameters.empty()) {
    require(type, "a constant with size parameters");
  }
}

// `def f [n] (x: i32) = ..`: nothing that f takes or gives has the size n.
void Finisher::rejectUnusedSizes(const CurrentDef& def) {
  if (sink_.hasErrors()) return;
  auto check = [&](const std::string& name, TypeRef type, const std::vector<BinderId>& sizes) {
    const std::vector<SizeAtom> used = inference_.sizeAtoms(type);
    for (BinderId size : sizes) {
      if (std::find(used.begin(), used.end(), SizeAtom{false, size.index}) != used.end()) continue;
      sink_.error(Code::size_not_determined, program_.binders[size].span,
                  fmt::format("`{}` is not the size of anything that `{}` takes or gives",
                              program_.binders[size].name, name));
    }
  };
  check(def.name, def.info.type, def.info.size_parameters);
  for (const PendingFunction& local : pending_.functions) {
    for (const auto& [binder, type] : pending_.binder_types) {
      if (binder != local.function.binder) continue;
      check(program_.binders[binder].name, type, local.function.size_parameters);
    }
  }
}

// Unknown types and sizes in the type of a function become its parameters.
void Finisher::generalise(CurrentDef& def) {
  bool is_function = inference_.as<InferFunction>(def.info.type) != nullptr;
  // `def e = []` has elements of any type, `def ones = rep 1` any size.
  const bool is_open = !is_function && inference_.isOpen(def.info.type);
  if (!is_function && !is_open && functionsIn(inference_, def.info.type).empty()) return;
  for (TypeRef unknown : inference_.unknowns(def.info.type)) {
    size_t count = def.info.type_parameters.size();
    std::string name =
        count < 26 ? std::string(1, static_cast<char>('a' + count)) : fmt::format("t{}", count);
    TypeParamId id = program_.type_params.add(
        {name, program_.defs[def.id].span, inference_.as<UnknownType>(unknown)->lift});
    def.info.type_parameters.push_back(id);
    inference_.solveType(unknown, inference_.param(id));
  }
  rejectOpenSizes(def);
  for (SizeAtom atom : inference_.sizeAtoms(def.info.type)) {
    if (!atom.is_unknown) continue;
    BinderId binder = names_.newSizeBinder(fmt::format("d{}", def.info.size_parameters.size()),
                                           inference_.originOf(atom));
    def.info.size_parameters.push_back(binder);
    inference_.solveSize(atom, binderSize(binder));
  }
  if (auto failed = inference_.solvePostponed(); failed && !sink_.hasErrors()) {
    sink_.error(
        Code::size_not_determined, failed->span,
        fmt::format("nothing determines the sizes in `{}`, which has to be `{}`",
                    inference_.print(failed->needed_size), inference_.print(failed->found_size)));
  }
  for (PendingUse& use : pending_.uses) {  // a recursive use passes the new parameters on
    auto* target = std::get_if<DefTarget>(&use.target);
    if (!target || target->def != def.id) continue;
    for (size_t i = use.types.size(); i < def.info.type_parameters.size(); ++i) {
      use.types.push_back(inference_.param(def.info.type_parameters[i]));
    }
    for (size_t i = use.sizes.size(); i < def.info.size_parameters.size(); ++i) {
      use.sizes.push_back(binderSize(def.info.size_parameters[i]));
    }
  }
}

// `==` says nothing of its operands' type but that there is one.
void Finisher::rejectOpenEquality() {
  if (sink_.hasErrors()) return;
  for (const PendingOperator& pending : pending_.operators) {
    for (TypeRef unknown : inference_.unknowns(pending.operand)) {
      sink_.error(Code::ambiguous_type, span(pending.expr),
                  fmt::format("nothing determines the type of the values compared here, annotate "
                              "them: `{}`",
                              inference_.print(pending.operand)));
      inference_.unify(unknown, poison());
    }
  }
}

// The value of a hole is never there, so only its type can tell its sizes. In the result of a
// function they have no use: they have names of their own.
void Finisher::settleHoles(const CurrentDef& def) {
  std::vector<SizeAtom> of_result;
  if (def.has_parameters && !def.is_entry) of_result = inference_.sizeAtoms(def.info.result);
  for (ExprId hole : pending_.holes) {
    for (SizeAtom atom : inference_.sizeAtoms(inferred_[hole])) {
      if (!atom.is_unknown) continue;
      if (std::find(of_result.begin(), of_result.end(), atom) == of_result.end()) {
        sink_.error(Code::size_not_determined, span(hole),
                    fmt::format("nothing determines a size of this hole, of type `{}`",
                                inference_.print(inferred_[hole])));
      }
      inference_.solveSize(atom, binderSize(names_.newSizeBinder("k", span(hole))));
    }
  }
}

// A program with holes is not finished, though it runs until it gets to one.
void Finisher::warnOfHoles() {
  if (!declarations_.isWarning() || sink_.hasErrors()) return;
  for (ExprId hole : pending_.holes) {
    sink_.warning(Code::hole_reached, span(hole),
                  fmt::format("a hole of type `{}`: the program fails when it gets here",
                              inference_.print(inferred_[hole])));
  }
}

// Every use of a polymorphic name must have complete arguments. A type that nothing asks anything
// of is that of `()`; a size must be known.
void Finisher::checkDetermined() {
  if (sink_.hasErrors()) return;  // some unknowns are only consequences
  for (const Size& size : std::exchange(pending_.annotated, {})) {
    const Size resolved = inference_.resolve(size);
    if (!hasUnknown(resolved)) continue;
    const auto atom = asAtom(resolved);
    sink_.error(Code::size_not_determined,
                atom && atom->is_unknown ? inference_.originOf(*atom) : inference_.current_span,
                "nothing determines this size");
    return;
  }
  for (const PendingUse& use : pending_.uses) {
    for (TypeRef type : use.types) {
      for (TypeRef unknown : inference_.unknowns(type)) inference_.solveType(unknown, unit());
    }
    for (const Size& size : use.sizes) {
      Size resolved = inference_.resolve(size);
      if (!hasUnknown(resolved)) continue;
      sink_.error(Code::size_not_determined, span(use.expr),
                  "nothing determines a size here, annotate the type of this value");
      inference_.forEachLeaf(resolved, [&](SizeAtom atom) {
        if (atom.is_unknown) inference_.solveSize(atom, constantSize(0));
      });
    }
  }
}

namespace {

using TypeParams = std::vector<TypeParamId>;

bool mentionsAny(const Program& program, TypeId type, const TypeParams& parameters) {
  auto inside = [&](TypeId part) { return mentionsAny(program, part, parameters); };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return false; },
      [&](const ParamType& param) {
        return std::find(parameters.begin(), parameters.end(), param.parameter) !=
                   parameters.end() ||
               std::any_of(param.types.begin(), param.types.end(), inside);
      },
      [&](const FunctionType& function) {
        return inside(function.parameter) || inside(function.result);
      },
      [&](const ArrayType& array) { return inside(array.element); },
      [&](const RecordType& record) {
        return std::any_of(record.fields.begin(), record.fields.end(), inside);
      },
      [&](const SumType& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), [&](const auto& payload) {
          return std::any_of(payload.begin(), payload.end(), inside);
        });
      });
}

}  // namespace

// `let g 'b (y: b) = if c then y else x`: x comes from outside, where no b is.
void Finisher::rejectEscapingTypes() {
  if (sink_.hasErrors()) return;
  for (const PendingFunction& local : pending_.functions) {
    const TypeParams& parameters = local.function.type_parameters;
    if (parameters.empty()) continue;
    const Span place = span(local.expr);
    for (const auto& [id, type] : pending_.binder_types) {
      const Binder& binder = program_.binders[id];
      const bool is_before = binder.span.file == place.file && binder.span.begin < place.begin;
      if (!is_before || !mentionsAny(program_, binder.type, parameters)) continue;
      sink_.error(Code::type_mismatch, binder.span,
                  fmt::format("the type of `{}` would be `{}`, with a type parameter of a function "
                              "that is declared later",
                              binder.name, print(program_, binder.type)));
      return;
    }
  }
}

}  // namespace halo::types

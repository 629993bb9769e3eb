// Functions with lifted type parameters, applied to functions whose results bring sizes:
//     def apply '^a '^b (f: a -> b) (x: a): b = f x
//     apply (filter p) xs
// `b` stands for an array with a size of its own at every mention, which no type argument can say.
// So the definition is checked once more, with the type that hides sizes in the parameter's place:
//     def apply '^a 'b0 (f: a -> []b0) (x: a): []b0 = f x
// A type without hidden sizes stays a parameter, so one copy serves all uses of that form.
#include <fmt/format.h>

#include <algorithm>

#include "lang/syntax/copy.h"
#include "lang/types/checker.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/report.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using namespace syntax;

namespace {

// The sizes of results that only the result, or an argument, tells.
std::vector<BinderId> sizesOfResults(Inference& inference, TypeRef type) {
  std::vector<BinderId> sizes;
  while (auto* found = inference.as<InferFunction>(type)) {
    const InferFunction function = *found;
    sizes.insert(sizes.end(), function.existentials.begin(), function.existentials.end());
    if (function.parameter_name) sizes.push_back(*function.parameter_name);
    for (BinderId size : sizesOfResults(inference, function.parameter)) sizes.push_back(size);
    type = function.result;
  }
  return sizes;
}

// Writes a type that mentions hidden sizes down, as the definition of the type parameter `of`.
class Writer {
 public:
  Writer(Inference& inference, Tree& tree, const std::vector<BinderId>& hidden, TypeParameter of)
      : inference_(inference), tree_(tree), hidden_(hidden), of_(std::move(of)) {}

  // None: a size is hidden where no array shows it.
  TypeExprId write(TypeRef type) {
    const size_t outside = sizes_.size();  // of the value that a function is part of
    countSizes(type);
    countInFunctions(type, false);
    TypeExprId written = writePart(type, false);
    if (!fits_) return {};
    TypeExistential shared;
    for (size_t i = outside; i < sizes_.size(); ++i) {
      if (sizes_[i].second > 1) shared.sizes.push_back(named("k", i));
    }
    sizes_.resize(outside);
    if (shared.sizes.empty()) return written;
    shared.type = written;
    return add(std::move(shared));
  }

  const std::string& key() const { return key_; }  // types that are written alike have the same
  const std::vector<TypeParameter>& parameters() const { return parameters_; }  // remaining

 private:
  bool mentions(const Size& size) const {
    bool found = false;
    inference_.forEachLeaf(inference_.resolve(size), [&](SizeAtom leaf) {
      found = found || (leaf.isBinder() && std::find(hidden_.begin(), hidden_.end(),
                                                     BinderId(leaf.index)) != hidden_.end());
    });
    return found;
  }
  bool mentions(TypeRef type) {
    for (SizeAtom atom : inference_.sizeAtoms(type)) {
      if (mentions(atomSize(atom))) return true;
    }
    return false;
  }

  size_t numberOf(const Size& size) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (inference_.isSame(sizes_[i].first, size)) return i;
    }
    sizes_.emplace_back(size, 0);
    return sizes_.size() - 1;
  }

  void countSizes(TypeRef type) {
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) {
      if (mentions(array->size)) ++sizes_[numberOf(array->size)].second;
      countSizes(array->element);
    } else if (auto* record = std::get_if<InferRecord>(&node)) {
      for (TypeRef field : record->fields) countSizes(field);
    } else if (auto* sum = std::get_if<InferSum>(&node)) {
      for (const auto& payload : sum->payloads) {
        for (TypeRef part : payload) countSizes(part);
      }
    }
  }

  // Functions beside an array may use its size: `([n](), [n]bool -> bool)`.
  void countInFunctions(TypeRef type, bool is_inside) {
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) {
      if (is_inside && isShown(array->size)) ++sizes_[numberOf(array->size)].second;
      countInFunctions(array->element, is_inside);
    } else if (auto* record = std::get_if<InferRecord>(&node)) {
      for (TypeRef field : record->fields) countInFunctions(field, is_inside);
    } else if (auto* function = std::get_if<InferFunction>(&node)) {
      countInFunctions(function->parameter, true);
      countInFunctions(function->result, true);
    }
  }
  bool isShown(const Size& size) const {
    return std::any_of(sizes_.begin(), sizes_.end(),
                       [&](const auto& shown) { return inference_.isSame(shown.first, size); });
  }
  bool areShown(TypeRef type) {
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) {
      return (!mentions(array->size) || isShown(array->size)) && areShown(array->element);
    }
    auto* record = std::get_if<InferRecord>(&node);
    if (record == nullptr) return !mentions(type);
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](TypeRef field) { return areShown(field); });
  }

  TypeExprId writePart(TypeRef type, bool is_element) {
    if (!mentions(type)) return writeParameter(is_element);
    const InferNode node = inference_.node(type);
    if (auto* array = std::get_if<InferArray>(&node)) return writeArray(*array);
    if (auto* record = std::get_if<InferRecord>(&node)) return writeRecord(*record, is_element);
    if (auto* sum = std::get_if<InferSum>(&node)) return writeSum(*sum, is_element);
    auto* function = std::get_if<InferFunction>(&node);
    if (function && areShown(function->parameter)) return writeFunction(*function);
    fits_ = false;  // a parameter's size, or an argument of an abstract type
    return add(TypeTuple{});
  }

  // Each call has sizes of its own.
  TypeExprId writeFunction(const InferFunction& function) {
    key_ += "(";
    TypeFunction written;
    written.parameter = writePart(function.parameter, false);
    key_ += ">";
    written.result = write(function.result);
    key_ += ")";
    return add(std::move(written));
  }

  TypeExprId writeParameter(bool is_element) {
    key_ += is_element ? "e" : "t";
    const auto kind = is_element ? TypeParameter::Kind::kType : of_.kind;
    return add(TypeName{{{}, parameter(kind).name, of_.name.span}, {}});
  }

  TypeExprId writeArray(const InferArray& array) {
    ExprId size;
    if (!mentions(array.size)) {
      key_ += "[n]";
      size = variable(parameter(TypeParameter::Kind::kSize));
    } else if (const size_t number = numberOf(array.size); sizes_[number].second > 1) {
      key_ += fmt::format("[{}]", number);
      size = variable(named("k", number));
    } else {
      key_ += "[]";
    }
    return add(TypeArray{size, writePart(array.element, true)});
  }

  TypeExprId writeRecord(const InferRecord& record, bool is_element) {
    key_ += "{";
    TypeTuple tuple;
    TypeRecord fields;
    bool is_tuple = true;
    for (size_t i = 0; i < record.fields.size(); ++i) {
      key_ += record.names[i] + ":";
      is_tuple = is_tuple && record.names[i] == std::to_string(i);
      tuple.elements.push_back(writePart(record.fields[i], is_element));
      fields.fields.emplace_back(Identifier{record.names[i], of_.name.span}, tuple.elements.back());
      key_ += ",";
    }
    key_ += "}";
    return is_tuple ? add(std::move(tuple)) : add(std::move(fields));
  }

  TypeExprId writeSum(const InferSum& sum, bool is_element) {
    key_ += "<";
    TypeSum written;
    for (size_t i = 0; i < sum.constructors.size(); ++i) {
      key_ += "#" + sum.constructors[i];
      std::vector<TypeExprId> payload;
      for (TypeRef part : sum.payloads[i]) payload.push_back(writePart(part, is_element));
      written.constructors.emplace_back(Identifier{sum.constructors[i], of_.name.span},
                                        std::move(payload));
    }
    key_ += ">";
    return add(std::move(written));
  }

  Identifier parameter(TypeParameter::Kind kind) {
    parameters_.push_back({kind, named("p", parameters_.size())});
    return parameters_.back().name;
  }
  // No name that a program has.
  Identifier named(const char* what, size_t number) const {
    return {fmt::format("{}${}{}", of_.name.name, what, number), of_.name.span};
  }
  ExprId variable(const Identifier& name) {
    return tree_.exprs.add({Variable{{{}, name.name, name.span}}, name.span});
  }
  TypeExprId add(syntax::TypeNode node) {
    return tree_.types.add({std::move(node), of_.name.span});
  }

  Inference& inference_;
  Tree& tree_;
  const std::vector<BinderId>& hidden_;
  TypeParameter of_;
  std::vector<std::pair<Size, int>> sizes_;  // and how many dimensions have it
  std::vector<TypeParameter> parameters_;
  std::string key_;
  bool fits_ = true;
};

bool isLifted(const TypeParameter& parameter) {
  return parameter.kind == TypeParameter::Kind::kLifted ||
         parameter.kind == TypeParameter::Kind::kFullyLifted;
}

}  // namespace

// Before the definition is checked, which changes its tree.
std::optional<LiftedFunction> ApplyInferrer::liftedFunction(DeclId id) {
  const FunctionParts& parts = std::get<FunctionDecl>(program_.tree.decls[id].node).function;
  const auto& parameters = parts.type_parameters;
  if (std::none_of(parameters.begin(), parameters.end(), isLifted)) return std::nullopt;
  return LiftedFunction{copyDecl(program_.tree, id, program_.tree), scopes_.capture(),
                        context_.where.prelude, context_.where.module_names};
}

// The definition that hides sizes in some of its type parameters; none if it needs to know them.
std::optional<DefId> ApplyInferrer::hidingCopy(
    const LiftedFunction& function, std::vector<TypeParameter> parameters,
    std::vector<std::pair<std::string, TypeExprId>> hiding, bool is_prelude) {
  const DeclId copy = copyDecl(program_.tree, function.decl, program_.tree);
  auto& parts = std::get<FunctionDecl>(program_.tree.decls[copy].node).function;
  parts.type_parameters = std::move(parameters);
  const std::string name = parts.name.name;
  const CheckOptions options{.is_prelude = is_prelude, .mark_entries = false};
  diag::Sink sink;
  Checker checker(environment_, context_.world, options, sink);
  const auto scope = checker.declareAt(
      {function.prelude, function.module_names, 0, std::move(hiding)}, function.scopes, copy);
  if (sink.hasErrors()) return std::nullopt;
  return scope->values.at(name).def;
}

// The copy of `use`'s definition whose type parameters hide the sizes of the arguments' results.
std::optional<DefId> ApplyInferrer::hidingDefinition(const PendingUse& use,
                                                     const std::vector<BinderId>& sizes) {
  auto* target = std::get_if<DefTarget>(&use.target);
  const auto found = target ? environment_.lifted.find(target->def) : environment_.lifted.end();
  if (found == environment_.lifted.end()) return std::nullopt;
  const LiftedFunction function = found->second;
  const auto written =
      std::get<FunctionDecl>(program_.tree.decls[function.decl].node).function.type_parameters;
  std::string key = std::to_string(target->def.index);
  std::vector<TypeParameter> parameters;
  std::vector<std::pair<std::string, TypeExprId>> hiding;
  for (size_t next = 0; const TypeParameter& parameter : written) {
    parameters.push_back(parameter);
    if (parameter.kind == TypeParameter::Kind::kSize) continue;
    const TypeRef type = use.types[next++];
    const std::vector<SizeAtom> atoms = inference_.sizeAtoms(type);
    const bool hides = std::any_of(atoms.begin(), atoms.end(), [&](SizeAtom atom) {
      return atom.isBinder() &&
             std::find(sizes.begin(), sizes.end(), BinderId(atom.index)) != sizes.end();
    });
    if (!hides) continue;
    if (!isLifted(parameter)) return std::nullopt;
    Writer writer(inference_, program_.tree, sizes, parameter);
    const TypeExprId type_written = writer.write(type);
    if (!type_written) return std::nullopt;
    key += fmt::format(" {}={}", parameter.name.name, writer.key());
    parameters.pop_back();
    parameters.insert(parameters.end(), writer.parameters().begin(), writer.parameters().end());
    hiding.emplace_back(parameter.name.name, type_written);
  }
  if (hiding.empty()) return std::nullopt;
  auto known = environment_.hiding_copies.find(key);
  if (known != environment_.hiding_copies.end()) return known->second;
  const bool is_prelude = program_.defs[target->def].is_prelude;
  const auto made = hidingCopy(function, std::move(parameters), std::move(hiding), is_prelude);
  environment_.hiding_copies.emplace(std::move(key), made);
  return made;
}

// After `head` has been applied to the arguments: the same for the copy, where there is need of
// one.
std::optional<TypeRef> ApplyInferrer::applyHiding(ExprId head, const std::vector<ExprId>& arguments,
                                                  const std::vector<ExprId>& nodes,
                                                  const Callee& callee) {
  std::vector<BinderId> sizes;
  for (ExprId argument : arguments) {
    for (BinderId size : sizesOfResults(inference_, inferred_[argument])) sizes.push_back(size);
  }
  if (sizes.empty()) return std::nullopt;
  auto use = std::find_if(pending_.uses.rbegin(), pending_.uses.rend(),
                          [&](const PendingUse& pending) { return pending.expr == head; });
  if (use == pending_.uses.rend()) return std::nullopt;
  const auto place = std::prev(use.base()) - pending_.uses.begin();
  const auto copy = hidingDefinition(PendingUse(*use), sizes);
  if (!copy) return std::nullopt;
  pending_.uses.erase(pending_.uses.begin() + place);
  TypeRef function = names_.useDef(head, *copy);
  inferred_[head] = function;
  pending_.types.emplace_back(head, function);
  const size_t dependent = inference_.dependentResults().size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const InferFunction step = *inference_.as<InferFunction>(function);
    comparison_.require(span(arguments[i]), inferred_[arguments[i]], step.parameter,
                        fmt::format("argument {} of `{}`", i + 1, callee.name));
    function = afterArgument(step, arguments[i], callee.span);
    if (!nodes[i]) continue;
    inferred_[nodes[i]] = function;
    pending_.types.emplace_back(nodes[i], function);
  }
  inference_.keepDependentResults(dependent);
  return limitSizes(function, callee.span);
}

}  // namespace halo::types

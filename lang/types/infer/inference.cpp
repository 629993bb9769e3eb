// Making, resolving and copying types under inference, and the way to and from finished types.
#include "lang/types/infer/inference.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/infer/accumulator.h"

namespace halo::types {

using prim::ScalarType;

Allowed allowedWhere(bool (*predicate)(ScalarType)) {
  Allowed allowed = 0;
  for (ScalarType type : prim::kAllScalarTypes) {
    if (predicate(type)) allowed |= allow(type);
  }
  return allowed;
}

Allowed allowedAt(prim::Operands operands) {
  switch (operands) {
    case prim::Operands::kInt:
      return allowedWhere(prim::isInteger);
    case prim::Operands::kFloat:
      return allowedWhere(prim::isFloat);
    case prim::Operands::kWideFloat:
      return allow(ScalarType::kF32) | allow(ScalarType::kF64);
    case prim::Operands::kNum:
      return allowedWhere(prim::isNumber);
    case prim::Operands::kBool:
      return allow(ScalarType::kBool);
    case prim::Operands::kIntBool:
      return allowedWhere(prim::isInteger) | allow(ScalarType::kBool);
    case prim::Operands::kAny:
      return kAnyType;
  }
  HALO_UNREACHABLE("unknown operand class");
}

bool isFieldBefore(const std::string& a, const std::string& b) {
  auto isNumber = [](const std::string& name) { return name[0] >= '0' && name[0] <= '9'; };
  if (!isNumber(a) || !isNumber(b)) return a < b;  // digits come before letters
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::optional<size_t> InferSum::find(const std::string& constructor) const {
  auto place = std::lower_bound(constructors.begin(), constructors.end(), constructor);
  if (place == constructors.end() || *place != constructor) return std::nullopt;
  return static_cast<size_t>(place - constructors.begin());
}

TypeId scalarTypeId(ScalarType type) { return TypeId(static_cast<size_t>(type)); }

namespace {

template <typename Visit>
void forEachPart(const InferNode& node, Visit&& visit) {
  if (auto* array = std::get_if<InferArray>(&node)) {
    visit(array->element);
  } else if (auto* record = std::get_if<InferRecord>(&node)) {
    for (TypeRef field : record->fields) visit(field);
  } else if (auto* sum = std::get_if<InferSum>(&node)) {
    for (const auto& payload : sum->payloads) {
      for (TypeRef part : payload) visit(part);
    }
  } else if (auto* param = std::get_if<InferParam>(&node)) {
    for (TypeRef argument : param->types) visit(argument);
  } else if (auto* function = std::get_if<InferFunction>(&node)) {
    visit(function->parameter);
    visit(function->result);
  }
}

}  // namespace

TypeRef Inference::add(InferNode node) {
  bool is_plain = std::holds_alternative<ScalarTypeNode>(node) ||
                  std::holds_alternative<InferRecord>(node) ||
                  std::holds_alternative<InferSum>(node);
  if (is_plain) forEachPart(node, [&](TypeRef part) { is_plain = is_plain && isPlain(part); });
  is_plain_.push_back(is_plain);
  nodes_.push_back(std::move(node));
  return TypeRef(nodes_.size() - 1);
}

TypeRef Inference::unknown(Span origin, Allowed allowed) {
  return add(UnknownType{{}, allowed, origin, syntax::Lift::kFull, {}});
}

TypeRef Inference::unknown(Span origin, syntax::Lift lift) {
  return add(UnknownType{{}, kAnyType, origin, lift, {}});
}

TypeRef Inference::unknownSum(const std::string& constructor, std::vector<TypeRef> payload,
                              Span origin) {
  rows_.push_back({{{constructor, std::move(payload)}}});
  return add(UnknownType{{}, kAnyType, origin, syntax::Lift::kFull, RowId(rows_.size() - 1)});
}

const Row* Inference::rowOf(TypeRef type) {
  auto* unknown = as<UnknownType>(type);
  return unknown && unknown->row ? &rows_[unknown->row.index] : nullptr;
}

TypeRef Inference::scalar(ScalarType type) { return import(scalarTypeId(type)); }

TypeRef Inference::tuple(std::vector<TypeRef> fields) {
  InferRecord record;
  for (size_t i = 0; i < fields.size(); ++i) record.names.push_back(std::to_string(i));
  record.fields = std::move(fields);
  return add(std::move(record));
}

Size Inference::unknownSize(Span origin) {
  unknown_sizes_.push_back({std::nullopt, origin});
  return atomSize({true, static_cast<uint32_t>(unknown_sizes_.size() - 1)});
}

TypeRef Inference::parameter(InferParam param) {
  const bool is_accumulator = param.parameter == accumulatorParam() && param.types.size() == 1;
  return is_accumulator ? accumulator(param.types[0]) : add(std::move(param));
}

// A record, once its array type is known.
TypeRef Inference::accumulator(TypeRef array) {
  auto* known = as<InferArray>(array);
  if (!known) return add(InferParam{accumulatorParam(), {array}, {}});
  const InferArray of = *known;
  const TypeRef number = scalar(ScalarType::kI64);
  const TypeRef shape = this->array(of.size, tuple({}));
  return record({accumulatorFields(), {number, number, shape, number, of.element}});
}

TypeRef Inference::resolve(TypeRef type) {
  TypeRef root = type;
  while (auto* unknown = std::get_if<UnknownType>(&nodes_[root.index])) {
    if (!unknown->solution) break;
    root = unknown->solution;
  }
  while (type != root) {  // path compression
    auto& unknown = std::get<UnknownType>(nodes_[type.index]);
    type = std::exchange(unknown.solution, root);
  }
  return root;
}

std::optional<ScalarType> Inference::asScalar(TypeRef type) {
  auto* scalar = as<ScalarTypeNode>(type);
  return scalar ? std::optional(scalar->scalar) : std::nullopt;
}

Size Inference::resolve(const Size& size) const {
  if (isResolved(size)) return size;
  SizeRebuild inside;
  const auto valueOf = [&](SizeAtom atom) -> std::optional<Size> {
    if (atom.is_open || (atom.is_expression && !merged_.empty())) {
      return expressionSize(rebuild(SizeExprId(atom.index), inside));
    }
    if (atom.isBinder()) {
      auto merged = merged_.find(BinderId(atom.index));
      return merged == merged_.end() ? std::nullopt : std::optional(inside.size(merged->second));
    }
    if (!atom.is_unknown || !unknown_sizes_[atom.index].solution) return std::nullopt;
    return inside.size(*unknown_sizes_[atom.index].solution);
  };
  inside.size = [&](const Size& part) {
    return isResolved(part) ? part : substitute(part, std::ref(valueOf));
  };
  return inside.size(size);
}

void Inference::define(BinderId binder, Size value) { definitions_[binder] = std::move(value); }

void Inference::defineNamed(BinderId binder, Size value) {
  define(binder, std::move(value));
  opaque_.insert(binder);
}

std::optional<Size> Inference::definitionOf(BinderId binder) const {
  auto found = definitions_.find(binder);
  return found == definitions_.end() ? std::nullopt : std::optional(found->second);
}

// ---- walking over a type

bool Inference::isOpen(TypeRef type) {
  const std::vector<SizeAtom> sizes = sizeAtoms(type);
  return !unknowns(type).empty() ||
         std::any_of(sizes.begin(), sizes.end(), [](SizeAtom atom) { return atom.is_unknown; });
}

std::vector<SizeAtom> Inference::sizeAtoms(TypeRef type, SizesOf which) {
  std::vector<SizeAtom> atoms;
  std::vector<BinderId> bound;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    if (isPlain(ref)) return;
    const InferNode& node = this->node(ref);  // looking adds no nodes
    const auto collect = [&](const Size& size) {
      forEachLeaf(isResolved(size) ? size : resolve(size), [&](SizeAtom atom) {
        bool is_bound = !atom.is_unknown &&
                        std::find(bound.begin(), bound.end(), BinderId(atom.index)) != bound.end();
        if (!is_bound && std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) {
          atoms.push_back(atom);
        }
      });
    };
    if (auto* array = std::get_if<InferArray>(&node)) collect(array->size);
    if (auto* param = std::get_if<InferParam>(&node)) {
      for (const Size& size : param->sizes) collect(size);
    }
    size_t mark = bound.size();
    if (auto* function = std::get_if<InferFunction>(&node)) {
      if (which == SizesOf::kValues) return;
      if (function->parameter_name) bound.push_back(*function->parameter_name);
      bound.insert(bound.end(), function->existentials.begin(), function->existentials.end());
    }
    forEachPart(node, [&](TypeRef part) { self(self, part); });
    bound.resize(mark);
  };
  visit(visit, type);
  return atoms;
}

std::vector<TypeRef> Inference::unknowns(TypeRef type) {
  std::vector<TypeRef> found;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    ref = resolve(ref);
    if (isPlain(ref)) return;
    if (std::holds_alternative<UnknownType>(nodes_[ref.index])) {
      if (std::find(found.begin(), found.end(), ref) == found.end()) found.push_back(ref);
      return;
    }
    forEachPart(nodes_[ref.index], [&](TypeRef part) { self(self, part); });
  };
  visit(visit, type);
  return found;
}

std::optional<TypeRef> Inference::limitLift(TypeRef type, syntax::Lift lift) {
  if (lift == syntax::Lift::kFull || isPlain(type)) return std::nullopt;
  type = resolve(type);
  InferNode& node = nodes_[type.index];
  if (auto* unknown = std::get_if<UnknownType>(&node)) {
    unknown->lift = std::min(unknown->lift, lift);
    return std::nullopt;
  }
  if (std::holds_alternative<InferFunction>(node)) return type;
  if (auto* param = std::get_if<InferParam>(&node)) {
    bool is_more = program_.type_params[param->parameter].lift > lift;
    return is_more ? std::optional(type) : std::nullopt;
  }
  std::optional<TypeRef> failed;
  const InferNode copy = node;
  forEachPart(copy, [&](TypeRef part) {
    if (!failed) failed = limitLift(part, lift);
  });
  return failed;
}

bool Inference::isHuge(TypeRef type) {
  int budget = 20000;
  auto visit = [&](auto& self, TypeRef ref) -> void {
    if (--budget <= 0) return;
    forEachPart(nodes_[resolve(ref).index], [&](TypeRef part) { self(self, part); });
  };
  visit(visit, type);
  return budget <= 0;
}

// ---- finishing

TypeId Inference::intern(TypeNode node) {
  if (auto* scalar = std::get_if<ScalarTypeNode>(&node)) return scalarTypeId(scalar->scalar);
  return interned_types_.findOrMake(
      hashOf(node), [&](TypeId id) { return types::isSame(program_.types[id], node); },
      [&] { return program_.types.add(std::move(node)); });
}

SizeId Inference::intern(SizeNode node) {
  return interned_sizes_.findOrMake(
      hashOf(node), [&](SizeId id) { return types::isSame(program_.sizes[id], node); },
      [&] { return program_.sizes.add(node); });
}

TypeId Inference::finishAsWritten(TypeRef type) {
  writes_forms_ = true;
  std::swap(finished_, finished_as_written_);
  const TypeId id = finish(type);
  std::swap(finished_, finished_as_written_);
  writes_forms_ = false;
  return id;
}

SizeId Inference::finish(const Size& unresolved) {
  const Size size = resolve(unresolved);
  auto form = writes_forms_ ? finishForm(size) : std::nullopt;
  return form ? *form : finishPolynomial(size);
}

// None: no form, or one that unknowns are left in.
std::optional<SizeId> Inference::finishForm(const Size& size) {
  if (!size.written) {
    if (hasUnknown(size)) return std::nullopt;
    return finishPolynomial(size);
  }
  if (!size.written->op) return finishPolynomial(size);
  const auto lhs = finishForm(size.written->lhs), rhs = finishForm(size.written->rhs);
  if (!lhs || !rhs) return std::nullopt;
  return intern(SizeArith{*size.written->op, *lhs, *rhs});
}

SizeId Inference::finishPolynomial(Size size) {
  // A positive term first, so that `n - 1` is not spelled `-1 + n`.
  std::stable_sort(size.terms.begin(), size.terms.end(), [](const SizeTerm& a, const SizeTerm& b) {
    return (a.factor > 0 && !a.atoms.empty()) > (b.factor > 0 && !b.atoms.empty());
  });
  SizeId sum;
  for (const SizeTerm& term : size.terms) {
    bool subtract = sum && term.factor < 0 && term.factor != INT64_MIN;
    int64_t factor = subtract ? -term.factor : term.factor;
    SizeId product;
    for (SizeAtom atom : term.atoms) {
      SizeId next = atom.is_unknown ? intern(SizeConst{0})
                    : atom.is_expression
                        ? intern(SizeExpression{writeExpression(SizeExprId(atom.index))})
                        : intern(SizeBinder{BinderId(atom.index)});
      product = product ? intern(SizeArith{SizeOp::kMul, product, next}) : next;
    }
    if (!product) {
      product = intern(SizeConst{factor});
    } else if (factor != 1) {
      product = intern(SizeArith{SizeOp::kMul, intern(SizeConst{factor}), product});
    }
    sum = sum ? intern(SizeArith{subtract ? SizeOp::kSub : SizeOp::kAdd, sum, product}) : product;
  }
  return sum ? sum : intern(SizeConst{0});
}

TypeId Inference::finishFunction(const InferFunction& function) {
  TypeId parameter = finish(function.parameter);
  TypeId result = finish(function.result);
  return intern(FunctionType{parameter, function.consumes, function.parameter_name, result,
                             function.existentials, function.unique_parameter,
                             function.unique_result});
}

TypeId Inference::finish(TypeRef type) {
  type = resolve(type);
  if (auto* scalar = std::get_if<ScalarTypeNode>(&nodes_[type.index])) {
    return scalarTypeId(scalar->scalar);
  }
  if (type.index < finished_.size() && finished_[type.index]) return finished_[type.index];
  const InferNode node = nodes_[type.index];
  TypeId id = base::match(
      node, [&](const UnknownType&) { return scalarTypeId(ScalarType::kI32); },
      [&](const Poison&) { return scalarTypeId(ScalarType::kI32); },
      [&](const ScalarTypeNode& scalar) { return scalarTypeId(scalar.scalar); },
      [&](const InferParam& old) {
        const bool is_accumulator = old.parameter == accumulatorParam();
        if (is_accumulator && as<InferArray>(old.types[0])) {
          return finish(accumulator(old.types[0]));
        }
        ParamType param{old.parameter, {}, {}};
        for (TypeRef argument : old.types) param.types.push_back(finish(argument));
        for (const Size& size : old.sizes) param.sizes.push_back(finish(size));
        return intern(std::move(param));
      },
      [&](const InferSum& old) {
        SumType sum{old.constructors, {}};
        for (const auto& payload : old.payloads) {
          sum.payloads.emplace_back();
          for (TypeRef part : payload) sum.payloads.back().push_back(finish(part));
        }
        return intern(std::move(sum));
      },
      [&](const InferArray& old) {
        SizeId size = finish(old.size);
        return intern(ArrayType{size, finish(old.element)});
      },
      [&](const InferRecord& old) {
        RecordType record{old.names, {}};
        for (TypeRef field : old.fields) record.fields.push_back(finish(field));
        return intern(std::move(record));
      },
      [&](const InferFunction& old) { return finishFunction(old); });
  if (type.index >= finished_.size()) finished_.resize(nodes_.size());
  return finished_[type.index] = id;
}

void Inference::reset() {
  nodes_.clear();
  is_plain_.clear();
  rows_.clear();
  size_exprs_.clear();
  size_expr_ids_.clear();
  written_.clear();
  copies_.clear();
  unknown_sizes_.clear();
  postponed_.clear();
  definitions_.clear();
  loose_.clear();
  merged_.clear();
  opaque_.clear();
  ended_.clear();
  arithmetic_.clear();
  dependent_results_.clear();
  escaped_.clear();
  merges_ = ignores_sizes = false;
  order = Order::kFormsFirst;
  imported_.clear();
  finished_.clear();
  finished_as_written_.clear();
}

}  // namespace halo::types

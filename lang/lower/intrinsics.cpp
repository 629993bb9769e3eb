// Built-in functions of arrays. Arguments first get the shapes that the declared parameter types
// say, so the rest is plain rearrangement of leaves.
#include "lang/base/match.h"
#include "lang/lower/lowering.h"
#include "lang/lower/sizes/size_checks.h"

namespace halo::lower {

namespace {

using types::Intrinsic;

const ArrayValue& arrayAt(const std::vector<StaticValue>& args, size_t i) {
  HALO_CHECK(args[i].array() != nullptr, "lower: a built-in expected an array");
  return *args[i].array();
}

// Rewrites each leaf by itself; `make` gets the leaf and the type of the result's leaf.
template <typename Make>
StaticValue eachLeaf(Lowering& lowering, const ArrayValue& array, const MonoTypeRef& result,
                     const Make& make) {
  Operands leaves;
  const std::vector<core::Type> leaf_types = leafTypes(result);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    leaves.push_back(lowering.bind(leaf_types[i], make(array.leaves[i], leaf_types[i])));
  }
  return fromLeaves(result, leaves);
}

StaticValue reshapeTo(Lowering& lowering, const ArrayValue& array, const MonoTypeRef& result) {
  return eachLeaf(lowering, array, result, [](ValueId leaf, const core::Type& type) {
    return core::Reshape{leaf, type.shape};
  });
}

StaticValue transpose(Lowering& lowering, const ArrayValue& array, const MonoTypeRef& result) {
  return eachLeaf(lowering, array, result, [](ValueId leaf, const core::Type& type) {
    std::vector<int> permutation = {1, 0};
    for (int i = 2; i < type.rank(); ++i) permutation.push_back(i);
    return core::Rearrange{leaf, std::move(permutation)};
  });
}

// Of arrays of scalars the whole shape is looked at, as memory would be; else the size by itself.
bool isOfScalars(const MonoTypeRef& type) {
  if (type->array() != nullptr) return isOfScalars(type->array()->element);
  return type->record() == nullptr && type->sum() == nullptr;
}

StaticValue replicate(Lowering& lowering, const StaticValue& item, const MonoTypeRef& result,
                      Span span) {
  const Operand size = result->array()->size;
  const MonoTypeRef element = result->array()->element;
  const bool by_shape = element->array() != nullptr && isOfScalars(element);
  by_shape ? requireNotNegative(lowering, size, span) : lowering.requireSize(size, span);
  const Operands items =
      lowering.leavesOf(lowering.coerce(item, element, Code::shape_mismatch, span));
  Operands leaves;
  std::vector<core::Type> leaf_types = leafTypes(result);
  for (size_t i = 0; i < items.size(); ++i) {
    const Operands& extents = leaf_types[i].shape;
    if (extents.size() > 1) {
      const Operand row = lowering.product({extents.begin() + 1, extents.end()});
      requireProduct(lowering, size, row, extents, span);
      lowering.sizes().addExtent(size);
    }
    leaves.push_back(lowering.bind(std::move(leaf_types[i]), core::Replicate{{size}, items[i]}));
  }
  return fromLeaves(result, leaves);
}

StaticValue iota(Lowering& lowering, const MonoTypeRef& result, Span span) {
  const Operand size = result->array()->size;
  lowering.requireSize(size, span);
  const core::Iota node{ScalarType::kI64, size, Operand::ofI64(0), Operand::ofI64(1)};
  return fromLeaves(result, {lowering.bind({ScalarType::kI64, {size}}, node)});
}

StaticValue concat(Lowering& lowering, const std::vector<StaticValue>& args,
                   const MonoTypeRef& result, Span span) {
  requireSum(lowering, result->array()->size, span);
  Operands leaves;
  std::vector<core::Type> leaf_types = leafTypes(result);
  for (size_t i = 0; i < leaf_types.size(); ++i) {
    core::Concat node{{}, result->array()->size};
    for (size_t k = 0; k < args.size(); ++k) node.arrays.push_back(arrayAt(args, k).leaves[i]);
    leaves.push_back(lowering.bind(std::move(leaf_types[i]), std::move(node)));
  }
  return fromLeaves(result, leaves);
}

StaticValue map(Lowering& lowering, const std::vector<StaticValue>& args, const MonoTypeRef& result,
                Span span) {
  core::Screma node;
  node.width = result->array()->size;
  std::vector<MonoTypeRef> element_types;
  for (size_t i = 1; i < args.size(); ++i) {
    const ArrayValue& array = arrayAt(args, i);
    node.inputs.insert(node.inputs.end(), array.leaves.begin(), array.leaves.end());
    element_types.push_back(array.type->array()->element);
  }
  node.map = lowering.lambda(element_types, [&](const std::vector<StaticValue>& elements) {
    const StaticValue value = lowering.applyFromBuiltIn(args[0], elements, span);
    return lowering.coerce(value, result->array()->element, Code::irregular_array, span);
  });
  const std::vector<core::Type> leaf_types = leafTypes(result);
  if (leaf_types.empty() && node.map.body.stms.empty()) return fromLeaves(result, {});
  for (const RowSizes& row : newRowSizes(lowering, leaf_types)) requireRows(lowering, row, span);
  const std::vector<ValueId> leaves = lowering.bindAll(leaf_types, std::move(node));
  return fromLeaves(result, Operands(leaves.begin(), leaves.end()));
}

// The operator of a reduction or scan: two elements to one.
core::Lambda combiner(Lowering& lowering, const StaticValue& op, const MonoTypeRef& type,
                      Span span) {
  return lowering.lambda({type, type}, [&](const std::vector<StaticValue>& both) {
    const StaticValue value = lowering.applyFromBuiltIn(op, both, span);
    return lowering.coerce(value, type, Code::shape_mismatch, span);
  });
}

core::Lambda identity(Lowering& lowering, const MonoTypeRef& type) {
  return lowering.lambda({type}, [](const std::vector<StaticValue>& x) { return x[0]; });
}

StaticValue reduceOrScan(Lowering& lowering, Intrinsic intrinsic,
                         const std::vector<StaticValue>& args, const MonoTypeRef& result,
                         Span span) {
  const ArrayValue& items = arrayAt(args, 2);
  const MonoTypeRef type = items.type->array()->element;
  if (items.leaves.empty()) return fromLeaves(result, {});
  core::Screma node;
  node.width = items.type->array()->size;
  node.inputs = items.leaves;
  node.map = identity(lowering, type);
  core::Lambda op = combiner(lowering, args[0], type, span);
  const StaticValue neutral = lowering.coerce(args[1], type, Code::shape_mismatch, span);
  if (intrinsic == Intrinsic::kScan) {
    node.scans.push_back({std::move(op), lowering.leavesOf(neutral)});
  } else {
    const bool commutative = intrinsic == Intrinsic::kReduceComm;
    node.reductions.push_back({std::move(op), lowering.leavesOf(neutral), commutative});
  }
  const std::vector<ValueId> leaves = lowering.bindAll(leafTypes(result), std::move(node));
  return fromLeaves(result, Operands(leaves.begin(), leaves.end()));
}

// One destination per leaf, all at the same index.
StaticValue scatter(Lowering& lowering, const std::vector<StaticValue>& args,
                    const MonoTypeRef& result) {
  const ArrayValue& indices = arrayAt(args, 1);
  const ArrayValue& values = arrayAt(args, 2);
  if (values.leaves.empty()) return args[0];
  core::Scatter node;
  node.width = indices.type->array()->size;
  node.inputs = indices.leaves;
  node.inputs.insert(node.inputs.end(), values.leaves.begin(), values.leaves.end());
  node.map = lowering.lambda({indices.type->array()->element, values.type->array()->element},
                             [&](const std::vector<StaticValue>& pair) {
                               RecordValue results;
                               for (const Operand& leaf : lowering.leavesOf(pair[1])) {
                                 results.fields.push_back(pair[0]);
                                 results.fields.push_back({leaf});
                               }
                               return StaticValue{std::move(results)};
                             });
  for (const Operand& fresh : lowering.leavesOf(lowering.copy(args[0]))) {
    node.destinations.push_back({fresh.value, static_cast<int>(indices.leaves.size())});
  }
  const std::vector<ValueId> leaves = lowering.bindAll(leafTypes(result), std::move(node));
  return fromLeaves(result, Operands(leaves.begin(), leaves.end()));
}

// Destination, operator, neutral element, indices, values.
StaticValue histogram(Lowering& lowering, const std::vector<StaticValue>& args,
                      const MonoTypeRef& result, Span span) {
  const ArrayValue& indices = arrayAt(args, 3);
  const ArrayValue& values = arrayAt(args, 4);
  if (values.leaves.empty()) return args[0];
  const MonoTypeRef index = indices.type->array()->element;
  const MonoTypeRef type = values.type->array()->element;
  core::Hist node;
  node.width = indices.type->array()->size;
  node.inputs = indices.leaves;
  node.inputs.insert(node.inputs.end(), values.leaves.begin(), values.leaves.end());
  node.map = lowering.lambda({index, type}, [](const std::vector<StaticValue>& pair) {
    return recordOf({"0", "1"}, pair);
  });
  core::HistOp operation;
  operation.index_rank = static_cast<int>(indices.leaves.size());
  operation.op = combiner(lowering, args[1], type, span);
  operation.neutral = lowering.leavesOf(lowering.coerce(args[2], type, Code::shape_mismatch, span));
  for (const Operand& fresh : lowering.leavesOf(lowering.copy(args[0]))) {
    operation.destinations.push_back(fresh.value);
  }
  node.operations.push_back(std::move(operation));
  const std::vector<ValueId> leaves = lowering.bindAll(leafTypes(result), std::move(node));
  return fromLeaves(result, Operands(leaves.begin(), leaves.end()));
}

// Of several directions, or weightings.
bool isMany(const types::Def& def) { return def.name == "jmp2" || def.name == "mjp2"; }

}  // namespace

// The types of a built-in's parameters and result under its type and size arguments; arguments are
// given the shapes of the parameters.
MonoTypeRef Lowering::fitArguments(DefId id, const Instantiation& instantiation,
                                   std::vector<StaticValue>& args, Span span) {
  const types::Def& def = source.defs[id];
  Frame& frame = newFrame(nullptr, true, span);
  bindInstantiation(def.type_parameters, def.size_parameters, evaluate(instantiation), frame);
  types::TypeId type = def.type;
  for (StaticValue& arg : args) {
    const auto& function = std::get<types::FunctionType>(source.types[type]);
    if (arg.closure() == nullptr) {
      arg = coerce(arg, evalType(function.parameter, frame), Code::shape_mismatch, span);
    }
    if (function.parameter_name) frame.binders.insert_or_assign(*function.parameter_name, arg);
    for (BinderId size : function.existentials) {  // only the result knows these: never read
      frame.binders.insert_or_assign(size, StaticValue{Operand::ofI64(0)});
    }
    type = function.result;
  }
  return evalType(type, frame);
}

StaticValue Lowering::applyIntrinsic(DefId def, Intrinsic intrinsic,
                                     const Instantiation& instantiation,
                                     std::vector<StaticValue> args, Span span) {
  const Instantiation known = evaluate(instantiation);
  if (intrinsic == Intrinsic::kUnflatten) {  // before their product is compared with anything
    for (const Operand& size : known.sizes) requireSize(size, span);
    requireProduct(*this, known.sizes[0], known.sizes[1], known.sizes, span);
  }
  if (intrinsic == Intrinsic::kFlatten) {
    const Operands extents = dimensions(args[0].array()->type);
    requireProduct(*this, extents[0], extents[1], {extents[0], extents[1]}, span);
  }
  if (intrinsic == Intrinsic::kPad) checkPad(args, span);
  if (intrinsic == Intrinsic::kSlide) checkSlide(args, span);
  const MonoTypeRef result = fitArguments(def, known, args, span);
  switch (intrinsic) {
    case Intrinsic::kMap:
      return map(*this, args, result, span);
    case Intrinsic::kReduce:
    case Intrinsic::kReduceComm:
    case Intrinsic::kScan:
      return reduceOrScan(*this, intrinsic, args, result, span);
    case Intrinsic::kScatter:
    case Intrinsic::kScatterND:
      return scatter(*this, args, result);
    case Intrinsic::kReplicate:
      return replicate(*this, args[1], result, span);
    case Intrinsic::kIota:
      return iota(*this, result, span);
    case Intrinsic::kZip:
    case Intrinsic::kUnzip:
      return fromLeaves(result, leavesOfAll(args));
    case Intrinsic::kTranspose:
      return transpose(*this, arrayAt(args, 0), result);
    case Intrinsic::kFlatten:
    case Intrinsic::kUnflatten:
      return reshapeTo(*this, arrayAt(args, 0), result);
    case Intrinsic::kConcat:
      return concat(*this, args, result, span);
    case Intrinsic::kCopy:
    case Intrinsic::kManifest:
      return copy(args[0]);
    case Intrinsic::kStencil:
    case Intrinsic::kStencilWith:
      return stencil(args, result, intrinsic == Intrinsic::kStencilWith, span);
    case Intrinsic::kFlatmap:
      return flatmap(args, result, span);
    case Intrinsic::kHist:
      return histogram(*this, args, result, span);
    case Intrinsic::kPad:
      return pad(args, result);
    case Intrinsic::kSlide:
      return slide(args, result);
    case Intrinsic::kJvp:
    case Intrinsic::kVjp:
      return derivative({intrinsic == Intrinsic::kVjp, isMany(source.defs[def])}, args, result,
                        span);
    case Intrinsic::kWithVjp:
      return isDifferentiating() ? withVjp(args, result, span)
                                 : applyFromBuiltIn(args[0], {args[2]}, span);
  }
  HALO_UNREACHABLE("unknown intrinsic");
}

}  // namespace halo::lower

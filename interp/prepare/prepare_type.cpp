#include "interp/prepare/prepare_type.h"

#include "lang/base/match.h"
#include "lang/types/infer/accumulator.h"

namespace halo::interp {

using types::ArrayType;
using types::FunctionType;
using types::ParamType;
using types::Program;
using types::RecordType;
using types::ScalarTypeNode;
using types::SumType;
using types::TypeId;

std::optional<ScalarType> scalarOf(const Program& program, TypeId type) {
  const auto* scalar = std::get_if<ScalarTypeNode>(&program.types[type]);
  if (scalar == nullptr) return std::nullopt;
  return scalar->scalar;
}

int fieldIndex(const Program& program, TypeId record, const std::string& name) {
  const auto& names = std::get<RecordType>(program.types[record]).names;
  const auto found = std::find(names.begin(), names.end(), name);
  HALO_CHECK(found != names.end(), "a field that the type does not have");
  return static_cast<int>(found - names.begin());
}

size_t constructorIndex(const Program& program, TypeId sum, const std::string& name) {
  const auto& names = std::get<SumType>(program.types[sum]).constructors;
  const auto found = std::find(names.begin(), names.end(), name);
  HALO_CHECK(found != names.end(), "a constructor that the type does not have");
  return static_cast<size_t>(found - names.begin());
}

int functionArity(const Program& program, TypeId type) {
  int arity = 0;
  while (const auto* function = std::get_if<FunctionType>(&program.types[type])) {
    ++arity;
    type = function->result;
  }
  return arity;
}

TypeId resultAfter(const Program& program, TypeId type, int count) {
  for (; count > 0; --count) type = std::get<FunctionType>(program.types[type]).result;
  return type;
}

NodeRef sizeNode(const Program& program, Scope& scope, types::SizeId size) {
  return base::match(
      program.sizes[size],
      [](const types::SizeConst& constant) { return constantNode(Datum::ofI64(constant.value)); },
      [&](const types::SizeBinder& name) { return placeNode(scope.find(name.binder)); },
      [&](const types::SizeArith& arith) {
        Nodes operands;
        operands.push_back(sizeNode(program, scope, arith.lhs));
        operands.push_back(sizeNode(program, scope, arith.rhs));
        const auto op = arith.op == types::SizeOp::kAdd   ? prim::Op::kAdd
                        : arith.op == types::SizeOp::kSub ? prim::Op::kSub
                                                          : prim::Op::kMul;
        return primNode(op, ScalarType::kI64, std::move(operands), {});
      },
      [&](const types::SizeExpression& expression) {
        return scope.sizeExpression(expression.value);
      });
}

NodeRef typeNode(const Program& program, Scope& scope, TypeId type) {
  return base::match(
      program.types[type],
      [](const ScalarTypeNode& scalar) {
        auto* known = new RuntimeType(RuntimeType::Form::kScalar);
        known->scalar = scalar.scalar;
        return constantNode(Datum(known));
      },
      [&](const ArrayType& array) {
        return arrayTypeNode(sizeNode(program, scope, array.size),
                             typeNode(program, scope, array.element));
      },
      [&](const RecordType& record) {
        Nodes fields;
        for (TypeId field : record.fields) fields.push_back(typeNode(program, scope, field));
        return recordTypeNode(std::move(fields), &record.names);
      },
      [&](const SumType& sum) {
        Nodes parts;
        std::vector<size_t> counts;
        for (const auto& payload : sum.payloads) {
          counts.push_back(payload.size());
          for (TypeId part : payload) parts.push_back(typeNode(program, scope, part));
        }
        return sumTypeNode(std::move(parts), counts, &sum.constructors);
      },
      [](const FunctionType&) {
        return constantNode(Datum(new RuntimeType(RuntimeType::Form::kFunction)));
      },
      [&](const ParamType& param) {
        if (!types::isAccumulator(param)) return placeNode(scope.find(param.parameter));
        return accumulatorTypeNode(typeNode(program, scope, param.types[0]));
      });
}

namespace {

// Calls visit(size, path) for each dimension in the type until it returns true.
template <typename Visit>
bool visitDimensions(const Program& program, TypeId type, std::vector<int>& path,
                     const Visit& visit) {
  if (const auto* array = std::get_if<ArrayType>(&program.types[type])) {
    path.push_back(SizeBinding::kDimension);
    const bool done =
        visit(array->size, path) || visitDimensions(program, array->element, path, visit);
    path.pop_back();
    return done;
  }
  std::vector<TypeId> fields;
  int number = 0;  // of a sum: the tag comes first
  if (const auto* record = std::get_if<RecordType>(&program.types[type])) fields = record->fields;
  if (const auto* sum = std::get_if<SumType>(&program.types[type])) {
    for (const auto& payload : sum->payloads) {
      fields.insert(fields.end(), payload.begin(), payload.end());
    }
    number = 1;
  }
  for (TypeId field : fields) {
    path.push_back(number++);
    const bool done = visitDimensions(program, field, path, visit);
    path.pop_back();
    if (done) return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<int>> findSize(const Program& program, TypeId type,
                                         types::BinderId binder) {
  std::optional<std::vector<int>> found;
  std::vector<int> path;
  visitDimensions(program, type, path, [&](types::SizeId size, const std::vector<int>& at) {
    const auto* name = std::get_if<types::SizeBinder>(&program.sizes[size]);
    if (name != nullptr && name->binder == binder) found = at;
    return found.has_value();
  });
  return found;
}

bool hasComputedSize(const Program& program, TypeId type) {
  std::vector<int> path;
  return visitDimensions(program, type, path, [&](types::SizeId size, const std::vector<int>&) {
    const auto& node = program.sizes[size];
    return std::holds_alternative<types::SizeExpression>(node) ||
           std::holds_alternative<types::SizeArith>(node);
  });
}

std::vector<SizeBinding> bindSizes(const Program& program, Scope& scope, TypeId type,
                                   const std::vector<types::BinderId>& binders) {
  std::vector<SizeBinding> bindings;
  for (types::BinderId binder : binders) {
    auto path = findSize(program, type, binder);
    if (path) bindings.push_back({scope.bindSlot(binder), std::move(*path)});
  }
  return bindings;
}

std::vector<WantedShape> wantedShapes(const Program& program, Scope& scope, TypeId type,
                                      const std::vector<types::BinderId>& unknown) {
  std::vector<WantedShape> wanted;
  std::vector<int> path;
  std::vector<int> previous;
  visitDimensions(program, type, path, [&](types::SizeId size, const std::vector<int>& at) {
    const auto* name = std::get_if<types::SizeBinder>(&program.sizes[size]);
    const bool is_unknown =
        name != nullptr && std::find(unknown.begin(), unknown.end(), name->binder) != unknown.end();
    const bool continues = !wanted.empty() && at.size() == previous.size() + 1 &&
                           std::equal(previous.begin(), previous.end(), at.begin());
    if (!continues) wanted.emplace_back();
    previous = at;
    if (is_unknown) return false;
    wanted.back().paths.push_back(at);
    wanted.back().sizes.push_back(sizeNode(program, scope, size));
    return false;
  });
  return wanted;
}

}  // namespace halo::interp

// Types and sizes of the checked program as nodes that evaluate them, and where in a type sizes
// stand.
#pragma once

#include "interp/scope.h"

namespace halo::interp {

std::optional<ScalarType> scalarOf(const types::Program& program, types::TypeId type);
int fieldIndex(const types::Program& program, types::TypeId record, const std::string& name);
size_t constructorIndex(const types::Program& program, types::TypeId sum, const std::string& name);
// The number of arguments a value of the type takes, and the type after `count` of them.
int functionArity(const types::Program& program, types::TypeId type);
types::TypeId resultAfter(const types::Program& program, types::TypeId type, int count);

NodeRef sizeNode(const types::Program& program, Scope& scope, types::SizeId size);
NodeRef typeNode(const types::Program& program, Scope& scope, types::TypeId type);

// Where `binder` is the size of a dimension of a value of the type; none: nowhere.
std::optional<std::vector<int>> findSize(const types::Program& program, types::TypeId type,
                                         types::BinderId binder);
// Whether a dimension of the type is an expression.
bool hasComputedSize(const types::Program& program, types::TypeId type);
// Binders to be found in values of the type, each with a new slot.
std::vector<SizeBinding> bindSizes(const types::Program& program, Scope& scope, types::TypeId type,
                                   const std::vector<types::BinderId>& binders);
// The dimensions of every array in the type, except those whose size is in `unknown`.
std::vector<WantedShape> wantedShapes(const types::Program& program, Scope& scope,
                                      types::TypeId type,
                                      const std::vector<types::BinderId>& unknown);

}  // namespace halo::interp

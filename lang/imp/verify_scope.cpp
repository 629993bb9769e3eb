#include "lang/imp/verify_scope.h"

#include <fmt/format.h>

namespace halo::imp {

void VerifyScope::complain(std::string text) {
  if (problem_.empty()) problem_ = std::move(text);
}

std::string VerifyScope::nameOf(VarId var) const {
  return fmt::format("{}_{}", program_.vars[var].name, var.index);
}

void VerifyScope::define(VarId var) {
  if (!var.valid() || var.index >= program_.vars.size()) return complain("unknown variable");
  if (!defined_.insert(var).second && !program_.vars[var].is_mutable) {
    complain(fmt::format("`{}` is bound twice", nameOf(var)));
  }
  scope_.push_back(var);
}

ScalarType VerifyScope::typeOf(const Operand& o) const {
  return o.isConstant() ? o.constant.type : program_.vars[o.var].type;
}

void VerifyScope::use(const Operand& o) {
  if (o.isConstant()) return;
  if (o.var.index >= program_.vars.size()) return complain("unknown variable");
  if (!defined_.contains(o.var)) {
    complain(fmt::format("`{}` is used where it has no value", nameOf(o.var)));
  }
}

void VerifyScope::use(const Operand& o, ScalarType type) {
  use(o);
  if (problem_.empty() && typeOf(o) != type) {
    complain(fmt::format("found an operand of type `{}` where `{}` is needed",
                         prim::name(typeOf(o)), prim::name(type)));
  }
}

// Kernels may know that it fits 32 bits, or have it in two halves, the low one first.
void VerifyScope::useOperandOfFailure(const Operand& o) {
  ScalarType type = problem_.empty() ? typeOf(o) : ScalarType::kI64;
  bool small = type == ScalarType::kI32 || type == ScalarType::kU32;
  use(o, small && isKernel() ? type : ScalarType::kI64);
}

void VerifyScope::useIndex(const Operand& o) {
  use(o);
  if (problem_.empty() && !prim::isInteger(typeOf(o))) complain("an index is no integer");
}

void VerifyScope::need(bool condition, const char* text) {
  if (!condition) complain(text);
}

ScalarType VerifyScope::elementType(BufferId buffer) {
  if (buffer.index >= program_.buffers.size()) {
    complain("unknown buffer");
    return ScalarType::kI64;
  }
  const BufferInfo& info = program_.buffers[buffer];
  bool is_fixed =
      info.space == Space::kPrivate || info.space == Space::kShared || info.space == Space::kMatrix;
  if (!is_fixed && info.contents.empty() && !placed_.contains(buffer)) {
    complain(fmt::format("`{}` names no memory", info.name));
  }
  return info.type;
}

void VerifyScope::closeScope(size_t mark) {
  while (scope_.size() > mark) {
    defined_.erase(scope_.back());
    scope_.pop_back();
  }
}

namespace {

constexpr const char* kFixed = "memory that has a fixed place is moved";

}  // namespace

void VerifyScope::needMovable(BufferId buffer) {
  elementType(buffer);
  if (!isFine()) return;
  const BufferInfo& info = program_.buffers[buffer];
  need(info.space != Space::kPrivate && info.contents.empty(), kFixed);
}

void VerifyScope::needDevice(BufferId buffer) {
  elementType(buffer);
  if (!isFine()) return;
  need(program_.buffers[buffer].space == Space::kDevice,
       "an allocation with contents that is no device memory");
}

void VerifyScope::needSameKind(BufferId a, BufferId b) {
  need(elementType(a) == elementType(b), "buffers of two element types change places");
  needMovable(a);
  if (isFine()) need(program_.buffers[b].space != Space::kPrivate, kFixed);
}

}  // namespace halo::imp

// Lookups of ir.h, and the only instances of the special members of its nodes.
#include "lang/core/ir.h"

namespace halo::core {

Expr::Expr() = default;
Expr::Expr(const Expr& other) = default;
Expr::Expr(Expr&& other) noexcept = default;
Expr& Expr::operator=(const Expr& other) = default;
Expr& Expr::operator=(Expr&& other) noexcept = default;
Expr::~Expr() = default;
bool Expr::operator==(const Expr& other) const {
  return static_cast<const ExprNode&>(*this) == static_cast<const ExprNode&>(other);
}

bool Body::operator==(const Body& other) const = default;

const Function* Program::find(const std::string& name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace halo::core

// The leaves of a value that is differentiated: numbers, and tags of sums, which are not.
#pragma once

#include "lang/lower/lowering.h"

namespace halo::lower {

class Leaves {
 public:
  explicit Leaves(const MonoTypeRef& type);

  const MonoTypeRef& type() const { return type_; }
  Operands tags(const Operands& all) const;
  Operands numbers(const Operands& all) const;
  size_t count(bool tags) const;
  std::vector<core::Type> types(bool tags) const;
  StaticValue value(const Operands& tags, const Operands& numbers) const;

 private:
  Operands part(const Operands& all, bool tags) const;

  MonoTypeRef type_;
  std::vector<bool> is_tag_;
};

// Asserts that sums within values of this type have the same constructors: their tags are equal.
void checkTags(Lowering& lowering, const MonoType& type, const Operands& found,
               const Operands& wanted, Span span);

}  // namespace halo::lower

// Which i64 operands are equal sizes. Sizes compare as polynomials over values. So `n+m` and `m+n`
// written in different places become one operand, and shapes agree without a run-time check.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::lower {

// Sum of coefficient * product of values; the empty product is the constant.
struct Polynomial {
  std::map<std::vector<uint32_t>, int64_t> terms;

  static Polynomial constant(int64_t value);
  static Polynomial variable(core::ValueId value);
  // A constant or a single value, if that is all it is.
  std::optional<core::Operand> operand() const;
  friend auto operator<=>(const Polynomial&, const Polynomial&) = default;
};
// None when the result is too large to be useful; arithmetic wraps as i64 does.
std::optional<Polynomial> combine(prim::Op op, const Polynomial& lhs, const Polynomial& rhs);

// The known facts about sizes at one point of one function. Facts found inside a nested body are
// forgotten when it is left: mark() before, release() after.
class Sizes {
 public:
  Polynomial of(const core::Operand& operand) const;
  bool equal(const core::Operand& a, const core::Operand& b) const { return of(a) == of(b); }
  std::optional<core::Operand> find(const Polynomial& polynomial) const;
  void define(core::ValueId value, const Polynomial& polynomial);

  // An extent of some array, so not negative.
  void addExtent(const core::Operand& operand);
  bool isExtent(const core::Operand& operand) const;

  // Results of other pure computations (`n / 2`, a call), by the computation and its operands: a
  // size expression that comes up again is the same operand.
  std::string key(std::string computation, const std::vector<core::Operand>& operands) const;
  std::optional<core::Operand> findComputed(const std::string& key) const;
  void addComputed(const std::string& key, const core::Operand& result);

  struct Mark {
    size_t defined, extents, computed;
  };
  Mark mark() const { return {defined_.size(), extent_order_.size(), computed_order_.size()}; }
  void release(Mark mark);

 private:
  std::unordered_map<core::ValueId, Polynomial> meaning_;
  std::map<Polynomial, core::Operand> holder_;
  std::vector<Polynomial> defined_;
  std::unordered_set<core::ValueId> extents_;
  std::vector<core::ValueId> extent_order_;
  std::unordered_map<std::string, core::Operand> computed_;
  std::vector<std::string> computed_order_;
};

}  // namespace halo::lower

// Operations on static values, appended to the Core program: elements, copies, coercions, lambdas,
// comparisons. In: values that are lowered already, with their types and sizes. Out: values, and
// the statements that compute them. It knows nothing of the AST, of frames and of definitions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/lower/emission.h"

namespace halo::lower {

class ValueEmission : public Emission {
 public:
  // ---- sum.cpp
  // The value with tag and slots where a constructor was known and its type has no functions.
  StaticValue dynamic(const StaticValue& value);
  Operands leavesOf(const StaticValue& value);

  // ---- types.cpp
  MonoTypeRef typeOf(const StaticValue& value) const;
  StaticValue scratch(const MonoTypeRef& type);
  Operand convert(const types::ConvertMeaning& meaning, const Operand& arg);  // apply.cpp

  // ---- frames.cpp, pattern.cpp
  // A lambda whose parameters are the leaves of `params`.
  using LambdaBody = std::function<StaticValue(const std::vector<StaticValue>&)>;
  core::Lambda lambda(const std::vector<MonoTypeRef>& params, const LambdaBody& body);
  // New values for the leaves of a type, as parameters named after `hint`.
  StaticValue parameter(const MonoTypeRef& type, const std::string& hint,
                        std::vector<ValueId>& params);
  void nameLeaves(const StaticValue& value, const std::string& wanted);

  // ---- arrays.cpp, literals.cpp
  StaticValue index(const StaticValue& array, const std::vector<IndexValue>& parts, Span span);
  StaticValue element(const StaticValue& array, const Operands& indices, bool checked, Span span);
  StaticValue update(const StaticValue& array, const std::vector<IndexValue>& parts,
                     const StaticValue& value, Span span);
  StaticValue copy(const StaticValue& value);
  StaticValue emptyArray(const MonoTypeRef& type);
  StaticValue lowerText(const std::string& bytes);

  // ---- coerce.cpp
  // The value with the sizes of `type`, which has the same structure. Sizes that are other operands
  // and not known to be equal take an assert and a reshape.
  StaticValue coerce(const StaticValue& value, const MonoTypeRef& type, Code code, Span span);

  // ---- windows.cpp, equality.cpp
  void checkPad(const std::vector<StaticValue>& args, Span span);
  StaticValue pad(const std::vector<StaticValue>& args, const MonoTypeRef& result);
  void checkSlide(const std::vector<StaticValue>& args, Span span);
  StaticValue slide(const std::vector<StaticValue>& args, const MonoTypeRef& result);
  Operand equal(const StaticValue& lhs, const StaticValue& rhs);
};

}  // namespace halo::lower

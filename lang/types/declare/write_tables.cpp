// The tables of a finished declaration: types, uses of names, the meaning of operators, and numbers
// in the types that they have.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "lang/base/match.h"
#include "lang/prim/fold.h"
#include "lang/syntax/lex/number_range.h"
#include "lang/types/declare/finish.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/modules/on_demand.h"

namespace halo::types {

using diag::Code;
using prim::Scalar;
using prim::ScalarType;
using syntax::Number;

void Finisher::writeTables() {
  for (const auto& [expr, type] : pending_.types) {
    program_.type_of[expr] = inference_.finish(type);
  }
  for (const auto& [pattern, type] : pending_.pattern_types) {
    program_.pattern_type[pattern] = inference_.finish(type);
  }
  for (const auto& [binder, type] : pending_.binder_types) {
    program_.binders[binder].type = inference_.finish(type);
  }
  for (const auto& [expr, type] : pending_.coercions) {
    program_.coerced_to[expr] = inference_.finish(type);
  }
  for (const PendingUse& pending : pending_.uses) {
    Use use;
    use.target = pending.target;
    for (TypeRef type : pending.types) use.type_arguments.push_back(inference_.finish(type));
    for (const Size& size : pending.sizes) use.size_arguments.push_back(inference_.finish(size));
    program_.use_of[pending.expr] = std::move(use);
  }
  inference_.writeCopies();
  for (const PendingFunction& pending : pending_.functions) {
    LocalFunction function = pending.function;
    function.result = inference_.finish(pending.result);
    program_.local_function[pending.expr] = std::move(function);
  }
  for (const PendingOperator& pending : pending_.operators) writeOperator(pending);
  inference_.writeCopies();
  for (const PendingLiteral& pending : pending_.literals) writeLiteral(pending);
  for (const auto& [unary, number] : pending_.negative_patterns) {
    if (const auto literal = program_.literal_of.at(number)) {
      std::array<Scalar, 1> operand = {*literal};
      program_.literal_of[unary] =
          std::get<Scalar>(prim::fold(prim::Op::kNeg, literal->type, operand));
    }
  }
}

namespace {

using TypeParams = std::vector<TypeParamId>;

// Functions, or stand-ins for any type: type parameters are, abstract types only if lifted.
bool containsFunction(const Program& program, TypeId type, const TypeParams& parameters) {
  auto inside = [&](TypeId part) { return containsFunction(program, part, parameters); };
  auto anyInside = [&](const std::vector<TypeId>& parts) {
    return std::any_of(parts.begin(), parts.end(), inside);
  };
  return base::match(
      program.types[type], [](const ScalarTypeNode&) { return false; },
      [&](const ParamType& param) {
        const TypeParamId id = param.parameter;
        return program.type_params[id].lift == syntax::Lift::kFull || anyInside(param.types) ||
               std::find(parameters.begin(), parameters.end(), id) != parameters.end();
      },
      [](const FunctionType&) { return true; },
      [&](const ArrayType& array) { return inside(array.element); },
      [&](const RecordType& record) { return anyInside(record.fields); },
      [&](const SumType& sum) {
        return std::any_of(sum.payloads.begin(), sum.payloads.end(), anyInside);
      });
}

}  // namespace

void Finisher::writeOperator(const PendingOperator& pending) {
  if (auto scalar = inference_.asScalar(pending.operand)) {
    const PrimMeaning meaning{pending.op, *scalar};
    program_.use_of[pending.expr] = Use{meaning, {}, {}};
    on_demand_.needMeaningOf(meaning);
    return;
  }
  TypeParams parameters = current_ ? current_->info.type_parameters : TypeParams();
  for (const PendingFunction& local : pending_.functions) {
    const TypeParams& own = local.function.type_parameters;
    parameters.insert(parameters.end(), own.begin(), own.end());
  }
  if (containsFunction(program_, inference_.finish(pending.operand), parameters)) {
    bool is_open = inference_.as<InferParam>(pending.operand) != nullptr;
    sink_.error(Code::operator_type, span(pending.expr),
                fmt::format("values of type `{}` {}, which are not compared",
                            inference_.print(pending.operand),
                            is_open ? "may be anything" : "hold functions"));
  }
  program_.use_of[pending.expr] = Use{EqualityTarget{pending.op == prim::Op::kNe}, {}, {}};
}

namespace {

// The magnitude that fits: one more below zero than above, and nothing below zero without a sign.
uint64_t largestMagnitude(ScalarType type, bool is_negated) {
  uint64_t all_bits = UINT64_MAX >> (64 - prim::bitWidth(type));
  if (prim::isUnsigned(type)) return is_negated ? 0 : all_bits;
  return (all_bits >> 1) + (is_negated ? 1 : 0);
}

template <typename Float>
Float parseFloat(const std::string& text) {
  bool is_hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* begin = text.data() + (is_hex ? 2 : 0);
  Float value = 0;
  auto format = is_hex ? std::chars_format::hex : std::chars_format::general;
  auto result = std::from_chars(begin, text.data() + text.size(), value, format);
  if (result.ec != std::errc::result_out_of_range) return value;
  return static_cast<Float>(std::strtod(text.c_str(), nullptr));  // infinity or zero
}

// Rounded once.
Scalar floatLiteral(const Number& number, ScalarType type) {
  const bool is_text = number.is_decimal || syntax::exceeds64Bits(number);
  if (type == ScalarType::kF32) {
    return Scalar::ofF32(is_text ? parseFloat<float>(number.text)
                                 : static_cast<float>(number.integer));
  }
  return Scalar::ofFloat(
      type, is_text ? parseFloat<double>(number.text) : static_cast<double>(number.integer));
}

}  // namespace

void Finisher::writeLiteral(const PendingLiteral& pending) {
  const auto& number = std::get<Number>(program_.tree.exprs[pending.expr].node);
  ScalarType type = inference_.asScalar(pending.type).value_or(ScalarType::kI32);
  bool fits = true;
  if (prim::isInteger(type)) {
    // With a suffix it wraps: `255i8` is -1.
    const uint64_t largest = largestMagnitude(type, pending.is_negated);
    fits = number.suffix || (!syntax::exceeds64Bits(number) && number.integer <= largest);
    program_.literal_of[pending.expr] = Scalar::ofUnsigned(type, number.integer);
  } else {
    Scalar value = floatLiteral(number, type);
    fits = number.suffix || std::isfinite(value.asDouble());  // `1e40f32` was requested
    program_.literal_of[pending.expr] = value;
  }
  if (fits) return;
  sink_.error(Code::number_out_of_range, span(pending.expr),
              fmt::format("`{}{}` does not fit into type `{}`", pending.is_negated ? "-" : "",
                          number.is_decimal || syntax::exceeds64Bits(number)
                              ? number.text
                              : std::to_string(number.integer),
                          prim::name(type)));
}

}  // namespace halo::types

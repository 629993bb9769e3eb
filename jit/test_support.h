// Programs of Core text for the tests of this folder, run with values written by hand.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "jit/engine.h"
#include "lang/core/text.h"

namespace halo::jit::test {

using value::Array;
using value::Value;

inline core::Program parse(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  if (!program) FAIL(diag::render(program.error(), files));
  return *program;
}

template <typename T>
Value array(prim::ScalarType type, std::vector<int64_t> shape, const std::vector<T>& items) {
  Array made = *value::makeArray(type, std::move(shape));
  for (size_t i = 0; i < items.size(); ++i) {
    value::Scalar item = prim::isFloat(type)
                             ? value::Scalar::ofFloat(type, static_cast<double>(items[i]))
                             : value::Scalar::ofSigned(type, static_cast<int64_t>(items[i]));
    value::setAt(made, static_cast<int64_t>(i), item);
  }
  return made;
}

inline Value f32s(std::vector<float> items) {
  auto count = static_cast<int64_t>(items.size());
  return array(prim::ScalarType::kF32, {count}, items);
}
inline Value i64s(std::vector<int64_t> items) {
  auto count = static_cast<int64_t>(items.size());
  return array(prim::ScalarType::kI64, {count}, items);
}

struct Outcome {
  std::vector<Value> values;
  std::string failure;  // empty: it succeeded
};

inline Outcome run(const std::string& text, const std::vector<Value>& arguments,
                   engine::Options options = {}) {
  options.verify = true;
  auto prepared = prepareCore(parse(text), "main", options);
  if (!prepared) return {{}, prepared.error().message};
  auto result = (*prepared)->call(arguments, {});
  if (!result) return {{}, result.error().message};
  return {*result, ""};
}

inline std::vector<double> numbers(const Value& item) {
  std::vector<double> all;
  auto number = [](value::Scalar s) {
    return prim::isFloat(s.type) ? s.asDouble() : static_cast<double>(s.asSigned());
  };
  if (const auto* scalar = item.scalar()) return {number(*scalar)};
  for (int64_t i = 0; i < item.array()->elements(); ++i) all.push_back(number(item.array()->at(i)));
  return all;
}

}  // namespace halo::jit::test

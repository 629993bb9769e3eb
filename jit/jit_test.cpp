// Core text through passes, Imp and LLVM, compared with results written by hand.
#include "jit/engine.h"

#include <doctest/doctest.h>

#include "jit/host_program.h"
#include "lang/core/text.h"
#include "lang/imp/from_core.h"
#include "lang/imp/text.h"
#include "lang/passes/pipeline.h"
#include "lang/value/format.h"

namespace halo::jit {
namespace {

using value::Array;
using value::Value;

core::Program parse(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  if (!program) FAIL(diag::render(program.error(), files));
  return *program;
}

template <typename T>
Value array(prim::ScalarType type, std::vector<int64_t> shape, const std::vector<T>& items) {
  Array made = *value::makeArray(type, std::move(shape));
  for (size_t i = 0; i < items.size(); i++) {
    value::Scalar item = prim::isFloat(type)
                             ? value::Scalar::ofFloat(type, static_cast<double>(items[i]))
                             : value::Scalar::ofSigned(type, static_cast<int64_t>(items[i]));
    value::setAt(made, static_cast<int64_t>(i), item);
  }
  return made;
}

Value f32s(std::vector<float> items) {
  auto count = static_cast<int64_t>(items.size());
  return array(prim::ScalarType::kF32, {count}, items);
}
Value i64s(std::vector<int64_t> items) {
  auto count = static_cast<int64_t>(items.size());
  return array(prim::ScalarType::kI64, {count}, items);
}

struct Outcome {
  std::vector<Value> values;
  std::string failure;  // empty: it succeeded
};

Outcome run(const std::string& text, const std::vector<Value>& arguments,
            engine::Options options = {}) {
  options.verify = true;
  auto prepared = prepareCore(parse(text), "main", options);
  if (!prepared) return {{}, prepared.error().message};
  auto result = (*prepared)->call(arguments, {});
  if (!result) return {{}, result.error().message};
  return {*result, ""};
}

std::vector<double> numbers(const Value& item) {
  std::vector<double> all;
  auto number = [](value::Scalar s) {
    return prim::isFloat(s.type) ? s.asDouble() : static_cast<double>(s.asSigned());
  };
  if (const auto* scalar = item.scalar()) return {number(*scalar)};
  for (int64_t i = 0; i < item.array()->elements(); i++) all.push_back(number(item.array()->at(i)));
  return all;
}

}  // namespace

TEST_CASE("map and reduction of several sizes") {
  const char* text = R"(
entry main(n_1: i64, xs_2: [n_1]f32) -> (f32, [n_1]f32) {
  (s_3: f32, ys_4: [n_1]f32) = screma [n_1] (xs_2) map (x_5: f32) {
    y_6: f32 = f32.mul x_5 2f32
    return y_6, y_6 } reduce f32.add 0f32
  return s_3, ys_4 }
)";
  for (int64_t n : {0, 1, 15, 16, 17, 33, 64, 65, 200}) {
    std::vector<float> xs;
    double sum = 0;
    for (int64_t i = 0; i < n; i++) xs.push_back(static_cast<float>(i)), sum += 2.0 * double(i);
    Outcome out = run(text, {f32s(xs)});
    REQUIRE_MESSAGE(out.failure.empty(), out.failure);
    CHECK(numbers(out.values[0]) == std::vector<double>{sum});
    std::vector<double> ys = numbers(out.values[1]);
    REQUIRE(ys.size() == xs.size());
    for (size_t i = 0; i < xs.size(); i++) CHECK(ys[i] == 2 * xs[i]);
  }
}

}  // namespace halo::jit

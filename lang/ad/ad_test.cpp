// Golden tests: tests/core/ad/NAME.core asks for derivatives, NAME.exp has them written out.
// HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lang/ad/differentiate.h"
#include "lang/core/derivative_name.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "tests/golden.h"

namespace halo::ad {
namespace {

namespace fs = std::filesystem;

core::Program parsed(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE_MESSAGE(program, program.error().message);
  return std::move(*program);
}

TEST_CASE("goldens of derivatives") {
  for (const fs::path& path : test::sorted("tests/core/ad")) {
    if (path.extension() == ".exp") CHECK(fs::exists(fs::path(path).replace_extension(".core")));
    if (path.extension() != ".core") continue;
    CAPTURE(path.string());
    const std::string text = test::readFile(path);
    const core::Program asked = parsed(text);
    CHECK(test::verdict(core::verify(asked)) == "valid");
    const auto made = differentiate(asked);
    REQUIRE(made);
    CHECK(test::verdict(core::verify(*made)) == "valid");
    CHECK(!hasDerivatives(*made));
    const std::string printed = test::commentHead(text) + core::print(*made);
    test::checkGolden(fs::path(path).replace_extension(".exp"), printed);
  }
}

// The loop of `f` with hints: the rest of its tape.
std::string hinted(LoopHint hint) {
  core::Program program = parsed(R"(
fn f(n_1: i64, x_2: f32) -> (f32) {
  y_3: f32 = loop (a_4: f32 = x_2) for i_5 < n_1 do {
    b_6: f32 = f32.mul a_4 a_4
    return b_6 }
  return y_3 }
entry main(n_7: i64, x_8: f32) -> (f32) {
  (y_9: f32, d_10: f32) = call vjp.1.1.f (n_7, x_8, 1f32)
  return d_10 })");
  LoopHints hints;
  const source::Span place{source::FileId(size_t{0}), 7, 9};
  for (core::Function& function : program.functions) {
    for (core::Stm& stm : function.body.stms) {
      if (std::holds_alternative<core::Loop>(stm.expr)) stm.span = place;
    }
  }
  hints.add(place, hint);
  const auto made = differentiate(program, hints);
  REQUIRE(made);
  CHECK(test::verdict(core::verify(*made)) == "valid");
  return core::print(*made);
}

TEST_CASE("states of loops are recorded, recorded by segments, or few of them kept") {
  const std::string recorded = hinted({1, 0}), segments = hinted({2, 0}), kept = hinted({1, 6});
  CHECK(recorded.find("root_") == std::string::npos);
  CHECK(segments.find("root_") != std::string::npos);
  CHECK(recorded.find("kept_") == std::string::npos);
  CHECK(kept.find("kept_") != std::string::npos);
  CHECK(kept.find("i64.min") != std::string::npos);  // of the steps and three states
  // The loop itself leaves the first ones.
  CHECK(kept.find("more_") < kept.find(" for "));
}

TEST_CASE("names of derivatives") {
  const auto name = core::derivativeName("vjp.2.13.jvp.1.1.f");
  REQUIRE(name);
  CHECK(name->reverse);
  CHECK(name->arguments == 2);
  CHECK(name->results == 13);
  CHECK(name->function == "jvp.1.1.f");
  CHECK(name->text() == "vjp.2.13.jvp.1.1.f");
  for (const char* other :
       {"f", "vjp", "vjp.", "vjp.f", "vjp.1.f", "vjp.1.1.", "vjp.x.1.f", "ujp.1.1.f"}) {
    CHECK(!core::derivativeName(other));
  }
}

TEST_CASE("what has no derivative in compiled code is named") {
  const auto made = differentiate(parsed(R"(
fn f(x_1: f32) -> (f32) {
  (y_2: f32, d_3: f32) = call vjp.1.1.f (x_1, 1f32)
  return d_3 }
entry main(x_4: f32) -> (f32) {
  (y_5: f32, d_6: f32) = call vjp.1.1.f (x_4, 1f32)
  return d_6 })"));
  REQUIRE(!made);
  CHECK(made.error().code == diag::Code::engine_unsupported);
}

TEST_CASE("derivatives of derivatives of loops end before the program has no end") {
  std::string text = R"(
fn f0(x_1: f32) -> (f32) {
  y_2: f32 = loop (a_3: f32 = x_1) for i_4 < 3i64 do {
    b_5: f32 = f32.mul a_3 a_3
    c_6: f32 = f32.div b_5 x_1
    return c_6 }
  return y_2 })";
  constexpr int kLevels = 12;
  for (int level = 1; level <= kLevels; ++level) {
    text += fmt::format(
        "\n{0} f{1}(x_{1}1: f32) -> (f32) {{\n"
        "  (y_{1}2: f32, d_{1}3: f32) = call vjp.1.1.f{2} (x_{1}1, 1f32)\n"
        "  return d_{1}3 }}",
        level == kLevels ? "entry" : "fn", level, level - 1);
  }
  const auto made = differentiate(parsed(text));
  REQUIRE(!made);
  CHECK(made.error().code == diag::Code::engine_unsupported);
  CHECK(made.error().message.find("too many statements") != std::string::npos);
}

TEST_CASE("programs without derivatives stay as they are") {
  const core::Program plain =
      parsed("entry main(x_1: f32) -> (f32) { y_2: f32 = f32.mul x_1 1f32 return y_2 }");
  const auto made = differentiate(plain);
  REQUIRE(made);
  CHECK(made->functions == plain.functions);
}

}  // namespace
}  // namespace halo::ad

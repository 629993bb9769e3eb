// Golden tests: tests/core/ad/NAME.core asks for derivatives, NAME.exp has them written out.
// HALO_UPDATE=1 writes the results instead.
#include <doctest/doctest.h>

#include "lang/ad/differentiate.h"
#include "lang/core/derivative_name.h"
#include "lang/core/text.h"
#include "lang/core/verify.h"
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
fn f(n_1: i64, m_2: i64, xs_3: [n_1][m_2]f32, u_4: [m_2]f32) -> ([n_1][m_2]f32) {
  ys_5: [n_1][m_2]f32 = screma [n_1] (xs_3) scan (a_6: [m_2]f32, b_7: [m_2]f32) {
    c_8: [m_2]f32 = screma [m_2] (a_6, b_7) map (d_9: f32, e_10: f32) { g_11: f32 = f32.mul d_9 e_10 return g_11 }
    return c_8 } u_4
  return ys_5 }
entry main(n_12: i64, m_13: i64, xs_14: [n_12][m_13]f32, u_15: [m_13]f32) -> ([m_13]f32) {
  (ys_16: [n_12][m_13]f32, d_17: [m_13]f32) = call vjp.1.1.f (n_12, m_13, xs_14, u_15, xs_14)
  return d_17 })"));
  REQUIRE(!made);
  CHECK(made.error().code == diag::Code::engine_unsupported);
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

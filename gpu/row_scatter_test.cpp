// A scatter of rows: how many elements an invocation moves.
#include <doctest/doctest.h>

#include <string>

#include "gpu/engine.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

constexpr char kRows[] = R"(
entry main(n_0: i64, m_1: i64, xs_2: *[n_0][m_1]f32, is_3: [n_0]i64, vs_4: [n_0][m_1]f32) -> ([n_0][m_1]f32) {
  ys_5: [n_0][m_1]f32 = scatter [n_0] (is_3, vs_4) into (xs_2 1)
  return ys_5 }
)";

TEST_CASE("elements of four scattered rows are read before the first one is written") {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", kRows));
  REQUIRE_MESSAGE(program, (program ? "" : program.error().message));
  auto text = dump(*program, Stage::kImp, "", {});
  REQUIRE(text);
  const size_t first_store = text->find(" := ");
  REQUIRE(first_store != std::string::npos);
  size_t loads = 0;
  for (size_t at = text->find(": f32 = "); at < first_store; at = text->find(": f32 = ", at + 1)) {
    ++loads;
  }
  CHECK(loads == 4);
}

}  // namespace
}  // namespace halo::gpu

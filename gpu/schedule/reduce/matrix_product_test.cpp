// When cooperative matrices compute a product, by device, sizes and layout.
#include "gpu/schedule/reduce/matrix_product.h"

#include <doctest/doctest.h>

#include "gpu/schedule/legal.h"
#include "gpu/schedule/legal_reduce.h"
#include "gpu/schedule/reduce/reduce.h"
#include "gpu/schedule/test_support.h"

namespace halo::gpu {
namespace {

using Sizes = std::map<Quantity, int64_t>;

core::Program parsed() { return test::parsedCore(test::kByteProduct); }

using test::withMatrices;

Sizes matrices(int64_t n, int64_t p, int64_t m) {
  return {{Quantity::kIsFlat, 1},    {Quantity::kSegments, n * p}, {Quantity::kSegment, m},
          {Quantity::kIsProduct, 1}, {Quantity::kMatrices, 1},     {Quantity::kRows, n},
          {Quantity::kColumns, p},   {Quantity::kHasLines, 1}};
}

std::string chosen(const Limits& limits, Sizes sizes) {
  const core::Program program = parsed();
  const KernelChoice choice = chooseReduce(program, program.functions[1], limits, {});
  for (const ScheduleVersion& version : choice.versions) {
    CHECK(whyIllegal(version.schedule, limits) == "");
    if (evaluate(version.guard, [&](Quantity q) { return sizes[q]; }) != 0) {
      return print(version.schedule);
    }
  }
  return "";
}
bool usesMatrices(const std::string& text) { return text.find("matrix_product{") == 0; }
bool begins(const std::string& text, const std::string& with) { return text.find(with) == 0; }

}  // namespace

TEST_CASE("products of small types: cooperative matrices where the device has them") {
  Limits limits = withMatrices();
  const Sizes large = matrices(4096, 4096, 4096);
  CHECK(begins(chosen(limits, large), "matrix_product{rows=128, columns=128, depth=128"));
  CHECK(begins(chosen(limits, matrices(1024, 1024, 1024)),
               "matrix_product{rows=64, columns=64, depth=128"));
  CHECK(begins(chosen(limits, matrices(64, 4096, 4096)), "matrix_product{rows=32, columns=32"));
  CHECK_FALSE(usesMatrices(chosen(limits, matrices(31, 4096, 4096))));
  CHECK_FALSE(usesMatrices(chosen(limits, matrices(4096, 4096, 31))));
  Sizes apart = large;
  apart[Quantity::kHasLines] = 0;
  CHECK_FALSE(usesMatrices(chosen(limits, apart)));
  limits.shared_bytes = 16384;  // shorter steps fit
  CHECK(begins(chosen(limits, large), "matrix_product{rows=128, columns=128, depth=32"));
  limits.matrix_i8 = {};
  CHECK_FALSE(usesMatrices(chosen(limits, large)));
}

TEST_CASE("the text of products by matrices, and of limits with matrices, reads back") {
  Variants variants;
  static_cast<Limits&>(variants) = withMatrices();
  const ScheduledProgram program = scheduled(parsed(), variants);
  const std::string text = print(program);
  CHECK(text.find("matrix_i8=32") != std::string::npos);
  CHECK(text.find("matrix_product{") != std::string::npos);
  source::Files files;
  auto again = parseScheduled(files, files.add("test.kernels", text));
  REQUIRE(again);
  CHECK(verify(*again));
  CHECK(again->limits == program.limits);
  CHECK(again->schedules == program.schedules);
  CHECK(print(*again) == text);
}

TEST_CASE("products by matrices take whole matrices, subgroups and vectors") {
  const Limits limits = withMatrices();
  const MatrixProductSchedule rule{128, 128, 128, 64, 64, 32, 1, 32};
  CHECK(whyIllegal(rule, limits) == "");
  const auto problem = [&](auto change) {
    MatrixProductSchedule s = rule;
    change(s);
    return whyIllegal(s, limits);
  };
  CHECK(problem([](auto& s) { s.matrix_depth = 16; }) ==
        "the device has no matrices of this depth");
  CHECK(problem([](auto& s) { s.own_rows = 24; }) == "a subgroup has matrices of 16 x 16 cells");
  CHECK(problem([](auto& s) { s.rows = 96; }) == "a tile is not whole subgroups");
  CHECK(problem([](auto& s) { s.depth = 48; }) == "a step is not whole matrices");
  CHECK(problem([](auto& s) { s.copies = 3; }) == "lines are staged in one copy or two");
  CHECK(problem([](auto& s) { s.padding = 8; }) == "padding is not whole vectors");
  CHECK(problem([](auto& s) { s.band = 0; }) == "a band has at least one tile");
  CHECK(problem([](auto& s) { s.depth = 96; }) ==
        "invocations do not share the vectors of a step evenly");
  CHECK(problem([](auto& s) { s.copies = 2; }).find("bytes of shared memory, a workgroup has") !=
        std::string::npos);
}

}  // namespace halo::gpu

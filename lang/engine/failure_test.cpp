// The texts of run-time failures.
#include "lang/engine/failure.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

using halo::diag::Code;

namespace {

std::string text(Code code, std::vector<int64_t> operands) {
  const auto diagnostic = halo::engine::describeFailure(code, operands, {});
  CHECK(diagnostic.code == code);
  return diagnostic.message;
}

}  // namespace

TEST_CASE("texts of run-time failures") {
  CHECK(text(Code::index_out_of_range, {5, 3}) ==
        "index `[5]` is out of range for an array of shape `[3]`");
  CHECK(text(Code::index_out_of_range, {5, -2, 3, 4}) ==
        "index `[5, -2]` is out of range for an array of shape `[3][4]`");
  CHECK(text(Code::slice_out_of_range, {1, 9, 1, 4}) ==
        "slice `[1:9]` is out of range for a dimension of size `4`");
  CHECK(text(Code::slice_out_of_range, {1, 9, 2, 4}) ==
        "slice `[1:9:2]` is out of range for a dimension of size `4`");
  CHECK(text(Code::division_by_zero, {}) == "division by zero");
  CHECK(text(Code::negative_exponent, {}) == "negative exponent");
  CHECK(text(Code::negative_size, {-1}) == "array size `-1` is negative");
  CHECK(text(Code::size_overflow, {8, 9}) ==
        "array of shape `[8][9]` has more elements than memory can address");
  CHECK(text(Code::shape_mismatch, {2, 3, 2, 4}) == "array has shape `[2][3]`, needed `[2][4]`");
  CHECK(text(Code::assertion_failed, {}) == "assertion is false");
  CHECK(text(Code::malformed_range, {1, 1, 5}) == "range from `1` to `5` has step 0");
  CHECK(text(Code::malformed_range, {1, 2, -5}) ==
        "range from `1` by way of `2` never reaches `-5`");
  CHECK(text(Code::irregular_array, {2, 3}) ==
        "element of shape `[3]` in an array of elements of shape `[2]`");
  CHECK(text(Code::out_of_memory, {64}) == "out of memory: needs 64 bytes");
  CHECK(text(Code::bound_exceeded, {3}) == "the loop still runs after 3 steps, its bound");
  CHECK(text(Code::interrupted, {}) == "interrupted");
  CHECK(text(Code::stack_exhausted, {}) == "recursion is too deep for the stack");
}

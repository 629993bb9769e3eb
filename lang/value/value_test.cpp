// The host pool, array layout and differences.
#include <unistd.h>

#include <cstring>
#include <thread>

#include "lang/value/test_values.h"

using namespace halo::value;  // NOLINT: a test of exactly this namespace

TEST_CASE("host blocks are aligned, padded and reused last-freed first") {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1000}, size_t{3} << 20}) {
    auto first = allocateHost(bytes);
    REQUIRE(first.has_value());
    std::byte* const place = (*first)->host();
    CHECK(reinterpret_cast<uintptr_t>(place) % 64 == 0);
    CHECK((*first)->bytes() == bytes);
    std::memset(place, 1, bytes + 64);
    first->reset();
    CHECK((*allocateHost(bytes))->host() == place);
  }
}

TEST_CASE("large blocks of one size do not share their offset in a page") {
  const auto a = allocateHost(size_t{4} << 20), b = allocateHost(size_t{4} << 20);
  const auto offset = [](const auto& block) {
    return reinterpret_cast<uintptr_t>((*block)->host()) % 4096;
  };
  CHECK(offset(a) != offset(b));
}

TEST_CASE("the budget turns absurd sizes into a diagnostic") {
  const HostUsage before = hostUsage();
  const auto absurd = makeArray(ScalarType::kF64, {int64_t{1} << 50});
  REQUIRE_FALSE(absurd.has_value());
  CHECK(absurd.error().code == halo::diag::Code::out_of_memory);
  CHECK(absurd.error().message == "out of memory: needs 9007199254740992 bytes");
  { auto cached = allocateHost(size_t{8} << 20); }
  setHostBudget(before.live + (size_t{9} << 20));
  CHECK_FALSE(allocateHost(size_t{10} << 20).has_value());
  CHECK(allocateHost(size_t{7} << 20).has_value());  // at the price of the cached block
  CHECK(hostUsage().live == before.live);
  setHostBudget(before.budget);
  releaseHostCache();
  CHECK(hostUsage().cached == 0);
}

TEST_CASE("more than the system has is a diagnostic, whatever the budget says") {
  const HostUsage before = hostUsage();
  setHostBudget(SIZE_MAX / 4);
  const auto all = static_cast<size_t>(sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE));
  const auto absurd = allocateHost(all);
  REQUIRE_FALSE(absurd.has_value());
  CHECK(absurd.error().code == halo::diag::Code::out_of_memory);
  CHECK(allocateHost(size_t{1} << 20).has_value());
  setHostBudget(before.budget);
}

TEST_CASE("the pool may be used from several threads") {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (size_t i = 0; i < 2000; ++i) {
        auto block = allocateHost(i % 500 + 1);
        std::memset((*block)->host(), 7, i % 500 + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("sizes: negative, too large, zero") {
  CHECK(*byteSize(ScalarType::kI16, {3, 4}) == 24);
  CHECK(*byteSize(ScalarType::kI64, {}) == 8);
  CHECK(*byteSize(ScalarType::kI64, {int64_t{1} << 59, 0, 1}) == 0);
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{int64_t{1} << 60, 0},
                                            {int64_t{1} << 59, 0, 2},
                                            {2, int64_t{1} << 59}}) {
    CHECK(byteSize(ScalarType::kI8, shape).error().code == halo::diag::Code::size_overflow);
  }
  CHECK(byteSize(ScalarType::kI8, {2, -3}).error().message == "array size `-3` is negative");
  CHECK(byteSize(ScalarType::kI8, {2, -3}).error().code == halo::diag::Code::negative_size);
  const auto large = byteSize(ScalarType::kI64, {int64_t{1} << 31, int64_t{1} << 31});
  CHECK(large.error().code == halo::diag::Code::size_overflow);
}

TEST_CASE("views: transposed, reversed, strided") {
  Array matrix = *valueOf("[[1,2,3],[4,5,6]]").array();
  CHECK(matrix.isDense());
  Array transposed = matrix;
  transposed.layout.shape = {3, 2};
  transposed.layout.strides = {1, 3};
  CHECK_FALSE(transposed.isDense());
  CHECK(toText(transposed) == "[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]");
  CHECK(transposed.at(1) == halo::prim::Scalar::ofI32(4));
  Array backwards = matrix;
  backwards.layout = {ScalarType::kI32, {2}, {-2}, 5};
  CHECK(toText(backwards) == "[6i32, 4i32]");
  const auto dense = toDense(backwards);
  CHECK(dense->isDense());
  CHECK(toDense(matrix)->buffer == matrix.buffer);
  setAt(transposed, 1, halo::prim::Scalar::ofI32(9));
  CHECK(toText(matrix) == "[[1i32, 2i32, 3i32], [9i32, 5i32, 6i32]]");
}

TEST_CASE("flatten gives leaves from left to right") {
  const Value nested = makeTuple({valueOf("1"), makeTuple({valueOf("[2]"), valueOf("3")})});
  const std::vector<Value> leaves = flatten(nested);
  REQUIRE(leaves.size() == 3);
  CHECK(toText(leaves[1]) == "[2i32]");
  CHECK(nested.record()->isTuple());
}

namespace {

std::string differ(const std::string& want, const std::string& got, const Tolerance& tolerance) {
  return firstDifference(valueOf(want), valueOf(got), tolerance).value_or("same");
}

const Tolerance kExact{};
const Tolerance kFuthark{Tolerance::Kind::kFuthark, 0};
const Tolerance kRelative{Tolerance::Kind::kRelative, 1e-3};

}  // namespace

TEST_CASE("differences: exact") {
  CHECK(differ("1", "1", kExact) == "same");
  CHECK(differ("1", "2", kExact) == "result: expected 1i32, got 2i32");
  CHECK(differ("1", "1i64", kExact) == "result: expected type `i32`, got `i64`");
  CHECK(differ("[1]", "[1,2]", kExact) == "result: expected type `[1]i32`, got `[2]i32`");
  CHECK(differ("empty([0][2]i32)", "empty([0][3]i32)", kExact) ==
        "result: expected type `[0][2]i32`, got `[0][3]i32`");
  CHECK(differ("[[1f32,1.5]]", "[[1f32,1.25]]", kExact) ==
        "result[0][1]: expected 1.5f32, got 1.25f32 (0x3fc00000, 0x3fa00000, 2097152 ulp)");
  CHECK(differ("0f16", "-0.0f16", kExact) ==
        "result: expected 0.0f16, got -0.0f16 (0x0000, 0x8000, 0 ulp)");
  CHECK(differ("f32.nan", "-f32.nan", kExact) == "same");
  CHECK(differ("f32.nan", "1f32", kExact) ==
        "result: expected f32.nan, got 1.0f32 (0x7fc00000, 0x3f800000)");
  const Value pair = makeTuple({valueOf("1"), valueOf("[2]")});
  const Value other = makeTuple({valueOf("1"), valueOf("[3]")});
  CHECK(firstDifference(pair, other, kExact) == "result.1[0]: expected 2i32, got 3i32");
}

TEST_CASE("differences: NaNs of any payload are one") {
  Array a = *makeArray(ScalarType::kF32, {1}), b = *makeArray(ScalarType::kF32, {1});
  const uint32_t quiet = 0xffc00001, other = 0x7fc00000;
  std::memcpy(a.data(), &quiet, 4);
  std::memcpy(b.data(), &other, 4);
  CHECK_FALSE(firstDifference(a, b, kExact).has_value());
}

TEST_CASE("differences: Futhark's one tolerance per array") {
  CHECK(differ("[1f32, 1000]", "[2.9f32, 1000]", kFuthark) == "same");
  CHECK(
      differ("[1f32, 1000]", "[3.1f32, 1000]", kFuthark).starts_with("result[0]: expected 1.0f32"));
  CHECK(differ("0.001", "0.002", kFuthark) == "same");
  CHECK(differ("[f64.inf, 1]", "[f64.inf, 1.001]", kFuthark) == "same");
  CHECK(differ("f64.inf", "-f64.inf", kFuthark) != "same");
  CHECK(differ("f64.nan", "f64.nan", kFuthark) == "same");
  CHECK(differ("[-1f32, -1000]", "[-2.9f32, -1000]", kFuthark) == "same");
  CHECK(differ("[-1f32, -1000]", "[-3.1f32, -1000]", kFuthark) != "same");
  CHECK(differ("1000", "1001", kFuthark) != "same");
}

TEST_CASE("differences: relative to each element") {
  CHECK(differ("[1000.0, 1]", "[1000.9, 1]", kRelative) == "same");
  CHECK(differ("[1000.0, 1]", "[1000.9, 1.5]", kRelative).starts_with("result[1]"));
  CHECK(differ("0.0", "-0.0", kRelative) == "same");
}

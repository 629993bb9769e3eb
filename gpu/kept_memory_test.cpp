// Memory that launches leave as the next ones want it, on whatever device there is.
#include "gpu/kept_memory.h"

#include <doctest/doctest.h>

#include <array>

#include "gpu/context.h"

namespace halo::gpu {
namespace {

constexpr uint64_t kBytes = 300;

std::array<uint32_t, kBytes / 4> words(Context& context, const value::BufferRef& buffer) {
  std::array<uint32_t, kBytes / 4> all;
  REQUIRE(context.stream->read(buffer->deviceAddress(), all.data(), kBytes));
  return all;
}

bool areZero(const std::array<uint32_t, kBytes / 4>& all) {
  for (uint32_t word : all) {
    if (word != 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("kept memory is cleared once, and again when it was forgotten") {
  auto found = contextFor("", true);
  if (!found) return;
  Context& context = **found;
  std::lock_guard lock(context.in_use);
  context.stream->begin(nullptr);
  const auto allocated = [&](imp::Holds holds) {
    auto buffer = context.kept->allocate(kBytes, holds);
    REQUIRE(buffer);
    return *buffer;
  };
  context.kept->forget();
  value::BufferRef zeros = allocated(imp::Holds::kZeros);
  const uint64_t address = zeros->deviceAddress();
  CHECK(areZero(words(context, zeros)));
  const uint32_t mark = 7;
  REQUIRE(context.stream->write(address, &mark, sizeof mark));
  CHECK(allocated(imp::Holds::kZeros)->deviceAddress() != address);  // it is in use
  CHECK(allocated(imp::Holds::kStates)->deviceAddress() != address);
  zeros = nullptr;
  zeros = allocated(imp::Holds::kZeros);
  const bool is_same = zeros->deviceAddress() == address;
  CHECK(words(context, zeros)[0] == (is_same ? mark : 0));
  context.kept->forget();
  value::BufferRef others = allocated(imp::Holds::kZeros);
  CHECK(others->deviceAddress() != zeros->deviceAddress());
  CHECK(areZero(words(context, others)));
  zeros = nullptr;  // it was forgotten, too
  CHECK(areZero(words(context, allocated(imp::Holds::kZeros))));
  REQUIRE(context.stream->finish());
  context.stream->end();
}

}  // namespace halo::gpu

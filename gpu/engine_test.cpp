// Calls when the device fails. Skipped where there is none.
#include "gpu/engine.h"

#include <doctest/doctest.h>

#include <array>

#include "gpu/context.h"
#include "lang/core/text.h"
#include "lang/value/format.h"

using namespace halo;       // NOLINT: a test of these namespaces
using namespace halo::gpu;  // NOLINT

namespace {

constexpr char kProgram[] =
    "entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {\n"
    "  ys_2: [n_0]i32 = screma [n_0] (xs_1) map (x_3: i32) {\n"
    "    y_4: i32 = i32.add x_3 1i32\n"
    "    return y_4 }\n"
    "  return ys_2 }\n";

std::unique_ptr<engine::Prepared> prepared() {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", kProgram));
  REQUIRE(program);
  auto made = prepareCore(*program, "main", "", {});
  if (!made) {
    MESSAGE("skipped: no Vulkan device");
    return nullptr;
  }
  return std::move(*made);
}

std::vector<value::Value> arguments() {
  auto array = value::makeArray(value::ScalarType::kI32, {2});
  REQUIRE(array);
  for (int32_t i = 0; i < 2; ++i) value::setAt(*array, i, value::Scalar::ofI32(i + 1));
  return {*array};
}

VKAPI_ATTR VkResult VKAPI_CALL lostSubmit(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

// From now on the device that is open counts as lost.
void loseDevice() {
  auto context = contextFor("", true);
  REQUIRE(context);
  const_cast<vulkan::DeviceApi&>((*context)->device->api()).QueueSubmit = lostSubmit;
}

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

TEST_CASE("a lost device is opened again, and the call repeated") {
  auto entry = prepared();
  if (entry == nullptr) return;
  REQUIRE(entry->call(arguments(), {}));
  loseDevice();
  auto results = entry->call(arguments(), {});
  REQUIRE(results);
  auto host = value::toHost((*results)[0]);
  REQUIRE(host);
  CHECK(value::toText(*host) == "[2i32, 3i32]");
}

TEST_CASE("arrays that lived on a lost device are gone, and the session goes on") {
  auto entry = prepared();
  if (entry == nullptr) return;
  auto results = entry->call(arguments(), {});
  REQUIRE(results);
  loseDevice();
  auto again = entry->call(*results, {});
  REQUIRE(!again);
  CHECK(again.error().code == diag::Code::device_lost);
  CHECK(entry->call(arguments(), {}));
}

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

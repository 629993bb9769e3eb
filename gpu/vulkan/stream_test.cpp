// Commands of a stream: their order, barriers, words of failures, rows of pages that come later.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <numeric>

#include "gpu/vulkan/page_queue.h"
#include "gpu/vulkan/test_device.h"

using namespace halo;               // NOLINT: a test of these namespaces
using namespace halo::gpu::vulkan;  // NOLINT

TEST_CASE("stream: launches through push constants") {
  if (context() == nullptr) return;
  value::BufferRef from = upload(*context(), counting(1000));
  value::BufferRef to = must(context()->memory->allocate(4000));
  scale(*context(), from, to, 3);
  std::vector<uint32_t> got = download(*context(), to);
  for (uint32_t i = 0; i < 1000; ++i) REQUIRE(got[i] == (i + 1) * 3 + i);
}

TEST_CASE("stream: large argument blocks go through a buffer") {
  if (context() == nullptr) return;
  std::string source = kHeader +
                       "layout(buffer_reference, scalar, buffer_reference_align = 8) readonly "
                       "buffer Arguments { U32 to; uint values[60]; };\n"
                       "layout(push_constant, scalar) uniform Pushed { Arguments arg; };\n"
                       "void main() {\n"
                       "  uint i = gl_GlobalInvocationID.x;\n"
                       "  if (i < 60u) arg.to.at[i] = arg.values[i] + 1u;\n"
                       "}\n";
  struct {
    uint64_t to;
    uint32_t values[60];
  } arguments;
  Pipeline pipeline = must(context()->pipelines->get(source, "large"));
  std::vector<value::BufferRef> results;
  for (uint32_t round = 0; round < 200; ++round) {
    results.push_back(must(context()->memory->allocate(240)));
    arguments.to = results.back()->deviceAddress();
    for (uint32_t i = 0; i < 60; ++i) arguments.values[i] = 1000 * round + i;
    Access access{arguments.to, 240, true};
    uint32_t groups[3] = {1, 1, 1};
    must(context()->stream->launch(pipeline, groups, bytesOf(arguments), {&access, 1}));
  }
  for (uint32_t round = 0; round < 200; ++round) {
    std::vector<uint32_t> got = download(*context(), results[round]);
    REQUIRE(got[0] == 1000 * round + 1);
    REQUIRE(got[59] == 1000 * round + 60);
  }
}

TEST_CASE("stream: what depends on what runs in order") {
  if (context() == nullptr) return;
  const uint32_t n = 5000;
  value::BufferRef a = upload(*context(), counting(n));
  value::BufferRef b = must(context()->memory->allocate(4 * n));
  std::vector<uint32_t> expected = counting(n);
  for (uint32_t step = 0; step < 500; ++step) {  // across several submits
    scale(*context(), a, b, 3);
    std::swap(a, b);
    for (uint32_t i = 0; i < n; ++i) expected[i] = expected[i] * 3 + i;
  }
  CHECK(download(*context(), a) == expected);
  // Copies and freed memory in between: `c` is at another place each time, or at the same.
  for (uint32_t step = 0; step < 100; ++step) {
    value::BufferRef c = must(context()->memory->allocate(4 * n));
    must(context()->stream->copy(c->deviceAddress(), a->deviceAddress(), 4 * n));
    scale(*context(), c, a, 5);
    for (uint32_t i = 0; i < n; ++i) expected[i] = expected[i] * 5 + i;
  }
  CHECK(download(*context(), a) == expected);
}

// `steps` of each of two chains; the second begins with rows that are on their way.
TEST_CASE("stream: what needs rows on their way runs beside what does not") {
  if (context() == nullptr) return;
  constexpr uint32_t kSteps = 20;
  Stream& stream = *context()->stream;
  value::BufferRef own[2], theirs[2];
  std::vector<uint32_t> expected_own = counting(500), expected_theirs = counting(40);
  for (auto& buffer : own) buffer = upload(*context(), expected_own);
  for (auto& buffer : theirs) buffer = upload(*context(), counting(40));
  must(stream.finish());
  const StreamCounts before = stream.counts();
  int arrivals = 0;
  stream.expect({{theirs[0]->deviceAddress(), 160, true}}, [&] {
    ++arrivals;
    return diag::Result<std::monostate>(std::monostate{});
  });
  for (uint32_t step = 0; step < kSteps; ++step) {
    scale(*context(), own[step % 2], own[1 - step % 2], 3);
    for (uint32_t i = 0; i < 500; ++i) expected_own[i] = expected_own[i] * 3 + i;
  }
  CHECK(arrivals == 0);
  for (uint32_t step = 0; step < kSteps; ++step) {
    scale(*context(), theirs[step % 2], theirs[1 - step % 2], 5);
    for (uint32_t i = 0; i < 40; ++i) expected_theirs[i] = expected_theirs[i] * 5 + i;
  }
  CHECK(arrivals == 1);
  must(stream.flush());
  // A barrier for each level: the first two of one chain, then both, and one before all.
  CHECK(stream.counts().barriers - before.barriers <= kSteps + 2);
  CHECK(stream.counts().launches - before.launches == 2 * kSteps);
  CHECK(download(*context(), own[0]) == expected_own);
  CHECK(download(*context(), theirs[0]) == expected_theirs);
}

// Pages that others fill while copies from them, and a kernel behind these, are submitted.
TEST_CASE("pages: copies wait on the device for rows that come later") {
  if (context() == nullptr) return;
  constexpr uint64_t kBytes = 1 << 16;
  const std::unique_ptr<std::byte, decltype(&std::free)> pages(
      static_cast<std::byte*>(std::aligned_alloc(kBytes, kBytes)), &std::free);
  const auto queue =
      must(PageQueue::make(context()->device, *context()->memory, *context()->stream));
  if (!queue->import(pages.get(), kBytes)) return;
  value::BufferRef rows = upload(*context(), counting(40)),
                   scaled = upload(*context(), counting(40));
  must(context()->stream->finish());
  const auto later = [&](uint32_t number, std::string* told, bool fails = false) {
    const PageQueue::Source source{pages.get(), {{rows->deviceAddress(), number * 1024, 160}}};
    must(queue->inLater({&source, 1}, [=, at = pages.get()](bool hears) {
      const std::vector<uint32_t> values(40, number);
      std::memcpy(at + number * 1024, values.data(), 160);
      *told += fmt::format("{}{} ", number, hears ? "" : "!");
      return fails ? diag::fail(diag::Code::device_failure, {}, "gone")
                   : diag::Result<std::monostate>(std::monostate{});
    }));
    scale(*context(), rows, scaled, 10);
    must(context()->stream->flush());
  };
  std::string told;
  later(1, &told);
  later(2, &told);
  CHECK(told.empty());  // the kernels are submitted, and the host does not wait
  CHECK(download(*context(), scaled)[3] == 23);
  CHECK(told == "1 2 ");
  later(3, &told);
  must(queue->settle());
  CHECK(told == "1 2 3 ");
  CHECK(download(*context(), scaled)[3] == 33);
  // Where one fails the others are told alone, and the device goes on.
  later(4, &told, true);
  later(5, &told);
  const auto failed = queue->settle();
  REQUIRE(!failed);
  CHECK(failed.error().message == "gone");
  later(6, &told);
  must(queue->settle(false));
  CHECK(told == "1 2 3 4 5! 6! ");
  must(context()->stream->finish());
}

TEST_CASE("stream: many launches that do not depend on each other") {
  if (context() == nullptr) return;
  value::BufferRef from = upload(*context(), counting(64));
  std::vector<value::BufferRef> results;
  for (uint32_t k = 0; k < 600; ++k) {
    results.push_back(must(context()->memory->allocate(256)));
    scale(*context(), from, results.back(), k);
  }
  for (uint32_t k = 0; k < 600; k += 37) REQUIRE(download(*context(), results[k])[9] == 10 * k + 9);
}

TEST_CASE("stream: more than the staging buffers hold, both ways") {
  if (context() == nullptr) return;
  std::vector<uint32_t> values(size_t{10} << 20);  // 40 MiB through 32 MiB
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint32_t>(i * 2654435761u);
  value::BufferRef buffer = upload(*context(), values);
  CHECK(download(*context(), buffer) == values);
}

TEST_CASE("stream: a device that shares the host's memory copies from its pages") {
  if (context() == nullptr || !context()->device->sharesHostMemory()) return;
  std::vector<uint32_t> values(size_t{3} << 20);
  std::iota(values.begin(), values.end(), 7u);
  const std::vector<uint32_t> expected(values.begin() + 5,
                                       values.end());  // not at a page's beginning
  value::BufferRef buffer = must(context()->memory->allocate(expected.size() * 4));
  const StreamCounts before = context()->stream->counts();
  must(context()->stream->write(buffer->deviceAddress(), values.data() + 5, expected.size() * 4));
  std::fill(values.begin(), values.end(), 0u);  // the copy is made
  const StreamCounts after = context()->stream->counts();
  CHECK(after.bytes_up - before.bytes_up == expected.size() * 4);
  CHECK(after.bytes_staged == before.bytes_staged);
  CHECK(download(*context(), buffer) == expected);
  upload(*context(), std::vector<uint32_t>(100, 1));  // small ones are staged
  CHECK(context()->stream->counts().bytes_staged == before.bytes_staged + 400);
}

TEST_CASE("stream: the failure word is cleared, claimed once and fetched") {
  if (context() == nullptr) return;
  std::string source = kHeader +
                       "layout(push_constant, scalar) uniform Arguments { U32 word; } arg;\n"
                       "void main() {\n"
                       "  uint i = gl_GlobalInvocationID.x;\n"
                       "  if (i % 3u == 1u && atomicCompSwap(arg.word.at[0], 0u, 8u) == 0u) {\n"
                       "    arg.word.at[2] = i; arg.word.at[3] = 1u;\n"
                       "  }\n"
                       "}\n";
  Stream& stream = *context()->stream;
  Pipeline pipeline = must(context()->pipelines->get(source, "fails"));
  uint64_t word = stream.failureAddress();
  uint32_t groups[3] = {4, 1, 1};
  stream.begin(nullptr);
  must(stream.finish());
  CHECK(stream.failure()[0] == 0);
  stream.begin(nullptr);
  must(stream.launch(pipeline, groups, bytesOf(word), {}));
  must(stream.finish());
  CHECK(stream.failure()[0] == 8);
  CHECK(static_cast<uint32_t>(stream.failure()[1]) % 3 == 1);
  CHECK((stream.failure()[1] >> 32) == 1);
  must(stream.finish());
  CHECK(stream.failure()[0] == 8);  // stays until the next call
  uint32_t something = 0;
  must(stream.write(context()->memory->allocate(4).value()->deviceAddress(), &something, 4));
  stream.begin(nullptr);  // while commands are recorded already
  must(stream.finish());
  CHECK(stream.failure()[0] == 0);
}

TEST_CASE("stream: scalars that the host sees are read without commands") {
  if (context() == nullptr) return;
  Stream& stream = *context()->stream;
  std::vector<value::BufferRef> scalars;
  for (uint32_t i = 0; i < 20; ++i) {
    scalars.push_back(must(context()->memory->allocate(4)));
    must(stream.write(scalars.back()->deviceAddress(), &i, 4));
  }
  const StreamCounts before = stream.counts();
  uint32_t found[21];
  std::vector<Stream::Fetch> pieces;
  for (size_t i = 0; i < 20; ++i) pieces.push_back({scalars[i]->deviceAddress(), &found[i], 4});
  must(stream.readAll(pieces));
  for (uint32_t i = 0; i < 20; ++i) CHECK(found[i] == i);
  must(stream.read(scalars[7]->deviceAddress(), &found[20], 4));
  CHECK(found[20] == 7);
  const bool mapped = context()->memory->find(scalars[0]->deviceAddress()).mapped != nullptr;
  CHECK(stream.counts().waits - before.waits == (mapped ? 1 : 2));
  CHECK(stream.counts().downloads - before.downloads == (mapped ? 0 : 21));
  CHECK(stream.counts().bytes_down - before.bytes_down == 21 * 4);
}

TEST_CASE("stream: timestamps grow with the work") {
  if (context() == nullptr || context()->device->features().timestamp_ns == 0) return;
  value::BufferRef a = upload(*context(), counting(100'000));
  value::BufferRef b = must(context()->memory->allocate(400'000));
  context()->stream->begin(nullptr, true);
  scale(*context(), a, b, 3);
  must(context()->stream->finish());
  double once = context()->stream->deviceMilliseconds();
  CHECK(once > 0);
  CHECK(once < 1000);
  for (int i = 0; i < 50; ++i) scale(*context(), i % 2 == 0 ? b : a, i % 2 == 0 ? a : b, 3);
  must(context()->stream->finish());
  CHECK(context()->stream->deviceMilliseconds() > once);
  context()->stream->begin(nullptr);
  scale(*context(), a, b, 3);
  must(context()->stream->finish());
  CHECK(context()->stream->deviceMilliseconds() == 0);
}

TEST_CASE("stream: a cancelled call ends as interrupted") {
  if (context() == nullptr) return;
  base::CancelFlag cancel;
  context()->stream->begin(&cancel);
  cancel.set();
  auto done = context()->stream->finish();
  REQUIRE(!done);
  CHECK(done.error().code == diag::Code::interrupted);
  context()->stream->begin(nullptr);
  CHECK(context()->stream->finish().has_value());
}

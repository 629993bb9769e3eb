// Hits and misses: another program, place, device, option, choice; damage of any byte.
#include "gpu/code_cache.h"

#include <doctest/doctest.h>

#include <fstream>

#include "lang/base/test_folder.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

constexpr char kProgram[] =
    "entry main(n_0: i64, xs_1: [n_0]i32) -> ([n_0]i32) {\n"
    "  ys_2: [n_0]i32 = screma [n_0] (xs_1) map (x_3: i32) {\n"
    "    y_4: i32 = i32.add x_3 1i32\n"
    "    return y_4 }\n"
    "  return ys_2 }\n";

core::Program programOf(const std::string& text) {
  source::Files files;
  auto program = core::parse(files, files.add("test.core", text));
  REQUIRE(program);
  return std::move(*program);
}

struct Sample {
  core::Program lowered = programOf(kProgram);
  std::string entry = "main";
  vulkan::Features features;
  engine::Options options;
  Tuning tuning;

  Sample() {
    features.int64 = features.int8 = features.storage8 = true;
    features.max_workgroup = 1024;
    features.shared_bytes = 32768;
  }
  CodeRequest request() const { return {lowered, entry, features, options, tuning}; }
  std::string key() const { return CodeCache::keyOf(request()); }
};

struct Folder : base::TestFolder {
  std::string file() const { return std::filesystem::directory_iterator(path)->path(); }
};

}  // namespace

TEST_CASE("device code comes back as it was made") {
  const Folder folder;
  const Sample sample;
  const CodeCache cache(folder.path);
  CHECK(!cache.find(sample.key()));
  const DeviceCode made = makeCode(sample.request());
  REQUIRE(made.unsupported.empty());
  cache.store(sample.key(), made);
  const auto found = cache.find(sample.key());
  REQUIRE(found);
  REQUIRE(found->kernels.size() == made.kernels.size());
  size_t kernels = 0;
  for (size_t k = 0; k < made.kernels.size(); ++k) {
    CHECK(found->kernels[k].narrow.glsl == made.kernels[k].narrow.glsl);
    CHECK(found->kernels[k].wide.glsl == made.kernels[k].wide.glsl);
    CHECK(found->kernels[k].narrow.function.name == made.kernels[k].narrow.function.name);
    CHECK(found->kernels[k].narrow.layout.bytes == made.kernels[k].narrow.layout.bytes);
    CHECK(found->kernels[k].writes == made.kernels[k].writes);
    kernels += made.kernels[k].narrow.glsl.empty() ? 0 : 1;
  }
  CHECK(kernels > 0);
  CHECK(found->host.functions.size() == made.host.functions.size());
  CHECK(found->spans == made.spans);
  CHECK(found->operand_counts == made.operand_counts);
}

TEST_CASE("the key tells programs, places, devices, options and choices apart") {
  const std::string key = Sample().key();
  REQUIRE(!key.empty());
  CHECK(Sample().key() == key);
  std::vector<Sample> others(7);
  others[0].lowered =
      programOf(std::string(kProgram).replace(std::string(kProgram).find("1i32"), 4, "2i32"));
  ++others[1].lowered.functions[0].span.begin;
  others[2].features.shared_bytes *= 2;
  others[3].features.denormals_f32 = true;
  others[4].options.float_mode = engine::FloatMode::kStrict;
  others[5].options.variant = "plain";
  others[6].tuning.choices["statement"] = "plain";
  for (const Sample& other : others) CHECK(other.key() != key);
}

TEST_CASE("a key finds no other key's code") {
  const Folder folder;
  const Sample sample;
  const CodeCache cache(folder.path);
  cache.store(sample.key(), makeCode(sample.request()));
  CHECK(!cache.find(sample.key() + "x"));
  CHECK(!cache.find(""));
  CHECK(!CodeCache("").find(sample.key()));
}

TEST_CASE("damage counts as absence, and is repaired") {
  const Folder folder;
  const Sample sample;
  const CodeCache cache(folder.path);
  const DeviceCode made = makeCode(sample.request());
  cache.store(sample.key(), made);
  const std::string file = folder.file();
  const auto size = static_cast<int64_t>(std::filesystem::file_size(file));
  constexpr int64_t kStep = 37;  // each byte is one more checksum
  for (int64_t at = 0; at < size; at += kStep) {
    cache.store(sample.key(), made);
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(at);
    const int byte = stream.get();
    stream.seekp(at);
    stream.put(static_cast<char>(byte ^ 1));
    stream.close();
    CHECK(!cache.find(sample.key()));
  }
  std::filesystem::resize_file(file, static_cast<uintmax_t>(size / 2));
  CHECK(!cache.find(sample.key()));
  cache.store(sample.key(), made);
  CHECK(cache.find(sample.key()));
}

}  // namespace halo::gpu

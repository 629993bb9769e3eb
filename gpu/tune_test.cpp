// The search with times of our own, and the file of choices: forgotten rows, and ignored ones.
#include "gpu/tune.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include "gpu/tuned.h"

namespace halo::gpu {
namespace {

std::string nameOf(const Choices& choices, const std::string& key) {
  auto found = choices.find(key);
  return found == choices.end() ? "" : found->second;
}

// A loop of stencils, with the stencil of its own that it has when it runs step by step, and a
// reduction beside it.
diag::Result<Trial> measured(const Choices& choices, double march, double rows) {
  Trial trial;
  trial.offered["loop"] = {"direct", "tiles", "plane_stream"};
  trial.offered["sums"] = {"products", "plain"};
  std::string loop = nameOf(choices, "loop");
  double time = loop == "tiles" ? 150 : loop == "plane_stream" || loop.empty() ? march : 0;
  if (loop == "direct") {
    trial.offered["stencil"] = {"direct", "rows"};
    time = nameOf(choices, "stencil") == "rows" ? rows : 120;
  }
  trial.microseconds = time + (nameOf(choices, "sums") == "plain" ? 5 : 10);
  return trial;
}

std::string folderOfOurOwn() {
  std::string folder = std::filesystem::temp_directory_path() / "halo-tuned-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  return folder;
}

TEST_CASE("the fastest of all ways is found, statement by statement") {
  auto report = findFastest([](const Choices& choices) { return measured(choices, 100, 60); });
  REQUIRE(report);
  CHECK(report->by_rule == 110);
  CHECK(report->direct == 130);
  CHECK(report->best == 65);
  CHECK(report->choices == Choices{{"loop", "direct"}, {"stencil", "rows"}, {"sums", "plain"}});
}

TEST_CASE("a statement that is made in one way still has the others") {
  // By lanes it offers no chunks, which are best of all when the nest is distributed.
  auto report = findFastest([](const Choices& choices) -> diag::Result<Trial> {
    const std::string sums = nameOf(choices, "sums"), nest = nameOf(choices, "nest");
    Trial trial;
    trial.offered["nest"] = {"distribute"};
    trial.offered["sums"] = sums == "lanes" ? std::vector<std::string>{"lanes"}
                                            : std::vector<std::string>{"lanes", "chunks"};
    bool together = nest == "distribute";
    trial.microseconds = sums == "lanes"    ? (together ? 50 : 60)
                         : sums == "chunks" ? (together ? 30 : 90)
                                            : (together ? 95 : 100);
    return trial;
  });
  REQUIRE(report);
  CHECK(report->choices == Choices{{"nest", "distribute"}, {"sums", "chunks"}});
  CHECK(report->alike.at("distribute") == 95);
}

TEST_CASE("differences like noise change nothing") {
  auto report = findFastest([](const Choices& choices) {
    auto trial = measured(choices, 100, 99);
    trial->microseconds = choices.empty() ? 100 : 98;
    return trial;
  });
  REQUIRE(report);
  CHECK(report->choices == Choices{{"loop", ""}, {"sums", ""}});
}

TEST_CASE("never slower than direct everywhere") {
  auto report = findFastest([](const Choices& choices) { return measured(choices, 500, 400); });
  REQUIRE(report);
  CHECK(report->best <= report->direct);
}

TEST_CASE("a failing call ends the search") {
  auto report = findFastest([](const Choices&) -> diag::Result<Trial> {
    return diag::fail(diag::Code::engine_unsupported, {}, "too long");
  });
  CHECK_FALSE(report);
}

TEST_CASE("sizes are the same up to powers of two") {
  auto array = [](int64_t n) {
    value::Array array;
    array.layout.type = prim::ScalarType::kF32;
    array.layout.shape = {n, 3};
    return array;
  };
  CHECK(sizeClass({array(1000), prim::Scalar::ofI64(20)}) ==
        sizeClass({array(600), prim::Scalar::ofI64(31)}));
  CHECK(sizeClass({array(1000)}) != sizeClass({array(1025)}));
  CHECK(sizeClass({array(0)}) != sizeClass({array(1)}));
}

TEST_CASE("choices are kept for their device") {
  std::string folder = folderOfOurOwn();
  vulkan::PhysicalDevice device;
  device.name = "a device";
  device.driver = "1.2";
  TunedChoices written(folder, device);
  CHECK(written.empty());
  written.set("f32[4]", {{"k1", "rows"}, {"k2", ""}});
  written.save();
  CHECK(TunedChoices(folder, device).find("f32[4]", {"k1"}) == Choices{{"k1", "rows"}, {"k2", ""}});
  CHECK(TunedChoices(folder, device).find("f32[4]", {"other"}).empty());
  CHECK(TunedChoices(folder, device).find("f32[5]", {"k1"}).empty());
  vulkan::PhysicalDevice newer = device;
  newer.driver = "1.3";
  CHECK(TunedChoices(folder, newer).empty());
  // Another device's file under this one's name, and a damaged one.
  std::filesystem::path own = std::filesystem::directory_iterator(folder)->path();
  std::filesystem::copy_file(own, own.parent_path() / "a_device___1_3");
  CHECK(TunedChoices(folder, newer).empty());
  CHECK_FALSE(TunedChoices(folder, newer).problem().empty());
  CHECK(TunedChoices(folder, device).problem().empty());
  // Rows that are no variant any more.
  written.set("f32[4]", {{"k3", "rows:8,x"}, {"k4", "gone"}});
  written.save();
  CHECK(TunedChoices(folder, device).find("f32[4]", {"k1"}) == Choices{{"k1", "rows"}, {"k2", ""}});
  CHECK_FALSE(TunedChoices(folder, device).problem().empty());
  std::ofstream(own, std::ios::app) << "f32[4]\tk1\tplane_stream\n";
  CHECK(TunedChoices(folder, device).empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halo::gpu

// Texts of Core and Imp with random changes keep the laws of tests/fuzz/text_laws.h. The fuzzers of
// that folder look for more of them; what they found is in tests/regress.
#include <doctest/doctest.h>

#include "tests/fuzz/text_laws.h"
#include "tests/fuzz/token_mutations.h"
#include "tests/golden.h"

namespace halo::imp {
namespace {

namespace fs = std::filesystem;
using Law = std::string (*)(const std::string&);

constexpr int kChanges = 40;  // of each text: two seconds in all

std::vector<std::string> textsBelow(const fs::path& folder, std::string_view extension) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // the same changes everywhere
  std::vector<std::string> texts;
  for (const fs::path& path : paths) texts.push_back(test::readFile(path));
  return texts;
}

void survive(const std::vector<std::string>& texts, const std::vector<std::string_view>& words,
             Law brokenLaw) {
  REQUIRE(!texts.empty());
  std::mt19937 random(1);
  for (const std::string& text : texts) {
    for (int i = 0; i < kChanges; ++i) {
      const std::string& other = texts[random() % texts.size()];
      const std::string change =
          i % 4 == 0 ? test::crossed(text, other, random) : test::changed(text, words, random);
      INFO(change);
      CHECK(brokenLaw(change) == "");
    }
  }
}

}  // namespace

TEST_CASE("what fuzzing found in Imp") {
  for (const std::string& text : textsBelow("tests/regress/imp", ".imp")) {
    INFO(text);
    CHECK(test::brokenImpLaw(text) == "");
  }
}

TEST_CASE("changed texts of Core") {
  survive(textsBelow("tests/core", ".core"), test::kCoreWords, test::brokenCoreLaw);
}

TEST_CASE("changed texts of Imp") {
  survive(textsBelow("tests/gpu", ".imp"), test::kImpWords, test::brokenImpLaw);
}

}  // namespace halo::imp

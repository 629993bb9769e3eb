// Mutated programs: tokens of the golden inputs are dropped, doubled, exchanged. Whatever parses
// must be rejected by the verifier or come through the pipelines as valid Core.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/core/text/lex.h"
#include "lang/passes/pipeline.h"

namespace halo::passes {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> tokensOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  source::Files files;
  std::vector<std::string> tokens;
  for (const core::Token& token : core::lex(files, files.add("t", text.str()))) {
    if (token.kind != core::TokenKind::kEnd) tokens.emplace_back(token.text);
  }
  return tokens;
}

void mutate(std::vector<std::string>& tokens, std::mt19937& random) {
  size_t a = random() % tokens.size(), b = random() % tokens.size();
  switch (random() % 5) {
    case 0:
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(a));
      break;
    case 1:
      std::swap(tokens[a], tokens[b]);
      break;
    default:  // most likely to be valid: one name or number for another
      tokens[a] = tokens[b];
      break;
  }
}

std::string broken(core::Program program, const std::vector<PassRow>& rows) {
  for (const PassRow& row : rows) {
    std::string before = core::print(program);
    program = row.run(program);
    auto verified = core::verify(program);
    if (!verified) {
      return std::string(row.name) + ": " + verified.error().message + "\n" + before + "\n" +
             core::print(program);
    }
  }
  return "";
}

}  // namespace

TEST_CASE("mutants") {
  std::vector<std::vector<std::string>> programs;
  for (const auto& file : fs::recursive_directory_iterator("tests/core/passes")) {
    if (file.path().extension() == ".core") programs.push_back(tokensOf(file.path()));
  }
  std::sort(programs.begin(), programs.end());
  const char* count_text = std::getenv("HALO_MUTANTS");
  const int count = count_text == nullptr ? 6000 : std::atoi(count_text);
  std::mt19937 random(20261121);
  std::vector<PassRow> gpu = rows(Pipeline::kGpu);
  for (const auto* list : {&sums(false), &sums(true), &afterPlan()}) {
    gpu.insert(gpu.end(), list->begin(), list->end());
  }
  int valid = 0;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> tokens = programs[random() % programs.size()];
    for (unsigned k = random() % 3 + 1; k > 0; k--) mutate(tokens, random);
    std::string text;
    for (const std::string& token : tokens) text += token + ' ';
    source::Files files;
    auto parsed = core::parse(files, files.add("mutant", text));
    if (!parsed || !core::verify(*parsed)) continue;
    ++valid;
    CHECK(broken(*parsed, rows(Pipeline::kCpu)) == "");
    CHECK(broken(*parsed, gpu) == "");
    CHECK(broken(*parsed, rows(Pipeline::kPlain)) == "");
  }
  CHECK(valid > count / 100);
}

}  // namespace halo::passes

#include "cli/options/words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace halo::cli {

namespace {

// A script may have any name: its first line identifies it.
bool isScript(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return in.get() == '#' && in.get() == '!';
}

bool takesValues(const std::vector<std::string>& words) {
  return !words.empty() &&
         (words[0] == "run" || words[0] == "tune" || words[0] == "profile" || words[0] == "eval");
}

constexpr char kShield = '\x01';  // in no command line

}  // namespace

void insertRun(std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("-")) return;
  std::string extension = std::filesystem::path(words[0]).extension().string();
  const bool is_program = extension == ".fut" || extension == ".core" || extension == ".imp";
  if (is_program || (words[0].find('/') != std::string::npos && isScript(words[0]))) {
    words.insert(words.begin(), "run");
  }
}

void shieldValues(std::vector<std::string>& words) {
  const bool takes_values = takesValues(words);
  for (std::string& word : words) {
    const bool is_negative =
        word.size() > 1 && word[0] == '-' && word[1] != '-' &&
        (std::isalpha(word[1]) == 0 || (word.starts_with("-f") && word.size() > 2));
    if (word.starts_with("[") || (takes_values && is_negative)) {
      word.insert(word.begin(), kShield);
    }
  }
}

void joinTrace(std::vector<std::string>& words) {
  const auto profile = std::find(words.begin(), words.end(), "--profile");
  if (profile == words.end() || profile + 1 == words.end()) return;
  if (!(profile + 1)->ends_with(".json")) return;
  *profile += "=" + *(profile + 1);
  words.erase(profile + 1);
}

std::vector<std::string> takeValues(std::vector<std::string>& words) {
  const bool takes_values = takesValues(words);
  const auto mark = std::find(words.begin(), words.end(), "--");
  if (!takes_values || mark == words.end()) return {};
  std::vector<std::string> values(mark + 1, words.end());
  words.erase(mark, words.end());
  return values;
}

void unshield(std::string& text) { std::erase(text, kShield); }

void unshieldValues(std::vector<std::string>& words) {
  for (std::string& word : words) unshield(word);
}

}  // namespace halo::cli

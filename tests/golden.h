// The common part of golden tests: inputs in a folder, beside each the text that it must give.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halo::test {

std::string readFile(const std::filesystem::path& path);

// The files of a folder, in order of their names.
std::vector<std::filesystem::path> sorted(const std::filesystem::path& folder);

// The comment lines that begin a test; they begin its golden too.
std::string commentHead(const std::string& text);

// Checks that the golden says `text`; with HALO_UPDATE in the environment it is written instead.
void checkGolden(const std::filesystem::path& golden, const std::string& text);

// A verifier's answer, as one text: "valid", or the message and its notes.
template <typename Verified>
std::string verdict(const Verified& result) {
  if (result) return "valid";
  std::string message = result.error().message;
  for (const std::string& note : result.error().notes) message += "\n" + note;
  return message;
}

}  // namespace halo::test

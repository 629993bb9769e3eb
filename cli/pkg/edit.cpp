#include "cli/pkg/edit.h"

#include <algorithm>

namespace halo::pkg {

namespace {

std::string spelled(const Requirement& requirement) {
  const std::string commit = requirement.commit.empty() ? "" : " #" + requirement.commit;
  return requirement.path + " " + print(requirement.version) + commit;
}

const Requirement* findPath(const Manifest& manifest, const std::string& path) {
  const auto found = std::find_if(manifest.required.begin(), manifest.required.end(),
                                  [&](const Requirement& other) { return other.path == path; });
  return found == manifest.required.end() ? nullptr : &*found;
}

}  // namespace

std::string withRequirement(const std::string& text, const Manifest& manifest,
                            const Requirement& requirement) {
  std::string result = text;
  if (const Requirement* known = findPath(manifest, requirement.path)) {
    result.replace(known->span.begin, known->end - known->span.begin, spelled(requirement));
    return result;
  }
  const std::string line = "  " + spelled(requirement) + "\n";
  if (!manifest.closing) {
    const bool needs_end = !text.empty() && text.back() != '\n';
    return text + (needs_end ? "\n" : "") + "require {\n" + line + "}\n";
  }
  // In front of the line of `}`, or on a line of its own where that line has more.
  const size_t closing = *manifest.closing;
  const size_t begin = text.find_last_not_of(" \t", closing == 0 ? 0 : closing - 1) + 1;
  const bool is_alone = begin > 0 && text[begin - 1] == '\n';
  result.insert(is_alone ? begin : closing, is_alone ? line : "\n" + line);
  return result;
}

std::string withoutRequirement(const std::string& text, const Manifest& manifest,
                               const std::string& path) {
  const Requirement* known = findPath(manifest, path);
  if (known == nullptr) return text;
  size_t begin = known->span.begin, end = known->end;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) begin--;
  const bool begins_line = begin == 0 || text[begin - 1] == '\n';
  if (begins_line && end < text.size() && text[end] == '\n') ++end;
  std::string result = text;
  result.erase(begin, end - begin);
  return result;
}

std::string emptyManifest(const std::string& package) {
  return (package.empty() ? "" : "package " + package + "\n\n") + "require {\n}\n";
}

}  // namespace halo::pkg

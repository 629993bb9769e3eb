#include "cli/pkg/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

namespace halo::pkg {

namespace {

using diag::Code;

struct Word {
  std::string text;
  source::Span span;
};

// Split at spaces; `{` and `}` stand alone, `--` begins a comment.
std::vector<Word> wordsOf(const source::Files& files, source::FileId file) {
  const std::string& text = files[file].text;
  std::vector<Word> words;
  auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = 0; at < text.size();) {
    if (isSpace(text[at])) {
      ++at;
      continue;
    }
    if (text.compare(at, 2, "--") == 0) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const size_t begin = at++;
    auto isBrace = [&](size_t i) { return text[i] == '{' || text[i] == '}'; };
    while (!isBrace(begin) && at < text.size() && !isSpace(text[at]) && !isBrace(at)) ++at;
    words.push_back({text.substr(begin, at - begin),
                     {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(at)}});
  }
  const auto end = static_cast<uint32_t>(text.size());
  words.push_back({"", {file, end, end}});
  return words;
}

// `host.name/user/name`: no part is empty or begins with a dot or a dash.
bool isPath(const std::string& path) {
  size_t parts = 0;
  for (size_t begin = 0; begin <= path.size(); ++parts) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (begin == end || path[begin] == '.' || path[begin] == '-') return false;
    begin = end + 1;
  }
  const bool is_plain = std::all_of(path.begin(), path.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '/' || c == '@' ||
           c == '~';
  });
  return parts >= 2 && is_plain;
}

bool isCommit(const std::string& text) {
  return text.size() >= 7 && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

class Reader {
 public:
  Reader(std::vector<Word> words, diag::Sink& sink) : words_(std::move(words)), sink_(sink) {}

  std::optional<Manifest> run() {
    const size_t errors = sink_.errorCount();
    Manifest manifest;
    while (!peek().text.empty() && sink_.errorCount() == errors) {
      const Word word = next();
      if (word.text == "package") {
        manifest.package = path();
      } else if (word.text == "require") {
        requirements(manifest);
      } else {
        unexpected(word, "`package` or `require`");
      }
    }
    if (sink_.errorCount() != errors) return std::nullopt;
    return manifest;
  }

 private:
  const Word& peek() const { return words_[at_]; }
  const Word& next() { return at_ + 1 < words_.size() ? words_[at_++] : words_[at_]; }

  void unexpected(const Word& word, const std::string& expected) {
    const std::string found = word.text.empty() ? "the end of the file" : "`" + word.text + "`";
    sink_.error(word.text.empty() ? Code::unexpected_end : Code::unexpected_token, word.span,
                fmt::format("expected {}, found {}", expected, found));
  }

  std::string path() {
    const Word& word = next();
    if (!isPath(word.text)) unexpected(word, "a path such as `github.com/user/name`");
    return word.text;
  }

  void requirements(Manifest& manifest) {
    const size_t errors = sink_.errorCount();
    if (peek().text != "{") return unexpected(peek(), "`{` after `require`");
    next();
    while (peek().text != "}" && sink_.errorCount() == errors) {
      Requirement requirement;
      requirement.span = peek().span;
      requirement.path = path();
      if (sink_.errorCount() != errors) return;
      const Word& version = next();
      const auto parsed = parseVersion(version.text);
      if (!parsed) return unexpected(version, "a version such as `1.2.3`");
      requirement.version = *parsed;
      requirement.end = version.span.end;
      if (peek().text.starts_with("#")) {
        requirement.end = peek().span.end;
        requirement.commit = next().text.substr(1);
        if (!isCommit(requirement.commit)) {
          return unexpected(words_[at_ - 1], "`#` and a commit, 7 hexadecimal digits or more");
        }
      }
      manifest.required.push_back(std::move(requirement));
    }
    manifest.closing = next().span.begin;
  }

  std::vector<Word> words_;
  diag::Sink& sink_;
  size_t at_ = 0;
};

std::optional<uint64_t> numberIn(const std::string& text) {
  const bool is_number =
      !text.empty() && text.size() < 19 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!is_number) return std::nullopt;
  return std::stoull(text);
}

}  // namespace

std::optional<Version> parseVersion(const std::string& text) {
  Version version;
  const size_t plus = std::min(text.find('+'), text.size());
  const size_t dash = std::min(text.substr(0, plus).find('-'), plus);
  if (plus < text.size()) version.commit = text.substr(plus + 1);
  if (dash < plus) version.pre = text.substr(dash + 1, plus - dash - 1);
  const std::string numbers = text.substr(0, dash);
  const size_t first = numbers.find('.');
  const size_t second = first == std::string::npos ? first : numbers.find('.', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const auto major = numberIn(numbers.substr(0, first));
  const auto minor = numberIn(numbers.substr(first + 1, second - first - 1));
  const auto patch = numberIn(numbers.substr(second + 1));
  if (!major || !minor || !patch) return std::nullopt;
  if (plus < text.size() && !isCommit(version.commit)) return std::nullopt;
  auto isPlain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '-'; };
  if (!std::all_of(version.pre.begin(), version.pre.end(), isPlain)) return std::nullopt;
  version.major = *major;
  version.minor = *minor;
  version.patch = *patch;
  return version;
}

std::string print(const Version& version) {
  return fmt::format("{}.{}.{}{}{}{}{}", version.major, version.minor, version.patch,
                     version.pre.empty() ? "" : "-", version.pre, version.commit.empty() ? "" : "+",
                     version.commit);
}

bool isPackagePath(const std::string& text) { return isPath(text); }

bool isOlder(const Version& a, const Version& b) {
  const auto numbers = [](const Version& v) { return std::tuple(v.major, v.minor, v.patch); };
  if (numbers(a) != numbers(b)) return numbers(a) < numbers(b);
  if (a.pre.empty() != b.pre.empty()) return !a.pre.empty();
  return a.pre < b.pre;
}

std::optional<Manifest> readManifest(const source::Files& files, source::FileId file,
                                     diag::Sink& sink) {
  return Reader(wordsOf(files, file), sink).run();
}

}  // namespace halo::pkg

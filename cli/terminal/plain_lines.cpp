// Reads bytes as they come. Nothing else may read from the descriptor, or lines would be lost.
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/terminal/line_source.h"

namespace halo::terminal {

namespace {

constexpr size_t kLongestInput = size_t{16} << 20;  // language.md#limits

class PlainLines : public LineSource {
 public:
  PlainLines(int fd, bool prompts, Language language)
      : fd_(fd), prompts_(prompts), language_(std::move(language)) {}

  std::optional<std::string> read() override {
    std::string input;
    bool is_open = false;  // the input wants another line
    for (;;) {
      prompt(is_open);
      std::optional<std::string> line = nextLine();
      if (!line) break;
      if (is_open && !prompts_ && language_.begins_another(input, *line)) {
        buffer_.insert(0, *line + "\n");
        break;
      }
      const bool is_blank = line->find_first_not_of(" \t\r") == std::string::npos;
      if (input.empty() && is_blank) continue;
      input += *line + "\n";
      if (is_blank && prompts_) break;
      is_open = language_.needs_more(input) && input.size() < kLongestInput;
      if (!is_open && !goesOn()) break;
    }
    if (input.empty()) return std::nullopt;
    return input;
  }

  std::string problem() const override { return problem_; }

 private:
  void prompt(bool is_open) const {
    if (!prompts_) return;
    std::fputs(is_open ? kMorePrompt : kPrompt, stdout);
    std::fflush(stdout);
  }

  // Whether the next line is there already and belongs to this input.
  bool goesOn() {
    for (size_t from = 0;;) {
      const size_t end = buffer_.find('\n', from);
      if (end == std::string::npos) {
        pollfd ready{fd_, POLLIN, 0};
        if (at_end_ || prompts_ || poll(&ready, 1, 0) <= 0 || !fill()) return false;
        continue;
      }
      const std::string line = buffer_.substr(from, end - from);
      if (line.find_first_not_of(" \t\r") != std::string::npos) return language_.continues(line);
      from = end + 1;
    }
  }

  std::optional<std::string> nextLine() {
    size_t end = 0;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      if (buffer_.size() > kLongestInput) {
        problem_ = "a line has more than 16 MiB";
        return std::nullopt;
      }
      if (fill()) continue;
      if (buffer_.empty()) return std::nullopt;
      buffer_ += '\n';
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }

  bool fill() {
    char bytes[65536];
    ssize_t count = 0;
    do {
      count = ::read(fd_, bytes, sizeof bytes);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
      if (count < 0) problem_ = std::strerror(errno);
      at_end_ = true;
      return false;
    }
    buffer_.append(bytes, static_cast<size_t>(count));
    return true;
  }

  int fd_;
  bool prompts_;
  Language language_;
  std::string buffer_;
  bool at_end_ = false;
  std::string problem_;
};

}  // namespace

std::unique_ptr<LineSource> plainLines(int fd, bool prompts, Language language) {
  return std::make_unique<PlainLines>(fd, prompts, std::move(language));
}

}  // namespace halo::terminal

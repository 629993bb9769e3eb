// Line by line; a comment counts only in column 0.
#include "cli/literate/document.h"

#include <algorithm>

namespace halo::literate {

namespace {

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

bool isComment(std::string_view line) { return line.starts_with("--"); }

// `-- run: ..`, `-- tolerance: ..`: for other commands.
bool isForOthers(std::string_view line) {
  return line.starts_with("-- run:") || line.starts_with("-- tolerance:");
}

class Reader {
 public:
  explicit Reader(std::string_view program) : lines_(linesOf(program)) {}

  std::vector<Block> run() {
    if (!lines_.empty() && lines_[0].starts_with("#!")) ++at_;
    while (at_ < lines_.size()) {
      const std::string_view line = lines_[at_];
      if (line.starts_with("-- ==")) {
        while (at_ < lines_.size() && isComment(lines_[at_])) ++at_;
      } else if (isForOthers(line)) {
        ++at_;
      } else if (line.starts_with("-- >")) {
        directive();
      } else if (line.starts_with("-- |")) {
        do {
          add(Block::kCode, lines_[at_++]);
        } while (at_ < lines_.size() && isComment(lines_[at_]));
      } else if (isComment(line)) {
        add(Block::kText,
            line.substr(std::min<size_t>(line.starts_with("-- ") ? 3 : 2, line.size())));
        ++at_;
      } else {
        if (!trimmed(line).empty() || isOpen(Block::kCode)) {
          add(Block::kCode, line);
        } else {
          closed_ = true;
        }
        ++at_;
      }
    }
    for (Block& block : blocks_) trim(block.text);
    std::erase_if(blocks_, [](const Block& block) { return block.text.empty(); });
    return std::move(blocks_);
  }

 private:
  bool isOpen(Block::Kind kind) const {
    return !closed_ && !blocks_.empty() && blocks_.back().kind == kind;
  }

  void add(Block::Kind kind, std::string_view line) {
    if (!isOpen(kind)) blocks_.push_back({kind, ""});
    closed_ = false;
    blocks_.back().text += std::string(line) + "\n";
  }

  // Without the empty lines around it.
  static void trim(std::string& text) {
    while (text.starts_with("\n")) text.erase(0, 1);
    while (text.ends_with("\n")) text.pop_back();
  }

  void directive() {
    Block block{Block::kDirective, trimmed(lines_[at_++].substr(4))};
    while (at_ < lines_.size() && lines_[at_].starts_with("--   ")) {
      block.text += "\n" + std::string(lines_[at_++].substr(5));
    }
    std::string rest = block.text;
    bool is_brief = false;
    while (rest.starts_with(":")) {
      const size_t end = std::min(rest.find_first_of(" \n"), rest.size());
      block.command = rest.substr(1, end - 1);
      const bool is_prefix = block.command == "brief" || block.command == "covert";
      rest = is_prefix ? trimmed(rest.substr(end)) : rest.substr(end);
      if (!is_prefix) break;
      (block.command == "brief" ? is_brief : block.is_covert) = true;
      block.command.clear();
      block.text = rest;
    }
    if (is_brief) block.text = trimmed(block.text.substr(0, block.text.find(';')));
    const size_t semicolon = rest.find(';');
    block.expression = trimmed(rest.substr(0, semicolon));
    if (semicolon != std::string::npos) options(block, rest.substr(semicolon + 1));
    blocks_.push_back(std::move(block));
    closed_ = true;
  }

  // `file: a.png; size: (400, 300)`
  static void options(Block& block, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find_first_of(";\n", at), text.size());
      const std::string option = text.substr(at, end - at);
      const size_t colon = option.find(':');
      if (colon != std::string::npos) {
        block.options[trimmed(option.substr(0, colon))] = trimmed(option.substr(colon + 1));
      }
      at = end + 1;
    }
  }

  std::vector<std::string_view> lines_;
  std::vector<Block> blocks_;
  size_t at_ = 0;
  bool closed_ = false;
};

}  // namespace

std::vector<Block> parseDocument(std::string_view program) { return Reader(program).run(); }

}  // namespace halo::literate

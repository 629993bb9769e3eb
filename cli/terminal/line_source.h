// The source of a session's inputs, one at a time: an editor on a terminal, or plain lines from a
// pipe or a dumb terminal.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halo::terminal {

struct Completions {
  size_t start = 0;  // where in the text the word begins
  std::vector<std::string> candidates;
};

// How a byte of the text looks.
enum class Style : uint8_t {
  kPlain,
  kKeyword,
  kNumber,
  kString,
  kComment,
  kType,
  kCommand,
  kBracket,  // the one at the cursor, or its partner
};

// The session owner's knowledge about its language; all may be empty.
struct Language {
  std::function<bool(const std::string&)> needs_more;  // the text is no whole input yet
  std::function<bool(const std::string&)> continues;   // a line goes on with the input above
  // A line that ends an input which needs more, on a pipe.
  std::function<bool(const std::string& input, const std::string& line)> begins_another;
  std::function<Completions(const std::string& text, size_t cursor)> complete;
  std::function<std::vector<Style>(const std::string&)> styles;  // one per byte
};

class LineSource {
 public:
  virtual ~LineSource() = default;
  // The next input, which may have many lines; nothing at the end.
  virtual std::optional<std::string> read() = 0;
  // Why the end came, if not because the input is over.
  virtual std::string problem() const { return {}; }
  // Whether the terminal shows kitty's graphics.
  virtual bool hasKittyGraphics() { return false; }
};

inline constexpr char kPrompt[] = "> ";
inline constexpr char kMorePrompt[] = "| ";

// Lines of a file descriptor. An input ends where it is whole and no line that would go on with it
// has arrived yet.
std::unique_ptr<LineSource> plainLines(int fd, bool prompts, Language language);

// An editor on the terminal that is standard input and output; `history_file` may be empty.
std::unique_ptr<LineSource> lineEditor(std::string history_file, bool color, Language language);

}  // namespace halo::terminal

// Keys to edits. The buffer, the history, the layout and the screen are files of their own; this
// one has the action of each key.
#include <csignal>

#include <algorithm>
#include <utility>

#include "cli/terminal/brackets.h"
#include "cli/terminal/edit_buffer.h"
#include "cli/terminal/history.h"
#include "cli/terminal/keys.h"
#include "cli/terminal/line_source.h"
#include "cli/terminal/screen.h"

namespace halo::terminal {

namespace {

class LineEditor : public LineSource {
 public:
  LineEditor(std::string history_file, bool color, Language language)
      : language_(std::move(language)),
        color_(color),
        history_(std::move(history_file)),
        keys_(0) {}

  std::optional<std::string> read() override {
    const RawMode raw;
    buffer_.clear();
    at_ = history_.entries().size();
    state_ = State::kEditing;
    while (state_ == State::kEditing) {
      draw();
      handle(keys_.next());
    }
    painter_.leave();
    if (state_ == State::kEnded) return std::nullopt;
    if (state_ == State::kAbandoned) return "";
    history_.add(buffer_.text());
    return buffer_.text();
  }

  // Asks for kitty's graphics, and then a question that every terminal answers.
  bool hasKittyGraphics() override {
    constexpr int kPatience = 100;
    const RawMode raw;
    write("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c");
    const std::string answer = keys_.answer("\x1b_G", 'c', kPatience);
    return answer.find(";OK") != std::string::npos;
  }

 private:
  enum class State { kEditing, kDone, kAbandoned, kEnded };

  void draw(const std::string& prompt = kPrompt) {
    std::vector<Style> styles;
    if (color_ && language_.styles) {
      styles = language_.styles(buffer_.text());
      const auto pair = matchingBrackets(buffer_.text(), buffer_.cursor(), styles);
      if (pair) styles[pair->first] = styles[pair->second] = Style::kBracket;
    }
    painter_.draw(layOut({buffer_.text(), buffer_.cursor(), prompt, styles, screenSize().columns}));
  }

  void handle(const Key& key) {
    const bool was_tab = std::exchange(is_tab_, key.kind == Key::kTab);
    switch (key.kind) {
      case Key::kText:
        return buffer_.insert(key.text);
      case Key::kPaste:
        return buffer_.insert(pasted(key.text));
      case Key::kControl:
        return control(key.text[0]);
      case Key::kAlt:
        return alt(key.text[0]);
      case Key::kEnter:
        return enter();
      case Key::kTab:
        return complete(was_tab);
      case Key::kUp:
        if (!buffer_.up()) recall(-1);
        return;
      case Key::kDown:
        if (!buffer_.down()) recall(1);
        return;
      case Key::kHangUp:
        state_ = State::kEnded;
        return;
      default:
        return move(key.kind);
    }
  }

  void move(Key::Kind kind) {
    switch (kind) {
      case Key::kBackspace:
        return buffer_.eraseBefore();
      case Key::kDelete:
        return buffer_.eraseAfter();
      case Key::kLeft:
        buffer_.left();
        return;
      case Key::kRight:
        buffer_.right();
        return;
      case Key::kHome:
        return buffer_.lineStart();
      case Key::kEnd:
        return buffer_.lineEnd();
      case Key::kWordLeft:
        return buffer_.wordLeft();
      case Key::kWordRight:
        return buffer_.wordRight();
      default:
        return;
    }
  }

  void control(char letter) {
    switch (letter) {
      case 'a':
        return buffer_.lineStart();
      case 'b':
        buffer_.left();
        return;
      case 'c':
        state_ = State::kAbandoned;
        return;
      case 'd':
        if (buffer_.text().empty()) state_ = State::kEnded;
        return buffer_.eraseAfter();
      case 'e':
        return buffer_.lineEnd();
      case 'f':
        buffer_.right();
        return;
      case 'k':
        return buffer_.eraseToLineEnd();
      case 'l':
        write("\x1b[H\x1b[2J");
        return painter_.forget();
      case 'n':
        return recall(1);
      case 'p':
        return recall(-1);
      case 'r':
        return search();
      case 't':
        return buffer_.swapCharacters();
      case 'u':
        return buffer_.eraseToLineStart();
      case 'w':
        return buffer_.eraseWordBefore();
      case 'y':
        return buffer_.yank();
      case 'z':
        return suspend();
      case '_':
        return buffer_.undo();
      default:
        return;
    }
  }

  void alt(char letter) {
    switch (letter) {
      case 'b':
        return buffer_.wordLeft();
      case 'd':
        return buffer_.eraseWordAfter();
      case 'f':
        return buffer_.wordRight();
      case 0x7f:
        return buffer_.eraseWordBefore();
      default:
        return;
    }
  }

  // An empty last line ends an input that is not whole.
  void enter() {
    const std::string& text = buffer_.text();
    const size_t last = text.rfind('\n');
    const bool ends_blank = last != std::string::npos && buffer_.cursor() == text.size() &&
                            text.find_first_not_of(" \t", last + 1) == std::string::npos;
    if (!ends_blank && language_.needs_more && language_.needs_more(text)) {
      buffer_.lineEnd();
      buffer_.insert("\n");
      return;
    }
    while (buffer_.down()) {
    }
    buffer_.lineEnd();
    draw();
    state_ = State::kDone;
  }

  static std::string pasted(const std::string& bytes) {
    std::string text;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (c == '\r') {
        if (i + 1 == bytes.size() || bytes[i + 1] != '\n') text += '\n';
      } else if (c == '\t') {
        text += "  ";
      } else if (c == '\n' || static_cast<unsigned char>(c) >= 0x20) {
        text += c;
      }
    }
    return text;
  }

  void recall(int step) {
    const auto& entries = history_.entries();
    if (step < 0 ? at_ == 0 : at_ >= entries.size()) return;
    if (at_ == entries.size()) typed_ = buffer_.text();
    at_ = step < 0 ? at_ - 1 : at_ + 1;
    buffer_.set(at_ == entries.size() ? typed_ : entries[at_]);
  }

  // Ctrl-R: every letter narrows the search, Ctrl-R again goes further back, any other key takes
  // the found line.
  void search() {
    const std::string before = buffer_.text();
    std::string wanted;
    size_t from = history_.entries().size();
    for (;;) {
      draw("(search `" + wanted + "`) ");
      const Key key = keys_.next();
      const bool is_again = key.kind == Key::kControl && key.text == "r";
      if (key.kind == Key::kText) {
        wanted += key.text;
      } else if (key.kind == Key::kBackspace && !wanted.empty()) {
        wanted.pop_back();
        from = history_.entries().size();
      } else if (key.kind == Key::kControl && (key.text == "g" || key.text == "c")) {
        return buffer_.set(before);
      } else if (!is_again) {
        return key.kind == Key::kUnknown ? void() : handle(key);
      }
      const auto found = history_.find(wanted, is_again ? from : from + 1);
      if (!found || wanted.empty()) continue;
      from = at_ = *found;
      buffer_.set(history_.entries()[from]);
    }
  }

  // The common beginning of all candidates is put in; a second Tab lists them.
  void complete(bool again) {
    if (!language_.complete) return;
    const Completions found = language_.complete(buffer_.text(), buffer_.cursor());
    if (found.candidates.empty()) return;
    std::string common = found.candidates[0];
    for (const std::string& candidate : found.candidates) {
      const auto end =
          std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end()).first;
      common.erase(end, common.end());
    }
    const size_t typed = buffer_.cursor() - found.start;
    if (found.candidates.size() == 1 || common.size() > typed) {
      return buffer_.replace(found.start, common);
    }
    if (again) list(found.candidates);
  }

  void list(const std::vector<std::string>& candidates) {
    constexpr size_t kMax = 100;
    size_t widest = 0;
    for (const std::string& candidate : candidates) widest = std::max(widest, widthOf(candidate));
    const size_t columns = std::max<size_t>(1, screenSize().columns / (widest + 2));
    painter_.leave();
    std::string out;
    for (size_t i = 0; i < std::min(candidates.size(), kMax); ++i) {
      out += candidates[i];
      const bool is_last = (i + 1) % columns == 0 || i + 1 == candidates.size();
      out += is_last ? "\r\n" : std::string(widest + 2 - widthOf(candidates[i]), ' ');
    }
    if (candidates.size() > kMax) {
      out += "\r\n.. and " + std::to_string(candidates.size() - kMax) + " more\r\n";
    }
    write(out);
  }

  void suspend() {
    painter_.leave();
    {
      // The shell wants the terminal as it was.
      termios raw{};
      tcgetattr(0, &raw);
      termios usual = raw;
      usual.c_lflag |= ECHO | ICANON | IEXTEN | ISIG;
      usual.c_iflag |= ICRNL | IXON;
      tcsetattr(0, TCSADRAIN, &usual);
      std::raise(SIGTSTP);
      tcsetattr(0, TCSADRAIN, &raw);
    }
  }

  Language language_;
  bool color_;
  History history_;
  Keys keys_;
  EditBuffer buffer_;
  Painter painter_;
  State state_ = State::kEditing;
  size_t at_ = 0;      // in the history
  std::string typed_;  // before going into it
  bool is_tab_ = false;
};

}  // namespace

std::unique_ptr<LineSource> lineEditor(std::string history_file, bool color, Language language) {
  return std::make_unique<LineEditor>(std::move(history_file), color, std::move(language));
}

}  // namespace halo::terminal

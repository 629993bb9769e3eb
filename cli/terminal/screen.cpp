// ANSI sequences that every terminal of the last thirty years knows.
#include "cli/terminal/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace halo::terminal {

RawMode::RawMode() {
  if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios raw = before_;
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  is_raw_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
  write("\x1b[?2004h");  // pastes come in brackets
}

RawMode::~RawMode() {
  write("\x1b[?2004l");
  if (is_raw_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

Size screenSize() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {80, 24};
  return {std::max<size_t>(size.ws_col, 8), std::max<size_t>(size.ws_row, 2)};
}

void write(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) at += static_cast<size_t>(count);
  }
}

// Of a text higher than the screen only the rows around the cursor are drawn.
void Painter::draw(const Layout& layout) {
  const size_t room = screenSize().rows;
  size_t first = 0;
  if (layout.rows.size() > room) {
    first = std::min(layout.cursor.row - std::min(layout.cursor.row, room / 2),
                     layout.rows.size() - room);
  }
  const size_t count = std::min(room, layout.rows.size() - first);
  std::string out = "\x1b[?25l";
  if (cursor_row_ > 0) out += "\x1b[" + std::to_string(cursor_row_) + "A";
  out += "\r\x1b[J";
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += "\r\n";
    out += layout.rows[first + i];
  }
  const size_t below = count - 1 - (layout.cursor.row - first);
  if (below > 0) out += "\x1b[" + std::to_string(below) + "A";
  out += "\r";
  if (layout.cursor.column > 0) out += "\x1b[" + std::to_string(layout.cursor.column) + "C";
  write(out + "\x1b[?25h");
  drawn_rows_ = count;
  cursor_row_ = layout.cursor.row - first;
}

void Painter::leave() {
  std::string out;
  if (drawn_rows_ > cursor_row_ + 1) {
    out = "\x1b[" + std::to_string(drawn_rows_ - 1 - cursor_row_) + "B";
  }
  write(out + "\r\n");
  forget();
}

}  // namespace halo::terminal

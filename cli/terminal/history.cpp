// One entry a line; line ends in an entry are written `\n`, backslashes `\\`.
#include "cli/terminal/history.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace halo::terminal {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxEntries = 5000;
constexpr size_t kLongestEntry = 65536;

std::string encoded(const std::string& entry) {
  std::string line;
  for (char c : entry) {
    if (c == '\\')
      line += "\\\\";
    else if (c == '\n')
      line += "\\n";
    else
      line += c;
  }
  return line;
}

std::string decoded(const std::string& line) {
  std::string entry;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      ++i;
      entry += line[i] == 'n' ? '\n' : line[i];
    } else {
      entry += line[i];
    }
  }
  return entry;
}

// A file of something else could have any bytes; none of them may reach the terminal.
bool isPrintable(const std::string& entry) {
  for (char c : entry) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return false;
  }
  return true;
}

}  // namespace

History::History(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::ifstream in(file_, std::ios::binary);
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line.size() > kLongestEntry || !isPrintable(line)) continue;
    entries_.push_back(decoded(line));
  }
  if (entries_.size() <= kMaxEntries) return;
  entries_.erase(entries_.begin(), entries_.end() - static_cast<ptrdiff_t>(kMaxEntries));
}

void History::add(const std::string& entry) {
  const bool is_blank = entry.find_first_not_of(" \t\n") == std::string::npos;
  if (is_blank || entry.size() > kLongestEntry || !isPrintable(entry)) return;
  if (!entries_.empty() && entries_.back() == entry) return;
  entries_.push_back(entry);
  if (file_.empty()) return;
  std::ofstream out(file_, std::ios::binary | std::ios::app);
  out << encoded(entry) << '\n';
}

std::optional<size_t> History::find(const std::string& text, size_t before) const {
  for (size_t i = std::min(before, entries_.size()); i-- > 0;) {
    if (entries_[i].find(text) != std::string::npos) return i;
  }
  return std::nullopt;
}

std::string historyFile() {
  const char* off = std::getenv("HALO_HISTORY");
  if (off != nullptr && std::strcmp(off, "off") == 0) return "";
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (state != nullptr && *state == '/') {
    folder = state;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".local" / "state";
  } else {
    return "";
  }
  std::error_code error;
  fs::create_directories(folder / "halo", error);
  return (folder / "halo" / "history").string();
}

}  // namespace halo::terminal

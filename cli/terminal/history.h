// Earlier input, oldest first, in a file that several sessions may append to. A file that
// cannot be read or written is no error: the history is then this session's.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace halo::terminal {

class History {
 public:
  explicit History(std::string file);

  void add(const std::string& entry);
  const std::vector<std::string>& entries() const { return entries_; }
  // The newest entry before `before` that contains the text.
  std::optional<size_t> find(const std::string& text, size_t before) const;

 private:
  std::string file_;  // empty: none
  std::vector<std::string> entries_;
};

// $XDG_STATE_HOME/halo/history, or ~/.local/state/halo/history; empty if there is no such place or
// $HALO_HISTORY is `off`. Creates the folder if it can.
std::string historyFile();

}  // namespace halo::terminal

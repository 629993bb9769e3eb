// The text that is being typed: UTF-8 with line ends in it, a cursor between characters, undo.
// Knows nothing about terminals.
#pragma once

#include <string>
#include <vector>

namespace halo::terminal {

class EditBuffer {
 public:
  const std::string& text() const { return text_; }
  size_t cursor() const { return cursor_; }  // in bytes

  void set(std::string text);  // cursor at the end; can be undone
  void clear();                // and nothing to undo
  void insert(const std::string& text);
  void replace(size_t begin, const std::string& text);  // from there to the cursor

  bool left();
  bool right();
  bool up();  // false: there is no line above
  bool down();
  void lineStart();
  void lineEnd();
  void wordLeft();
  void wordRight();

  void eraseBefore();
  void eraseAfter();
  void eraseWordBefore();
  void eraseWordAfter();
  void eraseToLineEnd();
  void eraseToLineStart();
  void yank();  // the last erased text of more than a character
  void swapCharacters();
  void undo();

 private:
  struct State {
    std::string text;
    size_t cursor;
  };
  enum class Edit { kNone, kTyping, kOther };
  void remember(Edit edit);
  void erase(size_t begin, size_t end, bool keep);
  size_t before(size_t at) const;
  size_t after(size_t at) const;
  size_t startOfLine() const;
  size_t endOfLine() const;
  size_t wordBefore() const;
  size_t wordAfter() const;

  std::string text_;
  size_t cursor_ = 0;
  std::string erased_;
  std::vector<State> past_;
  Edit last_ = Edit::kNone;
};

}  // namespace halo::terminal

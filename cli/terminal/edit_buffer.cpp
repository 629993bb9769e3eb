// Positions are bytes and always lie between characters. Typing in a row is undone at once.
#include "cli/terminal/edit_buffer.h"

#include <algorithm>
#include <utility>

namespace halo::terminal {

namespace {

constexpr size_t kMaxUndo = 200;

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool isWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '\'';
}

}  // namespace

void EditBuffer::remember(Edit edit) {
  if (edit == Edit::kTyping && last_ == Edit::kTyping) return;
  last_ = edit;
  past_.push_back({text_, cursor_});
  if (past_.size() > kMaxUndo) past_.erase(past_.begin());
}

void EditBuffer::undo() {
  if (past_.empty()) return;
  text_ = std::move(past_.back().text);
  cursor_ = past_.back().cursor;
  past_.pop_back();
  last_ = Edit::kNone;
}

void EditBuffer::set(std::string text) {
  remember(Edit::kOther);
  text_ = std::move(text);
  cursor_ = text_.size();
}

void EditBuffer::clear() {
  text_.clear();
  cursor_ = 0;
  past_.clear();
  last_ = Edit::kNone;
}

void EditBuffer::insert(const std::string& text) {
  remember(text.size() <= 4 && text != "\n" ? Edit::kTyping : Edit::kOther);
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

void EditBuffer::replace(size_t begin, const std::string& text) {
  remember(Edit::kOther);
  text_.replace(begin, cursor_ - begin, text);
  cursor_ = begin + text.size();
}

void EditBuffer::erase(size_t begin, size_t end, bool keep) {
  if (begin >= end) return;
  remember(Edit::kOther);
  if (keep) erased_ = text_.substr(begin, end - begin);
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

size_t EditBuffer::before(size_t at) const {
  if (at == 0) return 0;
  do {
    --at;
  } while (at > 0 && isContinuation(text_[at]));
  return at;
}

size_t EditBuffer::after(size_t at) const {
  if (at >= text_.size()) return text_.size();
  do {
    ++at;
  } while (at < text_.size() && isContinuation(text_[at]));
  return at;
}

size_t EditBuffer::startOfLine() const {
  return cursor_ == 0 ? 0 : text_.rfind('\n', cursor_ - 1) + 1;  // npos + 1 is 0
}

size_t EditBuffer::endOfLine() const { return std::min(text_.find('\n', cursor_), text_.size()); }

size_t EditBuffer::wordBefore() const {
  size_t at = cursor_;
  while (at > 0 && !isWord(text_[at - 1])) --at;
  while (at > 0 && isWord(text_[at - 1])) --at;
  return at;
}

size_t EditBuffer::wordAfter() const {
  size_t at = cursor_;
  while (at < text_.size() && !isWord(text_[at])) ++at;
  while (at < text_.size() && isWord(text_[at])) ++at;
  return at;
}

bool EditBuffer::left() {
  const size_t old = std::exchange(cursor_, before(cursor_));
  return cursor_ != old;
}

bool EditBuffer::right() {
  const size_t old = std::exchange(cursor_, after(cursor_));
  return cursor_ != old;
}

bool EditBuffer::up() {
  const size_t start = startOfLine();
  if (start == 0) return false;
  const size_t column = cursor_ - start;
  const size_t above = start == 1 ? 0 : text_.rfind('\n', start - 2) + 1;
  cursor_ = std::min(above + column, start - 1);
  while (cursor_ > above && isContinuation(text_[cursor_])) --cursor_;
  return true;
}

bool EditBuffer::down() {
  const size_t end = endOfLine();
  if (end == text_.size()) return false;
  const size_t column = cursor_ - startOfLine();
  const size_t below = end + 1;
  cursor_ = std::min({below + column, std::min(text_.find('\n', below), text_.size())});
  while (cursor_ > below && cursor_ < text_.size() && isContinuation(text_[cursor_])) --cursor_;
  return true;
}

void EditBuffer::lineStart() { cursor_ = startOfLine(); }
void EditBuffer::lineEnd() { cursor_ = endOfLine(); }
void EditBuffer::wordLeft() { cursor_ = wordBefore(); }
void EditBuffer::wordRight() { cursor_ = wordAfter(); }
void EditBuffer::eraseBefore() { erase(before(cursor_), cursor_, false); }
void EditBuffer::eraseAfter() { erase(cursor_, after(cursor_), false); }
void EditBuffer::eraseWordBefore() { erase(wordBefore(), cursor_, true); }
void EditBuffer::eraseWordAfter() { erase(cursor_, wordAfter(), true); }
void EditBuffer::eraseToLineStart() { erase(startOfLine(), cursor_, true); }

void EditBuffer::eraseToLineEnd() {
  const size_t end = endOfLine();
  erase(cursor_, end > cursor_ ? end : after(cursor_), true);
}

void EditBuffer::yank() {
  if (!erased_.empty()) insert(erased_);
}

void EditBuffer::swapCharacters() {
  const size_t middle = before(cursor_), first = before(middle);
  if (middle == 0 || text_[middle] == '\n' || text_[first] == '\n') return;
  remember(Edit::kOther);
  const std::string pair =
      text_.substr(middle, cursor_ - middle) + text_.substr(first, middle - first);
  text_.replace(first, pair.size(), pair);
}

}  // namespace halo::terminal

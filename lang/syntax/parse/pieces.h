// Internal to the printers: text is built from pieces, strings and nodes still to be spelled out,
// kept on a stack. No recursion, so a chain of 100,000 lets or operators prints like any other.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "lang/syntax/ast.h"

namespace halo::syntax {

// The place of a type, which decides about brackets.
enum class TypePlace { kAnywhere, kBeforeArrow, kArgument };
struct TypePiece {
  TypeExprId id;
  TypePlace place = TypePlace::kAnywhere;
};
// A pattern; `p: t` and `#foo p` are bracketed where an atom is needed, `-1` too in a parameter.
// The type of a pattern in front of `->` would take the arrow: kBeforeArrow brackets it.
enum class PatternPlace { kAnywhere, kBeforeArrow, kAtom, kParameter };
struct PatternPiece {
  PatternId id;
  PatternPlace place = PatternPlace::kAnywhere;
};
// A module expression or module type; kOperand: left of `:` and of arguments, or of `with` and
// `->`; kAtom: an argument.
enum class ModulePlace { kAnywhere, kOperand, kAtom };
struct ModulePiece {
  ModuleExprId id;
  ModulePlace place = ModulePlace::kAnywhere;
};
struct ModuleTypePiece {
  ModuleTypeId id;
  ModulePlace place = ModulePlace::kAnywhere;
};
struct LineBreak {};
struct Indent {
  int by;
};
using Piece = std::variant<std::string, ExprId, PatternPiece, TypePiece, DeclId, ModulePiece,
                           ModuleTypePiece, SpecId, LineBreak, Indent>;

// Texts that follow each other are one piece.
class Pieces {
 public:
  template <typename... Parts>
  Pieces& add(Parts&&... parts) {
    (addOne(std::forward<Parts>(parts)), ...);
    return *this;
  }
  Pieces& append(Pieces other) {
    if (list_.empty()) {
      list_ = std::move(other.list_);
      return *this;
    }
    for (Piece& piece : other.list_) {
      auto* text = std::get_if<std::string>(&piece);
      if (text != nullptr) {
        addOne(*text);
      } else {
        list_.push_back(std::move(piece));
      }
    }
    return *this;
  }
  // Elements with a separator between them.
  template <typename List, typename AddElement>
  Pieces& join(const List& list, const char* separator, AddElement addElement) {
    bool first = true;
    for (const auto& element : list) {
      if (!first) add(separator);
      first = false;
      addElement(*this, element);
    }
    return *this;
  }
  std::vector<Piece>& list() { return list_; }

 private:
  template <typename Part>
  void addOne(Part&& part) {
    if constexpr (std::is_convertible_v<Part, std::string_view>) {
      const std::string_view text = part;
      auto* last = list_.empty() ? nullptr : std::get_if<std::string>(&list_.back());
      if (last != nullptr) {
        last->append(text);
      } else {
        list_.emplace_back(std::string(text));
      }
    } else {
      list_.emplace_back(std::forward<Part>(part));
    }
  }

  std::vector<Piece> list_;
};

// Spells out `first`; `expand(piece)` gives the pieces of a node.
template <typename Expand>
std::string spellOut(Pieces first, Expand expand) {
  std::string out;
  int indent = 0;
  std::vector<Piece> stack;
  // The text in front, a third of all pieces, is written without a stop on the stack.
  auto push = [&](Pieces pieces) {
    std::vector<Piece>& list = pieces.list();
    const auto* text = list.empty() ? nullptr : std::get_if<std::string>(&list.front());
    if (text != nullptr) out += *text;
    for (size_t i = list.size(); i-- > (text != nullptr ? 1 : 0);) {
      stack.push_back(std::move(list[i]));
    }
  };
  push(std::move(first));
  while (!stack.empty()) {
    Piece piece = std::move(stack.back());
    stack.pop_back();
    if (auto* text = std::get_if<std::string>(&piece)) {
      out += *text;
    } else if (std::holds_alternative<LineBreak>(piece)) {
      out += '\n';
      out.append(static_cast<size_t>(indent), ' ');
    } else if (auto* shift = std::get_if<Indent>(&piece)) {
      indent += shift->by;
    } else {
      push(expand(piece));
    }
  }
  return out;
}

}  // namespace halo::syntax

// Paths such as `a[i].b.0`: targets of `with` and `let`, reads of a section `(.a[i].b)`.
// Paths of one kind of step have nodes of their own, so that later phases see the common cases.
#include "lang/syntax/parse/parse_path.h"

#include <algorithm>

#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

namespace {

bool isIndex(const PathStep& step) { return std::holds_alternative<std::vector<IndexPart>>(step); }

bool isOneIndex(const std::vector<PathStep>& path) {
  return path.size() == 1 && isIndex(path.front());
}

bool isAllFields(const std::vector<PathStep>& path) {
  return std::none_of(path.begin(), path.end(), isIndex);
}

std::vector<IndexPart> oneIndex(std::vector<PathStep> path) {
  return std::move(std::get<std::vector<IndexPart>>(path.front()));
}

std::vector<Identifier> allFields(std::vector<PathStep> path) {
  std::vector<Identifier> fields;
  for (PathStep& step : path) fields.push_back(std::move(std::get<Identifier>(step)));
  return fields;
}

}  // namespace

// `.f.g`, `.[i]`, `.a[i].b`, without the first dot. Each step is a level of the updates that the
// checker makes of it.
std::vector<PathStep> PathParser::path() {
  Depth depth(cursor_, 0);
  std::vector<PathStep> result;
  if (!cursor_.isPunctuation("[")) addFields(result);
  while (!cursor_.inPanic()) {
    depth.more();
    if (cursor_.isPunctuation("[")) {
      result.push_back(parser_.atoms.indexList());
    } else if (cursor_.accept(".")) {
      if (cursor_.isPunctuation("[")) continue;  // `.a.[i]` is `.a[i]`
      addFields(result);
    } else {
      break;
    }
  }
  return result;
}

bool PathParser::startsField() const {
  return cursor_.isKind(TokenKind::kIdentifier) || cursor_.isKind(TokenKind::kNumber);
}

// One field, or two in the case of `r with 0.1 = e`, where they look like a decimal number.
void PathParser::addFields(std::vector<PathStep>& path) {
  const Token& token = cursor_.peek();
  size_t dot = token.text.find('.');
  bool is_pair = cursor_.isKind(TokenKind::kNumber) && dot != std::string::npos &&
                 token.text.find_first_not_of("0123456789.") == std::string::npos;
  if (!is_pair) {
    path.push_back(parser_.names.fieldName());
    return;
  }
  cursor_.next();
  auto middle = static_cast<uint32_t>(token.span.begin + dot);
  path.push_back(Identifier{std::string(token.text.substr(0, dot)),
                            {cursor_.file(), token.span.begin, middle}});
  path.push_back(Identifier{std::string(token.text.substr(dot + 1)),
                            {cursor_.file(), middle + 1, token.span.end}});
}

// `(.f.g)`, `(.[i])`, `(.a[i].b)`
ExprId PathParser::accessSection(uint32_t start) {
  Span opener{cursor_.file(), start, start + 1};
  cursor_.next();
  std::vector<PathStep> steps = path();
  ExprNode node;
  if (isOneIndex(steps)) {
    node = IndexSection{oneIndex(std::move(steps))};
  } else if (isAllFields(steps)) {
    node = ProjectSection{allFields(std::move(steps))};
  } else {
    node = PathSection{std::move(steps)};
  }
  cursor_.close(")", "at the end of the section", opener);
  return build_.add(std::move(node), cursor_.spanFrom(start));
}

// `with [i] =`, `with f.g =`, `with a[i].b =`
PendingOperator PathParser::withOperator() {
  cursor_.next();
  PendingOperator pending{PendingOperator::Kind::kUpdate, 0, {}, {}};
  if (!cursor_.isPunctuation("[") && !startsField())
    cursor_.unexpected("`[` or a field after `with`");
  pending.path = path();
  cursor_.expect("=", "and the new value",
                 cursor_.isPunctuation("->") ? helpForCase() : std::string());
  return pending;
}

ExprNode PathParser::updateNode(ExprId target, std::vector<PathStep> path, ExprId value) {
  if (isOneIndex(path)) return UpdateExpr{target, oneIndex(std::move(path)), value};
  if (isAllFields(path)) return RecordUpdate{target, allFields(std::move(path)), value};
  return PathUpdate{target, std::move(path), value};
}

}  // namespace halo::syntax

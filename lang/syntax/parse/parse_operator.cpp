// Operators by precedence, with a stack of our own instead of recursion, so that long chains are no
// problem. Futhark's grammar sets the levels (language.md#precedence): a user-defined one has the
// level of the longest built-in operator that it begins with.
#include "lang/syntax/parse/parse_operator.h"

#include <fmt/format.h>

#include <array>

#include "lang/base/match.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

namespace {

enum Precedence {
  kNone = -1,
  kRange,
  kBacktick,
  kWith,
  kPipeRight,
  kPipeLeft,  // right-associative
  kOr,
  kAnd,
  kComparison,
  kBitwise,
  kShift,
  kSum,
  kProduct,
  kPower,
};

struct Fixity {
  std::string_view prefix;
  Precedence precedence;
};

// Longer prefixes first.
constexpr std::array kFixities = {
    Fixity{"|>", kPipeRight},  Fixity{"<|", kPipeLeft},   Fixity{"||", kOr},
    Fixity{"&&", kAnd},        Fixity{"<=", kComparison}, Fixity{">=", kComparison},
    Fixity{"==", kComparison}, Fixity{"!=", kComparison}, Fixity{"<<", kShift},
    Fixity{">>", kShift},      Fixity{"**", kPower},      Fixity{"//", kProduct},
    Fixity{"%%", kProduct},    Fixity{"<", kComparison},  Fixity{">", kComparison},
    Fixity{"=", kComparison},  Fixity{"!", kComparison},  Fixity{"&", kBitwise},
    Fixity{"^", kBitwise},     Fixity{"|", kBitwise},     Fixity{"+", kSum},
    Fixity{"-", kSum},         Fixity{"*", kProduct},     Fixity{"/", kProduct},
    Fixity{"%", kProduct}};

bool isSymbol(const QualifiedName& op) {
  char c = op.name.front();
  return std::string_view("+-*/%=!><|&^").find(c) != std::string_view::npos;
}

int precedenceOf(const QualifiedName& op) {
  if (!isSymbol(op)) return kBacktick;
  for (const Fixity& fixity : kFixities) {
    if (op.name.compare(0, fixity.prefix.size(), fixity.prefix) == 0) return fixity.precedence;
  }
  HALO_UNREACHABLE("every operator character is a prefix");
}

}  // namespace

ExprId OperatorParser::chain(bool section) {
  const ExprId first = operand();
  if (!startsOperator()) return first;
  Operands stack;
  stack.values.push_back(first);
  while (pushOperator(stack, section)) {
    if (left_section_) return stack.values.back();
    stack.values.push_back(operand());
  }
  if (!stack.operators.empty() &&
      stack.operators.front().kind == PendingOperator::Kind::kRangeStep) {
    cursor_.unexpected("`...`, `..<` or `..>` after the step of a range", {},
                       "`1...9` ends with 9, `1..<9` in front of it; `1..3...9` has steps of 2");
  }
  reduce(stack, kNone);
  return stack.values.back();
}

// False when no operator follows.
bool OperatorParser::pushOperator(Operands& stack, bool section) {
  if (cursor_.isKeyword("with")) {
    reduce(stack, kWith - 1);  // associates to the left
    stack.operators.push_back(parser_.paths.withOperator());
    stack.operators.back().precedence = kWith;
    return !cursor_.inPanic();
  }
  size_t length = 0;
  std::optional<QualifiedName> op = peekOperator(&length);
  if (!op) return pushRange(stack);
  int precedence = precedenceOf(*op);
  bool ends_section = section && cursor_.isPunctuation(")", length);
  reduce(stack, precedence == kPipeLeft ? precedence : precedence - 1);
  if (ends_section && stack.operators.empty()) {
    uint32_t start = build_.spanOf(stack.values.back()).begin;
    cursor_.skip(length);
    OperatorSection node{std::move(*op), stack.values.back(), {}};
    stack.values.back() = build_.add(std::move(node), cursor_.spanFrom(start));
    left_section_ = true;
    return true;
  }
  cursor_.skip(length);
  PendingOperator pending{PendingOperator::Kind::kBinary, precedence, std::move(*op), {}};
  stack.operators.push_back(std::move(pending));
  return true;
}

bool OperatorParser::pushRange(Operands& stack) {
  bool is_step = cursor_.isPunctuation("..");
  bool is_end =
      cursor_.isPunctuation("...") || cursor_.isPunctuation("..<") || cursor_.isPunctuation("..>");
  if (!is_step && !is_end) return false;
  reduce(stack, kRange);
  bool after_step =
      !stack.operators.empty() && stack.operators.back().kind == PendingOperator::Kind::kRangeStep;
  if (!stack.operators.empty() && (is_step || !after_step)) {
    cursor_.fail(
        Code::unexpected_token, cursor_.peek().span,
        fmt::format("`{}` continues a range that is complete, put one of the two in parentheses",
                    cursor_.peek().text));
    return false;
  }
  const std::string_view text = cursor_.next().text;
  PendingOperator pending{PendingOperator::Kind::kRangeStep, kRange, {}, {}};
  if (is_end) {
    pending.kind = PendingOperator::Kind::kRange;
    pending.end = text == "..."   ? RangeEnd::kInclusive
                  : text == "..<" ? RangeEnd::kBelow
                                  : RangeEnd::kAbove;
    pending.has_step = after_step;
    if (after_step) stack.operators.pop_back();
  }
  stack.operators.push_back(std::move(pending));
  return true;
}

// Builds every pending node that binds tighter than `above`.
void OperatorParser::reduce(Operands& stack, int above) {
  while (!stack.operators.empty() && stack.operators.back().precedence > above) {
    size_t needed = stack.operators.back().has_step ? 3 : 2;
    if (stack.values.size() < needed) break;  // only after an error
    reduceOne(stack);
  }
}

void OperatorParser::reduceOne(Operands& stack) {
  PendingOperator op = std::move(stack.operators.back());
  stack.operators.pop_back();
  auto pop = [&] {
    ExprId id = stack.values.back();
    stack.values.pop_back();
    return id;
  };
  ExprId last = pop();
  uint32_t end = build_.spanOf(last).end;
  ExprId second = op.has_step ? pop() : ExprId();
  ExprId first = pop();
  Span span{cursor_.file(), build_.spanOf(first).begin, end};
  auto node = [&]() -> ExprNode {
    switch (op.kind) {
      case PendingOperator::Kind::kBinary:
        return Binary{std::move(op.op), first, last};
      case PendingOperator::Kind::kUpdate:
        return parser_.paths.updateNode(first, std::move(op.path), last);
      case PendingOperator::Kind::kRangeStep:  // reported; ids must stay valid
      case PendingOperator::Kind::kRange:
        return RangeExpr{first, second, last, op.end};
    }
    HALO_UNREACHABLE("operator kind out of range");
  };
  stack.values.push_back(build_.add(node(), span));
}

// ---- operator tokens: `+`, `i32.+`, `` `f` ``

std::optional<QualifiedName> OperatorParser::peekOperator(size_t* length) const {
  if (cursor_.isPunctuation("`")) {
    QualifiedName name;
    size_t i = 1;
    for (; cursor_.isKind(TokenKind::kIdentifier, i) && cursor_.isPunctuation(".", i + 1); i += 2) {
      name.qualifiers.emplace_back(cursor_.peek(i).text);
    }
    if (!cursor_.isKind(TokenKind::kIdentifier, i) || !cursor_.isPunctuation("`", i + 1))
      return std::nullopt;
    name.name = cursor_.peek(i).text;
    name.span = source::join(cursor_.peek(1).span, cursor_.peek(i).span);
    *length = i + 2;
    return name;
  }
  size_t qualified = qualifiedOperatorLength();
  if (qualified == 0 && !cursor_.isKind(TokenKind::kOperator)) return std::nullopt;
  *length = qualified == 0 ? 1 : qualified;
  QualifiedName name;
  for (size_t i = 0; i + 1 < *length; i += 2) name.qualifiers.emplace_back(cursor_.peek(i).text);
  name.name = cursor_.peek(*length - 1).text;
  name.span = source::join(cursor_.peek().span, cursor_.peek(*length - 1).span);
  return name;
}

// Tokens of `m.n.+` at the cursor, 0 if there is none.
size_t OperatorParser::qualifiedOperatorLength() const {
  for (size_t i = 0; cursor_.isKind(TokenKind::kIdentifier, i) && cursor_.isAdjacent(".", i + 1);
       i += 2) {
    const Token& after = cursor_.peek(i + 2);
    if (after.space_before) return 0;
    if (after.kind == TokenKind::kOperator) return i + 3;
    if (after.kind != TokenKind::kIdentifier) return 0;
  }
  return 0;
}

// Whether what follows an operand may go on with it: most operands stand alone.
bool OperatorParser::startsOperator() const {
  switch (cursor_.peek().kind) {
    case TokenKind::kOperator:
    case TokenKind::kIdentifier:  // `m.+`
      return true;
    case TokenKind::kKeyword:
      return cursor_.isKeyword("with");
    case TokenKind::kPunctuation:
      return cursor_.isPunctuation("`") || cursor_.peek().text.front() == '.';
    default:
      return false;
  }
}

// ---- operands

// Prefix operators bind tighter than `**`, and looser than application.
ExprId OperatorParser::operand() {
  std::vector<std::pair<std::string, uint32_t>> prefixes;
  Depth depth(cursor_, 0);
  while (cursor_.isOperator("-") || cursor_.isOperator("!")) {
    uint32_t start = cursor_.begin();
    prefixes.emplace_back(cursor_.next().text, start);
    depth.more();
  }
  ExprId value = parser_.exprs.startsTailForm() ? parser_.exprs.unascribed() : application();
  for (; !prefixes.empty(); prefixes.pop_back()) {
    auto& [op, start] = prefixes.back();
    Span span{cursor_.file(), start, build_.spanOf(value).end};
    value = build_.add(Unary{std::move(op), value}, span);
  }
  return value;
}

ExprId OperatorParser::application() {
  uint32_t start = cursor_.begin();
  if (cursor_.acceptKeyword("assert")) {
    ExprId condition = parser_.atoms.atom();
    ExprId value = parser_.exprs.startsTailForm() ? parser_.exprs.unascribed() : application();
    return build_.add(AssertExpr{condition, value}, cursor_.spanFrom(start));
  }
  if (parser_.names.startsConstructor()) return constructor(true);
  ExprId function = parser_.atoms.atom();
  while (startsAtom() && qualifiedOperatorLength() == 0) {
    ExprId argument = parser_.atoms.atom();
    function = build_.add(Apply{function, argument}, cursor_.spanFrom(start));
  }
  if (cursor_.isPunctuation(
          "\\")) {  // `tabulate n \i -> i * i`: the last argument goes on to the end
    ExprId argument = parser_.exprs.unascribed();
    function = build_.add(Apply{function, argument}, cursor_.spanFrom(start));
  }
  return function;
}

// `#foo a b`; as an argument it stands alone.
ExprId OperatorParser::constructor(bool with_arguments) {
  uint32_t start = cursor_.begin();
  Constructor node{parser_.names.constructorName(), {}};
  while (with_arguments && startsAtom() && qualifiedOperatorLength() == 0) {
    node.arguments.push_back(parser_.atoms.atom());
  }
  return build_.add(std::move(node), cursor_.spanFrom(start));
}

bool OperatorParser::startsAtom() const {
  const Token& token = cursor_.peek();
  switch (token.kind) {
    case TokenKind::kIdentifier:
    case TokenKind::kNumber:
    case TokenKind::kString:
    case TokenKind::kChar:
      return true;
    case TokenKind::kKeyword:
      return token.text == "true" || token.text == "false";
    case TokenKind::kPunctuation:
      return token.text == "(" || token.text == "[" || token.text == "{" || token.text == "???" ||
             parser_.names.startsConstructor();
    case TokenKind::kOperator:
    case TokenKind::kTypeVariable:
    case TokenKind::kDocComment:
    case TokenKind::kEnd:
      return false;
  }
  HALO_UNREACHABLE("token kind out of range");
}

}  // namespace halo::syntax

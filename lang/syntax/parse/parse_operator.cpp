// Operators by precedence, with a stack of our own instead of recursion, so that long chains are no
// problem. Futhark's grammar sets the levels (language.md#precedence): a user-defined one has the
// level of the longest built-in operator that it begins with.
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

ExprId Parser::operators(bool section) {
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
    unexpected("`...`, `..<` or `..>` after the step of a range", {},
               "`1...9` ends with 9, `1..<9` in front of it; `1..3...9` has steps of 2");
  }
  reduce(stack, kNone);
  return stack.values.back();
}

// False when no operator follows.
bool Parser::pushOperator(Operands& stack, bool section) {
  if (isKeyword("with")) {
    reduce(stack, kWith - 1);  // associates to the left
    stack.operators.push_back(withOperator());
    stack.operators.back().precedence = kWith;
    return !panic_;
  }
  size_t length = 0;
  std::optional<QualifiedName> op = peekOperator(&length);
  if (!op) return pushRange(stack);
  int precedence = precedenceOf(*op);
  bool ends_section = section && isPunctuation(")", length);
  reduce(stack, precedence == kPipeLeft ? precedence : precedence - 1);
  if (ends_section && stack.operators.empty()) {
    uint32_t start = spanOf(stack.values.back()).begin;
    skip(length);
    OperatorSection node{std::move(*op), stack.values.back(), {}};
    stack.values.back() = add(std::move(node), spanFrom(start));
    left_section_ = true;
    return true;
  }
  skip(length);
  PendingOperator pending{PendingOperator::Kind::kBinary, precedence, std::move(*op), {}};
  stack.operators.push_back(std::move(pending));
  return true;
}

bool Parser::pushRange(Operands& stack) {
  bool is_step = isPunctuation("..");
  bool is_end = isPunctuation("...") || isPunctuation("..<") || isPunctuation("..>");
  if (!is_step && !is_end) return false;
  reduce(stack, kRange);
  bool after_step =
      !stack.operators.empty() && stack.operators.back().kind == PendingOperator::Kind::kRangeStep;
  if (!stack.operators.empty() && (is_step || !after_step)) {
    fail(Code::unexpected_token, peek().span,
         fmt::format("`{}` continues a range that is complete, put one of the two in parentheses",
                     peek().text));
    return false;
  }
  const std::string_view text = next().text;
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
void Parser::reduce(Operands& stack, int above) {
  while (!stack.operators.empty() && stack.operators.back().precedence > above) {
    size_t needed = stack.operators.back().has_step ? 3 : 2;
    if (stack.values.size() < needed) break;  // only after an error
    reduceOne(stack);
  }
}

void Parser::reduceOne(Operands& stack) {
  PendingOperator op = std::move(stack.operators.back());
  stack.operators.pop_back();
  auto pop = [&] {
    ExprId id = stack.values.back();
    stack.values.pop_back();
    return id;
  };
  ExprId last = pop();
  uint32_t end = spanOf(last).end;
  ExprId second = op.has_step ? pop() : ExprId();
  ExprId first = pop();
  Span span{file_, spanOf(first).begin, end};
  auto node = [&]() -> ExprNode {
    switch (op.kind) {
      case PendingOperator::Kind::kBinary:
        return Binary{std::move(op.op), first, last};
      case PendingOperator::Kind::kUpdate:
        return updateNode(first, std::move(op.path), last);
      case PendingOperator::Kind::kRangeStep:  // reported; ids must stay valid
      case PendingOperator::Kind::kRange:
        return RangeExpr{first, second, last, op.end};
    }
    HALO_UNREACHABLE("operator kind out of range");
  };
  stack.values.push_back(add(node(), span));
}

// ---- operator tokens: `+`, `i32.+`, `` `f` ``

std::optional<QualifiedName> Parser::peekOperator(size_t* length) const {
  if (isPunctuation("`")) {
    QualifiedName name;
    size_t i = 1;
    for (; isKind(TokenKind::kIdentifier, i) && isPunctuation(".", i + 1); i += 2) {
      name.qualifiers.emplace_back(peek(i).text);
    }
    if (!isKind(TokenKind::kIdentifier, i) || !isPunctuation("`", i + 1)) return std::nullopt;
    name.name = peek(i).text;
    name.span = source::join(peek(1).span, peek(i).span);
    *length = i + 2;
    return name;
  }
  size_t qualified = qualifiedOperatorLength();
  if (qualified == 0 && !isKind(TokenKind::kOperator)) return std::nullopt;
  *length = qualified == 0 ? 1 : qualified;
  QualifiedName name;
  for (size_t i = 0; i + 1 < *length; i += 2) name.qualifiers.emplace_back(peek(i).text);
  name.name = peek(*length - 1).text;
  name.span = source::join(peek().span, peek(*length - 1).span);
  return name;
}

// Tokens of `m.n.+` at the cursor, 0 if there is none.
size_t Parser::qualifiedOperatorLength() const {
  for (size_t i = 0; isKind(TokenKind::kIdentifier, i) && isAdjacent(".", i + 1); i += 2) {
    const Token& after = peek(i + 2);
    if (after.space_before) return 0;
    if (after.kind == TokenKind::kOperator) return i + 3;
    if (after.kind != TokenKind::kIdentifier) return 0;
  }
  return 0;
}

void Parser::skip(size_t tokens) {
  for (; tokens > 0; --tokens) next();
}

// Whether what follows an operand may go on with it: most operands stand alone.
bool Parser::startsOperator() const {
  switch (peek().kind) {
    case TokenKind::kOperator:
    case TokenKind::kIdentifier:  // `m.+`
      return true;
    case TokenKind::kKeyword:
      return isKeyword("with");
    case TokenKind::kPunctuation:
      return isPunctuation("`") || peek().text.front() == '.';
    default:
      return false;
  }
}

// ---- operands

// Prefix operators bind tighter than `**`, and looser than application.
ExprId Parser::operand() {
  std::vector<std::pair<std::string, uint32_t>> prefixes;
  Depth depth(*this, 0);
  while (isOperator("-") || isOperator("!")) {
    uint32_t start = begin();
    prefixes.emplace_back(next().text, start);
    depth.more();
  }
  ExprId value = startsTailForm() ? unascribed() : application();
  for (; !prefixes.empty(); prefixes.pop_back()) {
    auto& [op, start] = prefixes.back();
    Span span{file_, start, spanOf(value).end};
    value = add(Unary{std::move(op), value}, span);
  }
  return value;
}

ExprId Parser::application() {
  uint32_t start = begin();
  if (acceptKeyword("assert")) {
    ExprId condition = atom();
    ExprId value = startsTailForm() ? unascribed() : application();
    return add(AssertExpr{condition, value}, spanFrom(start));
  }
  if (startsConstructor()) return constructor(true);
  ExprId function = atom();
  while (startsAtom() && qualifiedOperatorLength() == 0) {
    ExprId argument = atom();
    function = add(Apply{function, argument}, spanFrom(start));
  }
  if (isPunctuation("\\")) {  // `tabulate n \i -> i * i`: the last argument goes on to the end
    ExprId argument = unascribed();
    function = add(Apply{function, argument}, spanFrom(start));
  }
  return function;
}

// `#name` is one word: no space behind the `#`, and a keyword is a name here.
bool Parser::startsConstructor() const {
  return isPunctuation("#") && !peek(1).space_before &&
         (isKind(TokenKind::kIdentifier, 1) || isKind(TokenKind::kKeyword, 1));
}

Identifier Parser::constructorName() {
  uint32_t start = begin();
  next();
  std::string name(next().text);
  return {std::move(name), spanFrom(start)};
}

// `#foo a b`; as an argument it stands alone.
ExprId Parser::constructor(bool with_arguments) {
  uint32_t start = begin();
  Constructor node{constructorName(), {}};
  while (with_arguments && startsAtom() && qualifiedOperatorLength() == 0) {
    node.arguments.push_back(atom());
  }
  return add(std::move(node), spanFrom(start));
}

bool Parser::startsAtom() const {
  const Token& token = peek();
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
             startsConstructor();
    case TokenKind::kOperator:
    case TokenKind::kTypeVariable:
    case TokenKind::kDocComment:
    case TokenKind::kEnd:
      return false;
  }
  HALO_UNREACHABLE("token kind out of range");
}

}  // namespace halo::syntax

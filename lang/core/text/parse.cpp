// Programs, functions, bodies and statements; and helpers of the whole parser.
#include "lang/core/text/parser.h"
#include "lang/core/text/shorthand.h"

namespace halo::core {
namespace {

constexpr size_t kMaxValueNumber = size_t{1} << 20;  // 64 MiB of value infos
constexpr int kMaxNesting = 256;                     // of bodies: the stack surely holds as many

// The number of `name_12`; nothing for names without one.
std::optional<size_t> valueNumber(std::string_view text) {
  size_t underscore = text.rfind('_');
  if (underscore == std::string_view::npos || underscore == 0) return std::nullopt;
  std::string_view digits = text.substr(underscore + 1);
  if (digits.empty() || digits.size() > 18 || (digits.size() > 1 && digits[0] == '0')) {
    return std::nullopt;
  }
  size_t number = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<size_t>(c - '0');
  }
  return number;
}

}  // namespace

Parser::Parser(const source::Files& files, source::FileId file) : TokenReader(files, file) {
  size_t largest = 0;
  for (const Token& token : tokens_) {
    if (token.kind != TokenKind::kName) continue;
    if (auto number = valueNumber(token.text)) {
      if (*number > kMaxValueNumber) {
        fail(token, fmt::format("value number {} is above {}", *number, kMaxValueNumber));
      } else {
        largest = std::max(largest, *number + 1);
      }
    }
  }
  for (size_t i = 0; i < largest && !error_; ++i) program_.add("", {});
  is_bound_.resize(largest);
}

diag::Result<Program> Parser::program() {
  while (peek().kind != TokenKind::kEnd) function();
  if (error_) return diag::Failure(std::move(*error_));
  return std::move(program_);
}

std::string Parser::printable(std::string_view text) {
  std::string shown;
  for (unsigned char c : text) {
    if (c >= 0x20 && c < 0x7f) {
      shown += static_cast<char>(c);
    } else {
      shown += fmt::format("\\x{:02x}", c);
    }
  }
  return shown;
}
// ---- programs

void Parser::kernelHead(Function& f, size_t* space_at) {
  // The space uses parameters, which come behind it: skip it now, read it then.
  *space_at = position_;
  while (isNext("[")) {
    while (!accept("]") && peek().kind != TokenKind::kEnd) take();
  }
  if (accept("of")) take();
  const Token word = name("a kind of kernel");
  f.kernel.push_back({});
#define KERNEL_KIND(enumerator, spelling)      \
  if (word.text == #spelling) {                \
    f.kernel[0].kind = KernelKind::enumerator; \
    return;                                    \
  }
#include "lang/core/kernel_kind.def"
#undef KERNEL_KIND
  fail(word, "expected `map`, `reduce`, `scan`, `scatter`, `hist`, `stencil` or `sort`");
}

void Parser::functionResults(Function& f) {
  expect("->");
  expect("(");
  list(")", [&] {
    if (isBinderNext()) {
      f.results.push_back(binder());
    } else {
      f.results.push_back(program_.add("result", type()));
    }
  });
}

void Parser::function() {
  Function f;
  Token head = take();
  f.span = head.span;
  f.is_entry = head.text == "entry";
  bool kernel = head.text == "kernel";
  if (!f.is_entry && !kernel && head.text != "fn") {
    return fail(
        head, fmt::format("found `{}`, expected `entry`, `fn` or `kernel`", printable(head.text)));
  }
  f.name = functionName();
  size_t space_at = 0;
  if (kernel) kernelHead(f, &space_at);
  expect("(");
  list(")", [&] {
    bool consumed = false;
    f.params.push_back(binder(&consumed));
    f.consumed.push_back(consumed);
  });
  if (kernel && !error_) {
    std::swap(position_, space_at);
    f.kernel[0].space = shape();
    if (accept("of")) f.kernel[0].whole_extent = operand();
    std::swap(position_, space_at);
  }
  f.size_params = error_ ? 0 : impliedSizeParams(program_, f.params);
  if (accept("sizes")) f.size_params = static_cast<int>(integer());
  if (accept("shares")) {
    expect("(");
    list(")", [&] {
      const ValueId share = value();
      expect("of");
      f.shares.emplace_back(share, value());
    });
  }
  functionResults(f);
  f.size_results = error_ ? 0 : impliedSizeParams(program_, f.results);
  if (accept("sizes")) f.size_results = static_cast<int>(integer());
  f.body = block();
  program_.functions.push_back(std::move(f));
}

// ---- bodies and statements

Body Parser::block() {
  if (++nesting_ > kMaxNesting)
    fail(peek(), fmt::format("more than {} bodies nested", kMaxNesting));
  expect("{");
  Body body = statements();
  nesting_--;
  return body;
}
ValueId Parser::bind(const Token& token, Type type) {
  if (error_) return {};
  std::string_view hint = token.text;
  ValueId value;
  if (auto number = valueNumber(token.text)) {
    value = ValueId(*number);
    hint = hint.substr(0, hint.rfind('_'));
    if (is_bound_[*number]) fail(token, fmt::format("value number {} is bound twice", *number));
    is_bound_[*number] = true;
    program_.values[value] = {std::string(hint), std::move(type)};
  } else {
    value = program_.add(std::string(hint), std::move(type));
  }
  bound_[token.text] = value;
  return value;
}

Body Parser::statements() {
  Body body;
  while (!error_) {
    if (accept(";")) continue;
    if (isNext("return") && !isBinderNext()) break;
    if (isNext("}") || peek().kind == TokenKind::kEnd) unexpected("a statement or `return`");
    body.stms.push_back(statement());
  }
  expect("return");
  if (accept("(")) {
    list(")", [&] { body.results.push_back(operand()); });
    expect("}");
  } else {
    list("}", [&] { body.results.push_back(operand()); });
  }
  return body;
}

Stm Parser::statement() {
  Stm stm;
  Token first = peek();
  std::vector<ValueId> results;
  if (isNext("(")) {
    results = binders();
    expect("=");
  } else if (isBinderNext()) {
    results.push_back(binder());
    expect("=");
  } else if (!isNext("assert")) {
    unexpected("a statement");
  }
  stm.results = std::move(results);
  stm.expr = expr();
  Token last = tokens_[position_ == 0 ? 0 : position_ - 1];
  stm.span = {first.span.file, first.span.begin, std::max(first.span.end, last.span.end)};
  if (accept("@")) {
    stm.checked = true;
    if (accept("?")) return stm;
    integer();
    expect(":");
    integer();
  }
  return stm;
}

diag::Result<Program> parse(const source::Files& files, source::FileId file) {
  return Parser(files, file).program();
}

}  // namespace halo::core

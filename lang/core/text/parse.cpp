// Programs, functions, bodies and statements.
#include "lang/core/text/parser.h"
#include "lang/core/text/shorthand.h"

namespace halo::core {
namespace {

constexpr int kMaxNesting = 256;  // of bodies: the stack surely holds as many

}  // namespace

diag::Result<Program> Parser::program() {
  while (peek().kind != TokenKind::kEnd) function();
  if (error_) return diag::Failure(std::move(*error_));
  return std::move(program_);
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
    return rowSort(f);                         \
  }
#include "lang/core/kernel_kind.def"
#undef KERNEL_KIND
  fail(word, "expected `map`, `reduce`, `scan`, `scatter`, `hist`, `stencil` or `sort`");
}

void Parser::rowSort(Function& f) {
  if (accept("rows")) f.kernel[0].row_sort = functionName();
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

void Parser::shares(Function& f) {
  expect("(");
  list(")", [&] {
    const ValueId share = value();
    expect("of");
    f.shares.emplace_back(share, value());
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
  if (accept("shares")) shares(f);
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

// Statements by the word that they begin with: variables, control and calls.
#include <map>

#include "lang/imp/text/parser.h"

namespace halo::imp {

// A buffer may be called as a word is (`copy$1[i_2] := ..`). Statements without a word in front
// assign to a name.
StmNode Parser::stm() {
  using Parse = StmNode (Parser::*)();
  static const std::map<std::string_view, Parse> kWords = {
      {"var", &Parser::declaration}, {"for", &Parser::loop},        {"while", &Parser::whileLoop},
      {"if", &Parser::branch},       {"fail", &Parser::failure},    {"call", &Parser::call},
      {"alloc", &Parser::alloc},     {"rebind", &Parser::rebind},   {"swap", &Parser::swap},
      {"copy", &Parser::copy},       {"vector", &Parser::vector},   {"append", &Parser::append},
      {"matrix", &Parser::matrix},   {"ordered", &Parser::ordered}, {"atomic", &Parser::atomic},
      {"read", &Parser::read},       {"launch", &Parser::launch}};
  if (nextIsBuffer()) return assignment();
  if (accept("free")) return Free{buffer()};
  if (accept("barrier")) return Barrier{accept("atomics")};
  if (accept("exit_flag")) return ExitFlag{buffer()};
  auto found = peek().kind == TokenKind::kName ? kWords.find(peek().text) : kWords.end();
  if (found == kWords.end()) return assignment();
  take();
  return (this->*found->second)();
}

// var x_1: t := ..
StmNode Parser::declaration() {
  VarId id = binder();
  if (!error_) program_.vars[id].is_mutable = true;
  assign();
  return Declare{id, operand()};
}

// x_1: t = ..   x_1 := ..   xs$1[i] := ..
StmNode Parser::assignment() {
  if (nextIsBuffer()) {
    BufferId id = buffer();
    Operand at = index();
    assign();
    Store store{id, at, operand()};
    if (accept("stream")) store.stream = operand();
    return store;
  }
  VarId id = var();
  expect(":");
  if (accept("=")) return Assign{id, operand()};
  ScalarType type = scalarType();
  if (!error_) program_.vars[id].type = type;
  expect("=");
  return Let{id, expr()};
}

StmNode Parser::loop() {
  For loop;
  loop.var = binder();
  expect("in");
  loop.lo = operand();
  expect("."), expect(".");
  loop.hi = operand();
  bool vector = isNext("vector");
  if (accept("vector") || accept("parallel")) {
    loop.schedule = vector ? Schedule::kVector : Schedule::kParallel;
    loop.vector_width = smallNumber();
    loop.lanes = accept("lanes");
  }
  loop.contract = accept("contract");
  loop.body = block();
  return loop;
}

StmNode Parser::whileLoop() {
  Block before = block();
  Operand condition = operand();
  return While{std::move(before), condition, block()};
}

StmNode Parser::branch() {
  Operand condition = operand();
  Block then_block = block();
  return If{condition, std::move(then_block), accept("else") ? block() : Block{}};
}

// fail 3 H7001 (i_1, n_2) @4:7     the text behind @ is for people
StmNode Parser::failure() {
  auto site = static_cast<size_t>(smallNumber());
  std::string_view label = peek().text;
  auto code_number = label.starts_with("H") ? number(label.substr(1)) : std::nullopt;
  auto code = code_number ? diag::codeFromNumber(static_cast<int>(*code_number)) : std::nullopt;
  if (!code) fail("expected the code of a failure, such as `H7001`");
  source::Span span = take().span;
  Operands values = operands();
  if (accept("@")) smallNumber(), expect(":"), smallNumber();
  if (error_) return Fail{};
  while (program_.sites.size() <= site) program_.sites.push_back({*code, {}});
  program_.sites[site] = {*code, span};
  return Fail{static_cast<int>(site), std::move(values)};
}

StmNode Parser::call() {
  Call call;
  call.function = text();
  call.buffers = bufferList();
  call.scalars = operands();
  expect("->");
  list([&] { call.results.push_back(binder()); });
  call.result_buffers = bufferList();
  return call;
}

}  // namespace halo::imp

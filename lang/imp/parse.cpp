// Text to Imp: recursive descent in the order program, function, statement, expression, small
// parts. Names end with their number (`x_3`, `xs$1`), which survives printing and parsing. The
// first error wins: from then on every token reads as the end of the text. Scope and types are the
// verifier's business.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "lang/core/lex.h"
#include "lang/imp/text.h"

namespace halo::imp {
namespace {

using core::Token;
using core::TokenKind;

constexpr size_t kMaxNumber = size_t{1} << 20;
constexpr int kMaxNesting = 256;

class Parser : private core::TokenReader {
 public:
  Parser(const source::Files& files, source::FileId file) : TokenReader(files, file) {}

  diag::Result<Program> program() {
    while (peek().kind != TokenKind::kEnd) program_.functions.push_back(function());
    if (error_) return diag::Failure(std::move(*error_));
    return std::move(program_);
  }

 private:
  // ---- tokens

  void expect(std::string_view text) {
    if (!accept(text)) fail(fmt::format("expected `{}`", text));
  }
  void fail(const std::string& message) {
    if (error_) return;
    const Token& token = peek();
    error_ = diag::fail(diag::Code::malformed_imp, token.span,
                        fmt::format("{}, found `{}`", message, token.text))
                 .value();
  }
  void assign() { expect(":"), expect("="); }

  // Between parentheses, separated by commas.
  template <typename Item>
  void list(Item item) {
    expect("(");
    if (accept(")")) return;
    do item();
    while (accept(","));
    expect(")");
  }

  // ---- small parts

  std::optional<size_t> number(std::string_view digits) const {
    size_t value = 0;
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    bool good = problem == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    return good && value <= kMaxNumber ? std::optional(value) : std::nullopt;
  }
  int smallNumber() {
    auto value = number(peek().text);
    if (!value) fail("expected a number");
    take();
    return error_ ? 0 : static_cast<int>(*value);
  }
  bool nextIsBuffer() const { return isNext("$", 1); }
  BufferId buffer() {
    Token name = take();
    expect("$");
    auto index = number(peek().text);
    if (name.kind != TokenKind::kName || !index) fail("expected a buffer such as `xs$1`");
    take();
    if (error_) return BufferId(0);
    while (program_.buffers.size() <= *index) program_.buffers.add({});
    program_.buffers[BufferId(*index)].name = std::string(name.text);
    return BufferId(*index);
  }
  VarId var() {
    std::string_view text = peek().text;
    size_t underscore = text.rfind('_');
    std::optional<size_t> index;
    if (underscore != std::string_view::npos) index = number(text.substr(underscore + 1));
    if (peek().kind != TokenKind::kName || !index) fail("expected a variable such as `x_1`");
    take();
    if (error_) return VarId(0);
    while (program_.vars.size() <= *index) program_.addVar("", ScalarType::kI64);
    program_.vars[VarId(*index)].name = std::string(text.substr(0, underscore));
    return VarId(*index);
  }
  ScalarType scalarType() {
    auto type = prim::scalarTypeFromName(peek().text);
    if (!type) fail("expected a scalar type");
    take();
    return type.value_or(ScalarType::kI64);
  }
  VarId binder() {
    VarId id = var();
    expect(":");
    ScalarType type = scalarType();
    if (!error_) program_.vars[id].type = type;
    return id;
  }
  std::optional<Scalar> constant();
  Operand operand() {
    if (auto scalar = constant()) return *scalar;
    return var();
  }
  Operands operands() {
    Operands items;
    list([&] { items.push_back(operand()); });
    return items;
  }
  std::vector<BufferId> bufferList() {
    std::vector<BufferId> items;
    list([&] { items.push_back(buffer()); });
    return items;
  }
  Operand index() {
    expect("[");
    Operand at = operand();
    expect("]");
    return at;
  }
  Operands shape() {
    Operands sizes;
    while (isNext("[")) sizes.push_back(index());
    return sizes;
  }
  std::string text() {
    if (peek().kind != TokenKind::kText) fail("expected a name in quotes");
    return std::string(take().text);
  }
  Space space() {
    static const std::map<std::string_view, Space> kSpaces = {{"host", Space::kHost},
                                                              {"device", Space::kDevice},
                                                              {"shared", Space::kShared},
                                                              {"private", Space::kPrivate}};
    auto found = kSpaces.find(peek().text);
    if (found == kSpaces.end()) {
      fail("expected `host`, `device`, `shared` or `private`");
      return Space::kHost;
    }
    take();
    return found->second;
  }
  BufferId bufferBinder() {
    BufferId id = buffer();
    expect(":");
    Space where = space();
    ScalarType type = scalarType();
    if (error_) return id;
    program_.buffers[id].space = where;
    program_.buffers[id].type = type;
    return id;
  }

  // ---- functions, statements

  Function function();
  void parameters(Function& f);
  void results(Function& f);
  void bufferDeclaration();
  Block block();
  StmNode stm();
  StmNode assignment();
  StmNode vector();
  StmNode loop();
  StmNode failure();
  StmNode call();
  StmNode atomic();
  Expr expr();
  Expr operation();

  int nesting_ = 0;
  Program program_;
};

template <typename Number>
bool readNumber(std::string_view text, Number& value) {
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

// `3i64`, `1.5e-7f32`, `f32.nan`, `true`; nothing if a constant does not start here.
std::optional<Scalar> Parser::constant() {
  const Token& token = peek();
  if (isNext("true") || isNext("false")) return Scalar::ofBool(take().text == "true");
  if (token.kind == TokenKind::kName) {
    size_t dot = token.text.find('.');
    auto type = prim::scalarTypeFromName(token.text.substr(0, dot));
    if (dot == std::string_view::npos || !type || !prim::isFloat(*type)) return std::nullopt;
    std::string_view what = token.text.substr(dot + 1);
    double infinity = std::numeric_limits<double>::infinity();
    if (what != "nan" && what != "inf" && what != "ninf") return std::nullopt;
    take();
    return Scalar::ofFloat(*type, what == "nan"   ? infinity - infinity
                                  : what == "inf" ? infinity
                                                  : -infinity);
  }
  if (token.kind != TokenKind::kNumber) return std::nullopt;
  size_t split = token.text.find_last_of("iuf");
  auto type = split == std::string_view::npos ? std::nullopt
                                              : prim::scalarTypeFromName(token.text.substr(split));
  if (!type) {
    fail("expected a constant with its type");
    return std::nullopt;
  }
  std::string_view digits = token.text.substr(0, split);
  double real = 0;
  int64_t integer = 0;
  uint64_t natural = 0;
  Scalar scalar = prim::zero(*type);
  bool good = false;
  if (*type == ScalarType::kF32) {
    float single = 0;
    good = readNumber(digits, single);
    scalar = Scalar::ofF32(single);
  } else if (prim::isFloat(*type)) {
    good = readNumber(digits, real);
    scalar = Scalar::ofFloat(*type, real);
  } else if (prim::isSigned(*type)) {
    good = readNumber(digits, integer);
    scalar = Scalar::ofSigned(*type, integer);
  } else {
    good = readNumber(digits, natural);
    scalar = Scalar::ofUnsigned(*type, natural);
  }
  if (!good) fail("expected a constant");
  take();
  return scalar;
}

void Parser::parameters(Function& f) {
  list([&] {
    bool is_array = nextIsBuffer();
    Function::EntryParam param{is_array, 0, 0, {}};
    if (is_array) {
      f.buffers.push_back(bufferBinder());
      param.index = static_cast<int>(f.buffers.size()) - 1;
      param.shape = shape();
      param.rank = static_cast<int>(param.shape.size());
    } else {
      f.scalars.push_back(binder());
      param.index = static_cast<int>(f.scalars.size()) - 1;
    }
    if (f.is_entry) f.entry_params.push_back(std::move(param));
  });
}

void Parser::results(Function& f) {
  expect("->");
  list([&] {
    if (!nextIsBuffer()) {
      Operand scalar = operand();
      if (f.is_entry) {
        f.results.push_back(scalar);
      } else {
        f.result_vars.push_back(scalar.var);
      }
      return;
    }
    BufferId id = buffer();
    if (!f.is_entry) return f.result_buffers.push_back(id);
    expect("@");
    Operand offset = operand();
    Operands sizes = shape();
    f.results.push_back(ArrayResult{id, offset, std::move(sizes), ScalarType::kI64});
  });
}

// buffer xs$1: private f32[64i64] noalias
void Parser::bufferDeclaration() {
  expect("buffer");
  BufferId id = bufferBinder();
  Operand elements = isNext("[") ? index() : Operand::ofI64(0);
  bool noalias = accept("noalias");
  std::vector<Scalar> contents;
  if (accept("=")) {
    list([&] {
      auto scalar = constant();
      if (!scalar) fail("expected a constant");
      contents.push_back(scalar.value_or(Scalar()));
    });
  }
  if (error_) return;
  program_.buffers[id].contents = std::move(contents);
  program_.buffers[id].constant_elements = elements.constant.asSigned();
  program_.buffers[id].noalias = noalias;
}

Function Parser::function() {
  Function f;
  bool is_kernel = isNext("kernel");
  f.kind = is_kernel ? FunctionKind::kKernel : FunctionKind::kHost;
  f.is_entry = isNext("entry");
  if (!accept("entry") && !accept("fn") && !accept("kernel")) {
    fail("expected `entry`, `fn` or `kernel`");
  }
  f.name = text();
  parameters(f);
  if (accept("sizes")) f.size_params = smallNumber();
  if (accept("workgroup")) {
    for (int& extent : f.workgroup) extent = smallNumber();
    f.beside = accept("beside");
  }
  results(f);
  if (accept("size_results")) f.size_results = smallNumber();
  expect("{");
  while (isNext("buffer")) bufferDeclaration();
  while (!error_ && !isNext("}")) f.body.push_back({stm()});
  expect("}");
  if (error_) return f;
  for (EntryResult& result : f.results) {
    if (auto* array = std::get_if<ArrayResult>(&result)) {
      array->type = program_.buffers[array->buffer].type;
    }
  }
  bool sizes_exist = f.size_params <= static_cast<int>(f.entry_params.size()) &&
                     f.size_results <= static_cast<int>(f.results.size());
  if (!sizes_exist) fail("a function has fewer parameters or results than sizes");
  return f;
}

Block Parser::block() {
  Block block;
  if (++nesting_ > kMaxNesting) fail("blocks are nested too deeply");
  expect("{");
  while (!error_ && !isNext("}")) block.push_back({stm()});
  expect("}");
  nesting_--;
  return block;
}

StmNode Parser::stm() {
  if (isNext("for")) return loop();
  if (isNext("fail")) return failure();
  if (isNext("call")) return call();
  if (accept("var")) {
    VarId id = binder();
    if (!error_) program_.vars[id].is_mutable = true;
    assign();
    return Declare{id, operand()};
  }
  if (accept("while")) {
    Block before = block();
    Operand condition = operand();
    return While{std::move(before), condition, block()};
  }
  if (accept("if")) {
    Operand condition = operand();
    Block then_block = block();
    return If{condition, std::move(then_block), accept("else") ? block() : Block{}};
  }
  if (accept("alloc")) {
    BufferId id = buffer();
    return Alloc{id, index()};
  }
  if (accept("free")) return Free{buffer()};
  if (accept("barrier")) return Barrier{};
  if (accept("atomic")) return atomic();
  if (accept("rebind")) {
    BufferId dst = buffer();
    expect("=");
    return Rebind{dst, buffer()};
  }
  if (accept("stop_word")) return StopWord{buffer()};
  if (accept("turn")) {
    const bool begins = accept("begin");
    if (!begins) expect("end");
    return Turn{begins};
  }
  if (accept("append")) {
    Append append;
    append.buffers = bufferList();
    append.next = operand().var;
    append.condition = operand();
    append.values = operands();
    return append;
  }
  if (accept("swap")) {
    BufferId a = buffer();
    return Swap{a, buffer()};
  }
  if (accept("copy")) {
    CopyBuffer copy;
    copy.dst = buffer(), copy.dst_offset = index();
    assign();
    copy.src = buffer(), copy.src_offset = index();
    copy.count = operand();
    return copy;
  }
  if (accept("read")) {
    VarId id = binder();
    expect("=");
    BufferId from = buffer();
    return ReadScalar{id, from, index()};
  }
  if (accept("launch")) {
    Launch launch;
    launch.kernel = text();
    launch.groups = operands();
    launch.buffers = bufferList();
    launch.scalars = operands();
    return launch;
  }
  if (accept("vector")) return vector();
  return assignment();
}

// vector (x_1: t, y_2: t) = xs$1[i]   vector xs$1[i] := (x, y)
StmNode Parser::vector() {
  if (nextIsBuffer()) {
    BufferId id = buffer();
    Operand at = index();
    assign();
    return StoreVector{id, at, operands()};
  }
  LoadVector load;
  list([&] { load.vars.push_back(binder()); });
  expect("=");
  load.buffer = buffer();
  load.index = index();
  return load;
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
  expect("for");
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
  }
  loop.contract = accept("contract");
  loop.body = block();
  return loop;
}

// fail 3 H7001 (i_1, n_2) @4:7     what follows @ is for people
StmNode Parser::failure() {
  expect("fail");
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
  expect("call");
  Call call;
  call.function = text();
  call.buffers = bufferList();
  call.scalars = operands();
  expect("->");
  list([&] { call.results.push_back(binder()); });
  call.result_buffers = bufferList();
  return call;
}

StmNode Parser::atomic() {
  static const std::map<std::string_view, AtomicOp> kOps = {
      {"add", AtomicOp::kAdd},   {"min", AtomicOp::kMin},    {"max", AtomicOp::kMax},
      {"and", AtomicOp::kAnd},   {"or", AtomicOp::kOr},      {"xor", AtomicOp::kXor},
      {"load", AtomicOp::kLoad}, {"store", AtomicOp::kStore}};
  Atomic atomic{};
  auto found = kOps.find(peek().text);
  if (found == kOps.end()) {
    fail("expected an atomic operation");
    return Barrier{};
  }
  atomic.op = found->second;
  take();
  atomic.buffer = buffer();
  atomic.index = index();
  atomic.value = operand();
  if (accept("->")) atomic.old = binder();
  return atomic;
}

Expr Parser::expr() {
  static const std::map<std::string_view, BuiltIn> kBuiltIns = {
      {"global_id", BuiltIn::kGlobalId},   {"local_id", BuiltIn::kLocalId},
      {"group_id", BuiltIn::kGroupId},     {"group_count", BuiltIn::kGroupCount},
      {"group_size", BuiltIn::kGroupSize}, {"lane", BuiltIn::kLane},
      {"subgroup", BuiltIn::kSubgroup},    {"threads", BuiltIn::kThreads}};
  static const std::map<std::string_view, ShuffleKind> kShuffles = {
      {"shuffle_up", ShuffleKind::kUp},
      {"shuffle_down", ShuffleKind::kDown},
      {"shuffle_xor", ShuffleKind::kXor},
      {"shuffle_from", ShuffleKind::kFrom}};
  if (nextIsBuffer()) {
    BufferId id = buffer();
    return Load{id, index()};
  }
  if (accept("select")) {
    Operand condition = operand(), on_true = operand();
    return Select{condition, on_true, operand()};
  }
  if (auto found = kBuiltIns.find(peek().text); found != kBuiltIns.end()) {
    take();
    return BuiltInValue{found->second, smallNumber()};
  }
  if (auto found = kShuffles.find(peek().text); found != kShuffles.end()) {
    take();
    Operand value = operand();
    return Shuffle{found->second, value, operand()};
  }
  return operation();
}

// f32.add a b   i32.value_f32 x
Expr Parser::operation() {
  std::string_view head = peek().text;
  size_t dot = head.find('.');
  auto type = prim::scalarTypeFromName(head.substr(0, dot));
  std::string_view rest = dot == std::string_view::npos ? "" : head.substr(dot + 1);
  static const std::pair<std::string_view, prim::ConvertKind> kWords[] = {
      {"value_", prim::ConvertKind::kValue},
      {"bits_", prim::ConvertKind::kBits},
      {"machine_", prim::ConvertKind::kMachine}};
  for (auto [word, kind] : kWords) {
    if (!type || !rest.starts_with(word)) continue;
    auto from = prim::scalarTypeFromName(rest.substr(word.size()));
    if (!from) continue;
    take();
    return Convert{kind, *from, *type, operand()};
  }
  if (type && rest == "fma") {
    take();
    Operand a = operand();
    Operand b = operand();
    return Fma{*type, a, b, operand()};
  }
  auto op = prim::opFromName(rest);
  if (!type || !op) {
    fail("expected an operation");
    return Prim{prim::Op::kAdd, ScalarType::kI64, {}};
  }
  take();
  Operands args;
  for (int i = 0; i < prim::info(*op).arity; i++) args.push_back(operand());
  return Prim{*op, *type, std::move(args)};
}

}  // namespace

diag::Result<Program> parse(const source::Files& files, source::FileId file) {
  return Parser(files, file).program();
}

}  // namespace halo::imp

// Functions, declarations and small parts.

#include <charconv>
#include <map>

#include "lang/core/text/scalar_text.h"
#include "lang/imp/text.h"
#include "lang/imp/text/parser.h"

namespace halo::imp {
namespace {

constexpr size_t kMaxNumber = size_t{1} << 20;
constexpr int kMaxNesting = 256;

}  // namespace

void Parser::fail(const std::string& message) {
  if (error_) return;
  const Token& token = peek();
  error_ = diag::fail(diag::Code::malformed_imp, token.span,
                      fmt::format("{}, found `{}`", message, token.text))
               .value();
}

std::optional<size_t> Parser::number(std::string_view digits) const {
  size_t value = 0;
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool good = problem == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return good && value <= kMaxNumber ? std::optional(value) : std::nullopt;
}

BufferId Parser::buffer() {
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

VarId Parser::var() {
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

ScalarType Parser::scalarType() {
  auto type = prim::scalarTypeFromName(peek().text);
  if (!type) fail("expected a scalar type");
  take();
  return type.value_or(ScalarType::kI64);
}

Space Parser::space() {
  static const std::map<std::string_view, Space> kSpaces = {{"host", Space::kHost},
                                                            {"device", Space::kDevice},
                                                            {"shared", Space::kShared},
                                                            {"private", Space::kPrivate},
                                                            {"matrix", Space::kMatrix}};
  auto found = kSpaces.find(peek().text);
  if (found == kSpaces.end()) {
    fail("expected `host`, `device`, `shared`, `private` or `matrix`");
    return Space::kHost;
  }
  take();
  return found->second;
}

BufferId Parser::bufferBinder() {
  BufferId id = buffer();
  expect(":");
  Space where = space();
  ScalarType type = scalarType();
  if (error_) return id;
  program_.buffers[id].space = where;
  program_.buffers[id].type = type;
  return id;
}

// `3i64`, `1.5e-7f32`, `f32.nan`, `true`; nothing if a constant does not start here.
std::optional<Scalar> Parser::constant() {
  const Token token = peek();
  if (token.kind == TokenKind::kName) {
    auto word = core::readWord(token.text);
    if (word) take();
    return word;
  }
  if (token.kind != TokenKind::kNumber) return std::nullopt;
  const bool has_type = token.text.find_first_of("iuf") != std::string_view::npos;
  auto number = has_type ? core::readNumber(token.text) : std::nullopt;
  if (!number) fail(has_type ? "expected a constant" : "expected a constant with its type");
  take();
  return number;
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
      if (!f.is_entry) return f.result_vars.push_back(var());
      f.results.emplace_back(operand());
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
  const int matrix_rows = accept("rows") ? smallNumber() : 0;
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
  program_.buffers[id].matrix_rows = matrix_rows;
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
    f.concurrent = accept("concurrent");
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

diag::Result<Program> parse(const source::Files& files, source::FileId file) {
  return Parser(files, file).program();
}

}  // namespace halo::imp

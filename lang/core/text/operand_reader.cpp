// Words, names and operands.
#include "lang/core/text/operand_reader.h"

#include <algorithm>

#include "lang/core/text/scalar_text.h"

namespace halo::core {
namespace {

constexpr size_t kMaxValueNumber = size_t{1} << 20;  // 64 MiB of value infos

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

OperandReader::OperandReader(const source::Files& files, source::FileId file)
    : TokenReader(files, file) {
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

std::string OperandReader::printable(std::string_view text) {
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

ValueId OperandReader::bind(const Token& token, Type type) {
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

Operand OperandReader::operand() {
  if (auto scalar = constant()) return *scalar;
  return value();
}

std::optional<Scalar> OperandReader::constant() {
  const Token token = peek();
  if (token.kind == TokenKind::kName) {
    auto word = readWord(token.text);
    if (word) take();
    return word;
  }
  if (token.kind != TokenKind::kNumber) return std::nullopt;
  auto number = readNumber(take().text);
  if (!number) fail(token, fmt::format("`{}` is no value of its type", printable(token.text)));
  return number.value_or(prim::zero(ScalarType::kI64));
}

}  // namespace halo::core

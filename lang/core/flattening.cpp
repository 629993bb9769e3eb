// The words of flattening attributes and their meaning.
#include "lang/core/flattening.h"

#include <array>

namespace halo::core {
namespace {

struct Row {
  Flattening::Attribute attribute;
  std::string_view word;
};
constexpr std::array kRows = {
#define FLATTENING(enumerator, word) Row{Flattening::enumerator, #word},
#include "lang/core/flattening.def"
#undef FLATTENING
};

// `only_inner` of `flattening(only_inner)`; nothing for other attributes.
std::optional<std::string_view> argumentOf(std::string_view text) {
  for (const std::string_view name : {"flattening(", "incremental_flattening("}) {
    if (text.substr(0, name.size()) != name || text.back() != ')') continue;
    return text.substr(name.size(), text.size() - name.size() - 1);
  }
  return std::nullopt;
}

bool isBare(Flattening::Attribute attribute) {
  return attribute == Flattening::kSequential || attribute == Flattening::kSequentialOuter ||
         attribute == Flattening::kSequentialInner;
}

}  // namespace

std::optional<Flattening::Attribute> flatteningFromWord(std::string_view word) {
  for (const Row& row : kRows) {
    if (row.word == word) return row.attribute;
  }
  return std::nullopt;
}

std::string flatteningWords(Flattening flattening) {
  std::string words;
  for (const Row& row : kRows) {
    if (flattening.has(row.attribute)) words += std::string(row.word) + ' ';
  }
  return words;
}

Flattening flatteningOf(std::string_view attribute) {
  std::string text;
  for (const char c : attribute) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') text += c;
  }
  const std::optional<std::string_view> argument = argumentOf(text);
  const auto named = flatteningFromWord(argument ? *argument : text);
  Flattening found;
  if (named && isBare(*named) != argument.has_value()) found.add(*named);
  return found;
}

Flattening* flatteningIn(Expr& expr) {
  if (auto* screma = std::get_if<Screma>(&expr)) return &screma->flattening;
  if (auto* stencil = std::get_if<Stencil>(&expr)) return &stencil->flattening;
  if (auto* scatter = std::get_if<Scatter>(&expr)) return &scatter->flattening;
  if (auto* hist = std::get_if<Hist>(&expr)) return &hist->flattening;
  return nullptr;
}

}  // namespace halo::core

#include "lang/core/derivative_name.h"

#include <charconv>

namespace halo::core {

namespace {

// `2.` in front of the text, which loses it.
std::optional<size_t> takeNumber(std::string_view& text) {
  const size_t dot = text.find('.');
  size_t number = 0;
  if (dot == std::string_view::npos) return std::nullopt;
  const auto read = std::from_chars(text.data(), text.data() + dot, number);
  if (read.ec != std::errc() || read.ptr != text.data() + dot) return std::nullopt;
  text.remove_prefix(dot + 1);
  return number;
}

}  // namespace

std::string DerivativeName::text() const {
  return std::string(reverse ? "vjp." : "jvp.") + std::to_string(arguments) + "." +
         std::to_string(results) + "." + function;
}

std::optional<DerivativeName> derivativeName(const std::string& name) {
  std::string_view rest = name;
  DerivativeName found;
  found.reverse = rest.starts_with("vjp.");
  if (!found.reverse && !rest.starts_with("jvp.")) return std::nullopt;
  rest.remove_prefix(4);
  const auto arguments = takeNumber(rest);
  const auto results = arguments ? takeNumber(rest) : std::nullopt;
  if (!results || rest.empty()) return std::nullopt;
  found.arguments = *arguments;
  found.results = *results;
  found.function = rest;
  return found;
}

std::optional<DerivativeName> derivativeIn(const Program& program, const Stm& stm) {
  const auto* call = std::get_if<Call>(&stm.expr);
  if (call == nullptr) return std::nullopt;
  auto name = derivativeName(call->function);
  // Few calls have such a name, and it takes time to look for a function.
  return name && program.find(call->function) == nullptr ? name : std::nullopt;
}

}  // namespace halo::core

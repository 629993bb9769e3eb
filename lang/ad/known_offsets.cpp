// Rounds: what one function passes on is known once it is known in that function.
#include "lang/ad/known_offsets.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "lang/core/derivative_name.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/specialise.h"

namespace halo::ad {

namespace {

using core::ValueId;
using passes::KnownParam;
using Numbers = std::vector<prim::Scalar>;

// A position in a function's parameters behind the sizes, and what is passed there.
using Position = std::pair<std::string, size_t>;
using Passed = std::map<Position, std::optional<Numbers>>;

std::unordered_map<ValueId, Numbers> literalsOf(const core::Program& program) {
  std::unordered_map<ValueId, Numbers> literals;
  for (const core::Function& function : program.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      const auto* literal = std::get_if<core::ArrayLiteral>(&stm.expr);
      if (literal == nullptr || literal->elements.empty()) return;
      if (literal->type != prim::ScalarType::kI64) return;
      Numbers numbers;
      for (const core::Operand& one : literal->elements) {
        if (!one.isConstant()) return;
        numbers.push_back(one.constant);
      }
      literals[stm.results[0]] = std::move(numbers);
    });
  }
  return literals;
}

// Nothing where calls differ.
Passed passedTo(const core::Program& program) {
  const auto literals = literalsOf(program);
  Passed passed;
  const auto pass = [&](const core::Function& callee, const core::Operands& args) {
    const auto sizes = static_cast<size_t>(callee.size_params);
    for (size_t k = sizes; k < callee.params.size(); ++k) {
      const auto known = args[k].isConstant() ? literals.end() : literals.find(args[k].value);
      const std::optional<Numbers> numbers =
          known == literals.end() ? std::nullopt : std::optional(known->second);
      const auto [place, is_new] = passed.try_emplace({callee.name, k - sizes}, numbers);
      if (!is_new && place->second != numbers) place->second = std::nullopt;
    }
  };
  for (const core::Function& function : program.functions) {
    core::visitStms(function.body, [&](const core::Stm& stm) {
      const auto* call = std::get_if<core::Call>(&stm.expr);
      if (call == nullptr) return;
      const auto derivative = core::derivativeIn(program, stm);
      const core::Function* callee =
          program.find(derivative ? derivative->function : call->function);
      if (callee != nullptr) pass(*callee, call->args);
    });
  }
  return passed;
}

// Entries have other callers; rules are called by derivatives of the functions that they are for.
bool isOnlyCalled(const core::Program& program, const core::Function& function) {
  return !function.is_entry &&
         std::none_of(program.functions.begin(), program.functions.end(), [&](const auto& one) {
           return function.name == core::partialsOf(one.name) ||
                  function.name == core::adjointOf(one.name);
         });
}

}  // namespace

core::Program knownOffsets(core::Program program) {
  std::set<Position> done;
  for (bool is_changed = passes::hasDynamicWindows(program); is_changed;) {
    is_changed = false;
    for (auto& [place, numbers] : passedTo(program)) {
      if (!numbers || !isOnlyCalled(program, *program.find(place.first))) continue;
      if (!done.insert(place).second) continue;
      program = passes::specialise(program, place.first,
                                   {KnownParam{place.second, true, std::move(*numbers)}});
      is_changed = true;
    }
  }
  return program;
}

}  // namespace halo::ad

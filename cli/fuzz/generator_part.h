// Internal to the generator: the program so far, and the base of the classes that make expressions.
// `budget` is how deep an expression may nest.
#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "cli/fuzz/program.h"
#include "cli/session/values/random_values.h"

namespace halo::fuzz {

struct GeneratorState {
  struct Variable {
    std::string name;
    Type type;
  };
  struct Helper {
    std::string name;
    std::vector<Type> parameters;  // over the size `n`
    Type result;
  };

  session::RandomBits random;
  Style style;
  std::vector<Variable> variables = {};
  std::vector<std::string> sizes = {};
  std::vector<Helper> helpers = {};
  bool fails = false;  // much in this program may fail
  int names = 0;
};

class GeneratorPart {
 protected:
  using Variable = GeneratorState::Variable;
  using Helper = GeneratorState::Helper;
  // The names in scope; restored when a scope ends.
  struct Scope {
    size_t variables, sizes;
  };

  // Programs that are differentiated (Style::kDerivatives) have float parameters.
  explicit GeneratorPart(GeneratorState& state)
      : state_(state),
        style_(state.style),
        variables_(state.variables),
        sizes_(state.sizes),
        helpers_(state.helpers) {}

  uint64_t below(uint64_t count) { return state_.random.bits() % count; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename List>
  const auto& pick(const List& list) {
    return *(std::begin(list) + below(std::size(list)));
  }
  std::string fresh(const char* stem);
  Scope mark() const { return {variables_.size(), sizes_.size()}; }
  void leave(const Scope& scope);
  std::string bind(const Type& type, const char* stem = "v");
  std::string anySize() { return pick(sizes_); }

  // ---- generate_leaves.cpp
  Type integerType();
  Type scalarType();
  Type parameterType();
  Type elementType();  // of arrays: a scalar most of the time
  Type valueType();
  Node leaf(const Type& type);
  Node literal(const Type& type);
  Node product(const Type& type, int budget);  // tuples, records, sums by parts
  std::vector<Node> variablesOf(const Type& type) const;

  Node expr(const Type& type, int budget);
  // `\v -> body`; the variables have these types.
  Node lambda(const std::vector<Type>& parameters, const Type& result, int budget);
  std::string combiner(const Type& type);  // an operator and its neutral element
  std::pair<std::string, std::string> operatorOf(const Type& type);  // two texts

  GeneratorState& state_;
  const Style& style_;
  std::vector<Variable>& variables_;
  std::vector<std::string>& sizes_;
  std::vector<Helper>& helpers_;

 private:
  Node extreme(const Type& type);
};

}  // namespace halo::fuzz

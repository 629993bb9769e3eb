// Random programs, directed by types: a requested value is made of names in scope. Nearly all
// of them check; a few per cent do not (sizes that only look equal), which is cheaper than to know.
//
// Operators on floats are exact in any order: maxima, sums of small whole numbers. So engines agree
// bit for bit in the default mode, too. Scatters never write a place twice.
#pragma once

#include <optional>

#include "cli/fuzz/program.h"
#include "cli/session/values/random_values.h"

namespace halo::fuzz {

// The same program for the same seed, on every machine.
Program generate(uint64_t seed, Style style = Style::kPlain);

class Generator {
 public:
  // Programs that are differentiated have float parameters.
  Generator(uint64_t seed, Style style) : random_(seed), style_(style) {}
  Program program();

 private:
  struct Variable {
    std::string name;
    Type type;
  };
  struct Helper {
    std::string name;
    std::vector<Type> parameters;  // over the size `n`
    Type result;
  };
  // How deep the expressions of one result nest.
  static constexpr int kBudget = 6;
  // The names in scope; restored when a scope ends.
  struct Scope {
    size_t variables, sizes;
  };

  // generator.cpp: the frame, types, literals and expressions of any type
  uint64_t below(uint64_t count) { return random_.bits() % count; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename List>
  const auto& pick(const List& list) {
    return *(std::begin(list) + below(std::size(list)));
  }
  std::string fresh(const char* stem);
  Scope mark() const { return {variables_.size(), sizes_.size()}; }
  void leave(const Scope& scope);
  std::string bind(const Type& type, const char* stem = "v");

  Type integerType();
  Type scalarType();
  Type parameterType();
  Type elementType();  // of arrays: a scalar most of the time
  Type valueType();
  std::string anySize() { return pick(sizes_); }
  Input input(const std::vector<Parameter>& parameters, int power);
  std::string inputElement(const Type& type);
  Definition helper();

  Node expr(const Type& type, int budget);
  Node leaf(const Type& type);
  Node literal(const Type& type);
  Node extreme(const Type& type);
  std::vector<Node> variablesOf(const Type& type) const;
  Node anyKind(const Type& type, int budget);  // if, let, match, loop, calls
  Node let(const Type& type, int budget);
  Node letFiltered(const Type& type, int budget);
  Node letOneOf(const Type& type, int budget);
  Node recordLoop(const Type& type, int budget);
  Node loop(const Type& type, int budget);
  Node whileLoop(const Type& type, int budget);
  Node shrinkingLoop(const Type& type, int budget);
  Node match(const Type& type, int budget);
  Node project(const Type& type, int budget);
  Node element(const Type& type, int budget);
  std::optional<Node> call(const Type& type, int budget);
  Node applied(const Type& type, int budget);
  // `\v -> body`; the variables have these types.
  Node lambda(const std::vector<Type>& parameters, const Type& result, int budget);
  Node product(const Type& type, int budget);  // tuples, records, sums by parts

  // generate_functions.cpp: local definitions, closures, functions polymorphic in sizes
  Node withFunction(const Type& type, int budget);
  Node localFunction(const Type& type, int budget);
  Node sizedFunction(const Type& type, int budget);
  Node curried(const Type& type, int budget);
  Node owning(const Type& type, int budget);
  Node held(const Type& type, int budget);

  // generate_failures.cpp
  Node failure(int budget);
  Node huge(int budget);
  Node farRange(int budget);
  Node endless(int budget);
  Node unseenSizes(int budget);
  Node failing(const Type& type, int budget);

  // generate_scalars.cpp
  Node scalarExpr(const Type& type, int budget);
  Node arithmetic(const Type& type, int budget);
  Node floating(const Type& type, int budget);
  Node smooth(const Type& type, int budget);
  Node boolean(int budget);
  Node conversion(const Type& type, int budget);
  Node reduction(const Type& type, int budget);
  std::string combiner(const Type& type);  // an operator and its neutral element

  // generate_arrays.cpp
  Node arrayExpr(const Type& type, int budget);
  Node mapped(const Type& type, int budget);
  Node scanned(const Type& type, int budget);
  Node scannedWide(const Type& type, int budget);
  Node splitMap(const Type& type, int budget);
  Node updated(const Type& type, int budget);
  Node scattered(const Type& type, int budget);
  Node histogram(const Type& type, int budget);
  Node rearranged(const Type& type, int budget);
  Node pieces(const Type& type, int budget);
  Node rowwise(const Type& type, int budget);
  Node grown(const Type& type, int budget);

  // generate_cells.cpp
  std::string cellSize();
  Node withCells(const Type& type, int budget);
  Node overwrittenCell(const Type& type, int budget);
  Node loopedCell(const Type& type, int budget);
  Node countedCell(const Type& type, int budget);
  Node wanderingCell(const Type& type, int budget);
  Node flagged(const Type& type, int budget);

  // generate_idioms.cpp
  Node idiom(const Type& type, int budget);
  Node sharedStarts(const Type& type, int budget);
  Node neighbours(const Type& type, int budget);
  Node grid(const Type& type, int budget);
  Node sortedCell(const Type& type, int budget);
  Node tabledCell(const Type& type, int budget);
  Node irregular(const Type& type, int budget);
  Node rowSums(const Type& type, int budget);
  Node rows(const Type& type, int budget);
  Node byDigits(const Type& type, int budget);
  Node searched(const Type& type, int budget);
  Node halvingLoop(const Type& type, int budget);

  // generate_nests.cpp
  Node nest(const Type& type, int budget);
  Node sortedRows(const Type& type, int budget);
  Node rotated(const Type& type, int budget);
  Node filteringLoop(const Type& type, int budget);
  Node tupleHistogram(const Type& type, int budget);
  Node matchedElements(const Type& type, int budget);

  // generate_slices.cpp
  Node sliced(const Type& type, int budget);
  Node updatedPart(const Type& type, int budget);

  // generate_library.cpp
  Node fromLibrary(const Type& type, int budget);
  Node byName(const Type& type, int budget);
  Node sorted(const Type& type, int budget);
  Node placeOfLargest(int budget);

  // generate_patterns.cpp
  Node withPattern(const Type& type, int budget);
  Node takenApart(const Type& type, int budget);
  Node matchedNumber(const Type& type, int budget);
  Node matchedPair(const Type& type, int budget);
  Node matchedPayload(const Type& type, int budget);
  Node otherField(const Type& type, int budget);

  // generate_stencils.cpp
  Node stencil(const Type& type, int budget);
  Node steps(const Type& type, int budget);
  Node slid(const Type& type, int budget);
  std::string boundary(const Type& element);
  std::string boundaries(const Type& element, size_t rank);
  std::string offsets(size_t rank, size_t count, bool is_known);
  // A cell's result from its neighbourhood `v`; `others`: more variables of the lambda.
  Node cell(const Type& from, size_t count, const Type& result, int budget);

  session::RandomBits random_;
  Style style_;
  std::vector<Variable> variables_;
  std::vector<std::string> sizes_;
  std::vector<Helper> helpers_;
  bool fails_ = false;  // much in this program may fail
  int names_ = 0;
};

}  // namespace halo::fuzz

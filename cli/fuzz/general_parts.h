// Internal to the generator: expressions of any type. Public are those that other parts make.
#pragma once

#include <optional>

#include "cli/fuzz/generator_part.h"

namespace halo::fuzz {

// generator.cpp: if, match, fields, elements, calls
class GeneralGenerator : GeneratorPart {
 public:
  explicit GeneralGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node anyKind(const Type& type, int budget);  // if, let, match, loop, calls
  Node element(const Type& type, int budget);

 private:
  Node match(const Type& type, int budget);
  Node project(const Type& type, int budget);
  std::optional<Node> call(const Type& type, int budget);
  Node applied(const Type& type, int budget);
};

// generate_loops.cpp: names and loops
class LoopGenerator : GeneratorPart {
 public:
  explicit LoopGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node let(const Type& type, int budget);
  Node letFiltered(const Type& type, int budget);
  Node letOneOf(const Type& type, int budget);
  Node recordLoop(const Type& type, int budget);
  Node loop(const Type& type, int budget);
  Node whileLoop(const Type& type, int budget);
  Node shrinkingLoop(const Type& type, int budget);
};

// generate_functions.cpp: local definitions, closures, functions polymorphic in sizes
class FunctionGenerator : GeneratorPart {
 public:
  explicit FunctionGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node withFunction(const Type& type, int budget);

 private:
  Node localFunction(const Type& type, int budget);
  Node sizedFunction(const Type& type, int budget);
  Node curried(const Type& type, int budget);
  Node owning(const Type& type, int budget);
  Node held(const Type& type, int budget);
};

// generate_patterns.cpp
class PatternGenerator : GeneratorPart {
 public:
  explicit PatternGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node withPattern(const Type& type, int budget);

 private:
  Node takenApart(const Type& type, int budget);
  Node matchedNumber(const Type& type, int budget);
  Node matchedPair(const Type& type, int budget);
  Node matchedPayload(const Type& type, int budget);
  Node otherField(const Type& type, int budget);
};

// generate_failures.cpp: what fails when it runs
class FailureGenerator : GeneratorPart {
 public:
  explicit FailureGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node failing(const Type& type, int budget);

 private:
  Node failure(int budget);
  Node huge(int budget);
  Node farRange(int budget);
  Node endless(int budget);
  Node unseenSizes(int budget);
};

// generate_library.cpp: sorts, spreads, tables
class LibraryGenerator : GeneratorPart {
 public:
  explicit LibraryGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node fromLibrary(const Type& type, int budget);
  Node byName(const Type& type, int budget);
  Node placeOfLargest(int budget);

 private:
  Node sorted(const Type& type, int budget);
};

}  // namespace halo::fuzz

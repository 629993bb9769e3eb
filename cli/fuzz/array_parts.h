// Internal to the generator: scalars and arrays. Public are those that other parts make.
#pragma once

#include "cli/fuzz/generator_part.h"

namespace halo::fuzz {

// generate_scalars.cpp
class ScalarGenerator : GeneratorPart {
 public:
  explicit ScalarGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node scalarExpr(const Type& type, int budget);

 private:
  Node arithmetic(const Type& type, int budget);
  Node floating(const Type& type, int budget);
  Node smooth(const Type& type, int budget);
  Node boolean(int budget);
  Node conversion(const Type& type, int budget);
  Node reduction(const Type& type, int budget);
};

// generate_arrays.cpp
class ArrayGenerator : GeneratorPart {
 public:
  explicit ArrayGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node arrayExpr(const Type& type, int budget);
  Node mapped(const Type& type, int budget);
  Node rowwise(const Type& type, int budget);

 private:
  Node scanned(const Type& type, int budget);
  Node scannedWide(const Type& type, int budget);
  Node splitMap(const Type& type, int budget);
  Node updated(const Type& type, int budget);
  Node scattered(const Type& type, int budget);
  Node histogram(const Type& type, int budget);
  Node rearranged(const Type& type, int budget);
  Node pieces(const Type& type, int budget);
  Node grown(const Type& type, int budget);
};

// generate_cells.cpp: cells with arrays and loops of their own
class CellGenerator : GeneratorPart {
 public:
  explicit CellGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node withCells(const Type& type, int budget);
  std::string cellSize();

 private:
  Node overwrittenCell(const Type& type, int budget);
  Node loopedCell(const Type& type, int budget);
  Node countedCell(const Type& type, int budget);
  Node wanderingCell(const Type& type, int budget);
  Node sharedElement(const Type& type, int budget);
  Node flagged(const Type& type, int budget);
};

// generate_idioms.cpp: programs as people write them
class IdiomGenerator : GeneratorPart {
 public:
  explicit IdiomGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node idiom(const Type& type, int budget);
  Node halvingLoop(const Type& type, int budget);

 private:
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
};

// generate_written.cpp
class WrittenGenerator : GeneratorPart {
 public:
  explicit WrittenGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node written(const Type& type, int budget);

 private:
  Node expanded(const Type& type, int budget);
  Node bits(const Type& type, int budget);
  Node prefixed(const Type& type, int budget);
  Node byFlags(const Type& type, int budget);
  Node history(const Type& type, int budget);
  Node longRows(const Type& type, int budget);
  Node windows(const Type& type, int budget);
  Node places(const Type& type, int budget);
  Node records(const Type& type, int budget);
  Node abstracted(const Type& type, int budget);
  Node halves(const Type& type, int budget);
  Node copies(const Type& type, int budget);
};

// generate_nests.cpp
class NestGenerator : GeneratorPart {
 public:
  explicit NestGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node nest(const Type& type, int budget);

 private:
  Node sortedRows(const Type& type, int budget);
  Node rotated(const Type& type, int budget);
  Node filteringLoop(const Type& type, int budget);
  Node tupleHistogram(const Type& type, int budget);
  Node matchedElements(const Type& type, int budget);
};

// generate_slices.cpp
class SliceGenerator : GeneratorPart {
 public:
  explicit SliceGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node sliced(const Type& type, int budget);
  Node updatedPart(const Type& type, int budget);
};

// generate_stencils.cpp
class StencilGenerator : GeneratorPart {
 public:
  explicit StencilGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Node stencil(const Type& type, int budget);
  Node steps(const Type& type, int budget);
  Node slid(const Type& type, int budget);

 private:
  std::string boundary(const Type& element);
  std::string boundaries(const Type& element, size_t rank);
  std::string offsets(size_t rank, size_t count, bool is_known);
  // A cell's result from its neighbourhood `v`; `others`: more variables of the lambda.
  Node cell(const Type& from, size_t count, const Type& result, int budget);
};

}  // namespace halo::fuzz

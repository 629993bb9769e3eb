// Statements of a cell that run over all cells of a nest at once, as statements of the host.
#pragma once

#include <functional>

#include "gpu/plan/nests/levels.h"
#include "lang/core/builder.h"

namespace halo::gpu {

class FlattenedCells {
 public:
  // `cheap`: code of the cell that is computed again where it is needed.
  FlattenedCells(core::Program& program, const Levels& levels, std::vector<core::Stm> cheap,
                 const Expanded& expanded)
      : program_(program), levels_(levels), cheap_(std::move(cheap)), expanded_(expanded) {}

  // One scatter, or histogram, over cells times width; indices gain the cell's. `destinations`: of
  // all cells.
  std::vector<core::Stm> scatter(const core::Scatter& scatter,
                                 const std::vector<core::ValueId>& destinations,
                                 const std::vector<core::ValueId>& results, core::Span span);

  std::vector<core::Stm> hist(const core::Hist& hist,
                              const std::vector<core::ValueId>& destinations,
                              const std::vector<core::ValueId>& results, core::Span span);

  // Concat along the dimension behind the nest's; `parts`: of all cells. An element of the result
  // looks for its part, so that rows of cells are dense; else whole parts move, and lie transposed.
  std::vector<core::Stm> concat(const core::Concat& concat, const std::vector<core::ValueId>& parts,
                                core::ValueId result, core::Span span);

 private:
  // The results of the node's map from the cell's indices; the node itself.
  using Arrange = std::function<core::Operands(const core::Operands& cell)>;
  using MakeNode = std::function<core::Expr(const core::Operand& total, core::ValueId numbers,
                                            core::Lambda map)>;
  std::vector<core::Stm> flat(const core::Operand& width, const std::vector<core::ValueId>& inputs,
                              const core::Lambda& map, const Arrange& arrange, const MakeNode& make,
                              const std::vector<core::ValueId>& results, core::Span span);
  core::Operand elementOf(const std::vector<core::ValueId>& rows, size_t k, core::Operands indices,
                          core::Builder& code);
  core::ValueId joinCells(const std::vector<core::ValueId>& rows, core::Type type,
                          size_t levels_left, core::Operands indices, std::vector<core::Stm>& stms,
                          core::Span span);

  core::Program& program_;
  const Levels& levels_;
  std::vector<core::Stm> cheap_;
  const Expanded& expanded_;
};

// Statements that copy `array` element by element in nested maps, and their result.
core::ValueId elementwise(core::Program& program, core::ValueId array, const core::Operands& shape,
                          std::vector<core::Stm>& stms);

}  // namespace halo::gpu

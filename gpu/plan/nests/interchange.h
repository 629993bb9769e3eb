// A nest of loops or branches as a loop or branch of nests.
//
//   ys = screma [n] (xss) map (xs) { zs = loop (zs = xs) for i < k do { .. }; return zs }
// becomes
//   ys = loop (all = xss) for i < k do { next = screma [n] (all) map (zs) { .. }; return next }
#pragma once

#include "gpu/plan/loops/uniform_loop.h"
#include "gpu/plan/nests/levels.h"

namespace halo::gpu {

class Interchange {
 public:
  // `cheap`: code of the cell that the bodies may compute again; `expanded`: values of all cells.
  Interchange(core::Program& program, const Levels& levels, std::vector<core::Stm> cheap,
              const Expanded& expanded)
      : program_(program), levels_(levels), cheap_(std::move(cheap)), expanded_(expanded) {}

  // The carried values of all cells together, from `initials`: by position in `carried`, arrays of
  // all cells, which the loop owns where a cell's loop owns the cell's. Uniform scalars are the
  // host's, under their names; their code follows the nest.
  // Statements that the loop needs in front of it are appended to `host`.
  core::Loop loop(const core::Loop& loop, const UniformLoop& uniform,
                  const core::Operands& initials, core::Span span, std::vector<core::Stm>& host);

  // Each arm for all cells: the results of `stm` at the places `wanted`. The scrutinee is uniform.
  core::Match match(const core::Stm& stm, const core::Match& match,
                    const std::vector<size_t>& wanted);

 private:
  void onlyForCells(core::Loop& loop, std::vector<core::Stm>& host);

  core::Program& program_;
  const Levels& levels_;
  std::vector<core::Stm> cheap_;
  const Expanded& expanded_;
};

}  // namespace halo::gpu

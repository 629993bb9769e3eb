// What one element of a reduction in a nest costs, and which levels each part of that depends on.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "gpu/schedule/field_types.h"
#include "lang/core/ir.h"

namespace halo::gpu {

// A bit for each level of the nest, outermost first.
using Levels = uint32_t;

// A part that is the same for cells which agree in these levels.
struct LevelCost {
  Levels levels = 0;
  double cost = 0;  // for an element
};

struct LevelCosts {
  std::vector<LevelCost> loads;       // of scalars from memory, in operations
  std::vector<LevelCost> operations;  // on scalars, tests included
  std::vector<LevelCost> words;       // of arrays that an element makes
  bool divides = false;               // floats, or takes roots
  double statements = 0;              // of its code
  bool streams = false;               // an input's element belongs to one element of one segment

  // Operations of one element in a tile.
  double cost(const LevelTiles& tile) const;
  // Registers of 32 bits for loads and arrays of a tile.
  double registers(const LevelTiles& tile) const;
};

// Nothing: the element has code that cells cannot share.
std::optional<LevelCosts> levelCosts(const core::Program& program, const core::Function& kernel,
                                     const std::vector<const core::Screma*>& levels);

}  // namespace halo::gpu

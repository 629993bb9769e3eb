// The neighbours of a cell of a stream through space. Outside of the array there is the cell itself
// or a constant: clamp and mirror are the same at a reach of 1. A test at every use finds it.
#pragma once

#include "gpu/templates/stencil/stencil_space_planes.h"

namespace halo::gpu {

class SpaceNeighbours {
 public:
  SpaceNeighbours(Stream& stream, SpacePlanes& planes, const SpaceGrid& grid,
                  const SpaceStreamSchedule& schedule)
      : stream_(stream), planes_(planes), grid_(grid), shape_(schedule), code_(stream.code) {}

  // The plane whose cells have neighbours from now on.
  void enterPlane(const imp::Operand& plane);
  // Neighbours of a cell in the window `w` of the instance; constants of windows of one constant.
  struct Cell {
    const Instance& instance;
    const imp::Environment& environment;
    int64_t line, column;
  };
  imp::Operand at(const Cell& cell, size_t w, const std::vector<int64_t>& offset);

 private:
  struct Use {
    int version;
    int64_t age, own_age;  // of the plane; of the cell's own
    const std::vector<core::Boundary>& boundary;
    const Cell& cell;
  };

  imp::Operand select(const imp::Operand& condition, const imp::Operand& yes,
                      const imp::Operand& no, prim::ScalarType type);
  imp::Operand instead(const Use& use, size_t axis, const imp::Operand& own);
  imp::Operand alongColumns(const Use& use, int64_t planes_ago, int64_t line, int64_t by);
  imp::Operand alongLines(const Use& use, int64_t planes_ago, const std::vector<int64_t>& offset);
  imp::Operand alongPlanes(const Use& use, const std::vector<int64_t>& offset);
  imp::Operand constantAt(const core::Window& window, const Cell& cell,
                          const std::vector<int64_t>& offset);

  Stream& stream_;
  SpacePlanes& planes_;
  const SpaceGrid& grid_;
  const SpaceStreamSchedule& shape_;
  imp::Builder& code_;
  imp::Operand is_first_plane_, is_last_plane_;
};

}  // namespace halo::gpu

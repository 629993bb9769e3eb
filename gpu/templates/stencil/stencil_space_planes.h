// The planes that an invocation of a stream through space holds. Its own cells are in registers,
// the outer lines of each subgroup in shared memory; shuffles give the columns of neighbours.
#pragma once

#include <array>
#include <tuple>

#include "gpu/templates/stencil/stencil_space_grid.h"

namespace halo::gpu {

class SpacePlanes {
 public:
  SpacePlanes(Stream& stream, const SpaceStreamSchedule& schedule);
  // Once the grid is known.
  void declare(const SpaceGrid& grid);

  // Planes are made in phases, of which a trip of the loop has as many as the rings have slots.
  void beginPhase(int64_t phase);
  // Between the barriers of a phase: the lines around the own ones, of the planes made last.
  void readAround();
  // The cells of a plane (which may be outside) of an array, line by line.
  imp::Operands load(const imp::ArrayRef& source, const imp::Operand& plane);
  // The next planes of the arrays that the loop carries, and then: they are this phase's.
  void loadAhead(const imp::Operand& plane);
  void keepLoaded();
  // A new plane of a version: in registers, its outer lines in shared memory.
  void keep(int v, const imp::Operands& values);

  // A cell's number among those of a lane.
  size_t cell(int64_t line, int64_t column) const {
    return static_cast<size_t>(line * shape_.vector + column);
  }
  // Cell of a plane; lines -1 and `lines` are those of the neighbouring subgroups.
  imp::Operand cellAt(int v, int64_t planes_ago, int64_t line, int64_t column);
  // The lane's last column at the lane before (`by` < 0), or its first one at the lane behind.
  imp::Operand shuffled(int v, int64_t planes_ago, int64_t line, int64_t by);
  // All that lanes tell each other for an instance, outside of any branch of a cell.
  void shuffleAll(const Instance& instance);

 private:
  enum Side : int { kAbove = 0, kBelow = 1 };

  void findUses();
  std::vector<imp::VarId> variables(const char* name, prim::ScalarType type, int64_t count);
  size_t slot(int64_t phase, int64_t line, int64_t column) const;
  int64_t sharedLines() const { return shape_.lines > 1 ? 2 : 1; }
  imp::Operand sharedAt(const imp::Operand& subgroup, int64_t line, int64_t column);
  void readAround(size_t v);

  Stream& stream_;
  const SpaceStreamSchedule& shape_;
  const SpaceGrid* grid_ = nullptr;
  imp::Builder& code_;
  int64_t phase_ = 0;
  std::vector<int64_t> oldest_, oldest_around_;  // by version: how many planes are kept
  std::vector<std::vector<imp::VarId>> rings_, ahead_;
  std::vector<std::array<std::vector<imp::VarId>, 2>> around_;
  std::vector<imp::BufferId> shared_;
  std::map<std::tuple<int, int64_t, int64_t, int64_t>, imp::Operand> known_;  // in this phase
};

}  // namespace halo::gpu

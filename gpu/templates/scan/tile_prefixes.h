// The scan of a tile's elements (scan_tile.cpp): of a lane's vector, of the lanes of a subgroup, of
// the subgroups of a workgroup.
#pragma once

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/scan/tile_places.h"

namespace halo::gpu {

class TilePrefixes {
 public:
  TilePrefixes(KernelScope& scope, Operators& ops, TilePlaces& places, const ScanSchedule& schedule)
      : scope_(scope), code_(scope.code()), ops_(ops), places_(places), schedule_(schedule) {}

  // Values of all vectors become prefixes of the subgroup's elements.
  void scan(std::vector<ScanVector>& vectors);
  const imp::Operands& before() const { return before_; }  // the sum of the subgroups before
  // Neutral elements of several values may be none beside infinities: 0 * inf in a product of dual
  // numbers. So nothing is combined with them where a line begins.
  bool keepsFirst() const { return ops_.types().size() > 1 && !places_.hasSegments(); }
  const imp::Operands& total() const { return total_; }  // of the tile

  // x := op(left, x) where the element reaches more than `distance` elements before the vector.
  void takeFour(const ScanVector& vector, const imp::Operand& distance, imp::Operands left,
                std::vector<imp::Operands>& x);

 private:
  imp::Operands scanSubgroup(std::vector<ScanVector>& vectors);
  imp::Operands below(const imp::Operands& values, int64_t distance);
  imp::Operands scanLanes(const ScanVector& vector, imp::Operands value);
  void scanGroup(const ScanVector& last, const imp::Operands& run);
  void scanParts(const std::vector<imp::BufferId>& parts);
  std::optional<imp::Operand> reaches(const ScanVector& vector, size_t c,
                                      const imp::Operand& distance);
  std::optional<imp::Operand> reachesNext(const ScanVector& vector, size_t c);
  imp::Operand reachesRun(const ScanVector& vector, const imp::Operand& in_run);
  imp::Operands joinIf(const std::optional<imp::Operand>& condition, const imp::Operands& left,
                       const imp::Operands& right);
  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b);

  KernelScope& scope_;
  imp::Builder& code_;
  Operators& ops_;
  TilePlaces& places_;
  const ScanSchedule& schedule_;
  imp::Operands before_, total_;
};

}  // namespace halo::gpu

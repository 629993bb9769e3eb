// The use of a tile's scanned elements (scan_tile.cpp): stored, scattered, or mapped and stored.
#pragma once

#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/scan/scan_scatter.h"
#include "gpu/templates/scan/tile_places.h"

namespace halo::gpu {

class TileResults {
 public:
  // `scatter`: the scatter or map behind the scan, if there is one. `flat`: the scan's inputs.
  TileResults(KernelScope& scope, const KernelCall& call, TilePlaces& places,
              const FlatInputs& flat, const ScanSchedule& schedule, ScanScatter* scatter);

  // `next`: the vector to be stored afterwards, or none.
  void store(const ScanVector& vector, const std::vector<imp::Operands>& scanned,
             const ScanVector* next);

 private:
  void storeValues(const ScanVector& vector, const std::vector<imp::Operands>& out);
  void storeElementOf(const ScanVector& vector, size_t c, const imp::Operand& at,
                      const imp::Operands& values);
  void scatter(const ScanVector& vector, size_t c, const imp::Operands& scanned);
  void storeLast(const imp::Operand& i, const imp::Operands& scanned);
  void storeMapped(const ScanVector& vector, const std::vector<imp::Operands>& scanned,
                   const ScanVector* next);
  bool mapsAnywhere() const;
  std::vector<imp::Operands> readFor(const ScanVector& vector);
  std::optional<imp::Operand> loaded(const ScanVector& vector, size_t input, size_t c) const;
  // Of the scan, or of the map behind it.
  const KernelCall& whole() const { return scatter_ != nullptr ? scatter_->call() : call_; }
  bool isWanted(size_t result) const { return !whole().unwanted.contains(result); }

  KernelScope& scope_;
  imp::Builder& code_;
  const KernelCall& call_;
  TilePlaces& places_;
  const FlatInputs& flat_;
  ScanScatter* scatter_;
  std::optional<FlatInputs> read_;    // of the map behind the scan
  std::vector<imp::Operands> ahead_;  // of it, for the next vector
  bool maps_anywhere_ = false;
};

}  // namespace halo::gpu

// One screma: the memory of its results, and which loops compute them.
#pragma once

#include "lang/imp/lower/accumulators.h"
#include "lang/imp/schedule/lower_tiles.h"

namespace halo::imp {

class ScremaLowering {
 public:
  ScremaLowering(Lowering& lowering, const core::Stm& stm, const core::Screma& node);
  void run();  // sets the results

 private:
  // lower_soac.cpp
  void placeOutputs();
  void lowerNode();
  void lowerProduct(const Product& product);
  void lowerSequential();
  void storeScanned(const Accumulators& scan, const std::vector<ArrayRef>& to, Operand i);

  // lower_in_place.cpp
  bool overwritesInput();
  void planOverwriting(size_t result);
  std::pair<Operand, Operand> changingRange();

  Lowering& low_;
  Builder& b_;
  const core::Program& core_;
  const LoweringTarget& target_;
  const core::Stm& stm_;
  const core::Screma& node_;
  const size_t first_output_;      // results before are of reductions and scans
  std::vector<ArrayRef> outputs_;  // of the map
};

}  // namespace halo::imp

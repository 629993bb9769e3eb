// One branch: its arms, and the memory that their results share. See lower_match.cpp.
#pragma once

#include "lang/imp/lower/lowering.h"

namespace halo::imp {

class MatchLowering {
 public:
  MatchLowering(Lowering& lowering, const core::Stm& stm, const core::Match& node);
  void run();  // sets the results

 private:
  void placeResults();
  bool isInPlace(size_t k) const;
  bool makeShortRow(size_t k) const;
  void lowerArms();
  void joinResults();
  void appendBranches();

  ArrayRef join(size_t k);
  ArrayRef joinByRebinding(size_t k);
  ArrayRef joinMixed(size_t k);
  bool isBorrowed(const Results& arm, size_t k) const;
  bool isMixed(const Results& arm, size_t k) const;
  BufferId keepOrBorrow(Results& arm, size_t k, BufferId kept);

  // Statements at the end of each arm.
  void behindArms(const std::function<void(Results&)>& append);
  const core::Type& typeOf(size_t k) const;
  const std::string& nameOf(size_t k) const;

  Lowering& low_;
  Builder& b_;
  const core::Program& core_;
  const LoweringTarget& target_;
  const core::Stm& stm_;
  const core::Match& node_;
  // By result of the statement.
  std::vector<VarId> vars_;    // scalars
  Destinations destinations_;  // that all arms write to
  Destinations rooms_;         // memory for arrays whose size the arms tell
  // By arm, the last one being `otherwise`.
  Operands conditions_;
  std::vector<Block> arms_;
  std::vector<Results> results_;
};

}  // namespace halo::imp

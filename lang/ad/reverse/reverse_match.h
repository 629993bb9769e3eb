// The return of a match, while it is written: a match on the same scrutinee. Each arm runs again
// and returns the cotangents of all that any arm uses. Arrays that have a cotangent already go
// through the arms and are changed there. Everything else starts at zero and is added behind.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

class ReverseMatch {
 public:
  ReverseMatch(Reverse& reverse, Scope& s, const core::Match& node)
      : all_(reverse), program_(reverse.program_), s_(s), node_(node) {}

  // Behind the statement's return the scope has the cotangents of what its arms use.
  void run(const Stm& stm, const Cotangents& cs);

 private:
  struct Arm {
    std::map<ValueId, Operand> through, added;
    std::vector<Place> places;
    // By place, whether an index is of the arm. Others are known around it: an arm that is not
    // taken adds 0 there.
    std::vector<std::vector<bool>> is_own;
  };
  // A place of one arm, or one that several arms have and that is known around them.
  struct SharedPlace {
    Place place;
    std::vector<bool> is_own;
    std::map<size_t, Operand> values;  // by arm; others add 0
  };

  void settleUsed(const Stm& stm);
  void sweep(const Body& body, const Cotangents& cs);
  std::vector<Place> leavingPlaces(Scope& arm);
  std::vector<std::vector<bool>> ownIndices(const Scope& arm,
                                            const std::vector<Place>& places) const;
  void sharePlaces();
  Operands resultsOf(size_t arm);
  core::Match write();
  void bind(core::Match back, source::Span span);

  Reverse& all_;
  Program& program_;
  Scope& s_;
  const core::Match& node_;
  std::vector<ValueId> through_;                // arrays with a cotangent, which the arms change
  std::set<ValueId> added_;                     // values whose cotangents are added behind
  std::vector<std::unique_ptr<Scope>> scopes_;  // one for each arm
  std::vector<Arm> arms_;
  std::vector<SharedPlace> places_;
};

}  // namespace halo::ad

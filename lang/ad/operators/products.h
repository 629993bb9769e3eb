// The product of all factors but one, for each factor of a product of floats. Where the whole
// product is a normal number, no factor is 0 and nothing was lost, so it is `y / x`. Elsewhere it
// takes products from both sides, whose own derivatives are right at zeros, too.
//
//   others = match normal y { true -> map x { y / x }
//                           ; false -> map before behind { before * behind } }
//
// In cells the products from both sides are taken always. So they are where they are
// differentiated: `y / x` would lose digits if x is far smaller than another factor. Of a histogram
// the elements are sorted by bin for the second arm [Bruun et al. 2023].
#pragma once

#include "lang/ad/emit.h"

namespace halo::ad {

// One multiplication of floats.
bool isFloatProduct(const Program& program, const Lambda& op);

// Of `y = reduce * neutral xs`.
struct Factors {
  Operand of_neutral;
  ValueId of_elements;
};
struct FactorsUse {
  bool in_cells;
  bool is_differentiated;  // the factors are
};
Factors otherFactors(Emitter& e, const core::Screma& node, const Operand& y, FactorsUse use);

// Of `ys = hist * (is, xs) into d`: of elements, 0 outside, and of the destination's.
struct BinFactors {
  ValueId of_bins, of_elements;
};
BinFactors otherFactors(Emitter& e, const core::Hist& node, ValueId ys, bool is_differentiated);

}  // namespace halo::ad

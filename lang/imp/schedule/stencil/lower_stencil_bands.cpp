// Stencils whose cells are reduced in lanes: bands of rows (core/tile_sums.h), which threads and
// ranks may have one each. A band has a value; all are combined in their order.
//
//   band    0 | 1 | .. | count - 1          of a node that does some rows of a longer reduction:
//   before    | 0 | .. | count - 1 | behind     rows around these, which nothing counts
#include "lang/core/tile_sums.h"
#include "lang/imp/schedule/lane_reduction.h"
#include "lang/imp/schedule/stencil/sweep.h"

namespace halo::imp {

using prim::Op;

struct Lowering::Sweep::Bands {
  Operand first, rows, size, count;
  std::vector<ArrayRef> values;  // of each band, by accumulator
  bool are_partial;
};

void Lowering::Sweep::reduceBands() {
  const size_t count = stm.results.size() - outputs.size();
  Bands bands;
  bands.are_partial = node.partial_tiles.has_value();
  bands.first = bands.are_partial ? low_.scalar(node.partial_tiles->first_row) : kZero;
  bands.rows = bands.are_partial ? low_.scalar(node.partial_tiles->rows) : extents[0];
  const int64_t size = core::kBandRows[extents.size()];
  bands.size = Operand::ofI64(size);
  bands.count = b_.prim(Op::kMachineDiv, ScalarType::kI64,
                        {b_.add(bands.rows, Operand::ofI64(size - 1)), bands.size});
  if (bands.are_partial) {  // none of rows without cells
    bands.count = b_.min(bands.count, low_.scalar(node.partial_tiles->values));
  }
  for (size_t k = 0; k < count; ++k) {
    const ScalarType type = low_.core_.type(node.map.body.results[k]).scalar;
    bands.values.push_back(bands.are_partial ? low_.destinations_.output(stm.results[k])
                                             : low_.fresh("partial", type, {bands.count}));
  }
  const Operand loops = bands.are_partial ? b_.add(bands.count, Operand::ofI64(2)) : bands.count;
  low_.chunkLoop(loops, [&](Operand number) { sumOfBand(bands, number); });
  if (bands.are_partial) {
    for (size_t k = 0; k < count; ++k) low_.set(stm.results[k], bands.values[k]);
  } else {
    joinBands(bands);
  }
}

void Lowering::Sweep::sumOfBand(const Bands& bands, const Operand& number) {
  const Operand one = Operand::ofI64(1);
  Operand own = number;  // among the bands that count
  if (bands.are_partial) own = b_.sub(number, one);
  auto begin = [&](const Operand& of) {
    return b_.add(bands.first, b_.min(b_.mul(of, bands.size), bands.rows));
  };
  auto select = [&](const Operand& condition, const Operand& yes, const Operand& no) {
    return b_.let("row", ScalarType::kI64, Select{condition, yes, no});
  };
  Operand lo = begin(own), hi = begin(b_.add(own, one));
  Operand counts = prim::Scalar::ofBool(true);
  if (bands.are_partial) {
    const Operand is_before = b_.prim(Op::kLt, ScalarType::kI64, {own, kZero});
    const Operand is_inside = b_.prim(Op::kLt, ScalarType::kI64, {own, bands.count});
    lo = select(is_before, kZero, lo);
    hi = select(is_inside, hi, extents[0]);
    counts = b_.prim(Op::kAnd, ScalarType::kBool,
                     {is_inside, b_.prim(Op::kNot, ScalarType::kBool, {is_before})});
  }
  LaneReduction of_band(low_, node.reductions);
  of_band.start();
  lanes = &of_band;
  (extents.size() == 1 ? columns : band) = {lo, hi};
  lowerAxes();
  of_band.fold();
  auto store = [&] {
    for (size_t k = 0; k < bands.values.size(); ++k) {
      storeElement(b_, bands.values[k], {own}, of_band.result(k));
    }
  };
  if (bands.are_partial) {
    b_.ifThenElse(counts, store);
  } else {
    store();
  }
  lanes = nullptr;
}

void Lowering::Sweep::joinBands(const Bands& bands) {
  LaneReduction all(low_, node.reductions);
  b_.forLoop("band", kZero, bands.count, [&](Operand number) {
    size_t k = 0;
    for (size_t r = 0; r < node.reductions.size(); ++r) {
      Operands values;
      while (values.size() < node.reductions[r].neutral.size()) {
        values.push_back(loadElement(b_, bands.values[k++], {number}));
      }
      all.add(r, values);
    }
  });
  for (size_t k = 0; k < bands.values.size(); ++k) low_.set(stm.results[k], all.result(k));
}

}  // namespace halo::imp

#include "gpu/templates/scan/column_prefixes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Operand ColumnPrefixes::prim(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kI64, {a, b});
}

Operand ColumnPrefixes::ofSubgroup(const Operand& subgroup, const Operand& column) {
  return code_.add(code_.mul(subgroup, i64(shape_.columns)), column);
}

// Of the lane so far below, or of the first one.
Operands ColumnPrefixes::below(const Operands& values, const Operand& distance) {
  Operand lane = code_.max(code_.sub(place_.lane, distance), i64(0));
  return ops_.shuffle(ShuffleKind::kFrom, values, asWord(code_, lane));
}

void ColumnPrefixes::scanLanes(const Place& place, const std::vector<Operands>& sums,
                               const Operands& columns) {
  place_ = place;
  columns_ = columns;
  sums_ = ops_.shared("sums", shape_.subgroups * shape_.columns);
  Operand has_before = prim(Op::kGe, place.lane, place.width);
  Operand is_last = prim(Op::kGt, code_.add(place.lane, place.width), i64(shape_.lanes - 1));
  std::vector<Operands> up_to;
  for (Operands value : sums) {
    for (int64_t d = 1; d < shape_.lanes; d *= 2) {
      Operand distance = code_.mul(place.width, i64(d));
      Operands far = below(value, distance);
      value = ops_.join(prim(Op::kGe, place.lane, distance), far, value);
    }
    in_group_.push_back(ops_.select(has_before, below(value, place.width), ops_.neutral()));
    up_to.push_back(std::move(value));
  }
  code_.ifThenElse(is_last, [&] {
    for (size_t c = 0; c < up_to.size(); ++c) {
      ops_.store(sums_, ofSubgroup(place.subgroup, columns[c]), up_to[c]);
    }
  });
  code_.append(Barrier{});
}

// Whole subgroups look, so that some lanes repeat a neighbour: prefix_ := the sums of each column
// in the tiles above, sums_ := the sums of the subgroups before.
void ColumnPrefixes::lookBack(const LookBack::Where& where, const Operand& count,
                              const Operand& looking) {
  prefix_ = ops_.shared("prefix", shape_.columns);
  code_.ifThenElse(prim(Op::kLt, place_.local, scope_.scalar(looking)), [&] {
    Operand most = code_.sub(count, i64(1));
    Operand looker = prim(Op::kMachineDiv, place_.local, i64(shape_.lookback_lanes));
    Operand column = code_.min(looker, most);
    Operand in_lookers = prim(Op::kAnd, place_.local, i64(shape_.lookback_lanes - 1));
    Operand is_leader = prim(Op::kEq, in_lookers, i64(0));
    Operand leads =
        code_.prim(Op::kAnd, ScalarType::kBool, {is_leader, prim(Op::kLe, looker, most)});
    std::vector<Operands> parts;
    for (int64_t s = 0; s < shape_.subgroups; ++s) {
      parts.push_back(ops_.load(sums_, ofSubgroup(i64(s), column)));
    }
    std::vector<Operands> before{ops_.neutral()};
    Operands total = parts[0];
    for (size_t s = 1; s < parts.size(); ++s) {
      before.push_back(total);
      total = ops_.apply(total, parts[s]);
    }
    LookBack look(scope_, ops_, state_);
    LookBack::Lookers lookers{place_.lane, shape_.lanes, shape_.lookback_lanes,
                              shape_.lookback_tiles};
    LookBack::Before prefix = look.together(where, {column, total}, lookers);
    code_.ifThenElse(leads, [&] {
      for (size_t s = 0; s < before.size(); ++s) {
        ops_.store(sums_, ofSubgroup(i64(static_cast<int64_t>(s)), column), before[s]);
      }
      ops_.store(prefix_, column, asOperands(prefix));
    });
  });
  code_.append(Barrier{});
}

Operands ColumnPrefixes::before(size_t c) {
  Operands prefix = ops_.load(prefix_, columns_[c]);
  Operands above = ops_.load(sums_, ofSubgroup(place_.subgroup, columns_[c]));
  return ops_.apply(ops_.apply(prefix, above), in_group_[c]);
}

}  // namespace halo::gpu

// Tiles that look back are large, others small.
#include "gpu/templates/scan_shape.h"

#include <algorithm>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Drivers find room for more of them in registers.
bool isFloat(const KernelCall& call, const core::Screma& screma) {
  return call.core.type(screma.scans.at(0).neutral.at(0)).scalar == ScalarType::kF32;
}

bool isSmall(ScanWay way) { return way == ScanWay::kRows || way == ScanWay::kShortLines; }

}  // namespace

ScanShape shapeFor(const KernelCall& call, const core::Screma& screma, ScanWay way) {
  size_t words = valueWords(call.core, screma);
  // Tiles that look back are large, as only so many can be looked at together; others are small, so
  // that some read while others compute.
  int64_t vectors = words == 1 ? 8 : words == 2 ? 4 : 2;
  int64_t group = isSmall(way) ? 256 : 1024;
  if (words == 1 && (way == ScanWay::kWhole || way == ScanWay::kLongLines)) {
    group = 512;
    if (way == ScanWay::kWhole && isFloat(call, screma)) vectors = 10;
  }
  if (isSmall(way)) vectors = std::min<int64_t>(vectors, 4);
  if (!isSmall(way)) {
    group = call.variants.number("one_pass", 0, group);
    vectors = std::min<int64_t>(call.variants.number("one_pass", 1, vectors), 16);
  }
  // Every invocation walks over the subgroups' sums.
  group = std::min<int64_t>({group, call.variants.most_invocations, call.variants.subgroup * 32});
  group = std::max<int64_t>(group / call.variants.subgroup, 1) * call.variants.subgroup;
  return {call.variants.subgroup, group, vectors};
}

Operand ofWholeRows(Builder& host, const Operand& segment, const ScanShape& shape) {
  auto prim = [&](Op op, const Operand& a, const Operand& b) {
    return host.prim(op, ScalarType::kI64, {a, b});
  };
  Operand rows = prim(Op::kMachineDiv, i64(shape.elements()), host.max(segment, i64(1)));
  Operand even = prim(Op::kEq, prim(Op::kAnd, segment, i64(3)), i64(0));
  Operand by_four = prim(Op::kAnd, rows, i64(~int64_t{3}));
  Operand whole = host.let("rows", ScalarType::kI64, Select{even, rows, by_four});
  return host.mul(whole, segment);
}

}  // namespace halo::gpu

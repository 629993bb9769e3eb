// Tiles that wait for the one before are large, as only so many can be looked at together; others
// are small, so that some read while others compute.
#include "gpu/templates/scan/scan_shape.h"

#include <algorithm>
#include <bit>

#include "gpu/plan/nests/element_code.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Drivers find room for more of them in registers.
bool isFloat(const KernelCall& call, const core::Screma& screma) {
  return call.core.type(screma.scans.at(0).neutral.at(0)).scalar == ScalarType::kF32;
}

// Statements for four elements in a kernel: beyond, machine code is more than caches of
// instructions hold.
constexpr int64_t kScanShapeMostCode = 2304 / static_cast<int64_t>(kFour);

// The code in a kernel for each element besides the operators.
size_t elementCode(const core::Screma& screma, ScanWay way) {
  size_t map = codeSize(screma.map.body);
  if (way != ScanWay::kScattered) return map;
  return 3 * map;  // once more for the scattered values, whose own map is as short
}

}  // namespace

ScanShape shapeFor(const KernelCall& call, const core::Screma& screma, ScanWay way, bool aligned) {
  size_t words = valueWords(call.core, screma);
  int64_t vectors = words == 1 ? 8 : words == 2 ? 4 : words <= 4 ? 2 : 1;
  int64_t group = words == 1 ? 512 : words <= 4 ? 1024 : words <= 16 ? 512 : 256;
  int64_t of_block = 1;
  switch (way) {
    case ScanWay::kWhole:
      if (words == 1 && isFloat(call, screma)) vectors = 10;
      break;
    case ScanWay::kScattered:
      group = std::max<int64_t>(group, words <= 4 ? 1024 : group);
      break;
    case ScanWay::kRows:
      group = 256;
      vectors = std::min<int64_t>(vectors, 4);
      break;
    case ScanWay::kLines:  // one vector more where a line may begin behind a vector's beginning
      group = 256;
      of_block = 2;
      if (!aligned) vectors++;
      break;
  }
  auto written = static_cast<int64_t>(elementCode(screma, way));
  vectors =
      std::max<int64_t>(std::min(vectors, kScanShapeMostCode / std::max<int64_t>(written, 1)), 1);
  if (way != ScanWay::kRows) {
    group = call.variants.number("one_pass", 0, group);
    vectors = std::min<int64_t>(call.variants.number("one_pass", 1, vectors), 16);
    of_block = call.variants.number("one_pass", 2, of_block);
    of_block = std::bit_floor(static_cast<uint64_t>(std::min<int64_t>(of_block, 16)));
  }
  // Every invocation walks over the subgroups' sums.
  group = std::min<int64_t>({group, call.variants.most_invocations, call.variants.subgroup * 32});
  group = std::max<int64_t>(group / call.variants.subgroup, 1) * call.variants.subgroup;
  return {call.variants.subgroup, group, vectors, of_block};
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

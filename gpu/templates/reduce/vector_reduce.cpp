// Elements of inputs that are not flat are read one by one.
#include "gpu/templates/reduce/vector_reduce.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

VectorReduce::VectorReduce(const ReduceNest& n, const FlatInputs& flat, const std::string& name,
                           int64_t workgroup_size, int64_t subgroup_size)
    : nest(n),
      scope(n.program, n.host, n.call, n.call.function.name + name),
      code(scope.code()),
      segments(n.segments()),
      width(n.width()),
      cells(n.host.mul(segments, width)),
      ops(scope, n.screma),
      map(scope, n.levels, n.outer, flat, cells),
      workgroup(workgroup_size),
      lanes(subgroup_size) {
  lane = scope.builtIn(BuiltIn::kLane, lanes);
  subgroup = scope.builtIn(BuiltIn::kSubgroup, workgroup / lanes);
  lid = code.add(code.mul(subgroup, i64(lanes)), lane);
}

VectorSegment VectorReduce::openSegment(const Operand& number) {
  Operand last = code.sub(scope.scalar(segments), i64(1));
  Operand segment = within(code, number, last);
  Operand all = scope.scalar(cells);
  Operand begin = within(code, code.mul(segment, scope.scalar(width)), all);
  Operand end = code.min(code.add(begin, scope.scalar(width)), all);
  Operands extents;
  for (const Operand& extent : nest.outer.extents()) extents.push_back(scope.scalar(extent));
  Operands indices = indicesOf(code, segment, extents);
  return {begin, end, indices, map.bound(segment, indices)};
}

VectorChunk VectorReduce::openChunk(const SegmentChunks& chunks, const Operand& workgroups) {
  VectorChunk opened;
  opened.item = within(code, scope.groupId(), scope.scalar(workgroups));
  Operand all = scope.scalar(segments);
  Operand chunk = prim(Op::kMachineDiv, opened.item, all);
  opened.segment = openSegment(code.sub(opened.item, code.mul(chunk, all)));
  const VectorSegment& whole = opened.segment;
  Operand skipped = code.mul(chunk, scope.scalar(chunks.length));
  skipped = within(code, skipped, scope.scalar(width));
  opened.begin = code.min(code.add(whole.begin, skipped), whole.end);
  opened.end = code.min(code.add(opened.begin, scope.scalar(chunks.length)), whole.end);
  return opened;
}

Operands VectorReduce::combined(const Four& four) {
  std::vector<Operands> x;
  Operands insides;
  for (size_t c = 0; c < kFour; ++c) {
    Operand i = code.add(four.at, i64(static_cast<int64_t>(c)));
    insides.push_back(four.inside(c, i));
    auto indices = [&, i] {
      Operands all = four.segment.indices;
      all.push_back(within(code, code.sub(i, four.segment.begin), scope.scalar(width)));
      return all;
    };
    x.push_back(map.valuesAndPassed(ops, {i, four.loaded, c, indices, &four.segment.levels},
                                    insides[c], four.any_outside));
  }
  const Operand &first = insides[0], &last = insides[kFour - 1];
  const Operand all = first == last ? first : code.prim(Op::kAnd, ScalarType::kBool, {first, last});
  map.storeFour(four.at, all, insides, x);
  Operands low = ops.apply(x[0], x[1]);
  Operands high = ops.apply(x[2], x[3]);
  return ops.apply(low, high);
}

Operands VectorReduce::ofWorkgroup(const Operands& value) {
  const int64_t subgroups = workgroup / lanes;
  std::vector<BufferId> parts = ops.shared("part", subgroups);
  code.ifThenElse(prim(Op::kEq, lane, i64(0)), [&] { ops.store(parts, subgroup, value); });
  code.append(Barrier{});
  Operands total = ops.load(parts, i64(0));
  for (int64_t g = 1; g < subgroups; ++g) {
    total = ops.apply(total, ops.load(parts, i64(g)));
  }
  return total;
}

bool VectorReduce::launch(const Operand& workgroups) {
  const int size[3] = {static_cast<int>(workgroup), 1, 1};
  scope.launch(size, {workgroups, i64(1), i64(1)});
  return !scope.unsupported();
}

}  // namespace halo::gpu

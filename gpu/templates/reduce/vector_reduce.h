// The common part of reductions that read memory by vectors of four elements: their kernel, the
// segment of an invocation, and four elements as one value.
#pragma once

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/reduce/reduce_nest.h"

namespace halo::gpu {

inline constexpr int64_t kVector = 4;

// Numbers are those of elements among all segments.
struct VectorSegment {
  imp::Operand begin, end;
  imp::Operands indices;    // in the levels around
  imp::Environment levels;  // with what these bind
};
struct VectorChunk {
  imp::Operand item;  // c * segments + s is chunk c of segment s
  VectorSegment segment;
  imp::Operand begin, end;
};

class VectorReduce {
 public:
  VectorReduce(const ReduceNest& nest, const FlatInputs& flat, const std::string& name,
               int64_t workgroup, int64_t lanes);

  VectorSegment openSegment(const imp::Operand& number);  // the last one for those beyond
  VectorChunk openChunk(const SegmentChunks& chunks, const imp::Operand& workgroups);

  // The four elements from `at` on; `loaded`: as of ElementMap::load.
  struct Four {
    imp::Operand at;
    const std::vector<imp::Operands>& loaded;
    const VectorSegment& segment;
    // Whether element c, with number i, counts.
    std::function<imp::Operand(size_t c, const imp::Operand& i)> inside;
    // The value of elements that do not: neutral, or whatever there is.
    bool any_outside;
  };
  imp::Operands combined(const Four& four);

  // In lane 0 the values of all subgroups' first lanes, in their order.
  imp::Operands ofWorkgroup(const imp::Operands& value);

  imp::Operand prim(prim::Op op, const imp::Operand& a, const imp::Operand& b) {
    return code.prim(op, prim::ScalarType::kI64, {a, b});
  }
  imp::Operand both(const imp::Operand& a, const imp::Operand& b) {
    return code.prim(prim::Op::kAnd, prim::ScalarType::kBool, {a, b});
  }
  imp::Operand firstOfVector(const imp::Operand& number) {
    return prim(prim::Op::kAnd, number, i64(~int64_t{3}));
  }
  // Launches so many workgroups; whether the kernel could be made.
  bool launch(const imp::Operand& workgroups);

  const ReduceNest& nest;
  KernelScope scope;
  imp::Builder& code;
  imp::Operand segments, width, cells;  // host
  Operators ops;
  ElementMap map;
  int64_t workgroup, lanes;  // of a subgroup
  imp::Operand lane, subgroup, lid;
};

}  // namespace halo::gpu

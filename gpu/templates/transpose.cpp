// A tile of 32 x 32 elements; rows of shared memory are one element longer, so that columns lie in
// different banks.
#include "gpu/templates/transpose.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSide = 32;
constexpr int64_t kThreads = 256;
constexpr int64_t kRows = kThreads / kSide;  // of the tile at a time
constexpr int64_t kSteps = kSide / kRows;

// The dimension along which elements lie together; the last one if there is none.
size_t denseDimension(const ArrayRef& from) {
  for (size_t k = 0; k + 1 < from.strides.size(); k++) {
    if (from.strides[k] == i64(1)) return k;
  }
  return from.strides.size() - 1;
}

class Transpose {
 public:
  Transpose(Program& program, Builder& host, const KernelCall& call, const ArrayRef& from)
      : host_(host),
        call_(call),
        host_from_(from),
        dense_(denseDimension(from)),
        last_(from.shape.size() - 1),
        scope_(program, host, call, call.function.name),
        code_(scope_.code()),
        from_(scope_.array(from)) {}

  TemplateResult run() {
    Operand tiles_dense = groupsFor(host_, host_from_.shape[dense_], kSide);
    Operand tiles_last = groupsFor(host_, host_from_.shape[last_], kSide);
    Operand groups = host_.mul(tiles_dense, tiles_last);
    Operands rest, host_rest;
    for (size_t k = 0; k < last_; k++) {
      if (k == dense_) continue;
      groups = host_.mul(groups, host_from_.shape[k]);
      rest.push_back(from_.shape[k]);
    }
    // Neighbouring workgroups go along the dense dimension of the source.
    Operands space = rest;
    space.push_back(scope_.scalar(tiles_last));
    space.push_back(scope_.scalar(tiles_dense));
    Operands place = indicesOf(code_, scope_.groupId(), space);
    first_dense_ = code_.mul(place[rest.size() + 1], i64(kSide));
    first_last_ = code_.mul(place[rest.size()], i64(kSide));
    place.resize(rest.size());
    rest_ = std::move(place);
    Operand lid = scope_.localId();
    quick_ = code_.prim(Op::kAnd, ScalarType::kI64, {lid, i64(kSide - 1)});
    slow_ = code_.prim(Op::kMachineDiv, ScalarType::kI64, {lid, i64(kSide)});
    BufferId tile = scope_.shared("tile", from_.type, kSide * (kSide + 1));
    fill(tile);
    code_.append(Barrier{});
    empty(tile);
    const int workgroup[3] = {static_cast<int>(kThreads), 1, 1};
    scope_.launch(workgroup, {groups, i64(1), i64(1)});
    return {{}, !scope_.unsupported()};
  }

 private:
  Operands indices(const Operand& dense, const Operand& last) const {
    Operands all;
    size_t next = 0;
    for (size_t k = 0; k < last_; k++) all.push_back(k == dense_ ? dense : rest_[next++]);
    all.push_back(last);
    return all;
  }
  Operand atMost(const Operand& index, size_t dimension) {
    return code_.min(index, code_.sub(from_.shape[dimension], i64(1)));
  }

  // All loads first; those beyond the edge read the last element again.
  void fill(BufferId tile) {
    Operands values, places;
    for (int64_t step = 0; step < kSteps; step++) {
      Operand row = code_.add(slow_, i64(step * kRows));
      Operand dense = atMost(code_.add(first_dense_, quick_), dense_);
      Operand last = atMost(code_.add(first_last_, row), last_);
      values.push_back(loadElement(code_, from_, indices(dense, last)));
      places.push_back(code_.add(code_.mul(row, i64(kSide + 1)), quick_));
    }
    for (size_t k = 0; k < values.size(); k++) code_.store(tile, places[k], values[k]);
  }

  void empty(BufferId tile) {
    ArrayRef to = scope_.array(call_.results[0]);
    Operand last = code_.add(first_last_, quick_);
    Operand inside_last = code_.prim(Op::kLt, ScalarType::kI64, {last, from_.shape[last_]});
    for (int64_t step = 0; step < kSteps; step++) {
      Operand row = code_.add(slow_, i64(step * kRows));
      Operand dense = code_.add(first_dense_, row);
      Operand inside_dense = code_.prim(Op::kLt, ScalarType::kI64, {dense, from_.shape[dense_]});
      Operand inside = code_.prim(Op::kAnd, ScalarType::kBool, {inside_last, inside_dense});
      code_.ifThenElse(inside, [&] {
        Operand at = code_.add(code_.mul(quick_, i64(kSide + 1)), row);
        storeElement(code_, to, indices(dense, last), code_.load(tile, at));
      });
    }
  }

  Builder& host_;
  const KernelCall& call_;
  const ArrayRef& host_from_;
  size_t dense_, last_;  // dimensions
  KernelScope scope_;
  Builder& code_;
  ArrayRef from_;
  Operand first_dense_, first_last_;  // of the tile
  Operands rest_;                     // indices of the other dimensions
  Operand quick_, slow_;              // the invocation within the tile
};

}  // namespace

bool isTransposed(const ArrayRef& from) {
  return !from.isVirtual() && from.rank() >= 2 && from.strides.back() != i64(1) &&
         denseDimension(from) + 1 < from.strides.size();
}

TemplateResult emitTranspose(Program& program, Builder& host, const KernelCall& call,
                             const ArrayRef& from) {
  return Transpose(program, host, call, from).run();
}

}  // namespace halo::gpu

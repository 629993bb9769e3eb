// Reductions in one launch, or in two where segments are cut into chunks. Then the first launch
// reduces each chunk, and the second combines the values of a segment's chunks. Those of one
// segment may be combined by the first launch's last workgroup.
#pragma once

#include "gpu/templates/kernel/last_group.h"
#include "gpu/templates/reduce/runs.h"

namespace halo::gpu {

// Where the first launch leaves its values: in the results, or in partial values.
class ChunkValues {
 public:
  // Whether the first launch leaves results where segments have one chunk. Its kernel then has the
  // code of an epilogue as well.
  enum class Single : uint8_t { kResults, kPartial };

  ChunkValues(const ReduceNest& nest, const SegmentChunks& chunks, Single single);
  // For one segment and one launch.
  ChunkValues(const ReduceNest& nest, const SegmentChunks& chunks);

  // Whether there are partial values, which a second launch combines; host.
  const imp::Operand& areSeveral() const { return several_; }

  // The values of chunk c of segment s; `item` is c * segments + s, `segment` the indices of s.
  void store(KernelScope& scope, const imp::Operand& item, const imp::Operands& segment,
             const imp::Operands& values);
  // Of the partial values.
  imp::Operand load(KernelScope& scope, size_t k, const imp::Operand& item) const;
  // At the end of the first kernel: the last of its workgroups combines, if one does.
  void finish(KernelScope& scope);

  // Combines chunks and stores results: `add` adds a lane's share of the chunks to `sums`.
  void combineShares(KernelScope& scope, const Spread& spread, const Lane& lane, GroupSums& sums,
                     const std::function<void(const Share& share)>& add) const;
  // The results of a segment with these totals.
  void storeTotals(KernelScope& scope, const imp::Operands& segment,
                   const imp::Operands& totals) const;
  const std::vector<ScalarResult>& scalars() const { return scalars_; }
  void release();

 private:
  prim::ScalarType typeOf(size_t k) const;
  void makeScalars();
  void makePartials(size_t k, const imp::Operand& items);
  void makeTarget(size_t k, const imp::Operand& items);
  void storeOne(KernelScope& scope, size_t k, const imp::Operand& item, const imp::Operand& value);

  void makeResult(size_t k);
  void combine(KernelScope& scope);

  const ReduceNest& nest_;
  SegmentChunks chunks_;
  bool are_results_;  // the values of chunks themselves
  imp::Operand several_;
  std::vector<imp::BufferId> partials_, targets_;
  imp::Operands offsets_;
  std::vector<imp::ArrayRef> results_;
  std::vector<ScalarResult> scalars_;
  std::optional<LastGroup> last_;
};

// `first` emits the first launch, and says whether it could.
TemplateResult reduceInStages(const ReduceNest& nest, const SegmentChunks& chunks,
                              const std::function<bool(ChunkValues& values)>& first,
                              ChunkValues::Single single = ChunkValues::Single::kResults);

// The same for one segment, whose values the last workgroup combines.
TemplateResult reduceInOneLaunch(const ReduceNest& nest, const SegmentChunks& chunks,
                                 const std::function<bool(ChunkValues& values)>& first);

}  // namespace halo::gpu

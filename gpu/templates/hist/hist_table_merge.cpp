// The second kernel of hist_tables.cpp: a tree combines the tables of all workgroups, and the
// destination.
#include "gpu/templates/hist/hist_tables.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kSlices = 16;  // of the workgroups, when they are merged
constexpr int64_t kOfSlice = 8;  // of those under way

}  // namespace

// The partial tables of one operation. A lane's value is in shared memory next to those of the
// other slices of its cell.
class TableHist::Merge {
 public:
  Merge(TableHist& hist, Kernel& kernel, const Counted& counted, const Operand& first_group)
      : hist_(hist),
        kernel_(kernel),
        code_(kernel.code),
        counted_(counted),
        most_cells_(hist.schedule_.workgroup / kSlices),
        cells_(kernel.scope.scalar(counted.cells)),
        groups_(kernel.scope.scalar(hist.groups_)) {
    const Operand block = code_.sub(kernel.scope.groupId(), kernel.scope.scalar(first_group));
    slice_ = on64(Op::kMachineDiv, kernel.lid, i64(most_cells_));
    const Operand in_block = code_.sub(kernel.lid, code_.mul(slice_, i64(most_cells_)));
    cell_ = code_.add(code_.mul(block, i64(most_cells_)), in_block);
    const Operand begins = on64(Op::kGe, block, i64(0));
    is_own_ = both(begins, on64(Op::kLt, cell_, cells_));
    const Operand row = kernel.scope.scalar(hist.host_.max(counted.row, i64(1)));
    bin_ = on64(Op::kMachineDiv, code_.max(cell_, i64(0)), row);
    column_ = code_.sub(cell_, code_.mul(bin_, row));
    for (const ArrayRef& destination : counted.destinations) {
      parts_.push_back(kernel.scope.shared("parts", destination.type, hist.schedule_.workgroup));
    }
  }

  void run() {
    code_.ifThenElse(is_own_, [&] { combineSlice(); });
    code_.append(Barrier{});
    combineSlices();
    const Operand is_first = on64(Op::kEq, slice_, i64(0));
    code_.ifThenElse(both(is_own_, is_first), [&] { addToDestinations(); });
  }

 private:
  Operand on64(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kI64, {a, b});
  }
  Operand both(const Operand& a, const Operand& b) {
    return code_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operands part(const Operand& at) {
    Operands values;
    for (BufferId buffer : parts_) values.push_back(code_.load(buffer, at));
    return values;
  }
  Operands combined(Operands left, const Operands& right) {
    left.insert(left.end(), right.begin(), right.end());
    return applyToElements(kernel_.scope, counted_.op, kernel_.environment, left);
  }
  void combineInto(const Operands& left, const Operands& right) { keep(combined(left, right)); }
  void keep(const Operands& values) {
    for (size_t k = 0; k < parts_.size(); ++k) code_.store(parts_[k], kernel_.lid, values[k]);
  }

  // The tables of the slice's workgroups, kOfSlice loads at once.
  void combineSlice() {
    keep(hist_.neutral(kernel_, counted_, column_));
    const Operand of_slice = divideUp(code_, groups_, i64(kSlices));
    const Operand begin = code_.mul(slice_, of_slice);
    const Operand end = code_.min(code_.add(begin, of_slice), groups_);
    const Operand count = code_.max(code_.sub(end, begin), i64(0));
    code_.forLoop("round", i64(0), divideUp(code_, count, i64(kOfSlice)),
                  [&](const Operand& round) {
                    combineTables(code_.add(begin, code_.mul(round, i64(kOfSlice))), end);
                  });
  }

  void combineTables(const Operand& from, const Operand& end) {
    std::vector<Operands> tables(kOfSlice);
    for (int64_t t = 0; t < kOfSlice; ++t) {
      const Operand group = code_.min(code_.add(from, i64(t)), code_.sub(groups_, i64(1)));
      const Operand at = code_.add(code_.mul(group, cells_), cell_);
      for (BufferId buffer : counted_.partial) {
        tables[static_cast<size_t>(t)].push_back(code_.load(kernel_.scope.buffer(buffer), at));
      }
    }
    for (int64_t t = 0; t < kOfSlice; ++t) {
      const Operand counts = on64(Op::kLt, code_.add(from, i64(t)), end);
      code_.ifThenElse(counts,
                       [&] { combineInto(part(kernel_.lid), tables[static_cast<size_t>(t)]); });
    }
  }

  void combineSlices() {
    for (int64_t d = kSlices / 2; d >= 1; d /= 2) {
      const Operand takes = on64(Op::kLt, slice_, i64(d));
      code_.ifThenElse(both(is_own_, takes), [&] {
        const Operands right = part(code_.add(kernel_.lid, i64(d * most_cells_)));
        combineInto(part(kernel_.lid), right);
      });
      code_.append(Barrier{});
    }
  }

  void addToDestinations() {
    Operands old;
    std::vector<Operands> places;
    for (const ArrayRef& destination : counted_.destinations) {
      const ArrayRef target = kernel_.scope.array(destination);
      places.push_back(destinationIndices(code_, counted_, target, bin_, column_));
      old.push_back(loadElement(code_, target, places.back()));
    }
    const Operands sum = combined(old, part(kernel_.lid));
    for (size_t k = 0; k < sum.size(); ++k) {
      storeElement(code_, kernel_.scope.array(counted_.destinations[k]), places[k], sum[k]);
    }
  }

  TableHist& hist_;
  Kernel& kernel_;
  Builder& code_;
  const Counted& counted_;
  const int64_t most_cells_;  // of a workgroup
  Operand cells_, groups_;
  Operand slice_, cell_, is_own_, bin_, column_;  // of the lane
  std::vector<BufferId> parts_;                   // of all lanes
};

// A workgroup for schedule_.workgroup / kSlices neighbouring cells: each lane combines a slice of
// the workgroups for one of them.
void TableHist::merge() {
  Kernel kernel(program_, host_, call_, call_.function.name + "_merge");
  kernel.environment = kernel.scope.environment();
  lowerPrefix(kernel.scope, kernel.environment, kernel.scope.place(i64(1), [] { return i64(0); }));
  Operand first = i64(0);
  for (const Counted& counted : all_) {
    Merge(*this, kernel, counted, first).run();
    first = host_.add(first, groupsFor(host_, counted.cells, schedule_.workgroup / kSlices));
  }
  const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
  kernel.scope.launch(workgroup, {first, i64(1), i64(1)});
  supported_ = supported_ && !kernel.scope.unsupported();
}

}  // namespace halo::gpu

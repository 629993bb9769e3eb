// Index lists, `a[i, lo:hi:step]`: checking the positions and making the view they select.
#pragma once

#include <optional>
#include <vector>

#include "interp/arrays/array.h"
#include "interp/nodes/node.h"

namespace halo::interp {

inline bool outside(int64_t index, int64_t extent) {
  return static_cast<uint64_t>(index) >= static_cast<uint64_t>(extent);
}

class IndexList {
 public:
  struct Part {
    bool is_slice = false;
    std::optional<Operand> index;  // when not a slice
    NodeRef start, end, stride;    // null: left out
    ScalarType index_type = ScalarType::kI64;
  };
  explicit IndexList(std::vector<Part> parts);

  size_t slotCount() const { return 3 * parts_.size(); }
  bool onlyIndices() const { return only_indices_; }
  size_t rank() const { return parts_.size(); }
  bool isSingleIndex() const { return only_indices_ && parts_.size() == 1; }
  int64_t singleIndex(Frame& frame) const {
    return signedValue(parts_[0].index_type, parts_[0].index->bits(frame));
  }
  // Evaluates the positions, three numbers per part, from left to right.
  void evaluate(Frame& frame, int64_t* values) const;
  // Fails with index_out_of_range or slice_out_of_range at `span`. The view may have rank 0.
  Datum view(State& state, const Datum& array, const int64_t* values, Span span) const;
  // The address of a scalar, if the list selects one: the common case, without making a view.
  std::byte* address(State& state, const Array& array, const int64_t* values, Span span) const;

 private:
  static int64_t signedValue(ScalarType type, uint64_t bits) {
    if (sizeOf(type) == 8 || !prim::isSigned(type)) return static_cast<int64_t>(bits);
    return Scalar{type, bits}.asSigned();
  }
  void checkIndices(State& state, const Array& array, const int64_t* values, Span span) const;
  [[noreturn]] void failIndices(State& state, const Array& array, const int64_t* values,
                                Span span) const;
  Datum viewSlice(State& state, const Datum& array, size_t axis, size_t part, const int64_t* values,
                  Span span) const;

  std::vector<Part> parts_;
  bool only_indices_;
};

}  // namespace halo::interp

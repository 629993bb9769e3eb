// Values of other invocations of the subgroup, and elements four at a time.
#pragma once

#include "gpu/schedule/words.h"
#include "gpu/templates/templates.h"

namespace halo::gpu {

// Values as their bits in words of 32, the way they go to other invocations and workgroups.
imp::Operands toWords(imp::Builder& code, prim::ScalarType type, const imp::Operand& value);  // u32
imp::Operand fromWords(imp::Builder& code, prim::ScalarType type, const imp::Operands& words);

// imp::Shuffle for values of any type.
imp::Operand shuffled(imp::Builder& code, prim::ScalarType type, imp::ShuffleKind kind,
                      const imp::Operand& value, const imp::Operand& lane);

// Which inputs of a nest's innermost level are whole arrays in memory, so that element i of all
// segments in a row is buffer[i]. These can be read 16 bytes at a time.
class FlatInputs {
 public:
  // `kStrided`: arrays that begin with their buffer, whatever their strides.
  enum class Kind : uint8_t { kWhole, kStrided };
  FlatInputs(const KernelCall& call, const std::vector<const core::Screma*>& levels,
             Kind kind = Kind::kWhole);

  bool isFlat(size_t input) const { return flat_[input]; }
  bool any() const;
  // Cells need nothing of the levels around but these.
  bool areEnough() const { return are_enough_; }
  const imp::ArrayRef& array(size_t input) const { return *arrays_[input]; }  // of the host
  // Elements first .. first + 3; `first` is a multiple of 4.
  imp::Operands loadFour(KernelScope& scope, size_t input, const imp::Operand& first) const;

 private:
  const imp::ArrayRef* argument(core::ValueId input, size_t level);

  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  Kind kind_;
  std::vector<bool> flat_;
  std::vector<const imp::ArrayRef*> arrays_;  // of the host
  bool are_enough_ = false;
};

inline constexpr int64_t kVectorBytes = 16;  // of one access

// Elements first, first + 1, .. of memory that begins at a multiple of 16 bytes: in accesses of 16
// bytes, of which `first` is a whole number. Fewer than make one go one by one.
imp::Operands loadVectors(imp::Builder& code, imp::BufferId buffer, const imp::Operand& first,
                          int64_t count);
void storeVectors(imp::Builder& code, imp::BufferId buffer, const imp::Operand& first,
                  const imp::Operands& values);
// A whole array in memory that may be read and written so.
bool isWhole(const imp::ArrayRef& array);

}  // namespace halo::gpu

#include "lang/ad/operators/sparse.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "lang/core/rewrite.h"

namespace halo::ad {

void SparseMatrix::close() {
  for (size_t via = 0; via < size_; ++via) {
    for (size_t row = 0; row < size_; ++row) {
      for (size_t column = 0; column < size_; ++column) {
        if (known_[row * size_ + via] && known_[via * size_ + column]) set(row, column);
      }
    }
  }
  entries_.clear();
  for (size_t i = 0; i < known_.size(); ++i) {
    if (known_[i]) entries_.emplace_back(i / size_, i % size_);
  }
}

std::optional<size_t> SparseMatrix::find(size_t row, size_t column) const {
  const auto found = std::find(entries_.begin(), entries_.end(), std::pair(row, column));
  if (found == entries_.end()) return std::nullopt;
  return static_cast<size_t>(found - entries_.begin());
}

SparseMatrix dependences(const core::Program& program, const core::Lambda& op,
                         const std::vector<size_t>& parts) {
  std::unordered_map<core::ValueId, std::set<size_t>> from;
  for (size_t column = 0; column < parts.size(); ++column) {
    from[op.params[parts[column]]] = {column};
  }
  for (const core::Stm& stm : op.body.stms) {
    std::set<size_t> all;
    for (const core::ValueId used : core::freeValues(program, stm)) {
      const auto known = from.find(used);
      if (known != from.end()) all.insert(known->second.begin(), known->second.end());
    }
    for (const core::ValueId result : stm.results) from[result] = all;
  }
  SparseMatrix matrix(parts.size());
  for (size_t row = 0; row < parts.size(); ++row) {
    const core::Operand& result = op.body.results[parts[row]];
    if (result.isConstant()) continue;
    for (const size_t column : from[result.value]) matrix.set(row, column);
  }
  matrix.close();
  return matrix;
}

}  // namespace halo::ad

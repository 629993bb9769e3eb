// Which entries of a square matrix, and of all products of such matrices, are not always 0. The
// diagonal never is, because products start with the identity.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lang/core/ir.h"

namespace halo::ad {

class SparseMatrix {
 public:
  explicit SparseMatrix(size_t size) : size_(size), known_(size * size, false) {
    for (size_t i = 0; i < size; ++i) set(i, i);
  }

  void set(size_t row, size_t column) { known_[row * size_ + column] = true; }
  // Paths of any length; then `entries`.
  void close();

  size_t size() const { return size_; }
  const std::vector<std::pair<size_t, size_t>>& entries() const { return entries_; }
  std::optional<size_t> find(size_t row, size_t column) const;

 private:
  size_t size_;
  std::vector<bool> known_;
  std::vector<std::pair<size_t, size_t>> entries_;
};

// Which accumulators (columns) the results (rows) of an operator may vary with, closed.
SparseMatrix dependences(const core::Program& program, const core::Lambda& op,
                         const std::vector<size_t>& parts);

}  // namespace halo::ad

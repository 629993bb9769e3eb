// The lines of both inputs on their way from memory to the registers of an invocation.
#pragma once

#include <memory>

#include "gpu/templates/product/product_scope.h"
#include "gpu/templates/product/staging.h"

namespace halo::gpu {

// The staged part of an input.
StagedTile stagedTile(const ProductSchedule& tile, const ProductInputs& inputs, size_t input);

// Elements of one number k, for the invocation's rows and columns: by input, then by line.
using Fragment = std::vector<imp::Operands>;

class Fragments {
 public:
  // `lines`: by input; those without a buffer are staged element by element.
  Fragments(ProductScope& kernel, std::vector<Lines> lines);

  // Elements first_k .. of each line to registers, and from there to a half of shared memory.
  void load(const imp::Operand& first_k, bool is_rest);
  void store(const imp::Operand& half);
  Fragment at(const imp::Operand& half, const imp::Operand& k);

 private:
  std::unique_ptr<Staging> stagingOf(size_t input);
  void loadFour(size_t input, const imp::Operand& at, imp::Operands& into);

  ProductScope& kernel_;
  std::vector<Lines> lines_;
  std::vector<std::unique_ptr<Staging>> staging_;  // by input; none for those of neither
};

}  // namespace halo::gpu

#include "lang/passes/nests/dense_rows.h"

#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Operand;
using core::ValueId;

bool isWhole(const core::SliceDim& dim, const Operand& extent) {
  return dim.start == Operand::ofI64(0) && dim.length == extent && dim.stride == Operand::ofI64(1);
}

// Rows that follow each other.
bool isDense(const core::Program& program, const core::Slice& slice) {
  const core::Operands& extents = program.type(slice.array).shape;
  for (size_t axis = 1; axis < slice.dims.size(); ++axis) {
    if (!isWhole(slice.dims[axis], extents[axis])) return false;
  }
  return slice.dims.empty() || slice.dims[0].stride == Operand::ofI64(1);
}

}  // namespace

std::unordered_set<ValueId> stridedViews(const core::Program& program, const core::Body& body) {
  std::unordered_set<ValueId> views;
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* slice = std::get_if<core::Slice>(&stm.expr);
    const auto* reshape = std::get_if<core::Reshape>(&stm.expr);
    const auto* index = std::get_if<core::Index>(&stm.expr);
    const bool is_view =
        std::holds_alternative<core::Rearrange>(stm.expr) ||
        (slice != nullptr && (!isDense(program, *slice) || views.contains(slice->array))) ||
        (reshape != nullptr && views.contains(reshape->array)) ||
        (index != nullptr && views.contains(index->array));
    if (is_view) views.insert(stm.results.begin(), stm.results.end());
  });
  return views;
}

ValueId flattened(core::Program& program, core::Builder& to, ValueId array, size_t rank,
                  const Operand& count) {
  const core::Type whole = program.type(array);
  core::Type type{whole.scalar, {count}};
  type.shape.insert(type.shape.end(), whole.shape.begin() + static_cast<std::ptrdiff_t>(rank),
                    whole.shape.end());
  return to.bind(program.values[array].name, type, core::Reshape{array, type.shape});
}

}  // namespace halo::passes

#include "lang/passes/bounds/element_proofs.h"

#include <algorithm>

#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::passes {
namespace {

using core::Operand;

bool isBelow(const Operand& index, const Operand& extent) {
  return index.isConstant() && extent.isConstant() && index.constant.asSigned() >= 0 &&
         index.constant.asSigned() < extent.constant.asSigned();
}

bool isInside(const core::SliceDim& dim, const Operand& extent) {
  const bool forward = dim.stride == Operand::ofI64(1);
  if (forward && dim.start == Operand::ofI64(0) && dim.length == extent) return true;
  if (!forward || !dim.length.isConstant() || !isBelow(dim.start, extent)) return false;
  const int64_t left = extent.constant.asSigned() - dim.start.constant.asSigned();
  return dim.length.constant.asSigned() >= 0 && dim.length.constant.asSigned() <= left;
}

}  // namespace

bool ElementProofs::owesProof(const core::Stm& stm) const {
  if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
    bool inside = !program_.type(stm.results[0]).isScalar();
    const core::Operands& shape = program_.type(index->array).shape;
    for (size_t i = 0; i < index->indices.size(); ++i) {
      inside = inside && isBelow(index->indices[i], shape[i]);
    }
    return !inside;
  }
  if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
    const core::Operands& shape = program_.type(slice->array).shape;
    bool inside = true;
    for (size_t i = 0; i < slice->dims.size(); ++i) {
      inside = inside && isInside(slice->dims[i], shape[i]);
    }
    return !inside;
  }
  if (const auto* reshape = std::get_if<core::Reshape>(&stm.expr)) {
    const auto from = facts_.elementsOf(program_.type(reshape->array).shape);
    const auto to = facts_.elementsOf(reshape->shape);
    auto difference = from && to ? from->plus(*to, -1) : std::nullopt;
    return !difference || difference->asConstant() != Polynomial::Coefficient{0};
  }
  return std::holds_alternative<core::Slide>(stm.expr) ||
         std::holds_alternative<core::Pad>(stm.expr);
}

bool ElementProofs::readsInside(const core::Stm& stm) const {
  bool reads = false;
  core::visitBodies(stm.expr,
                    [&](const core::Body& inner) { reads = reads || readsElements(inner); });
  return reads;
}

bool ElementProofs::readsElements(const core::Body& body) const {
  bool reads = false;
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    reads = reads || (owesProof(stm) && !isWithin(stm)) || (op != nullptr && !isTotalScalar(*op));
  });
  return reads;
}

// An element at constant indices below constant extents.
bool ElementProofs::isWithin(const core::Stm& stm) const {
  const auto* index = std::get_if<core::Index>(&stm.expr);
  if (index == nullptr) return false;
  const core::Operands& shape = program_.type(index->array).shape;
  return std::equal(index->indices.begin(), index->indices.end(), shape.begin(), isBelow);
}

}  // namespace halo::passes

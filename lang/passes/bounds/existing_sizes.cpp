#include "lang/passes/bounds/existing_sizes.h"

#include <algorithm>

namespace halo::passes {

using core::Operand;
using core::Stm;
using core::ValueId;

void ExistingSizes::forgetTo(size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) sizes_.erase(trail_.back());
}

void ExistingSizes::note(const Stm& stm) {
  small_.note(stm);
  const auto* op = std::get_if<core::PrimOp>(&stm.expr);
  if (op == nullptr || op->op != prim::Op::kGe || op->args[0].isConstant()) return;
  if (op->args[1] == Operand::ofI64(0)) positive_[stm.results[0]] = op->args[0].value;
}

void ExistingSizes::noteChecked(const Stm& stm) {
  const auto* check = std::get_if<core::Assert>(&stm.expr);
  if (check == nullptr || check->code != diag::Code::negative_size) return;
  if (check->condition.isConstant()) return;
  const auto size = positive_.find(check->condition.value);
  if (size != positive_.end()) know(size->second);
}

void ExistingSizes::knowSizesOf(ValueId array) {
  facts_.knowSizes(array);
  for (const Operand& size : program_.type(array).shape) {
    if (!size.isConstant()) know(size.value);
  }
}

void ExistingSizes::knowSizesOf(const Stm& stm) {
  for (ValueId result : stm.results) knowSizesOf(result);
}

void ExistingSizes::know(ValueId size) {
  if (sizes_.insert(size).second) trail_.push_back(size);
}

bool ExistingSizes::hasSizes(const Stm& stm) const {
  if (std::holds_alternative<core::Reshape>(stm.expr)) return true;  // as many as before
  bool good = true;
  const auto look = [&](const Operand& size) { good = good && isThere(size); };
  for (ValueId result : stm.results) {
    for (const Operand& size : program_.type(result).shape) look(size);
  }
  if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) look(screma->width);
  if (const auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
    for (const Operand& size : stencil->space) look(size);
  }
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) look(hist->width);
  return good;
}

// A size, a sum or a product of sizes.
bool ExistingSizes::isThere(const Operand& size) const {
  if (!size.isConstant() && sizes_.contains(size.value)) return true;
  const auto computed = facts_.modular(size);
  if (!computed) return false;
  return isOfSizes(*computed) || (small_.isSmall(size, sizes_) && facts_.isNotNegative(computed));
}

bool ExistingSizes::isOfSizes(const Polynomial& computed) const {
  return std::all_of(computed.terms().begin(), computed.terms().end(), [&](const auto& term) {
    const auto& [product, factor] = term;
    return factor > 0 && std::all_of(product.begin(), product.end(),
                                     [&](ValueId value) { return sizes_.contains(value); });
  });
}

}  // namespace halo::passes

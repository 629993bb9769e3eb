#include "gpu/templates/cells/group_widths.h"

#include <algorithm>

#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/group.h"

namespace halo::gpu {

using namespace imp;

namespace {

void add(Operands& widths, const Operand& width) {
  if (std::find(widths.begin(), widths.end(), width) == widths.end()) widths.push_back(width);
}

void addWidths(Builder& host, const KernelCall& call, const core::Body& body, CellWidths& widths) {
  auto known = [&](const core::Operand& operand) -> std::optional<Operand> {
    if (operand.isConstant()) return Operand(operand.constant);
    auto found = call.arguments.scalars.find(operand.value);
    const bool is_there =
        found != call.arguments.scalars.end() && !call.on_device.contains(operand.value);
    return is_there ? std::optional(found->second) : std::nullopt;
  };
  auto addSingle = [&](const core::Operand& extent) {
    const std::optional<Operand> width = known(extent);
    if (width) add(widths.single, *width);
    widths.are_all = widths.are_all && width;
  };
  auto addNest = [&](const core::Screma& node) {
    const auto levels = mapNest(node, kMaxLevels);
    if (levels.size() < 2) return addSingle(node.width);
    Operand product = i64(1);
    for (const core::Screma* level : levels) {
      const std::optional<Operand> width = known(level->width);
      widths.are_all = widths.are_all && width;
      if (!width) return;
      product = host.mul(product, *width);
    }
    add(widths.nested, product);
  };
  visitShared(body, [&](const core::Stm& stm) {
    if (const auto* node = std::get_if<core::Screma>(&stm.expr)) addNest(*node);
    if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) addSingle(node->width);
  });
}

}  // namespace

CellWidths widthsOf(Builder& host, const KernelCall& call, const core::Body& cell) {
  CellWidths widths;
  addWidths(host, call, cell, widths);
  return widths;
}

}  // namespace halo::gpu

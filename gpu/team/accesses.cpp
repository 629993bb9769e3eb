// Statements that kernels may have.
#include "gpu/team/accesses.h"

#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

void forEachAccess(const Block& block, const std::function<void(BufferId, bool is_write)>& visit) {
  forEachStm(block, [&](const Stm& stm) {
    if (const auto* store = std::get_if<Store>(&stm.node)) visit(store->buffer, true);
    if (const auto* store = std::get_if<StoreVector>(&stm.node)) visit(store->buffer, true);
    if (const auto* load = std::get_if<LoadVector>(&stm.node)) visit(load->buffer, false);
    if (const auto* op = std::get_if<MatrixOp>(&stm.node); op != nullptr && op->memory.valid()) {
      visit(op->memory, stores(*op));
    }
    if (const auto* atomic = std::get_if<Atomic>(&stm.node)) visit(atomic->buffer, true);
    if (const auto* copy = std::get_if<CopyBuffer>(&stm.node)) {
      visit(copy->src, false);
      visit(copy->dst, true);
    }
    const auto* let = std::get_if<Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    if (load != nullptr) visit(load->buffer, false);
  });
}

}  // namespace halo::gpu

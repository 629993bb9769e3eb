// Statements that kernels may have.
#include "lang/imp/accesses.h"

#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

void visitAccesses(const Stm& stm, const std::function<void(BufferId, Access)>& visit) {
  if (const auto* store = std::get_if<Store>(&stm.node)) visit(store->buffer, Access::kStore);
  if (const auto* store = std::get_if<StoreVector>(&stm.node)) visit(store->buffer, Access::kStore);
  if (const auto* load = std::get_if<LoadVector>(&stm.node)) visit(load->buffer, Access::kLoad);
  if (const auto* op = std::get_if<MatrixOp>(&stm.node); op != nullptr && op->memory.valid()) {
    visit(op->memory, stores(*op) ? Access::kStore : Access::kLoad);
  }
  if (const auto* atomic = std::get_if<Atomic>(&stm.node)) visit(atomic->buffer, Access::kAtomic);
  if (const auto* copy = std::get_if<CopyBuffer>(&stm.node)) {
    visit(copy->src, Access::kLoad);
    visit(copy->dst, Access::kStore);
  }
  const Load* load = boundAs<Load>(stm);
  if (load != nullptr) visit(load->buffer, Access::kLoad);
}

}  // namespace

void forEachAccess(const Block& block,
                   const std::function<void(BufferId buffer, Access access)>& visit) {
  forEachStm(block, [&](const Stm& stm) { visitAccesses(stm, visit); });
}

std::set<BufferId> writtenBuffers(const Block& block) {
  std::set<BufferId> written;
  forEachAccess(block, [&](BufferId buffer, Access access) {
    if (access != Access::kLoad) written.insert(buffer);
  });
  return written;
}

}  // namespace halo::imp

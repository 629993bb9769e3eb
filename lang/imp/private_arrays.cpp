// An array is an iteration's own if all of its uses are in the body.
#include "lang/imp/private_arrays.h"

#include <algorithm>

#include "lang/imp/walk.h"

namespace halo::imp {

BufferUses bufferUses(const Block& block) {
  BufferUses uses;
  forEachStm(block,
             [&](const Stm& stm) { forEachBuffer(stm, [&](BufferId buffer) { ++uses[buffer]; }); });
  return uses;
}

std::vector<BufferId> privateArraysOf(const Program& program, const BufferUses& all,
                                      const Block& body) {
  std::vector<BufferId> own;
  for (const auto& [buffer, count] : bufferUses(body)) {
    const BufferInfo& info = program.buffers[buffer];
    const bool is_private = info.space == Space::kPrivate && info.contents.empty();
    if (is_private && all.at(buffer) == count) own.push_back(buffer);
  }
  std::sort(own.begin(), own.end(), [](BufferId a, BufferId b) { return a.index < b.index; });
  return own;
}

}  // namespace halo::imp

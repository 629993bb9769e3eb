// The vectors come first: nearly all invocations take that branch.
#include "gpu/templates/kernel/guarded_stores.h"

namespace halo::gpu {

using namespace imp;

void GuardedStores::store(Builder& code, const std::vector<Target>& targets) const {
  code.ifThenElse(
      all_inside,
      [&] {
        for (const Target& target : targets) {
          storeVectors(code, target.buffer, first, target.values);
        }
      },
      [&] {
        each(code, [&](size_t which, const Operand& at) {
          for (const Target& target : targets) {
            code.store(target.buffer, at, target.values[which]);
          }
        });
      });
}

void GuardedStores::each(Builder& code, const StoreOne& store) const {
  for (size_t which = 0; which < count; ++which) {
    const Operand at = code.add(first, i64(static_cast<int64_t>(which)));
    code.ifThenElse(inside(which), [&] { store(which, at); });
  }
}

}  // namespace halo::gpu

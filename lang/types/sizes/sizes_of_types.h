// Which binders the sizes in a type mention; each type is looked at once.
#pragma once

#include <span>
#include <vector>

#include "lang/base/containers/id_map.h"
#include "lang/types/checked.h"

namespace halo::types {

class SizesOfTypes {
 public:
  explicit SizesOfTypes(const Program& program) : program_(program) {}

  // Not those that a function type binds itself. Valid until the next call.
  std::span<const BinderId> of(TypeId type);
  // Those that `out` has not from `from` on.
  void add(SizeId size, std::vector<BinderId>& out, size_t from = 0) const;

 private:
  struct Slice {
    size_t begin = 0, size = 0;
  };
  Slice sliceOf(TypeId type);

  const Program& program_;
  std::vector<BinderId> binders_;  // of all types so far
  base::IdMap<TypeId, Slice> known_;
};

}  // namespace halo::types

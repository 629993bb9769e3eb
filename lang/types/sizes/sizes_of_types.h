// Which binders the sizes in a type mention; each type is looked at once.
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

class SizesOfTypes {
 public:
  explicit SizesOfTypes(const Program& program) : program_(program) {}

  // Not those that a function type binds itself.
  const std::vector<BinderId>& of(TypeId type);
  void add(SizeId size, std::vector<BinderId>& out) const;

 private:
  const Program& program_;
  std::unordered_map<TypeId, std::vector<BinderId>> known_;
};

}  // namespace halo::types

// Host arrays to addresses and back.
#include "jit/leaves.h"

#include "lang/base/check.h"

namespace halo::jit {

diag::Result<std::vector<Leaf>> toLeaves(const std::vector<value::Value>& values) {
  std::vector<Leaf> leaves;
  for (const value::Value& item : values) {
    Leaf leaf;
    if (const value::Scalar* scalar = item.scalar()) {
      leaf.scalar = *scalar;
      leaf.type = scalar->type;
    } else {
      const value::Array* array = item.array();
      HALO_CHECK(array != nullptr, "an argument that is no leaf");
      auto host = value::toHost(*array);
      if (!host) return tl::unexpected(host.error());
      auto dense = value::toDense(*host);
      if (!dense) return tl::unexpected(dense.error());
      leaf.is_array = true;
      leaf.type = dense->type();
      leaf.shape = dense->shape();
      leaf.data = dense->buffer ? reinterpret_cast<uint64_t>(dense->data()) : 0;
      leaf.owner = dense->buffer;
    }
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

diag::Result<std::vector<value::Value>> fromLeaves(const std::vector<Leaf>& leaves) {
  std::vector<value::Value> values;
  for (const Leaf& leaf : leaves) {
    if (!leaf.is_array) {
      values.emplace_back(leaf.scalar);
      continue;
    }
    if (leaf.owner == nullptr) {  // an empty argument returned unchanged
      auto empty = value::makeArray(leaf.type, leaf.shape);
      if (!empty) return tl::unexpected(empty.error());
      values.emplace_back(std::move(*empty));
      continue;
    }
    value::Array array;
    array.layout.type = leaf.type;
    array.layout.shape = leaf.shape;
    array.layout.strides = value::denseStrides(leaf.shape);
    auto base = reinterpret_cast<uint64_t>(leaf.owner->host());
    array.layout.offset = static_cast<int64_t>(leaf.data - base) / prim::byteSize(leaf.type);
    array.buffer = leaf.owner;
    values.emplace_back(std::move(array));
  }
  return values;
}

}  // namespace halo::jit

// Greedy: the first smaller candidate that refutes is taken, and all begins anew.
#include "cli/session/testing/shrink.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lang/prim/prim.h"

namespace halo::session {

namespace {

using value::Array;
using value::Value;
using Leaves = std::vector<SizedLeaf>;
using Refutes = std::function<bool(const Leaves&)>;

// The elements of an array that lie within a smaller shape, from an offset on along one size.
Value part(const Array& array, const std::vector<int64_t>& shape,
           const std::vector<int64_t>& offsets) {
  Array view = array;
  view.layout.shape = shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    view.layout.offset += offsets[i] * view.layout.strides[i];
  }
  return value::toDense(view).value_or(array);
}

int64_t sizeOf(const Leaves& leaves, const std::string& name) {
  for (const SizedLeaf& leaf : leaves) {
    for (size_t i = 0; i < leaf.sizes.size(); ++i) {
      if (leaf.sizes[i] == name) return leaf.value.array()->shape()[i];
    }
  }
  return 0;
}

Leaves resized(Leaves leaves, const std::string& name, int64_t size, int64_t offset) {
  for (SizedLeaf& leaf : leaves) {
    if (std::count(leaf.sizes.begin(), leaf.sizes.end(), name) == 0) continue;
    std::vector<int64_t> shape = leaf.value.array()->shape(), offsets(shape.size(), 0);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (leaf.sizes[i] == name) shape[i] = size, offsets[i] = offset;
    }
    leaf.value = part(*leaf.value.array(), shape, offsets);
  }
  return leaves;
}

// Numbers nearer to zero, simplest first; floats become whole before they become smaller.
std::vector<prim::Scalar> simpler(prim::Scalar scalar) {
  const prim::ScalarType type = scalar.type;
  const prim::Scalar zero = prim::Scalar::fromBits(type, 0);
  if (scalar.bits == zero.bits) return {};
  if (type == prim::ScalarType::kBool) return {zero};
  std::vector<prim::Scalar> numbers;
  if (prim::isFloat(type)) {
    const double number = scalar.asDouble();
    for (double smaller : {0.0, 1.0, std::trunc(number), std::trunc(number / 2)}) {
      if (smaller != number && !std::isnan(smaller))
        numbers.push_back(prim::Scalar::ofFloat(type, smaller));
    }
    return numbers;
  }
  if (prim::isUnsigned(type)) {
    const uint64_t number = scalar.asUnsigned();
    numbers.push_back(zero);
    for (uint64_t step = (number + 1) / 2; step > 0; step /= 2) {
      numbers.push_back(prim::Scalar::ofUnsigned(type, number - step));
    }
    return numbers;
  }
  const int64_t number = scalar.asSigned();
  numbers.push_back(zero);
  // By halves of the rest, so that the least one is found in few steps.
  for (int64_t step = number / 2 + number % 2; step != 0; step /= 2) {
    numbers.push_back(prim::Scalar::ofUnsigned(type, static_cast<uint64_t>(number - step)));
  }
  return numbers;
}

class Shrinking {
 public:
  Shrinking(Leaves leaves, const Refutes& refutes, int tries)
      : leaves_(std::move(leaves)), refutes_(refutes), tries_(tries) {}

  Leaves run() {
    while (cutSizes() || cutNumbers()) {
    }
    return std::move(leaves_);
  }

 private:
  bool take(Leaves candidate) {
    if (tries_ == 0) return false;
    --tries_;
    if (!refutes_(candidate)) return false;
    leaves_ = std::move(candidate);
    return true;
  }

  bool cutSizes() {
    std::set<std::string> names;
    for (const SizedLeaf& leaf : leaves_) names.insert(leaf.sizes.begin(), leaf.sizes.end());
    for (const std::string& name : names) {
      const int64_t size = name.empty() ? 0 : sizeOf(leaves_, name);
      for (const auto& [smaller, offset] :
           {std::pair(size / 2, int64_t{0}), std::pair(size / 2, size - size / 2),
            std::pair(size - 1, int64_t{0}), std::pair(size - 1, int64_t{1})}) {
        if (size > 0 && take(resized(leaves_, name, smaller, offset))) return true;
      }
    }
    return false;
  }

  bool cutNumbers() {
    for (size_t i = 0; i < leaves_.size(); ++i) {
      const Array* array = leaves_[i].value.array();
      const int64_t count = array != nullptr ? array->elements() : 1;
      for (int64_t at = 0; at < count && tries_ > 0; ++at) {
        const prim::Scalar old = array != nullptr ? array->at(at) : *leaves_[i].value.scalar();
        for (const prim::Scalar& number : simpler(old)) {
          if (take(with(i, at, number))) return true;
        }
      }
    }
    return false;
  }

  Leaves with(size_t leaf, int64_t at, prim::Scalar number) const {
    Leaves changed = leaves_;
    const Array* array = changed[leaf].value.array();
    if (array == nullptr) {
      changed[leaf].value = number;
      return changed;
    }
    auto copy = value::makeArray(array->type(), array->shape());
    if (!copy) return changed;
    for (int64_t i = 0; i < array->elements(); ++i) {
      value::setAt(*copy, i, i == at ? number : array->at(i));
    }
    changed[leaf].value = std::move(*copy);
    return changed;
  }

  Leaves leaves_;
  const Refutes& refutes_;
  int tries_;  // left
};

}  // namespace

Leaves shrink(Leaves leaves, const Refutes& refutes, int tries) {
  return Shrinking(std::move(leaves), refutes, tries).run();
}

}  // namespace halo::session

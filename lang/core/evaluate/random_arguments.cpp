// Small arguments for an entry, from a seed (declared in evaluate.h).
#include <algorithm>
#include <random>
#include <unordered_map>

#include "lang/core/evaluate/evaluate_arrays.h"
#include "lang/core/text/shorthand.h"

namespace halo::core {

std::vector<Datum> randomArguments(const Program& program, const std::string& entry,
                                   uint64_t seed) {
  std::mt19937_64 random(seed);
  std::unordered_map<ValueId, int64_t> sizes;
  auto element = [&](ScalarType type) {
    const auto number = static_cast<int64_t>(random() % 10) - 3;
    if (type == ScalarType::kBool) return Scalar::ofBool(number > 1);
    if (!prim::isFloat(type))
      return Scalar::ofSigned(type, prim::isSigned(type) ? number : number + 3);
    return Scalar::ofFloat(type, static_cast<double>(number) / 2);
  };
  std::vector<Datum> arguments;
  for (ValueId param : program.find(entry)->params) {
    const Type& type = program.type(param);
    std::vector<int64_t> shape;
    for (const Operand& size : type.shape) {
      const int64_t extent = size.isConstant() ? size.constant.asSigned() : sizes[size.value];
      shape.push_back(std::max<int64_t>(extent, 0));
    }
    const bool is_size = type == Type{} && isMentioned(program, param, program.find(entry)->params);
    const Scalar size = Scalar::ofI64(static_cast<int64_t>(random() % 7));
    if (is_size) sizes[param] = size.asSigned();
    arguments.push_back(is_size ? Datum::of(size)
                                : built(type.scalar, shape, shape, [&](const Position&) {
                                    return Datum::of(element(type.scalar));
                                  }));
  }
  return arguments;
}

}  // namespace halo::core

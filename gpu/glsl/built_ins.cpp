// One table after another; elements of 1 and 2 bytes lie in words of 32 bits.
#include "gpu/glsl/built_ins.h"

#include <fmt/format.h>

#include "gpu/glsl/spelling.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

namespace {

// Of all axes; a lane and its subgroup have none.
const char* nameOf(BuiltIn what) {
  switch (what) {
    case BuiltIn::kGlobalId:
      return "(gl_LocalInvocationID + halo_group * gl_WorkGroupSize)";
    case BuiltIn::kLocalId:
      return "gl_LocalInvocationID";
    case BuiltIn::kGroupId:
      return "halo_group";
    case BuiltIn::kGroupCount:
      return "arg.halo_groups";
    case BuiltIn::kGroupSize:
      return "gl_WorkGroupSize";
    case BuiltIn::kLane:
      return "gl_SubgroupInvocationID";
    case BuiltIn::kSubgroup:
      return "gl_SubgroupID";
    case BuiltIn::kThreads:
      HALO_UNREACHABLE("threads of the host in a kernel");
  }
  HALO_UNREACHABLE("built-in");
}

}  // namespace

std::string builtInText(const BuiltInValue& value) {
  const char* name = nameOf(value.what);
  if (value.what == BuiltIn::kLane || value.what == BuiltIn::kSubgroup) return name;
  // Arguments are scalars: in a kernel of tests/exec/ad_stencil_borders.fut, llvmpipe of Mesa 22.3
  // computed with 1 for the y of a vector (1, 2, 1).
  const char* between = value.what == BuiltIn::kGroupCount ? "_" : ".";
  return fmt::format("{}{}{}", name, between, "xyz"[value.dimension]);
}

const char* shuffleName(ShuffleKind kind) {
  switch (kind) {
    case ShuffleKind::kUp:
      return "subgroupShuffleUp";
    case ShuffleKind::kDown:
      return "subgroupShuffleDown";
    case ShuffleKind::kXor:
      return "subgroupShuffleXor";
    case ShuffleKind::kFrom:
      return "subgroupShuffle";
  }
  HALO_UNREACHABLE("shuffle");
}

std::string smallElement(ScalarType type, const std::string& bits, size_t k) {
  size_t in_word = 4 / static_cast<size_t>(prim::byteSize(type));
  std::string word = bits + "." + "xyzw"[k / in_word];
  size_t shift = k % in_word * (32 / in_word);
  if (shift != 0) word = fmt::format("({} >> {})", word, shift);
  if (type == ScalarType::kBool) return fmt::format("(({} & 255u) != 0u)", word);
  if (type == ScalarType::kF16) return fmt::format("uint16BitsToHalf(uint16_t({}))", word);
  return fmt::format("{}({})", typeName(type), word);
}

std::string packed(ScalarType type, const std::vector<std::string>& elements) {
  std::string word;
  for (size_t k = 0; k < elements.size(); ++k) {
    std::string bits = "uint(" + elements[k] + ")";
    if (type == ScalarType::kF16) bits = "uint(halfBitsToUint16(" + elements[k] + "))";
    if (type == ScalarType::kI8) bits = "uint(uint8_t(" + elements[k] + "))";
    if (type == ScalarType::kI16) bits = "uint(uint16_t(" + elements[k] + "))";
    size_t shift = k * 32 / elements.size();
    word += (k == 0 ? "" : " | ") + (shift == 0 ? bits : fmt::format("({} << {})", bits, shift));
  }
  return word;
}

const char* atomicName(AtomicOp op) {
  static const char* const kNames[] = {"atomicAdd", "atomicMin", "atomicMax",  "atomicAnd",
                                       "atomicOr",  "atomicXor", "atomicLoad", "atomicStore"};
  return kNames[static_cast<size_t>(op)];
}

}  // namespace halo::gpu

// Constant distances are separate summands: devices add them while they access memory.
#include "gpu/glsl/addresses.h"

#include <fmt/format.h>

#include "gpu/glsl/parts.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

Addresses::Addresses(const Program& program, const Function& kernel, bool moves_pointers,
                     Names& names)
    : program_(program),
      moves_pointers_(moves_pointers),
      names_(names),
      vectors_(sharedVectors(program, kernel)) {
  if (!vectors_.empty() || moves_pointers) findSums(kernel);
}

// A distance of whole vectors that is added to another index stays a separate summand: devices add
// it while they access memory.
Addresses::VectorNumber Addresses::vectorNumber(BufferId buffer, const Operand& index) {
  const int64_t components = componentsOf(program_.buffers[buffer].type);
  const int shift = components == 2 ? 1 : 2;
  auto sum = index.isConstant() ? sums_.end() : sums_.find(index.var);
  if (sum == sums_.end() || sum->second.second % components != 0) {
    std::string text = names_.text(index);
    bool is_narrow = !index.isConstant() && program_.vars[index.var].type == ScalarType::kI32;
    return {is_narrow ? fmt::format("{} >> {}", text, shift)
                      : fmt::format("uint({}) / {}u", text, components),
            fmt::format("uint({}) & {}u", text, components - 1)};
  }
  std::string text = names_.text(sum->second.first);
  return {fmt::format("({} >> {}) + {}", text, shift, sum->second.second / components),
          fmt::format("uint({}) & {}u", text, components - 1)};
}

void Addresses::findSums(const Function& kernel) {
  forEachStm(kernel.body, [&](const Stm& stm) {
    const Let* let = std::get_if<Let>(&stm.node);
    const Prim* prim = let == nullptr ? nullptr : std::get_if<Prim>(&let->expr);
    bool adds = prim != nullptr && prim->op == prim::Op::kAdd && prim->type == ScalarType::kI32;
    if (!adds || prim->args[0].isConstant() || !prim->args[1].isConstant()) return;
    sums_.emplace(let->var, std::pair(prim->args[0], prim->args[1].constant.asSigned()));
  });
}

// Arrays take 32-bit indices; a 64-bit one moves the pointer instead.
std::string Addresses::element(BufferId buffer, const Operand& index) {
  const BufferInfo& info = program_.buffers[buffer];
  bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
  std::string base = in_memory ? "arg." + names_.of(buffer) + ".at" : names_.of(buffer);
  if (vectors_.contains(buffer)) {
    VectorNumber vector = vectorNumber(buffer, index);
    return fmt::format("{}[{}][{}]", base, vector.number, vector.component);
  }
  ScalarType type = index.isConstant() ? index.constant.type : program_.vars[index.var].type;
  if (index.isConstant() && index.constant.bits < 0x7fffffffu) {
    return fmt::format("{}[{}]", base, index.constant.bits);
  }
  if (!isWide(type)) return fmt::format("{}[{}]", base, names_.text(index));
  if (!in_memory) return fmt::format("{}[uint({})]", base, names_.text(index));
  return fmt::format("B_{0}(uint64_t(arg.{1}) + uint64_t({2}) * {3}ul).at[0]",
                     prim::name(info.type), names_.of(buffer), names_.text(index),
                     prim::byteSize(info.type));
}

std::string Addresses::vector(BufferId buffer, const Operand& index) {
  ScalarType type = program_.buffers[buffer].type;
  if (vectors_.contains(buffer)) {
    return fmt::format("{}[{}]", names_.of(buffer), vectorNumber(buffer, index).number);
  }
  bool wide = isWide(index.isConstant() ? index.constant.type : program_.vars[index.var].type);
  if (!wide && moves_pointers_ && !index.isConstant()) return vectorAt(buffer, index);
  if (!wide) {
    return fmt::format("V_{}(arg.{}).at[uint({}) / {}u]", prim::name(type), names_.of(buffer),
                       names_.text(index), 16 / prim::byteSize(type));
  }
  return fmt::format("V_{}(uint64_t(arg.{}) + uint64_t({}) * {}ul).at[0]", prim::name(type),
                     names_.of(buffer), names_.text(index), prim::byteSize(type));
}

// One instruction finds the pointer, and the constant part of the distance costs nothing: devices
// add it while they access memory.
std::string Addresses::vectorAt(BufferId buffer, const Operand& index) {
  ScalarType type = program_.buffers[buffer].type;
  auto sum = sums_.find(index.var);
  std::string from = names_.text(sum == sums_.end() ? index : sum->second.first);
  int64_t distance = sum == sums_.end() ? 0 : sum->second.second * prim::byteSize(type);
  return fmt::format("V_{}(uint64_t(arg.{}) + uint64_t(int64_t({})) * {}ul + {}ul).at[0]",
                     prim::name(type), names_.of(buffer), from, prim::byteSize(type),
                     static_cast<uint64_t>(distance));
}

std::string Addresses::matrix(const MatrixOp& s) {
  const ScalarType type = program_.buffers[s.memory].type;
  const int in_vector = 16 / prim::byteSize(type);
  const std::string pitch = s.pitch.isConstant()
                                ? fmt::format("{}u", s.pitch.constant.asSigned() / in_vector)
                                : fmt::format("uint({}) / {}u", names_.text(s.pitch), in_vector);
  if (vectors_.contains(s.memory)) {
    return fmt::format("{}, {}, {}", names_.of(s.memory), vectorNumber(s.memory, s.index).number,
                       pitch);
  }
  return fmt::format("V_u32(uint64_t(arg.{}) + uint64_t(int64_t({})) * {}ul).at, 0u, {}",
                     names_.of(s.memory), names_.text(s.index), prim::byteSize(type), pitch);
}

}  // namespace halo::gpu

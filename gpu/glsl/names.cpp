// Numbers at the end of names make them different, and from GLSL's keywords.
#include "gpu/glsl/names.h"

#include <fmt/format.h>

#include "gpu/glsl/printer.h"
#include "gpu/glsl/spelling.h"
#include "lang/imp/accesses.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

namespace {

// Two underscores in a row belong to GLSL, and so do its keywords: the number at the end avoids
// those.
std::string clean(const std::string& hint) {
  std::string result;
  for (char c : hint) {
    bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (fine) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) {
    result = "v" + result;
  }
  while (result.back() == '_') result.pop_back();
  return result;
}

}  // namespace

std::string vectorName(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return "vec4";
    case ScalarType::kI32:
      return "ivec4";
    case ScalarType::kU32:
      return "uvec4";
    case ScalarType::kF64:
      return "dvec2";
    case ScalarType::kI64:
      return "i64vec2";
    case ScalarType::kU64:
      return "u64vec2";
    default:
      return "uvec4";  // smaller elements: their bits
  }
}

std::set<uint32_t> usedBuffers(const Function& kernel) {
  std::set<uint32_t> used;
  forEachAccess(kernel.body, [&](BufferId buffer, Access) { used.insert(buffer.index); });
  forEachStm(kernel.body, [&](const Stm& stm) {
    if (!std::holds_alternative<MatrixOp>(stm.node)) return;
    forEachBuffer(stm, [&](BufferId buffer) { used.insert(buffer.index); });
  });
  return used;
}

std::set<BufferId> sharedVectors(const Program& program, const Function& kernel) {
  std::set<BufferId> vectors;
  forEachStm(kernel.body, [&](const Stm& stm) {
    const auto* load = std::get_if<LoadVector>(&stm.node);
    const auto* store = std::get_if<StoreVector>(&stm.node);
    const auto* op = std::get_if<MatrixOp>(&stm.node);
    BufferId buffer;
    if (load != nullptr) buffer = load->buffer;
    if (store != nullptr) buffer = store->buffer;
    if (op != nullptr) buffer = op->memory;
    if (!buffer.valid()) return;
    if (program.buffers[buffer].space == Space::kShared) vectors.insert(buffer);
  });
  return vectors;
}

Names::Names(const Program& program, const Function& kernel) : program_(program) {
  for (int site : failureSites(kernel)) sites_.emplace(site, sites_.size());
}

const std::string& Names::of(VarId var) {
  auto [found, is_new] = vars_.try_emplace(var);
  if (is_new)
    found->second = fmt::format("{}_{}", clean(program_.vars[var].name), vars_.size() - 1);
  return found->second;
}

const std::string& Names::of(BufferId buffer) {
  auto [found, is_new] = buffers_.try_emplace(buffer);
  if (is_new) {
    found->second =
        fmt::format("{}_b{}", clean(program_.buffers[buffer].name), buffers_.size() - 1);
  }
  return found->second;
}

void Names::mention(const Stm& stm) {
  forEachBuffer(stm, [&](BufferId buffer) { of(buffer); });
  forEachOperand(stm, [&](const Operand& operand) { text(operand); });
}

std::string Names::text(const Operand& operand) {
  return operand.isConstant() ? spell(operand.constant) : of(operand.var);
}

}  // namespace halo::gpu

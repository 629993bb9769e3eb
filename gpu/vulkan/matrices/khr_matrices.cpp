// Source: SPV_NV_cooperative_matrix and SPV_KHR_cooperative_matrix of the SPIR-V registry.
#include "gpu/vulkan/matrices/khr_matrices.h"

#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

#include "gpu/vulkan/matrices/spirv.h"

namespace halo::gpu::vulkan {
namespace {

using Module = std::vector<uint32_t>;
using Instruction = std::span<const uint32_t>;

constexpr size_t kBound = 3;  // the header's word: ids are below it
constexpr uint32_t kCapabilityNv = 5357, kCapabilityKhr = 6022;
constexpr char kExtensionNv[] = "SPV_NV_cooperative_matrix";
constexpr char kExtensionKhr[] = "SPV_KHR_cooperative_matrix";

enum Op : uint32_t {
  kExtension = 10,
  kCapability = 17,
  kTypeInt = 21,
  kTypePointer = 32,
  kConstantTrue = 41,
  kConstant = 43,
  kConstantComposite = 44,
  kVariable = 59,
  kLoad = 61,
  kStore = 62,
  kCompositeConstruct = 80,
  kTypeNv = 5358,
  kLoadNv = 5359,
  kStoreNv = 5360,
  kMultiplyNv = 5361,
  kTypeKhr = 4456,
  kLoadKhr = 4457,
  kStoreKhr = 4458,
  kMultiplyKhr = 4459,
};

// Operand of a product, by the number that a KHR type gives it.
enum Use : uint32_t { kUseA, kUseB, kUseSum, kUses };

// Capabilities come first.
bool hasMatrices(const Module& code) {
  for (size_t at = kSpirvHeader; at + 1 < code.size(); at += 2) {
    if (code[at] != (2U << 16 | kCapability)) return false;
    if (code[at + 1] == kCapabilityNv) return true;
  }
  return false;
}

Module instruction(Op op, const Module& operands) {
  Module words{static_cast<uint32_t>((operands.size() + 1) << 16 | op)};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

bool isText(Instruction words, const char* text) {
  const auto* begin = reinterpret_cast<const char*>(words.data());
  const std::string_view found(begin, strnlen(begin, words.size_bytes()));
  return found == text;
}

// Values and variables that hold the same matrices have one use.
class Uses {
 public:
  // False where two uses meet.
  bool join(uint32_t a, uint32_t b) {
    const uint32_t kept = rootOf(a), other = rootOf(b);
    if (kept == other) return true;
    parents_[other] = kept;
    const auto found = uses_.find(other);
    return found == uses_.end() || set(kept, found->second);
  }
  bool set(uint32_t id, Use use) { return uses_.try_emplace(rootOf(id), use).first->second == use; }
  // Of a matrix that no product has: a sum.
  Use of(uint32_t id) {
    const auto found = uses_.find(rootOf(id));
    return found == uses_.end() ? kUseSum : found->second;
  }

 private:
  uint32_t rootOf(uint32_t id) {
    while (parents_.contains(id)) id = parents_[id];
    return id;
  }

  std::unordered_map<uint32_t, uint32_t> parents_;
  std::unordered_map<uint32_t, Use> uses_;  // by root
};

class Rewriter {
 public:
  explicit Rewriter(const Module& code) : code_(code) {}

  std::optional<Module> run() {
    if (!hasMatrices(code_)) return code_;
    forEachInstruction(code_, [&](uint32_t op, Instruction words) { collect(op, words); });
    if (!is_known_ || int_type_ == 0) return std::nullopt;
    out_.assign(code_.begin(), code_.begin() + kSpirvHeader);
    for (uint32_t use = 0; use < kUses; ++use) constants_[use] = out_[kBound]++;
    forEachInstruction(code_, [&](uint32_t op, Instruction words) { rewrite(op, words); });
    return out_;
  }

 private:
  bool isMatrixType(uint32_t id) const { return types_.contains(id) || pointers_.contains(id); }
  void require(bool holds) { is_known_ = is_known_ && holds; }

  // Types of matrices and the uses of their values.
  void collect(uint32_t op, Instruction words) {
    switch (op) {
      case kTypeInt:
        if (words[2] == 32 && words[3] == 0) int_type_ = words[1];
        if (words[3] == 1) signed_types_.insert(words[1]);
        break;
      case kConstantTrue:
        true_ = words[2];
        break;
      case kTypeNv:
        types_[words[1]] = words[2];
        break;
      case kTypePointer:
        if (types_.contains(words[3])) pointers_.insert(words[1]);
        break;
      case kStore:
        if (values_.contains(words[1])) require(uses_.join(words[1], words[2]));
        break;
      case kStoreNv:
        break;
      case kMultiplyNv:
        require(uses_.set(words[3], kUseA) && uses_.set(words[4], kUseB));
        require(uses_.set(words[5], kUseSum) && uses_.set(words[2], kUseSum));
        values_[words[2]] = words[1];
        break;
      default:
        collectValue(op, words);
    }
  }

  void collectValue(uint32_t op, Instruction words) {
    if (words.size() < 3 || !isMatrixType(words[1])) return;
    switch (op) {
      case kLoad:
        require(uses_.join(words[3], words[2]));
        break;
      case kVariable:
        require(words.size() == 4);
        break;
      case kLoadNv:
      case kConstantComposite:
      case kCompositeConstruct:
        break;
      default:
        require(false);
    }
    values_[words[2]] = words[1];
  }

  void rewrite(uint32_t op, Instruction words) {
    switch (op) {
      case kCapability:
        return put(words[1] == kCapabilityNv ? instruction(kCapability, {kCapabilityKhr})
                                             : Module(words.begin(), words.end()));
      case kExtension:
        return isText(words.subspan(1), kExtensionNv) ? putExtension() : copy(words);
      case kTypeNv:
        return putTypes(words);
      case kTypePointer:
        return pointers_.contains(words[1]) ? putPointers(words) : copy(words);
      case kLoadNv:
        return putLoad(words);
      case kStoreNv:
        return putStore(words);
      case kMultiplyNv:
        return putMultiply(words);
      default:
        return putValue(words);
    }
  }

  void put(const Module& words) { out_.insert(out_.end(), words.begin(), words.end()); }
  void copy(Instruction words) { out_.insert(out_.end(), words.begin(), words.end()); }

  void putExtension() {
    Module text((sizeof kExtensionKhr + 3) / 4);
    std::memcpy(text.data(), kExtensionKhr, sizeof kExtensionKhr);
    put(instruction(kExtension, text));
  }

  // The id of the type, or pointer, for a use; the first one keeps the module's.
  uint32_t typeOf(uint32_t type, Use use) {
    auto& ids = ids_[type];
    const auto found = ids.find(use);
    if (found != ids.end()) return found->second;
    const uint32_t id = ids.empty() ? type : out_[kBound]++;
    return ids[use] = id;
  }
  uint32_t typeOfValue(uint32_t value) { return typeOf(values_.at(value), uses_.of(value)); }

  void putTypes(Instruction words) {
    if (!has_constants_) {
      for (uint32_t use = 0; use < kUses; ++use) {
        put(instruction(kConstant, {int_type_, constants_[use], use}));
      }
      has_constants_ = true;
    }
    for (uint32_t use = 0; use < kUses; ++use) {
      put(instruction(kTypeKhr, {typeOf(words[1], static_cast<Use>(use)), words[2], words[3],
                                 words[4], words[5], constants_[use]}));
    }
  }
  void putPointers(Instruction words) {
    for (uint32_t use = 0; use < kUses; ++use) {
      const Use of = static_cast<Use>(use);
      put(instruction(kTypePointer, {typeOf(words[1], of), words[2], typeOf(words[3], of)}));
    }
  }

  uint32_t layout(uint32_t by_columns) const { return constants_[by_columns == true_ ? 1 : 0]; }

  void putLoad(Instruction words) {
    Module operands{typeOfValue(words[2]), words[2], words[3], layout(words[5]), words[4]};
    operands.insert(operands.end(), words.begin() + 6, words.end());
    put(instruction(kLoadKhr, operands));
  }
  void putStore(Instruction words) {
    Module operands{words[1], words[2], layout(words[4]), words[3]};
    operands.insert(operands.end(), words.begin() + 5, words.end());
    put(instruction(kStoreKhr, operands));
  }
  // KHR names the operands whose elements have a sign: bits in their order.
  void putMultiply(Instruction words) {
    uint32_t with_sign = 0;
    const uint32_t operands[] = {words[3], words[4], words[5], words[2]};
    for (size_t i = 0; i < std::size(operands); ++i) {
      const uint32_t element = types_.at(values_.at(operands[i]));
      if (signed_types_.contains(element)) with_sign |= 1U << i;
    }
    put(instruction(kMultiplyKhr,
                    {typeOfValue(words[2]), words[2], words[3], words[4], words[5], with_sign}));
  }
  void putValue(Instruction words) {
    copy(words);
    if (words.size() >= 3 && isMatrixType(words[1]) && values_.contains(words[2])) {
      out_[out_.size() - words.size() + 1] = typeOfValue(words[2]);
    }
  }

  const Module& code_;
  Module out_;
  uint32_t int_type_ = 0;  // u32
  uint32_t true_ = 0;
  std::set<uint32_t> signed_types_;
  std::unordered_map<uint32_t, uint32_t> types_;   // of matrices: their elements' type
  std::set<uint32_t> pointers_;                    // types that point to matrices
  std::unordered_map<uint32_t, uint32_t> values_;  // matrices and variables: their type
  Uses uses_;
  bool is_known_ = true;
  uint32_t constants_[kUses] = {};
  bool has_constants_ = false;
  std::unordered_map<uint32_t, std::map<Use, uint32_t>> ids_;
};

}  // namespace

std::optional<std::vector<uint32_t>> khrMatrices(const std::vector<uint32_t>& code) {
  return Rewriter(code).run();
}

}  // namespace halo::gpu::vulkan

// Shuffles move words; vectors are used where four elements are 16 or 32 bytes.
#include "gpu/templates/kernel/lanes.h"

#include <algorithm>
#include <set>

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

Operand converted(Builder& code, ConvertKind kind, ScalarType from, ScalarType to,
                  const Operand& value) {
  if (from == to) return value;
  return code.let("w", to, Convert{kind, from, to, value});
}

Operand ofU64(uint64_t value) { return prim::Scalar::ofUnsigned(ScalarType::kU64, value); }

// The unsigned or signed integer type that takes the bits of a float.
ScalarType bitsType(ScalarType type) {
  switch (type) {
    case ScalarType::kF16:
      return ScalarType::kU16;
    case ScalarType::kF32:
      return ScalarType::kU32;
    case ScalarType::kF64:
      return ScalarType::kU64;
    default:
      return type;
  }
}

}  // namespace

Operands toWords(Builder& code, ScalarType type, const Operand& value) {
  if (type == ScalarType::kBool) {
    return {code.let("w", ScalarType::kU32, Select{value, u32(1), u32(0)})};
  }
  ScalarType bits = bitsType(type);
  Operand whole = converted(code, ConvertKind::kBits, type, bits, value);
  if (wordsOf(type) == 1) {
    return {converted(code, ConvertKind::kValue, bits, ScalarType::kU32, whole)};
  }
  whole = converted(code, ConvertKind::kValue, bits, ScalarType::kU64, whole);
  Operand high = code.prim(Op::kMachineLshr, ScalarType::kU64, {whole, ofU64(32)});
  Operand low_word =
      converted(code, ConvertKind::kValue, ScalarType::kU64, ScalarType::kU32, whole);
  return {low_word, converted(code, ConvertKind::kValue, ScalarType::kU64, ScalarType::kU32, high)};
}

Operand fromWords(Builder& code, ScalarType type, const Operands& words) {
  if (type == ScalarType::kBool) return code.prim(Op::kNe, ScalarType::kU32, {words[0], u32(0)});
  ScalarType bits = bitsType(type);
  Operand whole = words[0];
  ScalarType have = ScalarType::kU32;
  if (wordsOf(type) == 2) {
    have = ScalarType::kU64;
    Operand low = converted(code, ConvertKind::kValue, ScalarType::kU32, have, words[0]);
    Operand high = converted(code, ConvertKind::kValue, ScalarType::kU32, have, words[1]);
    Operand moved = code.prim(Op::kMachineShl, have, {high, ofU64(32)});
    whole = code.prim(Op::kOr, have, {low, moved});
  }
  whole = converted(code, ConvertKind::kValue, have, bits, whole);
  return converted(code, ConvertKind::kBits, bits, type, whole);
}

Operand shuffled(Builder& code, ScalarType type, ShuffleKind kind, const Operand& value,
                 const Operand& lane) {
  bool as_it_is = prim::byteSize(type) == 4;
  if (as_it_is) return code.let("far", type, Shuffle{kind, value, lane});
  Operands words = toWords(code, type, value);
  for (Operand& word : words) word = code.let("far", ScalarType::kU32, Shuffle{kind, word, lane});
  return fromWords(code, type, words);
}

bool isWhole(const ArrayRef& array) {
  return !array.isVirtual() && array.dense && array.offset == i64(0);
}

namespace {

// Whether the elements' code reads one of these rows as an array of its own, such as `r[0]`.
bool readsWhole(const core::Program& program, const core::Screma& screma,
                const std::set<core::ValueId>& rows) {
  const auto reads = [&](const core::Lambda& lambda) {
    const auto used = core::freeValues(program, lambda);
    return std::any_of(used.begin(), used.end(),
                       [&](core::ValueId value) { return rows.contains(value); });
  };
  const auto combines = [&](const auto& one) { return reads(one.op); };
  return reads(screma.map) ||
         std::any_of(screma.reductions.begin(), screma.reductions.end(), combines) ||
         std::any_of(screma.scans.begin(), screma.scans.end(), combines);
}

}  // namespace

FlatInputs::FlatInputs(const KernelCall& call, const std::vector<const core::Screma*>& levels,
                       Kind kind)
    : call_(call), levels_(levels), kind_(kind) {
  std::set<core::ValueId> rows;  // parameters of the levels around that only lead to flat inputs
  for (core::ValueId input : levels_.back()->inputs) {
    arrays_.push_back(argument(input, levels_.size() - 1));
    flat_.push_back(arrays_.back() != nullptr);
    for (size_t k = levels_.size() - 1; flat_.back() && k-- > 0;) {
      const core::Lambda& map = levels_[k]->map;
      auto at = std::find(map.params.begin(), map.params.end(), input) - map.params.begin();
      rows.insert(input);
      input = levels_[k]->inputs[static_cast<size_t>(at)];
    }
  }
  are_enough_ = call.function.body.stms.size() == 1 &&
                std::find(flat_.begin(), flat_.end(), false) == flat_.end() &&
                !readsWhole(call.core, *levels_.back(), rows);
  for (size_t k = 0; k + 1 < levels_.size(); ++k) {
    const core::Lambda& map = levels_[k]->map;
    are_enough_ = are_enough_ && map.body.stms.size() == 1 &&
                  std::all_of(map.params.begin(), map.params.end(),
                              [&](core::ValueId param) { return rows.contains(param); });
  }
}

bool FlatInputs::any() const { return std::find(flat_.begin(), flat_.end(), true) != flat_.end(); }

// The argument whose element at the indices of all levels the input's element is, if there is one.
const ArrayRef* FlatInputs::argument(core::ValueId input, size_t level) {
  while (level > 0) {
    const core::Screma& outer = *levels_[--level];
    const std::vector<core::ValueId>& params = outer.map.params;
    auto found = std::find(params.begin(), params.end(), input);
    if (found == params.end()) return nullptr;
    input = outer.inputs[static_cast<size_t>(found - params.begin())];
  }
  auto array = call_.arguments.arrays.find(input);
  if (array == call_.arguments.arrays.end()) return nullptr;
  bool is_wanted = kind_ == Kind::kWhole
                       ? isWhole(array->second)
                       : !array->second.isVirtual() && array->second.offset == i64(0);
  bool fits = is_wanted && array->second.rank() == static_cast<int>(levels_.size());
  return fits ? &array->second : nullptr;
}

Operands FlatInputs::loadFour(KernelScope& scope, size_t input, const Operand& first) const {
  return loadVectors(scope.code(), scope.buffer(arrays_[input]->buffer), first, 4);
}

Operands loadVectors(Builder& code, BufferId buffer, const Operand& first, int64_t count) {
  Program& program = code.program();
  ScalarType type = program.buffers[buffer].type;
  int64_t at_once = kVectorBytes / prim::byteSize(type);
  Operands values;
  for (int64_t k = 0; count < at_once && k < count; ++k) {
    values.push_back(code.load(buffer, code.add(first, i64(k))));
  }
  for (int64_t k = 0; count >= at_once && k < count; k += at_once) {
    LoadVector load{{}, buffer, code.add(first, i64(k))};
    for (int64_t i = 0; i < at_once; ++i) load.vars.push_back(program.addVar("v", type));
    values.insert(values.end(), load.vars.begin(), load.vars.end());
    code.append(std::move(load));
  }
  return values;
}

void storeVectors(Builder& code, BufferId buffer, const Operand& first, const Operands& values) {
  int64_t at_once = kVectorBytes / prim::byteSize(code.program().buffers[buffer].type);
  auto count = static_cast<int64_t>(values.size());
  for (int64_t k = 0; count < at_once && k < count; ++k) {
    code.store(buffer, code.add(first, i64(k)), values[static_cast<size_t>(k)]);
  }
  for (int64_t k = 0; count >= at_once && k < count; k += at_once) {
    auto begin = values.begin() + k;
    code.append(StoreVector{buffer, code.add(first, i64(k)), Operands(begin, begin + at_once)});
  }
}

}  // namespace halo::gpu

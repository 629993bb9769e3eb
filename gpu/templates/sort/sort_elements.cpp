#include "gpu/templates/sort/sort_elements.h"

#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;

void SortElements::open(const Operand& tile) {
  start_ = code_.mul(tile, i64(shape_.tile()));
  // At least one: that is known, and makes numbers within the tile short ones.
  const Operand left = code_.sub(scope_.scalar(pass_.width), start_);
  left_ = code_.max(code_.min(left, i64(shape_.tile())), i64(1));
  is_whole_ = isEqual(code_, left_, i64(shape_.tile()));
  if (shape_.lanes == 0) {
    first_ = code_.mul(lid_, i64(shape_.keys));
    return;
  }
  lane_ = scope_.builtIn(BuiltIn::kLane, shape_.lanes);
  subgroup_ = scope_.builtIn(BuiltIn::kSubgroup, shape_.subgroups());
  const Operand of_subgroup = code_.mul(subgroup_, i64(shape_.lanes * shape_.keys));
  first_ = code_.add(of_subgroup, lane_);
  step_ = shape_.lanes;
}

Operand SortElements::inTile(size_t k) {
  return code_.add(first_, i64(static_cast<int64_t>(k) * step_));
}

Operand SortElements::slot(size_t k) {
  return code_.add(lid_, i64(static_cast<int64_t>(k) * shape_.workgroup));
}

Operand SortElements::index(size_t k) { return code_.add(start_, inTile(k)); }

Operand SortElements::exists(const Operand& at) { return isLess(code_, at, left_); }

SortElements::Words SortElements::load(size_t which) {
  Variables words(count());
  Words elements(count());
  for (size_t k = 0; k < count(); ++k) {
    for (size_t w = 0; w < wordsOf(pass_.from[which].type); ++w) {
      words[k].push_back(code_.declare("word", ScalarType::kU32, u32(0)));
      elements[k].emplace_back(words[k].back());
    }
  }
  code_.ifThenElse(
      is_whole_,
      [&] {
        const Operand base = code_.add(start_, first_);
        Operands at;
        for (size_t k = 0; k < count(); ++k) {
          at.push_back(code_.add(base, i64(static_cast<int64_t>(k) * step_)));
        }
        loadWords(which, at, words);
      },
      [&] { loadRest(which, words); });
  return elements;
}

void SortElements::loadWords(size_t which, const Operands& at, const Variables& words) {
  Operands loaded;
  for (const Operand& index : at) loaded.push_back(elementOf(scope_, pass_, which, index));
  for (size_t k = 0; k < at.size(); ++k) {
    const Operands parts = toWords(code_, pass_.from[which].type, loaded[k]);
    for (size_t w = 0; w < parts.size(); ++w) code_.assign(words[k][w], parts[w]);
  }
}

// Of a tile that is not full.
void SortElements::loadRest(size_t which, const Variables& words) {
  const Operand last = code_.sub(left_, i64(1));
  Operands at;
  for (size_t k = 0; k < count(); ++k) {
    at.push_back(code_.add(start_, code_.min(inTile(k), last)));
  }
  loadWords(which, at, words);
  const bool are_keys = which == 0 && !pass_.key;
  for (size_t k = 0; are_keys && k < count(); ++k) {
    const Operand is_there = exists(inTile(k));
    for (VarId part : words[k]) {
      code_.assign(part, code_.let("key", ScalarType::kU32,
                                   Select{is_there, Operand(part), u32(0xffffffffu)}));
    }
  }
}

// ---- keys

SortElements::Words SortElements::keysOf(const std::vector<Words>& arrays) {
  if (!pass_.key) return arrays[0];
  Words keys;
  for (size_t k = 0; k < count(); ++k) {
    Operands elements;
    for (size_t a = 0; a < arrays.size(); ++a) {
      elements.push_back(fromWords(code_, pass_.from[a].type, arrays[a][k]));
    }
    keys.push_back(toWords(code_, pass_.key_type, pass_.key(scope_, elements)));
  }
  return keys;
}

Operands SortElements::digitsOf(const std::vector<Words>& arrays, const Operand& shift) {
  const Words keys = keysOf(arrays);
  Operands digits;
  for (const Operands& key : keys) digits.push_back(digitOf(code_, shape_, shift, key));
  return pass_.key ? withRestLast(digits) : digits;  // else load() made the keys greatest
}

Operands SortElements::withRestLast(const Operands& digits) {
  const Operand greatest = u32(static_cast<uint32_t>(shape_.bins() - 1));
  std::vector<VarId> chosen;
  for (const Operand& digit : digits) {
    chosen.push_back(code_.declare("digit", ScalarType::kU32, digit));
  }
  code_.ifThenElse(isLess(code_, left_, i64(shape_.tile())), [&] {
    for (size_t k = 0; k < digits.size(); ++k) {
      const Operand is_there = exists(inTile(k));
      code_.assign(chosen[k],
                   code_.let("digit", ScalarType::kU32, Select{is_there, digits[k], greatest}));
    }
  });
  return Operands(chosen.begin(), chosen.end());
}

}  // namespace halo::gpu

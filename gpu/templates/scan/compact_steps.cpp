#include "gpu/templates/scan/compact_steps.h"

#include "gpu/plan/nests/element_code.h"
#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

constexpr int64_t kFlagBytes = 4;  // of a word, each counts for one k

size_t destinationsOf(const ScanScatter& scatter) {
  return std::get<core::Scatter>(lastStatement(scatter.call()).expr).destinations.size();
}

}  // namespace

Operand convertedCount(Builder& code, ScalarType from, ScalarType to, const Operand& value) {
  if (from == to) return value;
  return code.let("c", to, Convert{ConvertKind::kValue, from, to, value});
}

CompactSteps::CompactSteps(KernelScope& scope, ScanScatter& scatter, const Shape& shape)
    : scope_(scope),
      code_(scope.code()),
      scatter_(scatter),
      screma_(scatter.screma()),
      shape_(shape),
      scans_(screma_.scans.size()),
      has_arms_(scans_ == 1 && destinationsOf(scatter) == 1) {}

Operand CompactSteps::add(const Operand& a, const Operand& b) { return word(Op::kAdd, a, b); }
Operand CompactSteps::word(Op op, const Operand& a, const Operand& b) {
  return code_.prim(op, ScalarType::kU32, {a, b});
}
Operand CompactSteps::shuffle(ShuffleKind kind, const Operand& value, int64_t lane) {
  return code_.let("far", ScalarType::kU32, Shuffle{kind, value, u32(static_cast<uint32_t>(lane))});
}
Operand CompactSteps::byteOf(const Operands& words, int64_t k) {
  const Operand& four = words[static_cast<size_t>(k / kFlagBytes)];
  Operand moved = word(Op::kMachineLshr, four, u32(static_cast<uint32_t>(k % kFlagBytes * 8)));
  return word(Op::kAnd, moved, u32(255));
}
ScalarType CompactSteps::typeOf(size_t s) const {
  return scope_.core().type(screma_.scans[s].neutral[0]).scalar;
}

// ---- reading

void CompactSteps::open(const Operand& lane, const Operand& end) {
  lane_ = lane;
  end_ = end;
  last_ = code_.max(code_.sub(scope_.scalar(shape_.width), i64(1)), i64(0));
}

void CompactSteps::take(const Operand& first, bool is_whole) {
  inputs_.clear();
  holds_.assign(scans_, {});
  for (int64_t k = 0; k < shape_.elements; ++k) load(elementOf(first, k), is_whole);
  for (int64_t k = 0; k < shape_.elements; ++k) {
    findFlags(elementOf(first, k), static_cast<size_t>(k), is_whole);
  }
}

Operand CompactSteps::elementOf(const Operand& first, int64_t k) {
  return code_.add(first, i64(k * shape_.lanes));
}
Operand CompactSteps::isInside(const Operand& i) { return isLess(code_, i, end_); }
LoweringTarget CompactSteps::placeOf(const Operand& i) {
  return scope_.place(shape_.width, [i] { return i; });
}

// The map's inputs of element i; of the last element of all instead, if there are fewer.
void CompactSteps::load(const Operand& i, bool is_whole) {
  const Operand at = is_whole ? i : code_.min(i, last_);
  Environment environment = scope_.environment();
  lowerPrefix(scope_, environment, placeOf(at));
  Operands inputs;
  for (size_t p = 0; p < screma_.inputs.size(); ++p) {
    core::ValueId param = screma_.map.params[p];
    const ArrayRef& array = environment.arrays.at(screma_.inputs[p]);
    bindElement(code_, scope_.core(), environment, param, array, {at});
    inputs.push_back(environment.scalars.at(param));
  }
  inputs_.push_back(std::move(inputs));
}

void CompactSteps::findFlags(const Operand& i, size_t k, bool is_whole) {
  Environment environment = scope_.environment();
  LoweringTarget target = placeOf(i);
  lowerPrefix(scope_, environment, target);
  for (size_t p = 0; p < screma_.inputs.size(); ++p) {
    environment.scalars[screma_.map.params[p]] = inputs_[k][p];
  }
  Operands made = lowerBody(code_, scope_.core(), scatter_.map(), environment, target).scalars;
  for (size_t s = 0; s < scans_; ++s) {
    Operand mapped = made[scatter_.lasts().size() + s];
    Operand holds = code_.prim(Op::kNe, typeOf(s), {mapped, prim::Scalar::fromBits(typeOf(s), 0)});
    if (!is_whole) holds = both(code_, isInside(i), holds);
    holds_[s].push_back(holds);
  }
}

// ---- adding up

Operand CompactSteps::sumOfLanes(Operand sum) {
  for (int64_t d = 1; d < shape_.lanes; d *= 2) {
    sum = add(sum, shuffle(ShuffleKind::kXor, sum, d));
  }
  return sum;
}

Operands CompactSteps::flagWords(size_t s) {
  Operands words;
  for (int64_t k = 0; k < shape_.elements; k += kFlagBytes) {
    Operand flags = u32(0);
    for (int64_t c = 0; c < kFlagBytes; ++c) {
      Operand one = u32(uint32_t{1} << (c * 8));
      Operand flag = code_.let("flag", ScalarType::kU32,
                               Select{holds_[s][static_cast<size_t>(k + c)], one, u32(0)});
      flags = c == 0 ? flag : word(Op::kOr, flags, flag);
    }
    words.push_back(flags);
  }
  return words;
}

CompactSteps::Ranks CompactSteps::rank(const Operands& flags) {
  Ranks ranks;
  ranks.flags = flags;
  for (const Operand& own : flags) {
    Operand sum = own;
    for (int64_t d = 1; d < shape_.lanes; d *= 2) {
      Operand more = add(sum, shuffle(ShuffleKind::kUp, sum, d));
      Operand is_behind = code_.prim(Op::kGe, ScalarType::kI64, {lane_, i64(d)});
      sum = code_.let("sum", ScalarType::kU32, Select{is_behind, more, sum});
    }
    Operand totals = shuffle(ShuffleKind::kFrom, sum, shape_.lanes - 1);
    // All lanes' earlier k, and the lanes before for this one.
    Operand earlier = word(Op::kMul, totals, u32(0x01010100));
    ranks.before.push_back(add(word(Op::kSub, sum, own), earlier));
    ranks.totals.push_back(
        word(Op::kMachineLshr, word(Op::kMul, totals, u32(0x01010101)), u32(24)));
  }
  return ranks;
}

Operand CompactSteps::run(Ranks& ranks, const Operand& before) {
  Operand running = before;
  for (const Operand& total : ranks.totals) {
    ranks.running.push_back(running);
    running = code_.add(running, widened(code_, total));
  }
  return running;
}

// ---- writing

void CompactSteps::move(const Operand& first, bool is_whole, const std::vector<Ranks>& all) {
  for (int64_t k = 0; k < shape_.elements; ++k) {
    Operand i = elementOf(first, k);
    if (is_whole) {
      moveElement(all, k, i);
    } else {
      code_.ifThenElse(isInside(i), [&] { moveElement(all, k, i); });
    }
  }
}

void CompactSteps::moveElement(const std::vector<Ranks>& all, int64_t k, const Operand& i) {
  auto element = [&](const Operands& scanned, const Operands& mapped) {
    const Operands& inputs = inputs_[static_cast<size_t>(k)];
    scatter_.scatter(
        scope_, i, [&](size_t input) { return std::optional(inputs[input]); }, scanned, mapped);
  };
  Operands before, flags;
  for (const Ranks& ranks : all) {
    Operand rank = widened(code_, byteOf(ranks.before, k));
    before.push_back(code_.add(ranks.running[static_cast<size_t>(k / kFlagBytes)], rank));
    flags.push_back(byteOf(ranks.flags, k));
  }
  if (has_arms_) {  // the known flag makes most of one arm go away
    ScalarType type = typeOf(0);
    Operand holds = word(Op::kNe, flags[0], u32(0));
    Operand after = code_.add(before[0], i64(1));
    auto flag = [&](uint64_t bits) { return Operand(prim::Scalar::fromBits(type, bits)); };
    auto count = [&](const Operand& value) {
      return convertedCount(code_, ScalarType::kI64, type, value);
    };
    code_.ifThenElse(
        holds, [&] { element({count(after)}, {flag(1)}); },
        [&] { element({count(before[0])}, {flag(0)}); });
    return;
  }
  Operands scanned, mapped;
  for (size_t s = 0; s < scans_; ++s) {
    Operand sum = code_.add(before[s], widened(code_, flags[s]));
    scanned.push_back(convertedCount(code_, ScalarType::kI64, typeOf(s), sum));
    mapped.push_back(convertedCount(code_, ScalarType::kU32, typeOf(s), flags[s]));
  }
  element(scanned, mapped);
}

}  // namespace halo::gpu

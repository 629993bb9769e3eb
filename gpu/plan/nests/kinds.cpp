// One rule for each kind of statement.
#include "gpu/plan/nests/kinds.h"

#include <algorithm>

#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/aliases.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int64_t kFewElements = 16;   // so many are done one after another, in registers
constexpr int64_t kMaxKept = 32;       // elements of a nest, likewise
constexpr int64_t kMaxTerms = 128;     // .. with those of sums in it
constexpr size_t kMaxRecomputed = 12;  // cheap statements that every group may compute again
constexpr size_t kShortChain = 4;      // .. or so many of arithmetic alone for a value

}  // namespace

bool isFew(const Operands& shape) { return hasAtMost(shape, kFewElements); }

std::vector<ValueId> consumed(const Program& program, const Stm& stm) {
  std::vector<ValueId> arrays = consumedBy(program, stm.expr);
  const std::vector<ValueId> bound = boundIn(stm.expr);
  std::unordered_set<ValueId> own(bound.begin(), bound.end());
  forEachBody(stm.expr, [&](const Body& body) {
    for (const Stm& inner : body.stms) {
      own.insert(inner.results.begin(), inner.results.end());
      std::vector<ValueId> more = consumed(program, inner);
      arrays.insert(arrays.end(), more.begin(), more.end());
    }
  });
  std::erase_if(arrays, [&](ValueId array) { return own.contains(array); });
  return arrays;
}

namespace {

// How many statements in front of it, and it, compute a value of the body; many if one of them is
// no arithmetic.
size_t chainOf(const Body& body, size_t at) {
  std::unordered_set<ValueId> needed(body.stms[at].results.begin(), body.stms[at].results.end());
  size_t count = 0;
  for (size_t i = at + 1; i-- > 0 && count <= kShortChain;) {
    const Stm& stm = body.stms[i];
    if (stm.results.size() != 1 || !needed.contains(stm.results[0])) continue;
    const bool is_arithmetic = std::holds_alternative<PrimOp>(stm.expr) ||
                               std::holds_alternative<Convert>(stm.expr) ||
                               std::holds_alternative<Select>(stm.expr);
    if (!is_arithmetic) return SIZE_MAX;
    visitUses(stm.expr, [&](const auto& use) {
      const Operand operand(use);
      if (!operand.isConstant()) needed.insert(operand.value);
    });
    ++count;
  }
  return count;
}

}  // namespace

std::vector<Kind> Classifier::kinds(const Body& body) {
  for (const Stm& stm : body.stms) {
    local_.insert(stm.results.begin(), stm.results.end());
    for (ValueId array : consumed(program_, stm)) overwritten_.insert(array);
  }
  std::vector<Kind> kinds;
  size_t recomputed = 0;
  for (const Stm& stm : body.stms) {
    kinds.push_back(isParallel(stm) ? Kind::kParallel
                    : isCheap(stm)  ? Kind::kCheap
                                    : Kind::kScalar);
    recomputed += kinds.back() == Kind::kCheap && program_.type(stm.results[0]).isScalar();
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    const Stm& stm = body.stms[i];
    bool is_scalar = kinds[i] == Kind::kCheap && program_.type(stm.results[0]).isScalar();
    // An element that is overwritten later must be read where it stands.
    bool is_early = std::holds_alternative<Index>(stm.expr) && !overwritten_.empty();
    const bool is_dear = recomputed > kMaxRecomputed && chainOf(body, i) > kShortChain;
    if (is_scalar && (is_dear || is_early)) kinds[i] = Kind::kScalar;
  }
  keepCopiesNear(body, kinds);
  liftReshapes(body, kinds);
  return kinds;
}

bool Classifier::isRegular(ValueId value) const {
  const Operands& shape = program_.type(value).shape;
  return std::none_of(shape.begin(), shape.end(),
                      [&](const Operand& extent) { return isLocal(extent); });
}

UniformLoop Classifier::uniformLoop(const Loop& loop) const {
  return {program_, loop, [this](ValueId value) { return isLocal(value); }};
}

// The same for a body with these local values.
Classifier Classifier::within(std::unordered_set<ValueId> local) const {
  Classifier inner(program_, std::move(local), strict_floats_);
  inner.uniform_ = uniform_;
  return inner;
}

bool Classifier::isParallel(const Stm& stm) const {
  bool regular = std::all_of(stm.results.begin(), stm.results.end(),
                             [&](ValueId result) { return isRegular(result); });
  if (!regular) return false;
  if (auto* screma = std::get_if<Screma>(&stm.expr)) return isParallel(*screma);
  if (auto* scatter = std::get_if<Scatter>(&stm.expr)) {
    return !isLocal(scatter->width) && !isFew({scatter->width});
  }
  if (auto* hist = std::get_if<Hist>(&stm.expr)) return isParallel(*hist);
  if (auto* loop = std::get_if<Loop>(&stm.expr)) return isParallel(*loop);
  if (auto* match = std::get_if<Match>(&stm.expr)) {
    return consumed(program_, stm).empty() && isParallel(*match);
  }
  if (auto* concat = std::get_if<Concat>(&stm.expr)) {
    return !isFew({concat->size}) && std::all_of(concat->arrays.begin(), concat->arrays.end(),
                                                 [&](ValueId array) { return isRegular(array); });
  }
  if (std::holds_alternative<Copy>(stm.expr)) return !isFew(program_.type(stm.results[0]).shape);
  return false;
}

bool Classifier::isParallel(const Hist& hist) const {
  if (isLocal(hist.width) || isFew({hist.width})) return false;
  if (strict_floats_ && hasOrder(program_, hist)) return false;
  return std::all_of(hist.operations.begin(), hist.operations.end(), [&](const HistOp& operation) {
    return worksOnScalars(program_, operation.op) &&
           std::all_of(operation.destinations.begin(), operation.destinations.end(),
                       [&](ValueId bins) { return isRegular(bins); });
  });
}

bool Classifier::isParallel(const Screma& screma) const {
  if (isLocal(screma.width)) return false;
  if (isFew({screma.width}) && !holdsMany(screma.map.body, screma.width)) return false;
  if (strict_floats_ && hasOrder(program_, screma)) return false;
  bool one_kind = screma.reductions.empty() || screma.scans.empty();
  return one_kind && hasScalarOperators(program_, screma) &&
         !scansMention(program_, screma, local_);
}
// Whether a node inside has as many elements as only the launch knows: pictures of a few channels.
// Or more, with those of `around`, than an invocation goes through at once.
bool Classifier::holdsMany(const Body& body, const Operand& around) const {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    const auto* inner = std::get_if<Screma>(&stm.expr);
    if (inner == nullptr || isLocal(inner->width) || bindsWidth(body, *inner)) return false;
    if (!inner->width.isConstant() || !around.isConstant()) return true;
    const Operands extents = {around, inner->width};
    if (!hasAtMost(extents, kMaxTerms)) return true;
    const int64_t all = around.constant.asSigned() * inner->width.constant.asSigned();
    return holdsMany(inner->map.body, Operand::ofI64(all));
  });
}
bool Classifier::bindsWidth(const Body& body, const Screma& screma) {
  return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
    return std::find(stm.results.begin(), stm.results.end(), screma.width.value) !=
           stm.results.end();
  });
}

// All cells run it equally often, and its body has something to gain. No array changes its size.
bool Classifier::isParallel(const Loop& loop) const {
  const UniformLoop uniform = uniformLoop(loop);
  if (!uniform.runsAlike()) return false;
  std::unordered_set<ValueId> local = local_;
  for (const Carried& carried : loop.carried) local.insert(carried.param);
  Classifier inner = within(std::move(local));
  for (const Carried& carried : loop.carried) {
    if (!inner.isRegular(carried.param)) return false;
  }
  // In place within the cell, but a copy of the whole array for every step outside of it.
  for (const Stm& stm : loop.body.stms) {
    if (std::holds_alternative<Update>(stm.expr)) return false;
  }
  inner.uniform_.insert(uniform.uniform().begin(), uniform.uniform().end());
  return anyGains(loop.body, inner.kinds(loop.body));
}

// All cells take the same branch, and it may have something to gain.
bool Classifier::isParallel(const Match& match) const {
  if (isLocal(match.scrutinee)) return false;
  auto gains = [&](const Body& body) { return anyGains(body, within(local_).kinds(body)); };
  return gains(match.otherwise) || std::any_of(match.cases.begin(), match.cases.end(),
                                               [&](const Case& one) { return gains(one.body); });
}

// A copy that the cell goes on working with belongs to that work.
void Classifier::keepCopiesNear(const Body& body, std::vector<Kind>& kinds) const {
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != Kind::kParallel || !std::holds_alternative<Copy>(body.stms[i].expr)) continue;
    for (size_t j = i + 1; j < kinds.size(); ++j) {
      if (kinds[j] != Kind::kScalar) continue;
      Body user;
      user.stms.push_back(body.stms[j]);
      if (freeValues(program_, user).contains(body.stms[i].results[0])) kinds[i] = Kind::kScalar;
    }
  }
}

// An array of all cells under another shape, without a copy: in a group of scalar code a single
// invocation would copy it. A result of the nest is an array of its own.
void Classifier::liftReshapes(const Body& body, std::vector<Kind>& kinds) const {
  for (size_t i = 0; i < kinds.size(); ++i) {
    const auto* reshape = std::get_if<Reshape>(&body.stms[i].expr);
    if (reshape == nullptr || !isLocal(reshape->array)) continue;
    ValueId result = body.stms[i].results[0];
    bool lifts =
        isRegular(result) && isRegular(reshape->array) &&
        std::find(body.results.begin(), body.results.end(), Operand(result)) == body.results.end();
    const Kind maker = kindOfMaker(body, kinds, reshape->array);
    const Uses uses = usesOf(body, kinds, i);
    lifts = lifts && maker != Kind::kScalar && !uses.are_overwriting;
    if (lifts && (maker == Kind::kParallel || uses.are_parallel)) kinds[i] = Kind::kParallel;
  }
}

// Names that the levels above bind are there already.
Kind Classifier::kindOfMaker(const Body& body, const std::vector<Kind>& kinds, ValueId array) {
  for (size_t i = 0; i < kinds.size(); ++i) {
    const std::vector<ValueId>& made = body.stms[i].results;
    if (std::find(made.begin(), made.end(), array) != made.end()) return kinds[i];
  }
  return Kind::kCheap;
}

// Of the results of statement `from`, through cheap code.
Classifier::Uses Classifier::usesOf(const Body& body, const std::vector<Kind>& kinds,
                                    size_t from) const {
  std::unordered_set<ValueId> values(body.stms[from].results.begin(),
                                     body.stms[from].results.end());
  auto isOneOf = [&](ValueId value) { return values.contains(value); };
  Uses uses;
  for (size_t i = from + 1; i < kinds.size(); ++i) {
    const Stm& stm = body.stms[i];
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    if (std::none_of(used.begin(), used.end(), isOneOf)) continue;
    if (kinds[i] == Kind::kCheap) values.insert(stm.results.begin(), stm.results.end());
    const std::vector<ValueId> overwritten = consumed(program_, stm);
    const bool overwrites = std::any_of(overwritten.begin(), overwritten.end(), isOneOf);
    uses.are_overwriting = uses.are_overwriting || (kinds[i] == Kind::kScalar && overwrites);
    uses.are_parallel = uses.are_parallel || kinds[i] == Kind::kParallel;
  }
  for (const Operand& result : body.results) {
    const bool is_one = !result.isConstant() && isOneOf(result.value);
    uses.are_parallel = uses.are_parallel || is_one;
  }
  return uses;
}

namespace {

bool isPlane(const Screma& screma) {
  Operands extents;
  for (const Screma* level : mapNest(screma, SIZE_MAX)) extents.push_back(level->width);
  const bool are_known = std::all_of(extents.begin(), extents.end(),
                                     [](const Operand& extent) { return extent.isConstant(); });
  return isMap(screma) && are_known && isFew({screma.width}) && !hasAtMost(extents, kMaxKept);
}

}  // namespace

bool makesPlanes(const Program& program, const Body& cell) {
  std::unordered_set<ValueId> planes;
  const auto uses = [&](const Stm& stm) {
    const std::unordered_set<ValueId> used = freeValues(program, stm);
    return std::any_of(used.begin(), used.end(), [&](ValueId v) { return planes.contains(v); });
  };
  for (const Stm& stm : cell.stms) {
    if (!planes.empty() && uses(stm)) return true;
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma != nullptr && isPlane(*screma))
      planes.insert(stm.results.begin(), stm.results.end());
  }
  return false;
}

bool anyGains(const Body& body, const std::vector<Kind>& kinds) {
  for (size_t i = 0; i < kinds.size(); ++i) {
    bool is_same = std::holds_alternative<Copy>(body.stms[i].expr) ||
                   std::holds_alternative<Reshape>(body.stms[i].expr);
    if (kinds[i] == Kind::kParallel && !is_same) return true;
  }
  return false;
}

std::vector<ValueId> cheapRows(const Program& program, const Body& body,
                               const std::vector<Kind>& kinds, const Classifier& cell) {
  std::vector<ValueId> rows;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != Kind::kCheap) continue;
    const ValueId made = body.stms[i].results[0];
    const Operands& shape = program.type(made).shape;
    const bool is_result =
        std::find(body.results.begin(), body.results.end(), Operand(made)) != body.results.end();
    if (is_result && !shape.empty() && !isFew(shape) && cell.isRegular(made)) rows.push_back(made);
  }
  return rows;
}

namespace {

// Rows that one invocation would store element by element.
bool storesRows(const Program& program, const Stm& stm) {
  const auto* update = std::get_if<Update>(&stm.expr);
  return update != nullptr && !isFew(program.type(update->value).shape);
}

}  // namespace

bool hasParallel(const Program& program, const Body& body) {
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr) ||
        std::holds_alternative<Hist>(stm.expr) || std::holds_alternative<Pad>(stm.expr) ||
        std::holds_alternative<Scatter>(stm.expr) || std::holds_alternative<Concat>(stm.expr) ||
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr) ||
        std::holds_alternative<Copy>(stm.expr) || std::holds_alternative<Call>(stm.expr) ||
        storesRows(program, stm)) {
      return true;
    }
    bool inside = false;
    forEachBody(stm.expr, [&](const Body& inner) { inside |= hasParallel(program, inner); });
    if (inside) return true;
  }
  return false;
}

}  // namespace halo::gpu

// Rows for the neighbours leave where a step has made them, in front of the sums that end it, and
// not where the next step reads them. They and the partial values of the sums wait for the same
// work, and travel together.
//
//   t = loop (v: [ext][m]f32 = room) while .. do {
//     w: [ext][m]f32 = call move.renew (k, above, below, before, behind, v)
//     (s: [c]f32, x: [ext][m]f32) = stencil [ext][m] (window w clamp {..}) ..
//     (p, all) = call move.join (s); ..
//     return x }
// becomes
//     r: [ext][m]f32 = call move.renew (k, above, below, before, behind, room)
//     t = loop (v: [ext][m]f32 = r) while .. do {
//       (s: [c]f32, x: [ext][m]f32) = stencil [ext][m] (window v clamp {..}) ..
//       y: [ext][m]f32 = call move.renew (k, above, below, before, behind, x)
//       (p, all) = call move.join (s); ..
//       return y }
//
// There is one exchange more than steps. Only for engines whose rows travel while they compute.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/shard_padded.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Move;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;

// An exchange of carried arrays that nothing else in the loop mentions.
struct Renewal {
  size_t at = 0;  // in the body
  std::vector<size_t> carried;
};

bool combines(const Stm& stm) {
  return core::isMove(stm, Move::kJoin) || core::isMove(stm, Move::kWhole) ||
         core::isMove(stm, Move::kEach) || core::isMove(stm, Move::kBefore);
}

std::optional<Renewal> renewalOf(const Loop& loop, const Stm& stm, size_t at,
                                 const std::unordered_set<ValueId>& inside,
                                 const std::unordered_map<ValueId, int>& uses) {
  if (!core::isMove(stm, Move::kRenew)) return std::nullopt;
  const Operands& args = std::get<core::Call>(stm.expr).args;
  Renewal renewal{at, {}};
  for (size_t i = 0; i < args.size(); ++i) {
    if (i < core::kGhostScalars) {
      if (!args[i].isConstant() && inside.contains(args[i].value)) return std::nullopt;
      continue;
    }
    const auto param = std::find_if(loop.carried.begin(), loop.carried.end(),
                                    [&](const auto& one) { return one.param == args[i].value; });
    if (param == loop.carried.end() || uses.at(args[i].value) != 1) return std::nullopt;
    renewal.carried.push_back(static_cast<size_t>(param - loop.carried.begin()));
  }
  return renewal;
}

std::optional<Renewal> firstRenewal(const Program& program, const Loop& loop) {
  std::unordered_set<ValueId> inside;
  for (const core::Carried& carried : loop.carried) inside.insert(carried.param);
  for (const Stm& stm : loop.body.stms) inside.insert(stm.results.begin(), stm.results.end());
  const auto uses = core::useCounts(program, loop.body);
  for (size_t i = 0; i < loop.body.stms.size(); ++i) {
    if (auto found = renewalOf(loop, loop.body.stms[i], i, inside, uses)) return found;
  }
  return std::nullopt;
}

// Views that nothing reads would count as mentions.
void dropUnusedViews(const Program& program, Body& body) {
  const auto uses = core::useCounts(program, body);
  std::erase_if(body.stms, [&](const Stm& stm) {
    return std::holds_alternative<core::Slice>(stm.expr) && !uses.contains(stm.results[0]);
  });
}

// Statements behind `place` that read arrays which stand in the memory of `array`.
bool isViewedBehind(const Program& program, const Body& body, ValueId array, size_t place) {
  std::unordered_set<ValueId> later;
  for (size_t i = place; i < body.stms.size(); ++i) later.merge(freeValues(program, body.stms[i]));
  for (const Operand& result : body.results) {
    if (!result.isConstant()) later.insert(result.value);
  }
  return std::any_of(
      body.stms.begin(), body.stms.begin() + static_cast<std::ptrdiff_t>(place),
      [&](const Stm& stm) {
        const bool is_fresh = std::holds_alternative<core::Screma>(stm.expr) ||
                              std::holds_alternative<core::Stencil>(stm.expr);
        return !is_fresh && freeValues(program, stm).contains(array) &&
               std::any_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
                 return !program.type(result).isScalar() && later.contains(result);
               });
      });
}

// The first sum behind the statements that make these arrays: in front of it they are renewed.
std::optional<size_t> placeOf(const Program& program, const Loop& loop, const Renewal& renewal) {
  const Body& body = loop.body;
  size_t place = renewal.at + 1;
  std::unordered_set<ValueId> arrays;
  for (size_t k : renewal.carried) {
    const Operand& result = body.results[k];
    const bool is_alone =
        !result.isConstant() && std::count(body.results.begin(), body.results.end(), result) == 1;
    const auto maker = core::makerOf(body.stms, result);
    if (!is_alone || !maker) return std::nullopt;
    arrays.insert(result.value);
    place = std::max(place, *maker + 1);
  }
  while (place < body.stms.size() && !combines(body.stms[place])) ++place;
  if (place == body.stms.size()) return std::nullopt;
  const bool are_viewed = std::any_of(arrays.begin(), arrays.end(), [&](ValueId array) {
    return isViewedBehind(program, body, array, place);
  });
  return are_viewed ? std::nullopt : std::optional(place);
}

Stm renewalFor(Program& program, const Stm& model, const Operands& arrays) {
  core::Call call = std::get<core::Call>(model.expr);
  Stm stm{{}, core::Literal{}, model.checked, model.span};
  for (size_t i = 0; i < arrays.size(); ++i) {
    call.args[core::kGhostScalars + i] = arrays[i];
    stm.results.push_back(program.add("renewed", core::Type(program.type(arrays[i].value))));
  }
  stm.expr = std::move(call);
  return stm;
}

void replaceBehind(Program& program, Body& body, size_t place, const core::Substitution& by) {
  for (size_t i = place; i < body.stms.size(); ++i) substitute(program, body.stms[i].expr, by);
  for (Operand& result : body.results) {
    const auto found = result.isConstant() ? by.end() : by.find(result.value);
    if (found != by.end()) result = found->second;
  }
}

}  // namespace

void PaddedLoops::renewEarly(Builder& b, Loop& loop) {
  Program& program = b.program();
  dropUnusedViews(program, loop.body);
  const auto renewal = firstRenewal(program, loop);
  const auto place = renewal ? placeOf(program, loop, *renewal) : std::nullopt;
  if (!place) return;
  Body& body = loop.body;
  const Stm old = body.stms[renewal->at];
  Operands initial, made;
  for (size_t k : renewal->carried) {
    initial.push_back(loop.carried[k].initial);
    made.push_back(body.results[k]);
  }
  const Stm first = renewalFor(program, old, initial), next = renewalFor(program, old, made);
  core::Substitution by_renewed, by_params;
  for (size_t i = 0; i < made.size(); ++i) {
    core::Carried& carried = loop.carried[renewal->carried[i]];
    carried.initial = first.results[i];
    by_renewed[made[i].value] = Operand(next.results[i]);
    by_params[old.results[i]] = Operand(carried.param);
  }
  b.append(first);
  replaceBehind(program, body, *place, by_renewed);
  body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(*place), next);
  body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(renewal->at));
  replaceBehind(program, body, renewal->at, by_params);
}

}  // namespace halo::passes

// Of each concatenation, the scatter that fills both parts; then the places of the second part
// behind those of the first.
#include "lang/passes/fuse/join_fronts.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

constexpr std::ptrdiff_t kPair = 2;  // a place and its value

// A part of the concatenation: the front of a destination of the scatter.
struct Front {
  size_t statement, destination;
  Operand length;
};

// A place that is -1 in one of the arms.
struct Choice {
  Operand condition;
  Body on_true, on_false;
};

bool isNowhere(const Body& arm) { return arm.stms.empty() && arm.results[0] == Operand::ofI64(-1); }

class JoinFronts {
 public:
  JoinFronts(core::Program& program, const core::Function& function)
      : program_(program), uses_(core::useCounts(program, function.body)) {}

  void run(Body& body) {
    for (Stm& stm : body.stms) core::visitBodies(stm.expr, [&](Body& inner) { run(inner); });
    for (size_t i = 0; i < body.stms.size();) i = join(body, i) ? 0 : i + 1;
  }

 private:
  using Made = std::optional<size_t>;  // the statement that makes a value
  static Made madeAt(const Body& body, const Operand& value) {
    return value.isConstant() ? std::nullopt : core::makerOf(body.stms, value);
  }
  bool isUsedOnce(ValueId value) const { return core::isUsedOnce(uses_, value); }

  // Whether the statement was such a concatenation, and is no more.
  bool join(Body& body, size_t at) {
    const auto* concat = std::get_if<core::Concat>(&body.stms[at].expr);
    if (concat == nullptr || concat->arrays.size() != 2) return false;
    Made scatter;
    const auto first = frontOf(body, concat->arrays[0], scatter);
    const auto second = first ? frontOf(body, concat->arrays[1], scatter) : std::nullopt;
    if (!second || first->destination == second->destination) return false;
    for (const Operand& size : {first->length, concat->size}) {
      const Made made = madeAt(body, size);
      if (made && *made >= *scatter) return false;
    }
    auto place =
        joint(std::get<core::Scatter>(body.stms[*scatter].expr), *first, second->destination);
    if (!place) return false;
    const ValueId joined = body.stms[at].results[0];
    std::vector<size_t> gone = {at, first->statement, second->statement};
    std::sort(gone.rbegin(), gone.rend());
    for (const size_t k : gone) body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(k));
    replace(body, *scatter, joined, {first->destination, second->destination}, std::move(*place));
    return true;
  }

  // `array` is the front of a scatter's result: of this scatter, if one is known.
  std::optional<Front> frontOf(const Body& body, ValueId array, Made& scatter) const {
    const Made sliced = madeAt(body, array);
    const auto* slice = sliced ? std::get_if<core::Slice>(&body.stms[*sliced].expr) : nullptr;
    if (slice == nullptr || slice->dims.size() != 1 || !isUsedOnce(array)) return std::nullopt;
    const core::SliceDim& dim = slice->dims[0];
    if (dim.start != Operand::ofI64(0) || dim.stride != Operand::ofI64(1)) return std::nullopt;
    const Made made = madeAt(body, slice->array);
    if (!made || (scatter && *made != *scatter) || !isUsedOnce(slice->array)) return std::nullopt;
    const auto* to = std::get_if<core::Scatter>(&body.stms[*made].expr);
    if (to == nullptr || core::writesOf(*to) != 1) return std::nullopt;
    const std::vector<ValueId>& results = body.stms[*made].results;
    const auto at = std::find(results.begin(), results.end(), slice->array) - results.begin();
    const ValueId target = to->destinations[static_cast<size_t>(at)].array;
    const Made filled = madeAt(body, target);
    const bool is_empty = filled && std::holds_alternative<core::Scratch>(body.stms[*filled].expr);
    if (!is_empty || program_.type(target).rank() != 1 || !isUsedOnce(target)) return std::nullopt;
    scatter = made;
    return Front{*sliced, static_cast<size_t>(at), dim.length};
  }

  // Where a destination's place is in the results of the scatter's map.
  static size_t placeOf(const core::Scatter& scatter, size_t destination) {
    size_t at = 0;
    for (size_t d = 0; d < destination; ++d) {
      at += static_cast<size_t>(scatter.destinations[d].index_rank) + 1;
    }
    return at;
  }

  static std::optional<Choice> choiceOf(const Body& map, const Operand& place) {
    const Made made = madeAt(map, place);
    if (!made) return std::nullopt;
    const core::Expr& expr = map.stms[*made].expr;
    if (const auto* select = std::get_if<core::Select>(&expr)) {
      return Choice{select->condition, {{}, {select->on_true}}, {{}, {select->on_false}}};
    }
    const auto* match = std::get_if<core::Match>(&expr);
    if (match == nullptr || match->cases.size() != 1 || map.stms[*made].results.size() != 1)
      return std::nullopt;
    const core::Case& one = match->cases[0];
    if (one.value.type != ScalarType::kBool) return std::nullopt;
    Choice choice{match->scrutinee, one.body, match->otherwise};
    if (!one.value.asBool()) std::swap(choice.on_true, choice.on_false);
    return choice;
  }

  // The place that is the front's or the other destination's; nothing if both may be written, or
  // other values.
  std::optional<core::Match> joint(const core::Scatter& scatter, const Front& front, size_t other) {
    const Body& map = scatter.map.body;
    const size_t at = placeOf(scatter, front.destination), with = placeOf(scatter, other);
    auto a = choiceOf(map, map.results[at]), b = choiceOf(map, map.results[with]);
    if (!a || !b || !(a->condition == b->condition)) return std::nullopt;
    if (!(map.results[at + 1] == map.results[with + 1])) return std::nullopt;
    const bool is_first = isNowhere(a->on_false) && isNowhere(b->on_true);
    if (!is_first && !(isNowhere(a->on_true) && isNowhere(b->on_false))) return std::nullopt;
    Body here = below(is_first ? a->on_true : a->on_false, front.length);
    Body behind = after(is_first ? b->on_false : b->on_true, front.length);
    if (!is_first) std::swap(here, behind);
    core::Match match{a->condition, {}, std::move(behind)};
    match.cases.push_back({prim::Scalar::ofBool(true), std::move(here)});
    return match;
  }

  // The place where it is below the length.
  Body below(const Body& arm, const Operand& length) {
    return guarded(arm, [&](core::Builder& code, const Operand& place) {
      const Operand is_below = code.prim(Op::kLt, ScalarType::kI64, {place, length});
      return core::Select{is_below, place, Operand::ofI64(-1)};
    });
  }
  // The place behind so many elements. One behind the whole array is none in any case.
  Body after(const Body& arm, const Operand& length) {
    return guarded(arm, [&](core::Builder& code, const Operand& place) {
      const Operand is_place = code.prim(Op::kLe, ScalarType::kI64, {Operand::ofI64(0), place});
      return core::Select{is_place, code.add(place, length), Operand::ofI64(-1)};
    });
  }
  template <typename Change>
  Body guarded(const Body& arm, const Change& change) {
    const Body own = core::freshCopy(program_, arm);
    core::Builder code(program_);
    for (const Stm& stm : own.stms) code.append(stm);
    core::Select chosen = change(code, own.results[0]);
    return code.take({code.bind("place", {ScalarType::kI64, {}}, std::move(chosen))});
  }

  // The scatter with one destination, the first one's, for both.
  void replace(Body& body, size_t at, ValueId joined, std::pair<size_t, size_t> destinations,
               core::Match place) {
    core::Scatter scatter = std::get<core::Scatter>(body.stms[at].expr);
    std::vector<ValueId> results = body.stms[at].results;
    const auto& [kept, gone] = destinations;
    Body& map = scatter.map.body;
    const ValueId both = program_.add("place", {ScalarType::kI64, {}});
    map.stms.push_back({{both}, std::move(place), false, {}});
    map.results[placeOf(scatter, kept)] = both;
    const auto pair = map.results.begin() + static_cast<std::ptrdiff_t>(placeOf(scatter, gone));
    map.results.erase(pair, pair + kPair);
    const core::Type type = program_.type(joined);
    const ValueId room = program_.add(program_.values[joined].name, type);
    scatter.destinations[kept].array = room;
    results[kept] = joined;
    scatter.destinations.erase(scatter.destinations.begin() + static_cast<std::ptrdiff_t>(gone));
    results.erase(results.begin() + static_cast<std::ptrdiff_t>(gone));
    body.stms[at] = {std::move(results), std::move(scatter), false, body.stms[at].span};
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at),
                     {{room}, core::Scratch{type.scalar, type.shape}, false, {}});
  }

  core::Program& program_;
  std::unordered_map<ValueId, int> uses_;
};

}  // namespace

core::Program joinFronts(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    JoinFronts(result, function).run(body);
  });
}

}  // namespace halo::passes

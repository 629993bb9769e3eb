// Places are compared as polynomials; nothing here knows the ranges of values.
#include "lang/passes/memory/loop_places.h"

#include "lang/core/bound_values.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {

using core::Operand;
using core::Stm;
using core::Update;
using core::ValueId;
using Form = IndexForms::Form;

namespace {

constexpr int64_t kLongestStep = int64_t{1} << 31;  // of places: a few of them never wrap

}  // namespace

LoopPlaces::LoopPlaces(const core::Program& program, IndexForms& forms, const core::Loop& loop)
    : program_(program),
      forms_(forms),
      loop_(loop),
      index_(std::get<core::ForLoop>(loop.form).index),
      bound_{index_} {
  for (const core::Carried& carried : loop.carried) bound_.insert(carried.param);
  core::visitStms(loop.body, [&](const Stm& stm) { core::addBound(stm, bound_); });
}

std::optional<PlacedArray> LoopPlaces::written(size_t position) {
  const core::Carried& carried = loop_.carried[position];
  if (carried.initial.isConstant()) return std::nullopt;
  PlacedArray array = {{carried.param}, carried.initial.value, {}, {}};
  Operand version = loop_.body.results[position];
  for (bool is_last = true; version != Operand(carried.param); is_last = false) {
    const auto at = core::makerOf(loop_.body.stms, version);
    const auto* update = at ? std::get_if<Update>(&loop_.body.stms[*at].expr) : nullptr;
    if (update == nullptr || !isElement(update->array, update->indices)) return std::nullopt;
    Form place = forms_.of(update->indices);
    if (is_last) {
      array.place = std::move(place);
      array.element = update->value;
    } else if (place != array.place) {
      return std::nullopt;
    }
    array.names.insert(version.value);
    version = update->array;
  }
  const bool writes = array.names.size() > 1 && moves(array.place);
  return writes ? std::optional(std::move(array)) : std::nullopt;
}

std::optional<PlacedArray> LoopPlaces::read(const Stm& stm) {
  const auto* index = std::get_if<core::Index>(&stm.expr);
  const bool may = index != nullptr && !stm.checked && !isBound(index->array) &&
                   isElement(index->array, index->indices);
  if (!may) return std::nullopt;
  PlacedArray array = {{index->array}, index->array, forms_.of(index->indices), stm.results[0]};
  return moves(array.place) ? std::optional(std::move(array)) : std::nullopt;
}

const core::Index* LoopPlaces::readOf(const PlacedArray& array, const Stm& stm) const {
  const auto* index = std::get_if<core::Index>(&stm.expr);
  const bool reads = index != nullptr && array.names.contains(index->array) &&
                     isElement(index->array, index->indices);
  return reads ? index : nullptr;
}

std::optional<Form> LoopPlaces::moved(const Form& place, int iterations) const {
  const auto then = Polynomial::value(index_).plus(Polynomial::constant(iterations));
  return IndexForms::with(place, index_, *then);
}

bool LoopPlaces::isElement(ValueId array, const core::Operands& indices) const {
  return !indices.empty() && static_cast<int>(indices.size()) == program_.type(array).rank();
}

// Whether all iterations have places of their own, which the loop's surroundings can compute.
bool LoopPlaces::moves(const Form& place) const {
  std::unordered_set<ValueId> others = bound_;
  others.erase(index_);
  const auto next = moved(place, 1);
  if (!next || IndexForms::mentions(place, others)) return false;
  for (size_t axis = 0; axis < place.size(); ++axis) {
    const auto difference = (*next)[axis].plus(place[axis], -1);
    const auto step = difference ? difference->asConstant() : std::nullopt;
    if (step && *step != 0 && *step <= kLongestStep && -*step <= kLongestStep) return true;
  }
  return false;
}

}  // namespace halo::passes

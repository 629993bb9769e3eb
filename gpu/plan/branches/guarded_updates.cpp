// Indices come first among the results of such a lambda, for each destination or operation.
#include "gpu/plan/branches/guarded_updates.h"

#include <algorithm>
#include <utility>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

struct Destination {
  ValueId array;
  size_t result;  // of the statement
};

// The node's lambda, and which of its results are indices.
struct Places {
  Lambda* map = nullptr;
  Operand width;
  std::vector<bool> are_indices;
  std::vector<Destination> destinations;
};

void note(Places& places, int indices, size_t values) {
  places.are_indices.insert(places.are_indices.end(), static_cast<size_t>(indices), true);
  places.are_indices.insert(places.are_indices.end(), values, false);
}

Places placesOf(Expr& expr) {
  Places places;
  if (auto* scatter = std::get_if<Scatter>(&expr)) {
    places.map = &scatter->map;
    places.width = scatter->width;
    for (const ScatterDest& to : scatter->destinations) {
      note(places, to.index_rank, 1);
      places.destinations.push_back({to.array, places.destinations.size()});
    }
  } else if (auto* hist = std::get_if<Hist>(&expr)) {
    places.map = &hist->map;
    places.width = hist->width;
    for (const HistOp& op : hist->operations) {
      note(places, op.index_rank, op.destinations.size());
      for (const ValueId array : op.destinations) {
        places.destinations.push_back({array, places.destinations.size()});
      }
    }
  }
  return places;
}

// Where the arm is not taken: zeros at the place -1.
Body nowhere(const Program& program, const Places& places) {
  Body body;
  for (size_t k = 0; k < places.are_indices.size(); ++k) {
    const Type& type = program.type(places.map->body.results[k]);
    body.results.emplace_back(places.are_indices[k] ? Operand::ofI64(-1)
                                                    : Operand(prim::zero(type.scalar)));
  }
  return body;
}

bool guardPlaces(Program& program, const Places& places, const Taken& taken) {
  Body& body = places.map->body;
  const auto isScalar = [&](const Stm& stm) { return isScalarCode(program, stm); };
  if (!std::all_of(body.stms.begin(), body.stms.end(), isScalar)) return false;
  Builder code(program);
  if (std::all_of(body.stms.begin(), body.stms.end(), isTotal)) {
    for (const Stm& stm : body.stms) code.append(stm);
    Operands results = body.results;
    for (size_t k = 0; k < results.size(); ++k) {
      if (!places.are_indices[k]) continue;
      Select place{taken.condition, results[k], Operand::ofI64(-1)};
      if (!taken.when) std::swap(place.on_true, place.on_false);
      results[k] = code.bind("place", {ScalarType::kI64, {}}, place);
    }
    body = code.take(std::move(results));
    return true;
  }
  std::vector<Type> types;
  for (const Operand& result : body.results) types.push_back(program.type(result));
  const auto areScalars = [](const Type& type) { return type.isScalar(); };
  if (!std::all_of(types.begin(), types.end(), areScalars)) return false;
  Body other = nowhere(program, places);
  const std::vector<ValueId> made =
      code.bindAll("y", types, taken.branch(std::move(body), std::move(other)));
  body = code.take(Operands(made.begin(), made.end()));
  return true;
}

}  // namespace

std::optional<GuardedUpdate> guardedUpdate(Program& program, const Stm& branch, const Stm& stm,
                                           const Taken& taken) {
  const auto& match = std::get<Match>(branch.expr);
  const bool is_first = match.cases[0].value.asBool() == taken.when;
  const Body& arm = is_first ? match.cases[0].body : match.otherwise;
  const Body& other = is_first ? match.otherwise : match.cases[0].body;
  GuardedUpdate update{stm, {}, {}};
  const Places places = placesOf(update.stm.expr);
  if (places.map == nullptr || stm.checked) return std::nullopt;
  auto uses = useCounts(program, arm), other_uses = useCounts(program, other);
  for (const Destination& to : places.destinations) {
    const ValueId made = stm.results[to.result];
    const auto at = std::find(arm.results.begin(), arm.results.end(), Operand(made));
    const auto k = static_cast<size_t>(at - arm.results.begin());
    const bool is_alone = at != arm.results.end() && other.results[k] == Operand(to.array) &&
                          uses[made] == 1 && uses[to.array] == 1 && other_uses[to.array] == 1;
    if (!is_alone) return std::nullopt;
    update.stm.results[to.result] = branch.results[k];
    update.results.push_back(k);
  }
  if (!guardPlaces(program, places, taken)) return std::nullopt;
  update.width = places.width;
  return update;
}

}  // namespace halo::gpu

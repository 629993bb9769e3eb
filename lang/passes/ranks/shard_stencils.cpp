// Stencils over the own rows, with rows of the neighbours around them.
#include <algorithm>
#include <utility>

#include "lang/core/node_kinds.h"
#include "lang/passes/ranks/shard_stencils.h"

namespace halo::passes {

using core::kZero;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;

Strip OwnStencils::strip(Builder& b, const Operand& n, const Operand& k, bool wraps) {
  const Type i64{prim::ScalarType::kI64, {}};
  std::vector<ValueId> edges =
      own_.move(b, core::Move::kEdges, "edge", {i64, i64, i64, i64, i64},
                {n, own_.unit(n), k, Operand(prim::Scalar::ofBool(wraps))});
  return {k, edges[0], edges[1], edges[2], edges[3], edges[4], 0};
}

// The neighbours' rows, above and below for each array.
std::vector<ValueId> OwnStencils::ghosts(Builder& b, const Strip& strip,
                                         const std::vector<ValueId>& arrays) {
  if (arrays.empty()) return {};
  Operands args{strip.k, strip.above, strip.below, strip.before, strip.behind};
  std::vector<Type> types;
  for (ValueId array : arrays) {
    args.emplace_back(array);
    types.push_back(own_.rowsType(array, strip.above));
    types.push_back(own_.rowsType(array, strip.below));
  }
  return own_.move(b, core::Move::kGhost, "ghost", std::move(types), std::move(args));
}

ValueId OwnStencils::joined(Builder& b, std::vector<ValueId> arrays, const Operand& rows) {
  const std::string name(program_.values[arrays[1]].name);
  Type type = own_.rowsType(arrays[1], rows);
  return b.bind(name, std::move(type), core::Concat{std::move(arrays), rows});
}

// The rows of each array with those of the neighbours around them.
std::vector<ValueId> OwnStencils::extended(Builder& b, const Strip& strip,
                                           const std::vector<ValueId>& arrays) {
  const std::vector<ValueId> edges = ghosts(b, strip, arrays);
  std::vector<ValueId> all;
  for (size_t i = 0; i < arrays.size(); ++i) {
    all.push_back(joined(b, {edges[2 * i], arrays[i], edges[2 * i + 1]}, strip.ext));
  }
  return all;
}

void OwnStencils::placeRows(Stencil& own, const Operand& first,
                            const std::optional<Operand>& around) {
  constexpr prim::ScalarType kI64 = prim::ScalarType::kI64;
  std::vector<ValueId>& params = own.map.params;
  const size_t first_param = core::firstPosition(own);
  core::Builder place(program_);
  for (size_t k = 0; k < own.positions.size(); ++k) {
    if (own.positions[k] != 0) continue;
    const ValueId row = std::exchange(params[first_param + k], program_.add("row", Type{kI64, {}}));
    const Operand there{params[first_param + k]};
    const Operand far = around ? place.prim(prim::Op::kAdd, kI64, {first, there}) : there;
    place.append({{row},
                  around ? core::PrimOp{prim::Op::kMod, kI64, {far, *around}}
                         : core::PrimOp{prim::Op::kAdd, kI64, {first, there}},
                  false,
                  {}});
  }
  std::vector<Stm> stms = place.take({}).stms;
  std::vector<Stm>& cell = own.map.body.stms;
  cell.insert(cell.begin(), std::make_move_iterator(stms.begin()),
              std::make_move_iterator(stms.end()));
}

// One step over the own rows and the ghosts'; results of these are dropped. Reductions run
// over the own rows afterwards.
void OwnStencils::stencilOfRows(Builder& b, const Stm& stm, const Stencil& stencil) {
  Stencil own = stencil;
  const int64_t reach = reachOf(stencil);
  const Operand n = own.space[0];
  const Operand rows = own_.extentOf(n).rows;
  const bool has_tiles = plan_.sums.contains(stm.results[0]);
  if (reach == 0 && !has_tiles) {
    own.space[0] = rows;
    placeRows(own, own_.extentOf(n).first, std::nullopt);
    for (core::Window& window : own.windows) window.array = own_.rowsOf(window.array);
    for (ValueId& input : own.inputs) input = own_.rowsOf(input);
    return sums_.nodeOfRows(b, stm, stencil.reductions, std::move(own));
  }
  std::vector<ValueId> arrays;
  auto place = [&](ValueId& array) {
    array = own_.rowsOf(array);
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
  };
  for (core::Window& window : own.windows) place(window.array);
  for (ValueId& input : own.inputs) place(input);
  Strip strip{kZero, kZero, kZero, {}, {}, rows, 0};
  if (reach > 0) {
    strip = this->strip(b, n, Operand::ofI64(ghostRows(reach, options_)), wrapsRows(stencil));
    strip.reach = reach;
  }
  const std::vector<ValueId> wide = reach == 0 ? arrays : extended(b, strip, arrays);
  auto widen = [&](ValueId& array) {
    array =
        wide[static_cast<size_t>(std::find(arrays.begin(), arrays.end(), array) - arrays.begin())];
  };
  for (core::Window& window : own.windows) widen(window.array);
  for (ValueId& input : own.inputs) widen(input);
  stepOver(b, stm, std::move(own), strip);
}

// Over these rows: the node reads arrays of them.
void OwnStencils::stepOver(Builder& b, const Stm& stm, Stencil own, const Strip& strip) {
  const Operand n = own.space[0];
  own.space[0] = strip.ext;
  if (!own.positions.empty()) {
    placeRows(own, b.sub(own_.extentOf(n).first, strip.above), std::nullopt);
  }
  if (plan_.sums.contains(stm.results[0])) {
    own.partial_tiles = sums_.tilesOf(b, own, strip);
  } else {
    own.reductions.clear();
  }
  stepOfStrip(b, stm, std::get<Stencil>(stm.expr), std::move(own), strip);
}

void OwnStencils::stepOfStrip(Builder& b, const Stm& stm, const Stencil& stencil, Stencil own,
                              const Strip& strip) {
  const size_t count = sums_.accumulators(stencil.reductions);
  const Operand rows = own_.extentOf(stencil.space[0]).rows;
  const bool has_tiles = own.partial_tiles.has_value();
  std::vector<Type> types;
  for (size_t i = 0; i < stm.results.size(); ++i) {
    Type type = program_.type(stm.results[i]);
    if (i < count && own.partial_tiles) {
      type.shape = {own.partial_tiles->values};
    } else {
      if (i < count) type.shape = own.space;
      type.shape[0] = strip.ext;
    }
    types.push_back(std::move(type));
  }
  std::vector<ValueId> wide =
      b.bindAll("wide", std::move(types), std::move(own), stm.checked, stm.span);
  std::vector<ValueId> summands;
  for (size_t i = 0; i < wide.size(); ++i) {
    if (i < count && has_tiles) {
      summands.push_back(wide[i]);
      continue;
    }
    const ValueId mine = own_.slicedRows(b, wide[i], strip.above, rows);
    if (i < count) {
      summands.push_back(mine);
    } else {
      own_.setRows(stm.results[i], mine);
      if (strip.reach > 0) own_.rooms()[stm.results[i]] = {wide[i], strip.reach, false, strip};
      own_.tell(fmt::format("`{{}}_{{}}` is cut by rows, {} of each neighbour are exchanged",
                            reachOf(stencil)),
                stm.results[i]);
    }
  }
  if (count == 0) return;
  if (has_tiles) return sums_.joinTiles(b, stm, stencil, summands);
  types.clear();
  for (size_t i = 0; i < count; ++i) types.push_back(program_.type(stm.results[i]));
  Screma sums = sums_.reduced(rows, summands, stencil.reductions, stencil.space.size());
  sums_.combine(b, stencil.reductions, b.bindAll("own", std::move(types), std::move(sums)), stm);
}

}  // namespace halo::passes

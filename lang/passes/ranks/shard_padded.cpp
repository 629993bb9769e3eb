#include "lang/passes/ranks/shard_padded.h"

#include <algorithm>
#include <unordered_set>

#include "lang/passes/ranks/plan/shard_forms.h"

namespace halo::passes {

using core::Loop;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;
using Padded = ShardPlan::Padded;

PaddedLoops::Outer PaddedLoops::enter(Builder& b, const Loop& loop) {
  const Outer outer{padding_, strip_};
  const auto found = plan_.padded.find(loop.carried[0].param);
  padding_ = found == plan_.padded.end() ? nullptr : &found->second;
  if (padding_ == nullptr) return outer;
  strip_ = stencils_.strip(b, padding_->extent,
                           Operand::ofI64(ghostRows(padding_->reach, options_)), padding_->wraps);
  strip_.reach = padding_->reach;
  const core::Body& body = loop.body;
  std::unordered_set<ValueId> inside;
  for (const core::Carried& carried : loop.carried) inside.insert(carried.param);
  for (const Stm& stm : body.stms) inside.insert(stm.results.begin(), stm.results.end());
  for (const Stm& stm : body.stms) {
    if (stm.results.empty()) continue;
    if (!padding_->statements.contains(stm.results[0]) && !sumsPadded(stm)) continue;
    const auto* stencil = std::get_if<Stencil>(&stm.expr);
    for (ValueId array : readBy(stm)) {
      if (inside.contains(array)) continue;
      withRoom(b, array, stencil != nullptr && readsNeighbours(*stencil, array));
    }
  }
  return outer;
}

void PaddedLoops::leave(const Outer& outer) {
  padding_ = outer.padding;
  strip_ = outer.strip;
}

bool PaddedLoops::sumsPadded(const Stm& stm) const {
  const auto* node = std::get_if<Screma>(&stm.expr);
  return node != nullptr && own_.isCut(stm) && node->width == padding_->extent && sumsRowsOf(stm) &&
         std::any_of(node->inputs.begin(), node->inputs.end(),
                     [&](ValueId input) { return isPadded(input); });
}

std::vector<ValueId> PaddedLoops::readBy(const Stm& stm) {
  if (const auto* map = std::get_if<Screma>(&stm.expr)) return map->inputs;
  const auto& stencil = std::get<Stencil>(stm.expr);
  std::vector<ValueId> arrays = stencil.inputs;
  for (const core::Window& window : stencil.windows) arrays.push_back(window.array);
  return arrays;
}

bool PaddedLoops::readsNeighbours(const Stencil& stencil, ValueId array) {
  return std::any_of(
      stencil.windows.begin(), stencil.windows.end(), [&](const core::Window& window) {
        return window.array == array &&
               std::any_of(window.offsets.begin(), window.offsets.end(),
                           [](const std::vector<int64_t>& offset) { return offset[0] != 0; });
      });
}

ValueId PaddedLoops::withRoom(Builder& b, ValueId array, bool is_fresh) {
  const Strip& strip = strip_;
  const auto known = own_.rooms().find(array);
  if (known != own_.rooms().end() && known->second.reach == padding_->reach) {
    if (is_fresh && !known->second.is_fresh) renew(b, {array});
    return own_.rooms().at(array).value;
  }
  ValueId room;
  if (const core::Replicate* made = own_.replicated(array)) {
    core::Replicate all = *made;
    all.shape[0] = strip.ext;
    room = b.bind("room", own_.rowsType(array, strip.ext), std::move(all));
    is_fresh = true;
  } else if (is_fresh) {
    room = stencils_.extended(b, strip, {own_.rowsOf(array)})[0];
  } else {
    auto empty = [&](const Operand& rows) {
      Type type = own_.rowsType(array, rows);
      const Operand zero = prim::zero(type.scalar);
      return b.bind("room", Type(type), core::Replicate{type.shape, zero});
    };
    const ValueId above = empty(strip.above), below = empty(strip.below);
    room = stencils_.joined(b, {above, own_.rowsOf(array), below}, strip.ext);
  }
  own_.rooms()[array] = {room, padding_->reach, is_fresh, strip};
  return room;
}

// The neighbours' rows into the room of these arrays.
void PaddedLoops::renew(Builder& b, const std::vector<ValueId>& arrays) {
  if (arrays.empty()) return;
  const Strip& strip = strip_;
  Operands args{strip.k, strip.above, strip.below, strip.before, strip.behind};
  std::vector<Type> types;
  for (ValueId array : arrays) {
    args.emplace_back(own_.rooms().at(array).value);
    types.push_back(own_.rowsType(array, strip.ext));
  }
  const std::vector<ValueId> made =
      own_.move(b, core::Move::kRenew, "renewed", std::move(types), std::move(args));
  for (size_t i = 0; i < arrays.size(); ++i) setPadded(b, arrays[i], made[i], true);
}

void PaddedLoops::setPadded(Builder& b, ValueId array, ValueId padded, bool is_fresh) {
  own_.rooms()[array] = {padded, padding_->reach, is_fresh, strip_};
  const Operand rows = own_.extentOf(program_.type(array).shape[0]).rows;
  own_.setRows(array, own_.slicedRows(b, padded, strip_.above, rows));
}

void PaddedLoops::paddedNode(Builder& b, const Stm& stm) {
  if (const auto* map = std::get_if<Screma>(&stm.expr)) {
    Screma own = *map;
    own.width = strip_.ext;
    for (ValueId& input : own.inputs) input = withRoom(b, input, false);
    std::vector<Type> types;
    for (ValueId result : stm.results) types.push_back(own_.rowsType(result, strip_.ext));
    const std::vector<ValueId> made =
        b.bindAll("wide", std::move(types), std::move(own), stm.checked, stm.span);
    for (size_t i = 0; i < made.size(); ++i) {
      setPadded(b, stm.results[i], made[i], false);
      own_.tell("`{}_{}` is cut by rows", stm.results[i]);
    }
    return;
  }
  const auto& stencil = std::get<Stencil>(stm.expr);
  std::vector<ValueId> stale;
  for (ValueId array : readBy(stm)) {
    const auto known = own_.rooms().find(array);
    const bool is_stale = known != own_.rooms().end() && known->second.reach == padding_->reach &&
                          !known->second.is_fresh && readsNeighbours(stencil, array);
    if (is_stale && std::find(stale.begin(), stale.end(), array) == stale.end()) {
      stale.push_back(array);
    }
  }
  renew(b, stale);
  Stencil own = stencil;
  for (core::Window& window : own.windows) {
    window.array = withRoom(b, window.array, readsNeighbours(stencil, window.array));
  }
  for (ValueId& input : own.inputs) input = withRoom(b, input, readsNeighbours(stencil, input));
  stencils_.stepOver(b, stm, std::move(own), strip_);
}

// Whether the order of its sums depends on how the rows lie. Rows of views are then summed with the
// room around them, which is whole vectors long.
bool PaddedLoops::sumsRowsOf(const Stm& stm) const {
  return options_.sums == ShardOptions::Order::kChunks && sumsInCells(program_, stm);
}

bool PaddedLoops::sumsViews(const Stm& stm, const Screma& node) const {
  return sumsRowsOf(stm) && std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
           return own_.rooms().contains(input);
         });
}

void PaddedLoops::sumsInRoom(Builder& b, const Stm& stm, Screma own) {
  const Outer outer{padding_, strip_};
  const auto first = std::find_if(own.inputs.begin(), own.inputs.end(),
                                  [&](ValueId input) { return own_.rooms().contains(input); });
  const Room room = own_.rooms().at(*first);
  const Padded like{own.width, room.reach, false, {}, {}};
  padding_ = &like;
  strip_ = room.strip;
  const std::vector<core::Reduction> reductions = std::move(own.reductions);
  own.reductions.clear();
  own.width = room.strip.ext;
  for (ValueId& input : own.inputs) input = withRoom(b, input, false);
  std::vector<Type> types;
  for (const Operand& result : own.map.body.results) {
    Type type = program_.type(result);
    type.shape.insert(type.shape.begin(), own.width);
    types.push_back(std::move(type));
  }
  const size_t count = sums_.accumulators(reductions);
  const std::vector<ValueId> made =
      b.bindAll("wide", std::move(types), std::move(own), stm.checked, stm.span);
  const Operand rows = own_.extentOf(std::get<Screma>(stm.expr).width).rows;
  std::vector<ValueId> summands;
  for (size_t i = 0; i < made.size(); ++i) {
    if (i < count) {
      summands.push_back(own_.slicedRows(b, made[i], room.strip.above, rows));
    } else {
      setPadded(b, stm.results[i], made[i], false);
      own_.tell("`{}_{}` is cut by rows", stm.results[i]);
    }
  }
  leave(outer);
  if (count > 0) sums_.sumOfAll(b, stm, reductions, summands);
}

}  // namespace halo::passes

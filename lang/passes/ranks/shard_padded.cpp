// Loops whose arrays have room for rows of neighbours around the own ones: rows are exchanged in
// place, where longer arrays would be made of three at each step.
//
//   t: [ext][m]f32 = loop (v: [ext][m]f32 = own rows in room) while .. do {
//     w: [ext][m]f32 = call move.renew (1, above, below, before, behind, v)
//     (s: [k]f32, x: [ext][m]f32) = stencil [ext][m] (window w clamp {..}) ..
//     return x }                          the room of x holds anything, until the next exchange
//
// Stencils give such arrays, and so do maps of them. At first everything is padded that has a form
// for it; then less and less, as in shard_plan.cpp.
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/passes/ranks/shard_forms.h"
#include "lang/passes/ranks/sharder.h"

namespace halo::passes {
namespace {

using core::kZero;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;
using Padded = ShardPlan::Padded;

class Finder {
 public:
  Finder(const core::Program& program, const ShardPlan& plan, const Loop& loop)
      : program_(program), plan_(plan), loop_(loop) {}

  std::optional<Padded> run() {
    if (!findStencils()) return std::nullopt;
    for (const core::Carried& carried : loop_.carried) {
      defined_.insert(carried.param);
      if (isRows(carried.param)) padded_.values.insert(carried.param);
    }
    for (const Stm& stm : loop_.body.stms) {
      defined_.insert(stm.results.begin(), stm.results.end());
      if (isForm(stm)) add(stm);
    }
    while (drop()) {
    }
    const bool is_carried = std::any_of(
        loop_.carried.begin(), loop_.carried.end(),
        [&](const core::Carried& carried) { return padded_.values.contains(carried.param); });
    return is_carried ? std::optional(std::move(padded_)) : std::nullopt;
  }

 private:
  bool isCut(const Stm& stm) const {
    return !stm.results.empty() && plan_.statements.contains(stm.results[0]);
  }

  // Those over the extent of the first one: how far they reach; false: in two ways.
  bool findStencils() {
    for (const Stm& stm : loop_.body.stms) {
      const auto* stencil = std::get_if<Stencil>(&stm.expr);
      if (stencil == nullptr || !isCut(stm) || reachOf(*stencil) == 0) continue;
      if (padded_.reach == 0) {
        padded_.extent = stencil->space[0];
        padded_.wraps = wrapsRows(*stencil);
      }
      if (stencil->space[0] != padded_.extent) continue;
      if (wrapsRows(*stencil) != padded_.wraps) return false;
      padded_.reach = std::max(padded_.reach, reachOf(*stencil));
    }
    return padded_.reach > 0;
  }

  bool isRows(ValueId value) const {
    const Type& type = program_.type(value);
    return !type.isScalar() && type.shape[0] == padded_.extent && plan_.cut.contains(value);
  }

  bool isForm(const Stm& stm) const {
    if (!isCut(stm)) return false;
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
      return stencil->space[0] == padded_.extent &&
             (reachOf(*stencil) > 0 || stencil->reductions.empty() ||
              plan_.sums.contains(stm.results[0]));
    }
    const auto* map = std::get_if<Screma>(&stm.expr);
    return map != nullptr && map->width == padded_.extent && core::isMap(*map) &&
           !map->inputs.empty() && !core::mayFail(stm) && !sumsInCells(program_, stm);
  }

  void add(const Stm& stm) {
    padded_.statements.insert(stm.results[0]);
    for (ValueId result : stm.results) {
      if (isRows(result)) padded_.values.insert(result);
    }
  }

  // Arrays from outside of the loop get their room in front of it.
  bool canBe(ValueId array) const {
    return !defined_.contains(array) || padded_.values.contains(array);
  }

  bool stays(const Stm& stm) const {
    const auto all = [&](const std::vector<ValueId>& arrays) {
      return std::all_of(arrays.begin(), arrays.end(), [&](ValueId one) { return canBe(one); });
    };
    if (const auto* map = std::get_if<Screma>(&stm.expr)) return all(map->inputs);
    const auto& stencil = std::get<Stencil>(stm.expr);
    if (reachOf(stencil) > 0) return true;
    return all(stencil.inputs) &&
           std::all_of(stencil.windows.begin(), stencil.windows.end(),
                       [&](const core::Window& window) { return canBe(window.array); });
  }

  bool drop() {
    bool changed = false;
    for (const Stm& stm : loop_.body.stms) {
      if (stm.results.empty() || !padded_.statements.contains(stm.results[0]) || stays(stm))
        continue;
      padded_.statements.erase(stm.results[0]);
      for (ValueId result : stm.results) padded_.values.erase(result);
      changed = true;
    }
    for (size_t k = 0; k < loop_.carried.size(); k++) {
      const Operand& next = loop_.body.results[k];
      if (!next.isConstant() && padded_.values.contains(next.value)) continue;
      changed = padded_.values.erase(loop_.carried[k].param) > 0 || changed;
    }
    return changed;
  }

  const core::Program& program_;
  const ShardPlan& plan_;
  const Loop& loop_;
  Padded padded_;
  std::unordered_set<ValueId> defined_;
};

}  // namespace

std::optional<Padded> paddedIn(const core::Program& program, const ShardPlan& plan,
                               const Loop& loop) {
  return Finder(program, plan, loop).run();
}

// ---- written out

// In front of the loop: where the neighbours' rows are, and room for arrays that no step changes.
void Sharder::beginPadded(Builder& b, const Loop& loop) {
  const auto found = plan_.padded.find(loop.carried[0].param);
  padding_ = found == plan_.padded.end() ? nullptr : &found->second;
  if (padding_ == nullptr) return;
  padded_strip_ = strip(b, padding_->extent, Operand::ofI64(ghostRows(padding_->reach, options_)),
                        padding_->wraps);
  padded_strip_.reach = padding_->reach;
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
}

bool Sharder::sumsPadded(const Stm& stm) const {
  const auto* node = std::get_if<Screma>(&stm.expr);
  return node != nullptr && isCut(stm) && node->width == padding_->extent && sumsRowsOf(stm) &&
         std::any_of(node->inputs.begin(), node->inputs.end(),
                     [&](ValueId input) { return isPadded(input); });
}

std::vector<ValueId> Sharder::readBy(const Stm& stm) {
  if (const auto* map = std::get_if<Screma>(&stm.expr)) return map->inputs;
  const auto& stencil = std::get<Stencil>(stm.expr);
  std::vector<ValueId> arrays = stencil.inputs;
  for (const core::Window& window : stencil.windows) arrays.push_back(window.array);
  return arrays;
}

bool Sharder::readsNeighbours(const Stencil& stencil, ValueId array) {
  return std::any_of(
      stencil.windows.begin(), stencil.windows.end(), [&](const core::Window& window) {
        return window.array == array &&
               std::any_of(window.offsets.begin(), window.offsets.end(),
                           [](const std::vector<int64_t>& offset) { return offset[0] != 0; });
      });
}

// The array's rows with room around them; `is_fresh`: the neighbours' rows are there.
ValueId Sharder::withRoom(Builder& b, ValueId array, bool is_fresh) {
  const Strip& strip = padded_strip_;
  const auto known = padded_.find(array);
  if (known != padded_.end() && known->second.reach == padding_->reach) {
    if (is_fresh && !known->second.is_fresh) renew(b, {array});
    return padded_.at(array).value;
  }
  ValueId room;
  if (const auto made = replicated_.find(array); made != replicated_.end()) {
    core::Replicate all = made->second;
    all.shape[0] = strip.ext;
    room = b.bind("room", rowsType(array, strip.ext), std::move(all));
    is_fresh = true;
  } else if (is_fresh) {
    room = extended(b, strip, {rowsOf(array)})[0];
  } else {
    auto empty = [&](const Operand& rows) {
      Type type = rowsType(array, rows);
      const Operand zero = prim::zero(type.scalar);
      return b.bind("room", Type(type), core::Replicate{type.shape, zero});
    };
    const ValueId above = empty(strip.above), below = empty(strip.below);
    room = joined(b, {above, rowsOf(array), below}, strip.ext);
  }
  padded_[array] = {room, padding_->reach, is_fresh, strip};
  return room;
}

// The neighbours' rows into the room of these arrays.
void Sharder::renew(Builder& b, const std::vector<ValueId>& arrays) {
  if (arrays.empty()) return;
  const Strip& strip = padded_strip_;
  Operands args{strip.k, strip.above, strip.below, strip.before, strip.behind};
  std::vector<Type> types;
  for (ValueId array : arrays) {
    args.emplace_back(padded_.at(array).value);
    types.push_back(rowsType(array, strip.ext));
  }
  const std::vector<ValueId> made =
      move(b, core::Move::kRenew, "renewed", std::move(types), std::move(args));
  for (size_t i = 0; i < arrays.size(); i++) setPadded(b, arrays[i], made[i], true);
}

// The own rows are a view.
void Sharder::setPadded(Builder& b, ValueId array, ValueId padded, bool is_fresh) {
  padded_[array] = {padded, padding_->reach, is_fresh, padded_strip_};
  const Operand rows = extentOf(program_.type(array).shape[0]).rows;
  rows_[array] = slicedRows(b, padded, padded_strip_.above, rows);
}

void Sharder::paddedNode(Builder& b, const Stm& stm) {
  if (const auto* map = std::get_if<Screma>(&stm.expr)) {
    Screma own = *map;
    own.width = padded_strip_.ext;
    for (ValueId& input : own.inputs) input = withRoom(b, input, false);
    std::vector<Type> types;
    for (ValueId result : stm.results) types.push_back(rowsType(result, padded_strip_.ext));
    const std::vector<ValueId> made =
        b.bindAll("wide", std::move(types), std::move(own), stm.checked, stm.span);
    for (size_t i = 0; i < made.size(); i++) {
      setPadded(b, stm.results[i], made[i], false);
      tell("`{}_{}` is cut by rows", stm.results[i]);
    }
    return;
  }
  const auto& stencil = std::get<Stencil>(stm.expr);
  std::vector<ValueId> stale;
  for (ValueId array : readBy(stm)) {
    const auto known = padded_.find(array);
    const bool is_stale = known != padded_.end() && known->second.reach == padding_->reach &&
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
  stepOver(b, stm, std::move(own), padded_strip_);
}

// Whether the order of its sums depends on how the rows lie. Rows of views are then summed with the
// room around them, which is whole vectors long.
bool Sharder::sumsRowsOf(const Stm& stm) const {
  return options_.sums == ShardOptions::Order::kChunks && sumsInCells(program_, stm);
}

bool Sharder::sumsViews(const Stm& stm, const Screma& node) const {
  return sumsRowsOf(stm) && std::any_of(node.inputs.begin(), node.inputs.end(),
                                        [&](ValueId input) { return padded_.contains(input); });
}

void Sharder::sumsInRoom(Builder& b, const Stm& stm, Screma own) {
  const auto* outer = padding_;
  const Strip outer_strip = padded_strip_;
  const auto first = std::find_if(own.inputs.begin(), own.inputs.end(),
                                  [&](ValueId input) { return padded_.contains(input); });
  const Room room = padded_.at(*first);
  const Padded like{own.width, room.reach, false, {}, {}};
  padding_ = &like;
  padded_strip_ = room.strip;
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
  const size_t count = accumulators(reductions);
  const std::vector<ValueId> made =
      b.bindAll("wide", std::move(types), std::move(own), stm.checked, stm.span);
  const Operand rows = extentOf(std::get<Screma>(stm.expr).width).rows;
  std::vector<ValueId> summands;
  for (size_t i = 0; i < made.size(); i++) {
    if (i < count) {
      summands.push_back(slicedRows(b, made[i], room.strip.above, rows));
    } else {
      setPadded(b, stm.results[i], made[i], false);
      tell("`{}_{}` is cut by rows", stm.results[i]);
    }
  }
  padding_ = outer;
  padded_strip_ = outer_strip;
  if (count > 0) sumOfAll(b, stm, reductions, summands);
}

}  // namespace halo::passes

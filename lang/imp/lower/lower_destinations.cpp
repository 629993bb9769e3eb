// Destinations. A body gets the places of its results, and the statement that makes a result's
// memory writes there, however many in-place operations follow.
#include <algorithm>
#include <functional>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/imp/lower/lower_match.h"

namespace halo::imp {

using core::ValueId;

namespace {

// Does the statement write an array result where it is told to?
bool acceptsDestination(const core::Expr& expr) {
  return std::holds_alternative<core::Screma>(expr) ||
         std::holds_alternative<core::Stencil>(expr) || std::holds_alternative<core::Iota>(expr) ||
         std::holds_alternative<core::Replicate>(expr) ||
         std::holds_alternative<core::ArrayLiteral>(expr) ||
         std::holds_alternative<core::Scratch>(expr) ||
         std::holds_alternative<core::Concat>(expr) || std::holds_alternative<core::Copy>(expr) ||
         std::holds_alternative<core::Match>(expr) || std::holds_alternative<core::Pad>(expr);
}

const core::Stm* definition(const core::Body& body, ValueId value) {
  for (const core::Stm& stm : body.stms) {
    if (std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end()) return &stm;
  }
  return nullptr;
}

// The array made in place that this one consists of, through dense views of other shapes. A view
// that is not dense is copied where it gets another shape: that copy then.
ValueId reshapedRoot(const core::Program& core, const core::Body& body, ValueId value) {
  while (true) {
    value = inPlaceRoot(core, body, value);
    const core::Stm* made = definition(body, value);
    const auto* view = made == nullptr ? nullptr : std::get_if<core::Reshape>(&made->expr);
    if (view == nullptr) return value;
    ValueId inner = inPlaceRoot(core, body, view->array);
    const core::Stm* source = definition(body, inner);
    if (source != nullptr && std::holds_alternative<core::Rearrange>(source->expr)) return value;
    value = inner;
  }
}

using RootOf = std::function<ValueId(ValueId)>;

// Loops of a body and of branches in it; `root`: the array in whose memory another one is.
void forEachLoop(const core::Program& core, const core::Body& body, const RootOf& outside,
                 const std::function<void(const core::Loop&, const RootOf& root)>& visit) {
  const RootOf root = [&](ValueId value) { return outside(inPlaceRoot(core, body, value)); };
  for (const core::Stm& stm : body.stms) {
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) visit(*loop, root);
    if (!std::holds_alternative<core::Match>(stm.expr)) continue;
    core::visitBodies(stm.expr,
                      [&](const core::Body& arm) { forEachLoop(core, arm, root, visit); });
  }
}

// Whether a loop of the body reads elements that it overwrites of this array, the root of a result.
bool isReadInLoop(const core::Program& core, const core::Body& body, ValueId root) {
  std::unordered_set<ValueId> family;
  bool is_read = false;
  auto follow = [&](const core::Stm& stm) {
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      for (size_t k = 0; k < loop->carried.size(); ++k) {
        const core::Operand& initial = loop->carried[k].initial;
        if (initial.isConstant() || !family.contains(initial.value)) continue;
        family.insert(loop->carried[k].param);
        family.insert(stm.results[k]);
      }
      return;
    }
    const auto* update = std::get_if<core::Update>(&stm.expr);
    if (update != nullptr && family.contains(update->array)) {
      family.insert(stm.results[0]);
      return;
    }
    auto note = [&](const auto& use) {
      if constexpr (std::is_same_v<std::decay_t<decltype(use)>, ValueId>) {
        is_read = is_read || family.contains(use);
      }
    };
    core::visitUses(stm.expr, note);
  };
  auto outside = [](ValueId value) { return value; };
  forEachLoop(core, body, outside, [&](const core::Loop& loop, const RootOf& rootOf) {
    for (const core::Carried& carried : loop.carried) {
      const core::Operand& initial = carried.initial;
      const bool is_array = !initial.isConstant() && !core.type(initial).isScalar();
      if (is_array && rootOf(initial.value) == root) family.insert(carried.param);
    }
    core::visitStms(loop.body, follow);
  });
  return is_read;
}

// Rows of results are not adjacent for neighbouring invocations; an invocation's own memory lies
// beside that of its neighbours, element by element, or is private.
bool isFar(const Program& program, const ArrayRef& array) {
  return array.pitch == Operand::ofI64(1) && program.buffers[array.buffer].space == Space::kDevice;
}

// Kernel calls of a GPU host program write where they are told to as well.
bool isIntercepted(const core::Expr& expr, const LoweringTarget& place) {
  return place.intercept && std::holds_alternative<core::Call>(expr);
}

}  // namespace

ArrayRef DestinationTable::output(ValueId value) {
  ArrayRef array = mapOutput(value);
  array.stream = Operand::ofI64(0);
  return array;
}

namespace {

// Levels of maps around the code of a cell.
int nestDepth(const core::Screma& node) {
  const std::vector<core::Stm>& stms = node.map.body.stms;
  const auto* inner = stms.size() == 1 ? std::get_if<core::Screma>(&stms[0].expr) : nullptr;
  const bool is_map = inner != nullptr && core::isMap(*inner);
  return 1 + (is_map ? nestDepth(*inner) : 0);
}

}  // namespace

// The axes in memory of a map's array that only a view with other axes uses. Only where the
// view splits the rows of cells, and neighbours in memory are of neighbouring cells or of one row.
std::optional<std::vector<int>> DestinationTable::orderInMemory(const core::Body& body,
                                                                ValueId value) const {
  if (low_.target_.space != Space::kHost || low_.core_.type(value).rank() < 2) return std::nullopt;
  // A replay checks sizes in the order of the array's own axes.
  if (low_.target_.check_sizes) return std::nullopt;
  const auto view = std::find_if(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
    const auto* node = std::get_if<core::Rearrange>(&stm.expr);
    return node != nullptr && node->array == value;
  });
  if (view == body.stms.end()) return std::nullopt;
  const std::vector<int>& order = std::get<core::Rearrange>(view->expr).permutation;
  const core::Stm* made = definition(body, value);
  const auto* map = made == nullptr ? nullptr : std::get_if<core::Screma>(&made->expr);
  if (map == nullptr || !map->reductions.empty() || !map->scans.empty()) return std::nullopt;
  const bool parts_rows = order.back() + 1 < low_.core_.type(value).rank();
  if (!parts_rows || order.back() + 1 < nestDepth(*map) ||
      core::useCounts(low_.core_, body).at(value) != 1)
    return std::nullopt;
  return order;
}

// Memory in the order of the view that is made of the array.
ArrayRef DestinationTable::laidOutput(ValueId value, const std::vector<int>& order) {
  const core::Type& type = low_.core_.type(value);
  const Operands shape = low_.scalars(type.shape);
  Operands there;
  for (int axis : order) there.push_back(shape[static_cast<size_t>(axis)]);
  ArrayRef memory;
  if (auto wanted = wanted_.find(value); wanted != wanted_.end()) {
    const ArrayRef& target = wanted->second;
    memory = denseArray(low_.b_, target.buffer, target.offset, type.scalar, there, target.pitch);
    wanted_.erase(wanted);
  } else {
    memory = low_.fresh(low_.core_.values[value].name, type.scalar, there);
  }
  laid_out_[value] = memory;
  ArrayRef array = memory;
  array.dense = false;
  array.shape = shape;
  for (size_t k = 0; k < order.size(); ++k) {
    array.strides[static_cast<size_t>(order[k])] = memory.strides[k];
  }
  return array;
}

ArrayRef DestinationTable::mapOutput(ValueId value) {
  ArrayRef array;
  if (has(value)) {
    array = *find(value);
    wanted_.erase(value);
  } else {
    const core::Type& type = low_.core_.type(value);
    array = low_.fresh(low_.core_.values[value].name, type.scalar, low_.scalars(type.shape));
  }
  if (low_.target_.vectorise && low_.independent_ == 0)
    array.stream = elementCount(low_.b_, array.shape);
  bool is_small = array.stream.isConstant() && array.stream.constant.asSigned() < kNeverStreamed;
  if (is_small) array.stream = Operand::ofI64(0);
  return array;
}

// The destination of a value, if it has one, in the value's own shape.
std::optional<ArrayRef> DestinationTable::find(ValueId value) const {
  auto found = wanted_.find(value);
  if (found == wanted_.end()) return std::nullopt;
  ArrayRef target = found->second;
  if (reshaped_.contains(value)) {
    const core::Type& type = low_.core_.type(value);
    target = denseArray(low_.b_, target.buffer, target.offset, type.scalar,
                        low_.scalars(type.shape), target.pitch);
  }
  return target;
}

const ArrayRef* DestinationTable::laidOut(ValueId value) const {
  auto found = laid_out_.find(value);
  return found == laid_out_.end() ? nullptr : &found->second;
}

// The array of a map may be made in the memory of its view's destination.
void DestinationTable::planLaidOut(const core::Body& body, const core::Rearrange& view,
                                   const ArrayRef& destination) {
  const core::Stm* made = definition(body, view.array);
  if (made == nullptr || !destination.dense || !orderInMemory(body, view.array)) return;
  if (!bindsSizeOf(*made, low_.core_.type(view.array))) wanted_[view.array] = destination;
}

// Arms make a row of few elements, as many at each time, or give one from outside, but not all of
// them. In one place before the branch the row needs no memory of its own for each iteration around
// (private_arrays.h).
bool MatchLowering::makeShortRow(size_t k) const {
  constexpr int64_t kMaxElements = 64;
  const core::Type& type = typeOf(k);
  if (target_.space != Space::kHost || !core::hasAtMost(type.shape, kMaxElements)) return false;
  bool any_made = false;
  for (const core::Body* arm : core::armsOf(node_)) {
    const ValueId root = reshapedRoot(core_, *arm, arm->results[k].value);
    const core::Stm* made = definition(*arm, root);
    if (made == nullptr) continue;
    if (!acceptsDestination(made->expr) || core_.type(root).shape != type.shape) return false;
    any_made = true;
  }
  return any_made;
}

// The root of a result is stored at the result's destination, if the body makes that root and no
// other destination has it. Where the result lies densely, the root may have another shape.
void DestinationTable::plan(const core::Body& body, const Destinations& destinations) {
  std::unordered_map<ValueId, int> wanted;
  for (const core::Operand& result : body.results) {
    if (!result.isConstant() && !low_.core_.type(result.value).isScalar()) {
      ++wanted[reshapedRoot(low_.core_, body, result.value)];
    }
  }
  for (size_t k = 0; k < destinations.size(); ++k) {
    if (!destinations[k]) continue;
    ValueId root = reshapedRoot(low_.core_, body, body.results[k].value);
    if (wanted[root] != 1) continue;
    const core::Stm* stm = definition(body, root);
    if (stm == nullptr) continue;
    const auto* turned = std::get_if<core::Rearrange>(&stm->expr);
    if (turned != nullptr) {
      planLaidOut(body, *turned, *destinations[k]);
      continue;
    }
    const bool is_far = low_.target_.room && isFar(low_.b_.program(), *destinations[k]);
    if (is_far && isReadInLoop(low_.core_, body, root)) continue;
    const bool is_view = std::holds_alternative<core::Reshape>(stm->expr);
    bool is_reshaped = low_.core_.type(root).shape != low_.core_.type(body.results[k]).shape;
    if ((is_view || is_reshaped) && !destinations[k]->dense) continue;
    if (is_reshaped && bindsSizeOf(*stm, low_.core_.type(root))) continue;
    if (is_view || acceptsDestination(stm->expr) || isIntercepted(stm->expr, low_.target_)) {
      wanted_[root] = *destinations[k];
      if (is_reshaped) reshaped_.insert(root);
    }
  }
}

}  // namespace halo::imp

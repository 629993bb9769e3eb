// Scatters in order: of equal places the last element stays.
//
// Elements that are simple to compute are scattered 256 at a time. First all places and values are
// computed, and those in range compacted; then they are stored one after the other. With several
// threads each stores one part of the destination: it computes all elements and keeps those of its
// part. So the order of stores to one place is the same for any number of threads.
#include "lang/imp/lower/lower_scatter.h"
#include "lang/core/scatter.h"
#include "lang/imp/simple_code.h"

#include <algorithm>

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

constexpr int64_t kStripPlaces = 256;
constexpr int64_t kFewElements = 1 << 14;  // are one thread's
constexpr size_t kSomeWork = 4;            // statements that are worth vectors of their own
constexpr size_t kMaxBuffers = 5;          // on the stack, of 320 elements each

Operand both(Builder& b, Operand a, Operand c) {
  return b.prim(Op::kAnd, ScalarType::kBool, {a, c});
}

}  // namespace

Operand isInside(Builder& b, const Operands& indices, const ArrayRef& array) {
  Operand inside = Operand(prim::Scalar::ofBool(true));
  for (size_t k = 0; k < indices.size(); ++k) {
    Operand low = b.prim(Op::kLe, ScalarType::kI64, {kZero, indices[k]});
    Operand high = b.prim(Op::kLt, ScalarType::kI64, {indices[k], array.shape[k]});
    Operand axis = both(b, low, high);
    inside = k == 0 ? axis : both(b, inside, axis);
  }
  return inside;
}

// ---- strips

StripScatter::StripScatter(Lowering& lowering, const core::Scatter& node,
                           const std::vector<ArrayRef>& targets)
    : low_(lowering), b_(lowering.b_), node_(node), targets_(targets) {
  width_ = low_.scalar(node.width);
}

bool StripScatter::fits(const core::Program& core, const LoweringTarget& place,
                        const core::Scatter& node) {
  if (!place.vectorise || node.width.isConstant() || !isSimple(core, node.map.body)) return false;
  size_t buffers = 0;
  for (const core::ScatterDest& destination : node.destinations) {
    if (core.type(destination.array).rank() != destination.index_rank) return false;
    buffers += 2 * static_cast<size_t>(writesOf(node));
  }
  return buffers <= kMaxBuffers && (place.parallel || node.map.body.stms.size() >= kSomeWork);
}

// Destinations that have the same places share them.
void StripScatter::group(const Operands& results) {
  size_t at = 0;
  std::vector<size_t> written;
  for (size_t d = 0; d < targets_.size(); ++d) {
    written.insert(written.end(), static_cast<size_t>(writesOf(node_)), d);
  }
  for (size_t d : written) {
    const auto rank = static_cast<size_t>(node_.destinations[d].index_rank);
    const auto first = results.begin() + static_cast<ptrdiff_t>(at);
    Operands indices(first, first + static_cast<ptrdiff_t>(rank));
    at += rank;
    auto same = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      const ArrayRef& other = targets_[group.destinations[0]];
      return group.indices == indices && other.shape == targets_[d].shape &&
             other.strides == targets_[d].strides && other.offset == targets_[d].offset;
    });
    if (same == groups_.end()) {
      groups_.push_back({indices, {}, {}, {}, VarId()});
      same = groups_.end() - 1;
    }
    same->destinations.push_back(d);
    same->values.push_back(results[at++]);
  }
}

// The element at `i`, kept where it is in the part's rows of its destination.
void StripScatter::look(Operand i, Operand part, Operand parts) {
  Results results = low_.element(node_.inputs, node_.map, i, {}, 0);
  groups_.clear();
  group(results.scalars);
  for (Group& group : groups_) {
    const ArrayRef& target = targets_[group.destinations[0]];
    Operand place = target.offset, mine = isInside(b_, group.indices, target);
    for (size_t k = 0; k < group.indices.size(); ++k) {
      place = b_.add(place, b_.mul(group.indices[k], target.strides[k]));
    }
    if (parts != kOne) {
      auto border = [&](Operand number) {
        return b_.prim(Op::kMachineDiv, ScalarType::kI64, {b_.mul(number, target.shape[0]), parts});
      };
      Operand lo = border(part), hi = border(b_.add(part, kOne));
      mine = both(b_, mine, b_.prim(Op::kLe, ScalarType::kI64, {lo, group.indices[0]}));
      mine = both(b_, mine, b_.prim(Op::kLt, ScalarType::kI64, {group.indices[0], hi}));
    }
    auto room = [&](const char* name, ScalarType type) {
      group.kept.push_back(b_.buffer(name, type, Space::kPrivate, kStripPlaces + kAppendRoom));
    };
    room("places", ScalarType::kI64);
    for (size_t d : group.destinations) room("values", targets_[d].type);
    group.next = b_.program().addVar("next", ScalarType::kI64, true);
    Operands values = {place};
    values.insert(values.end(), group.values.begin(), group.values.end());
    b_.append(Append{group.kept, group.next, mine, values});
  }
}

void StripScatter::strip(Operand base, Operand last, Operand part, Operand parts) {
  VarId var = b_.program().addVar("i", ScalarType::kI64);
  low_.in_lanes_ = true;
  Block made = b_.capture([&] { look(var, part, parts); });
  low_.in_lanes_ = false;
  for (const Group& group : groups_) b_.append(Declare{group.next, kZero});
  const bool vector = canRunInLanes(b_.program(), made);
  b_.append(For{var, base, last, vector ? Schedule::kVector : Schedule::kSequential,
                vector ? kVectorWidth : 1, std::move(made)});
  for (const Group& group : groups_) {
    b_.forLoop("kept", kZero, Operand(group.next), [&](Operand k) {
      Operand place = b_.load(group.kept[0], k);
      for (size_t d = 0; d < group.destinations.size(); ++d) {
        b_.store(targets_[group.destinations[d]].buffer, place, b_.load(group.kept[d + 1], k));
      }
    });
  }
}

void StripScatter::run() {
  Operand size = Operand::ofI64(kStripPlaces);
  Operand rounded = b_.add(width_, Operand::ofI64(kStripPlaces - 1));
  Operand strips = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  auto all = [&](Operand part, Operand parts) {
    b_.forLoop("strip", kZero, strips, [&](Operand s) {
      Operand base = b_.mul(s, size);
      strip(base, b_.min(b_.add(base, size), width_), part, parts);
    });
  };
  if (!low_.target_.parallel || low_.independent_ > 0) return all(kZero, kOne);
  Operand threads = b_.let("threads", ScalarType::kI64, BuiltInValue{BuiltIn::kThreads, 0});
  Operand few = b_.prim(Op::kLt, ScalarType::kI64, {width_, Operand::ofI64(kFewElements)});
  Operand parts = b_.let("parts", ScalarType::kI64, Select{few, kOne, threads});
  low_.chunkLoop(parts, [&](Operand part) { all(part, parts); });
}

// ---- one element after the other

// Pairs out of range are dropped.
void Lowering::scatterOneByOne(const core::Scatter& node, const std::vector<ArrayRef>& targets) {
  Results results;
  auto write = [&](const ArrayRef& target, const Operands& indices, size_t at) {
    b_.ifThenElse(isInside(b_, indices, target), [&] {
      if (indices.size() == target.shape.size()) {
        storeElement(b_, target, indices, results.scalars[at]);
      } else {
        copyArray(b_, target_, prefixView(b_, target, indices), results.arrays[at]);
      }
    });
  };
  loop("i", kZero, scalar(node.width), false, [&](Operand i) {
    results = element(node.inputs, node.map, i, {}, 0);
    size_t at = 0;
    for (size_t d = 0; d < targets.size(); ++d) {
      const int rank = node.destinations[d].index_rank;
      for (int w = 0; w < writesOf(node); ++w) {
        const auto first = results.scalars.begin() + static_cast<ptrdiff_t>(at);
        at += static_cast<size_t>(rank);
        write(targets[d], Operands(first, first + rank), at++);
      }
    }
    release(results.owned);
  });
}

void Lowering::lower(const core::Stm& stm, const core::Scatter& node) {
  std::vector<ArrayRef> targets;
  for (const core::ScatterDest& destination : node.destinations) {
    targets.push_back(real(array(destination.array)));
  }
  if (!in_lanes_ && independent_ == 0 && StripScatter::fits(core_, target_, node)) {
    StripScatter(*this, node, targets).run();
  } else {
    scatterOneByOne(node, targets);
  }
  for (size_t d = 0; d < targets.size(); ++d) set(stm.results[d], targets[d]);
}

}  // namespace halo::imp

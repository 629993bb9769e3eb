// Lives from the first to the last mention; an array that a loop touches and does not allocate
// itself lives for the whole loop. Then slots in order of birth, then accesses.
#include "gpu/team/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lang/base/check.h"
#include "lang/imp/accesses.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

TeamMemory::TeamMemory(Program& program, const Block& body, WordCode words)
    : program_(program), words_(words) {
  forEachStm(body, [&](const Stm& stm) {
    if (const auto* let = std::get_if<Let>(&stm.node)) made_by_[let->var] = let->expr;
    if (const auto* rebind = std::get_if<Rebind>(&stm.node)) join(rebind->dst, rebind->src);
    if (const auto* swap = std::get_if<Swap>(&stm.node)) join(swap->a, swap->b);
  });
  visit(body);
  for (auto& [root, life] : lives_) findRange(life);
  color();
}

bool TeamMemory::isShared(BufferId buffer) const {
  const BufferInfo& info = program_.buffers[buffer];
  return info.space == Space::kShared && info.constant_elements == 0;
}

BufferId TeamMemory::rootOf(BufferId buffer) const {
  for (auto at = parent_.find(buffer); at != parent_.end(); at = parent_.find(buffer)) {
    buffer = at->second;
  }
  return buffer;
}

void TeamMemory::join(BufferId a, BufferId b) {
  BufferId one = rootOf(a), other = rootOf(b);
  if (one != other) parent_[one] = other;
  // Also where it is the root of all: its place is a variable.
  offsets_[a] = offsets_[b] = VarId();
}

// ---- lives

void TeamMemory::use(BufferId buffer) {
  if (isShared(buffer)) lives_[rootOf(buffer)].uses.emplace_back(now_, around_);
}

void TeamMemory::visit(const Block& block) {
  auto looped = [&](const std::function<void()>& inside) {
    loops_.push_back({now_, now_});
    around_.push_back(loops_.size() - 1);
    inside();
    loops_[around_.back()].end = now_++;
    around_.pop_back();
  };
  for (const Stm& stm : block) {
    ++now_;
    if (const auto* loop = std::get_if<For>(&stm.node)) {
      looped([&] { visit(loop->body); });
    } else if (const auto* loop = std::get_if<While>(&stm.node)) {
      looped([&] {
        visit(loop->before);
        visit(loop->body);
      });
    } else if (const auto* branch = std::get_if<If>(&stm.node)) {
      visit(branch->then_block);
      visit(branch->else_block);
    } else if (const auto* alloc = std::get_if<Alloc>(&stm.node)) {
      lives_[rootOf(alloc->buffer)].allocations.emplace_back(alloc->buffer, alloc->elements);
      use(alloc->buffer);
    } else if (const auto* rebind = std::get_if<Rebind>(&stm.node)) {
      use(rebind->dst);
    } else if (const auto* swap = std::get_if<Swap>(&stm.node)) {
      use(swap->a);
    } else {
      forEachAccess({stm}, [&](BufferId buffer, Access) { use(buffer); });
    }
  }
}

void TeamMemory::findRange(Life& life) const {
  size_t depth = life.uses[0].second.size();
  for (const auto& [at, around] : life.uses) {
    const std::vector<size_t>& first = life.uses[0].second;
    size_t same = 0;
    while (same < std::min(depth, around.size()) && around[same] == first[same]) ++same;
    depth = same;
  }
  life.begin = SIZE_MAX;
  for (const auto& [at, around] : life.uses) {
    const bool is_deeper = around.size() > depth;
    life.begin = std::min(life.begin, is_deeper ? loops_[around[depth]].begin : at);
    life.end = std::max(life.end, is_deeper ? loops_[around[depth]].end : at);
  }
}

std::string TeamMemory::keyOf(const Operand& operand) const {
  if (operand.isConstant()) return fmt::format("{}", operand.constant.asSigned());
  auto made = made_by_.find(operand.var);
  if (made == made_by_.end()) return fmt::format("v{}", operand.var.index);
  if (const auto* prim = std::get_if<Prim>(&made->second)) {
    std::string text = fmt::format("{}(", static_cast<int>(prim->op));
    for (const Operand& arg : prim->args) text += keyOf(arg) + " ";
    return text + ")";
  }
  if (const auto* select = std::get_if<Select>(&made->second)) {  // of a maximum, for one
    return fmt::format("select({} {} {})", keyOf(select->condition), keyOf(select->on_true),
                       keyOf(select->on_false));
  }
  return fmt::format("v{}", operand.var.index);
}

void TeamMemory::color() {
  std::vector<std::pair<BufferId, const Life*>> in_order;
  for (const auto& [root, life] : lives_) in_order.emplace_back(root, &life);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const auto& a, const auto& b) { return a.second->begin < b.second->begin; });
  for (const auto& [root, life] : in_order) {
    for (const auto& [buffer, elements] : life->allocations) {
      const auto words = static_cast<int64_t>(words_.count(program_.buffers[buffer].type));
      const std::string key = fmt::format("{} * {}", keyOf(elements), words);
      const std::pair<size_t, size_t> range{life->begin, life->end};
      auto free = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
        return slot.key == key && slot.isFree(range);
      });
      if (free == slots_.end()) {
        slots_.push_back({elements, words, key});
        free = slots_.end() - 1;
      }
      free->lives.push_back(range);
      slot_of_[buffer] = static_cast<size_t>(free - slots_.begin());
      slots_of_[root].insert(free - slots_.begin());
    }
  }
}

bool Slot::isFree(std::pair<size_t, size_t> life) const {
  return std::none_of(lives.begin(), lives.end(), [&](const auto& other) {
    return life.first <= other.second && other.first <= life.second;
  });
}

bool Slot::meets(const Slot& other) const {
  return !std::all_of(lives.begin(), lives.end(),
                      [&](const auto& life) { return other.isFree(life); });
}

std::vector<size_t> TeamMemory::slotsBefore(size_t number) const {
  const bool is_end = number == slots_.size();
  std::vector<size_t> before;
  for (size_t k = number; k-- > 0;) {
    const bool is_behind = std::any_of(
        before.begin(), before.end(), [&](size_t later) { return slots_[later].meets(slots_[k]); });
    if (!is_behind && (is_end || slots_[k].meets(slots_[number]))) before.push_back(k);
  }
  return before;
}

std::set<int64_t> TeamMemory::memoryOf(BufferId buffer) const {
  const Space space = program_.buffers[buffer].space;
  if (space == Space::kPrivate) return {};
  if (!isShared(buffer)) return {-1 - static_cast<int64_t>(buffer.index)};
  auto found = slots_of_.find(rootOf(buffer));
  if (found == slots_of_.end()) return {};
  std::set<int64_t> memory = found->second;
  const auto count = static_cast<int64_t>(slots_.size());
  for (int64_t slot : found->second) {
    for (int64_t other = 0; other < count; ++other) {
      const bool is_apart =
          slots_[static_cast<size_t>(slot)].meets(slots_[static_cast<size_t>(other)]);
      if (!is_apart) memory.insert((std::min(slot, other) + 1) * count + std::max(slot, other));
    }
  }
  return memory;
}

// ---- sizes

std::optional<Operand> TeamMemory::onHost(Builder& host, const Operand& value, const Leaf& leaf) {
  if (value.isConstant()) return value;
  if (auto known = leaf(value)) return known;
  auto made = made_by_.find(value.var);
  if (made == made_by_.end()) return std::nullopt;
  const std::string key = keyOf(value);
  if (auto known = on_host_.find(key); known != on_host_.end()) return known->second;
  Expr copy = made->second;
  auto replace = [&](Operand& operand) {
    std::optional<Operand> there = onHost(host, operand, leaf);
    if (there) operand = *there;
    return there.has_value();
  };
  bool known = false;
  if (auto* prim = std::get_if<Prim>(&copy)) {
    known = std::all_of(prim->args.begin(), prim->args.end(), replace);
  } else if (auto* convert = std::get_if<Convert>(&copy)) {
    known = replace(convert->arg);
  } else if (auto* select = std::get_if<Select>(&copy)) {
    known = replace(select->condition) && replace(select->on_true) && replace(select->on_false);
  }
  if (!known) return std::nullopt;
  Operand made_there = host.let("size", program_.vars[value.var].type, std::move(copy));
  on_host_[key] = made_there;
  return made_there;
}

std::optional<Operand> TeamMemory::mostOnHost(Builder& host, const Operand& elements,
                                              const Leaf& leaf) {
  if (auto exact = onHost(host, elements, leaf)) return exact;
  const auto made = made_by_.find(elements.var);
  if (made == made_by_.end()) return std::nullopt;
  if (const auto* select = std::get_if<Select>(&made->second)) {  // of a maximum
    const auto a = mostOnHost(host, select->on_true, leaf);
    const auto b = mostOnHost(host, select->on_false, leaf);
    return a && b ? std::optional(host.max(*a, *b)) : std::nullopt;
  }
  const auto* prim = std::get_if<Prim>(&made->second);
  if (prim == nullptr || prim->type != ScalarType::kI64) return std::nullopt;
  if (prim->op != Op::kMin && prim->op != Op::kMul && prim->op != Op::kAdd) return std::nullopt;
  const auto a = mostOnHost(host, prim->args[0], leaf);
  const auto b = mostOnHost(host, prim->args[1], leaf);
  if (prim->op == Op::kMin) return a && b ? std::optional(host.min(*a, *b)) : (a ? a : b);
  if (!a || !b) return std::nullopt;
  return prim->op == Op::kMul ? host.mul(*a, *b) : host.add(*a, *b);
}

// ---- accesses

Operand TeamMemory::offsetOf(Builder& code, BufferId buffer) const {
  auto moving = offsets_.find(buffer);
  return moving != offsets_.end() ? converted(code, moving->second, ScalarType::kI64)
                                  : first_[slot_of_.at(buffer)];
}

Operand TeamMemory::converted(Builder& code, const Operand& offset, ScalarType to) const {
  const ScalarType from = offset.isConstant() ? ScalarType::kI64 : program_.vars[offset.var].type;
  if (from == to) return offset;
  if (offset.isConstant()) return Scalar::ofSigned(to, offset.constant.asSigned());
  return code.let("offset", to, Convert{prim::ConvertKind::kValue, from, to, offset});
}

void TeamMemory::load(Builder& code, const Let& let, const Load& load) {
  const ScalarType type = program_.buffers[load.buffer].type;
  const auto words = static_cast<int64_t>(words_.count(type));
  Operand at = code.add(offsetOf(code, load.buffer), code.mul(load.index, Operand::ofI64(words)));
  Operands parts;
  for (int64_t k = 0; k < words; ++k) {
    parts.push_back(code.load(pool_, code.add(at, Operand::ofI64(k))));
  }
  code.append(
      Let{let.var, Convert{prim::ConvertKind::kValue, type, type, words_.from(code, type, parts)}});
}

void TeamMemory::store(Builder& code, const Store& store) {
  const ScalarType type = program_.buffers[store.buffer].type;
  const auto words = static_cast<int64_t>(words_.count(type));
  Operand at = code.add(offsetOf(code, store.buffer), code.mul(store.index, Operand::ofI64(words)));
  const Operands parts = words_.to(code, type, store.value);
  for (int64_t k = 0; k < words; ++k) {
    code.store(pool_, code.add(at, Operand::ofI64(k)), parts[static_cast<size_t>(k)]);
  }
}

void TeamMemory::moved(Builder& code, const Stm& stm) {
  if (const auto* alloc = std::get_if<Alloc>(&stm.node)) {
    auto moving = offsets_.find(alloc->buffer);
    if (moving == offsets_.end()) return;
    const Operand first = first_[slot_of_.at(alloc->buffer)];
    code.assign(moving->second, converted(code, first, offset_type_));
  } else if (const auto* rebind = std::get_if<Rebind>(&stm.node)) {
    code.assign(offsets_.at(rebind->dst), offsets_.at(rebind->src));
  } else if (const auto* swap = std::get_if<Swap>(&stm.node)) {
    const VarId a = offsets_.at(swap->a), b = offsets_.at(swap->b);
    VarId saved = code.declare("saved", offset_type_, a);
    code.assign(a, b);
    code.assign(b, saved);
  }
}

Block TeamMemory::inPool(const Block& body, BufferId pool, const Operands& first) {
  pool_ = pool;
  first_ = first;
  // Shared memory is small; where it is a part of a device buffer, offsets may be large.
  const bool is_small = program_.buffers[pool].space == Space::kShared;
  offset_type_ = is_small ? ScalarType::kI32 : ScalarType::kI64;
  Builder code(program_);
  std::vector<BufferId> moving;
  for (const auto& [buffer, var] : offsets_) moving.push_back(buffer);
  std::sort(moving.begin(), moving.end());
  for (BufferId buffer : moving) {
    offsets_[buffer] =
        code.declare(program_.buffers[buffer].name, offset_type_, prim::zero(offset_type_));
  }
  Block out = code.take();
  Block rest = rewriteBlock(body, [&](Stm stm, Block& to) {
    Builder here(program_);
    const auto* let = std::get_if<Let>(&stm.node);
    const auto* load_node = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    const auto* store_node = std::get_if<Store>(&stm.node);
    const bool is_moved = std::holds_alternative<Alloc>(stm.node) ||
                          std::holds_alternative<Rebind>(stm.node) ||
                          std::holds_alternative<Swap>(stm.node);
    if (load_node != nullptr && isShared(load_node->buffer)) {
      load(here, *let, *load_node);
    } else if (store_node != nullptr && isShared(store_node->buffer)) {
      store(here, *store_node);
    } else if (is_moved) {
      moved(here, stm);
    } else if (!std::holds_alternative<Free>(stm.node)) {
      here.append(std::move(stm.node));
    }
    for (Stm& made : here.take()) to.push_back(std::move(made));
  });
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

}  // namespace halo::gpu

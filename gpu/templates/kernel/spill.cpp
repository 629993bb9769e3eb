// Which buffers, then their accesses: element i of workgroup g is at g * size + i.
#include "gpu/templates/kernel/spill.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include "gpu/templates/kernel/kernel_scope.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr int64_t kSpillReserved =
    16;  // bytes that the kernel itself needs (barriers and failures)

void forEachStm(Block& block, const std::function<void(imp::Stm& stm)>& visit) {
  for (imp::Stm& stm : block) {
    visit(stm);
    if (auto* loop = std::get_if<For>(&stm.node)) forEachStm(loop->body, visit);
    if (auto* loop = std::get_if<While>(&stm.node)) {
      forEachStm(loop->before, visit);
      forEachStm(loop->body, visit);
    }
    if (auto* branch = std::get_if<If>(&stm.node)) {
      forEachStm(branch->then_block, visit);
      forEachStm(branch->else_block, visit);
    }
  }
}

// The buffer that a statement loads from or stores to, and where; null if it does neither.
struct Access {
  BufferId* buffer = nullptr;
  Operand* index = nullptr;
};
Access accessOf(imp::Stm& stm) {
  if (auto* store = std::get_if<Store>(&stm.node)) return {&store->buffer, &store->index};
  if (auto* load = std::get_if<LoadVector>(&stm.node)) return {&load->buffer, &load->index};
  if (auto* store = std::get_if<StoreVector>(&stm.node)) return {&store->buffer, &store->index};
  if (auto* atomic = std::get_if<Atomic>(&stm.node)) return {&atomic->buffer, &atomic->index};
  auto* let = std::get_if<Let>(&stm.node);
  auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
  return load == nullptr ? Access{} : Access{&load->buffer, &load->index};
}

class Spill {
 public:
  Spill(Program& program, Function& kernel) : program_(program), kernel_(kernel) {}

  // Largest first until the rest fits.
  std::vector<BufferId> choose(int64_t limit) {
    std::set<BufferId> used;
    forEachStm(kernel_.body, [&](imp::Stm& stm) {
      Access access = accessOf(stm);
      bool is_shared =
          access.buffer != nullptr && program_.buffers[*access.buffer].space == Space::kShared;
      if (is_shared) used.insert(*access.buffer);
    });
    int64_t total = kSpillReserved;
    for (BufferId buffer : used) total += bytes(buffer);
    std::vector<BufferId> largest(used.begin(), used.end());
    std::stable_sort(largest.begin(), largest.end(),
                     [&](BufferId a, BufferId b) { return bytes(a) > bytes(b); });
    size_t count = 0;
    while (total > limit && count < largest.size()) total -= bytes(largest[count++]);
    largest.resize(count);
    return largest;
  }

  void move(const std::vector<BufferId>& buffers) {
    for (BufferId buffer : buffers) {
      BufferInfo info = program_.buffers[buffer];
      info.space = Space::kDevice;
      info.constant_elements = 0;
      moved_[buffer] = program_.buffers.add(std::move(info));
      kernel_.buffers.push_back(moved_[buffer]);
    }
    Builder opening(program_);
    group_ = number(opening);
    for (BufferId buffer : buffers) {
      Operand size = i64(program_.buffers[buffer].constant_elements);
      first_[buffer] = opening.mul(group_, size);
    }
    Block body = opening.take();
    rewrite(kernel_.body, body);
    kernel_.body = std::move(body);
  }

 private:
  int64_t bytes(BufferId buffer) const {
    const BufferInfo& info = program_.buffers[buffer];
    return info.constant_elements * std::max(prim::byteSize(info.type), 4);
  }

  // Of the workgroup within the launch.
  Operand number(Builder& code) {
    auto along = [&](BuiltIn what, int dimension) {
      Operand raw = code.let("group", ScalarType::kU32, BuiltInValue{what, dimension});
      return code.let("group", ScalarType::kI64,
                      Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, raw});
    };
    Operand number = along(BuiltIn::kGroupId, 2);
    for (int dimension : {1, 0}) {
      Operand count = along(BuiltIn::kGroupCount, dimension);
      Operand here = along(BuiltIn::kGroupId, dimension);
      number = code.add(code.mul(number, count), here);
    }
    return number;
  }

  void rewrite(Block& from, Block& to) {
    for (imp::Stm& stm : from) {
      auto inside = [&](Block& block) {
        Block made;
        rewrite(block, made);
        block = std::move(made);
      };
      if (auto* loop = std::get_if<For>(&stm.node)) inside(loop->body);
      if (auto* loop = std::get_if<While>(&stm.node)) {
        inside(loop->before);
        inside(loop->body);
      }
      if (auto* branch = std::get_if<If>(&stm.node)) {
        inside(branch->then_block);
        inside(branch->else_block);
      }
      Access access = accessOf(stm);
      if (access.buffer != nullptr && moved_.contains(*access.buffer)) {
        Builder code(program_);
        *access.index = code.add(first_.at(*access.buffer), *access.index);
        *access.buffer = moved_.at(*access.buffer);
        for (imp::Stm& made : code.take()) to.push_back(std::move(made));
      }
      to.push_back(std::move(stm));
    }
  }

  Program& program_;
  Function& kernel_;
  Operand group_;
  std::unordered_map<BufferId, BufferId> moved_;
  std::unordered_map<BufferId, Operand> first_;
};

}  // namespace

std::vector<BufferId> spillShared(Program& program, Builder& host, Function& kernel,
                                  const Operands& groups, int64_t limit) {
  Spill spill(program, kernel);
  std::vector<BufferId> chosen = spill.choose(limit);
  if (chosen.empty()) return {};
  Operand count = host.mul(host.mul(groups[0], groups[1]), groups[2]);
  std::vector<BufferId> made;
  for (BufferId buffer : chosen) {
    const BufferInfo& info = program.buffers[buffer];
    Operand elements = host.mul(count, i64(info.constant_elements));
    std::string name = info.name;
    made.push_back(host.alloc(name, info.type, Space::kDevice, elements));
  }
  spill.move(chosen);
  return made;
}

}  // namespace halo::gpu

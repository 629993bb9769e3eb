// Index spaces over grids, and what the templates share.
#include "gpu/templates/cells/staged.h"
#include "gpu/templates/kernel/lanes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_set>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Threads along x read neighbouring elements; a few rows each reuse each other's lines in stencils.
constexpr int kWorkgroups[4][3] = {{1, 1, 1}, {256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
constexpr int64_t kCellsLogGroup = 8, kLogLine = 5;
// Drivers have at least 64 invocations in this direction, and NVIDIA's no more.
constexpr int64_t kCellsLogDepth = 6;
static_assert(int64_t{1} << kCellsLogGroup == kWorkgroups[1][0] &&
              1 << kLogLine == kWorkgroups[2][0]);

// Cells of one invocation, if the body is short and straight. Their loads are all under way before
// the first result is needed (gpu.md#rules). Of a line, they lie a workgroup apart, so that each
// load of the workgroup is one piece. Of a plane, they lie below each other and share rows.
constexpr int64_t kCellsCells = 4;
constexpr size_t kCellsMaxShortBody = 96;  // statements; longer code has enough to do

}  // namespace

const Store* storeOf(const Stm& stm) {
  const auto* test = std::get_if<If>(&stm.node);
  if (test == nullptr) return std::get_if<Store>(&stm.node);
  const bool is_one =
      test->else_block.empty() && !test->then_block.empty() &&
      std::all_of(test->then_block.begin(), test->then_block.end() - 1, [](const Stm& inner) {
        const auto* let = std::get_if<Let>(&inner.node);
        return let != nullptr && !std::holds_alternative<Load>(let->expr);
      });
  return is_one ? std::get_if<Store>(&test->then_block.back().node) : nullptr;
}

namespace {

// Straight code that may do its stores last: it reads nothing that it has stored.
bool isShort(const Block& block) {
  std::unordered_set<BufferId> stored;
  for (const Stm& stm : block) {
    if (const Store* store = storeOf(stm)) {
      stored.insert(store->buffer);
      continue;
    }
    const auto* let = std::get_if<Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    if (let == nullptr || (load != nullptr && stored.contains(load->buffer))) return false;
  }
  return block.size() <= kCellsMaxShortBody;
}

// Cells that need device memory of their own. So many have it at a time, as long as that is not
// more than Variants::scratch_bytes. Each invocation goes through several cells. A few hundred
// invocations on each multiprocessor hide the latency of their reads there.
constexpr int64_t kMostUnderWay = int64_t{1} << 17;
constexpr int64_t kLeastUnderWay = 1024;
constexpr int64_t kLeastOfAnySize = 64;         // where a cell may have most of the memory
constexpr int kSmallWorkgroup[3] = {64, 1, 1};  // few long cells still fill the device

// Small elements: enough neighbouring cells to an invocation that each access moves 16 bytes.
constexpr size_t kMostWideBody = 32;  // statements

// Cells of an invocation whose loads and stores at the cell's own number become vectors; 0 where no
// element there is smaller than 4 bytes.
int64_t wideCells(const Program& program, const Block& single, VarId number) {
  int64_t least = 4;
  auto look = [&](BufferId buffer, const Operand& index) {
    const BufferInfo& info = program.buffers[buffer];
    if (info.space != Space::kDevice || index != Operand(number)) return;
    least = std::min<int64_t>(least, prim::byteSize(info.type));
  };
  for (const Stm& stm : single) {
    if (const auto* store = std::get_if<Store>(&stm.node)) {
      if (store->index != Operand(number)) return 0;
      look(store->buffer, store->index);
    }
    const auto* let = std::get_if<Let>(&stm.node);
    const auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    if (load != nullptr) look(load->buffer, load->index);
  }
  return least < 4 && single.size() <= kMostWideBody ? kVectorBytes / least : 0;
}

class Cells {
 public:
  Cells(KernelScope& scope, const Operands& host_space, const CellBody& body)
      : scope_(scope),
        code_(scope.code()),
        rank_(host_space.size()),
        host_space_(host_space),
        body_(body) {
    for (const Operand& extent : host_space) extents_.push_back(scope.scalar(extent));
    std::copy_n(kWorkgroups[rank_], 3, workgroup_);
  }

  Grid run() {
    if (rank_ == 0) {
      body_({}, placeFor({}));
      return grid(1);
    }
    if (rank_ > 1) fitLines();
    shared_ = rank_ < 2 ? 0 : rank_ - 2;
    indices_.resize(rank_);
    for (size_t k = 0; k < rank_; k++) {
      if (k != shared_) indices_[k] = globalId(k);
    }
    VarId moving = code_.program().addVar("cell", ScalarType::kI64);
    indices_[shared_] = moving;
    Block single = code_.capture([&] { body_(indices_, placeFor(indices_)); });
    if (scope_.usesScratch()) return underWay();
    const bool is_scatter =
        std::holds_alternative<core::Scatter>(lastStatement(scope_.call()).expr);
    const bool has_tests = std::any_of(single.begin(), single.end(), [](const Stm& stm) {
      return std::holds_alternative<If>(stm.node);
    });
    if (!isShort(single) || (has_tests && !is_scatter)) {
      Grid grid = one(moving, single);
      if (rank_ > 1) grid.turned = turnedReads(code_.program(), single, indices_);
      return grid;
    }
    int64_t cells = rank_ == 1 ? wideCells(code_.program(), single, moving) : 0;
    const Variants& variants = scope_.call().variants;
    if (cells != 0) variants.canBe({"vectors", "plain"});
    if (cells != 0 && variants.allows("vectors")) return wide(moving, single, cells);
    Grid grid = several(moving, single);
    if (rank_ > 1 && !has_tests) grid.turned = turnedReads(code_.program(), single, indices_);
    if (grid.turned) grid.turned->is_short = true;
    return grid;
  }

 private:
  // ---- the shape of a workgroup

  // Lines of fewer than 32 cells get as many threads as the next power of two says, and a workgroup
  // has more of them. For example, 4 x 32 x 2 threads do (n, m, 3). Where only the host knows how
  // long lines are, a workgroup is 256 threads in a row, which it cuts into lines.
  void fitLines() {
    const Operand& x = host_space_[rank_ - 1];
    const Operand& y = host_space_[rank_ - 2];
    Builder& host = scope_.host();
    const Operand log_x = host.min(logOf(x), i64(kLogLine));
    if (log_x == i64(kLogLine)) return;
    const Operand rest = host.sub(i64(kCellsLogGroup - (rank_ == 2 ? 0 : 1)), log_x);
    const Operand log_y = rank_ == 2 ? rest : host.min(logOf(y), rest);
    if (log_x.isConstant() && log_y.isConstant()) {
      const int64_t log_xy = log_x.constant.asSigned() + log_y.constant.asSigned();
      workgroup_[0] = 1 << log_x.constant.asSigned();
      workgroup_[1] = 1 << log_y.constant.asSigned();
      workgroup_[2] = 1 << std::min(kCellsLogGroup - log_xy, kCellsLogDepth);
      return;
    }
    logs_ = {log_x, log_y};
    if (rank_ == 3) logs_.push_back(host.sub(i64(kCellsLogGroup), host.add(log_x, log_y)));
    std::copy_n(kWorkgroups[1], 3, workgroup_);
  }
  // The least power of two that is not below it; host.
  Operand logOf(const Operand& extent) {
    Builder& host = scope_.host();
    const Operand last = host.sub(host.max(extent, i64(1)), i64(1));
    if (last.isConstant()) return i64(std::bit_width(last.constant.bits));
    const VarId zeros = host.program().addVar("zeros", ScalarType::kI32);
    host.append(Let{zeros, Prim{Op::kClz, ScalarType::kI64, {last}}});
    const Convert wide{prim::ConvertKind::kValue, ScalarType::kI32, ScalarType::kI64, zeros};
    return host.sub(i64(64), host.let("zeros", ScalarType::kI64, wide));
  }

  // Bounds that hold anyway show that indices need no more than 32 bits (raise.h, narrow).
  Operand within(const Operand& value, const Operand& most) {
    return code_.max(code_.min(value, most), i64(0));
  }
  Operand globalId(size_t k) {
    const size_t d = rank_ - 1 - k;
    if (logs_.empty()) return scope_.globalId(static_cast<int>(d));
    if (lid_ == Operand()) lid_ = scope_.localId();
    Operand local = lid_;
    for (size_t before = 0; before < d; before++) {
      local = code_.prim(Op::kMachineShr, ScalarType::kI64, {local, logAt(before)});
    }
    const Operand size = code_.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), logAt(d)});
    if (d + 1 < rank_) {
      local = code_.prim(Op::kAnd, ScalarType::kI64, {local, code_.sub(size, i64(1))});
    }
    const Operand first = code_.mul(scope_.groupId(static_cast<int>(d)), size);
    return within(code_.add(first, local), extents_[k]);
  }
  Operand logAt(size_t d) { return within(scope_.scalar(logs_[d]), i64(kCellsLogGroup)); }

  Grid one(VarId moving, const Block& single) {
    Operand id = globalId(shared_);
    code_.append(Let{moving, Prim{Op::kAdd, ScalarType::kI64, {id, Operand::ofI64(0)}}});
    guarded(rank_, [&] { append(single); });
    return grid(1);
  }

  // As many turns for each invocation, about, and whole lines of the memory of slots.
  Operand evenSlots(const Operand& cells, const Operand& limit) {
    Builder& host = scope_.host();
    const Operand turns = host.max(divideUp(host, cells, limit), i64(1));
    const Operand lines = divideUp(host, divideUp(host, cells, turns), i64(kSmallWorkgroup[0]));
    return host.min(host.min(host.mul(lines, i64(kSmallWorkgroup[0])), limit), cells);
  }

  // Invocation i computes cells i, i + slots .., each in the memory of slot i.
  Grid underWay() {
    Builder& host = scope_.host();
    scope_.forgetScratch();
    const Operand cells = elementCount(host, host_space_);
    const VarId slots = code_.program().addVar("slots", ScalarType::kI64);
    const Operand first = scope_.globalId(0);
    const Operand step = scope_.scalar(slots);
    const Operand is_used = code_.prim(Op::kLt, ScalarType::kI64, {first, step});
    code_.ifThenElse(is_used, [&] {
      const Operand rest = code_.sub(scope_.scalar(cells), first);
      code_.forLoop("turn", i64(0), divideUp(code_, rest, step), [&](const Operand& turn) {
        const Operand cell = code_.add(first, code_.mul(turn, step));
        body_(indicesOf(code_, cell, extents_), scope_.place(slots, [first] { return first; }));
      });
    });
    const Operand bytes = host.max(scope_.scratchBytes(), i64(1));
    const int64_t most = scope_.call().variants.scratch_bytes;
    const Operand fit = host.prim(Op::kMachineDiv, ScalarType::kI64, {i64(most), bytes});
    const int64_t least = scope_.usesCapacity() ? kLeastOfAnySize : kLeastUnderWay;
    const Operand limit = host.min(host.max(fit, i64(least)), i64(kMostUnderWay));
    host.append(Let{slots, Prim{Op::kMin, ScalarType::kI64, {evenSlots(cells, limit), limit}}});
    Grid grid{{1, 1, 1}, {i64(1), i64(1), i64(1)}};
    std::copy_n(kSmallWorkgroup, 3, grid.workgroup);
    grid.groups[0] = groupsFor(host, slots, kSmallWorkgroup[0]);
    return grid;
  }

  // The first of the cells that a thread computes.
  Operand firstCell() {
    if (rank_ > 1) {
      const Operand first = code_.mul(globalId(shared_), Operand::ofI64(kCellsCells));
      return logs_.empty() ? first : within(first, extents_[shared_]);
    }
    Operand of_group = code_.mul(scope_.groupId(), Operand::ofI64(kCellsCells * kWorkgroups[1][0]));
    return code_.add(of_group, scope_.localId());
  }

  Grid several(VarId moving, const Block& single) {
    Operand step = Operand::ofI64(rank_ == 1 ? kWorkgroups[1][0] : 1);
    Operand first = firstCell();
    guarded(shared_, [&] {
      Operand last = code_.add(first, code_.mul(step, Operand::ofI64(kCellsCells - 1)));
      Operand all = code_.prim(Op::kLt, ScalarType::kI64, {last, extents_[shared_]});
      code_.ifThenElse(
          all, [&] { together(first, step); }, [&] { atTheEdge(moving, first, step, single); });
    });
    return grid(kCellsCells);
  }

  // Cells first .. first + cells - 1.
  Grid wide(VarId moving, const Block& single, int64_t cells) {
    Operand first = code_.mul(globalId(0), i64(cells));
    Operand last = code_.add(first, i64(cells - 1));
    Operand all = code_.prim(Op::kLt, ScalarType::kI64, {last, extents_[0]});
    code_.ifThenElse(
        all, [&] { inVectors(first, cells); },
        [&] { atTheEdge(moving, first, i64(1), single, cells); });
    return grid(cells);
  }

  void inVectors(const Operand& first, int64_t cells) {
    std::map<BufferId, Operands> loaded;
    std::vector<std::pair<BufferId, Operands>> stored;
    for (int64_t k = 0; k < cells; k++) {
      Operand number;
      Block cell = code_.capture([&] {
        number =
            code_.let("cell", ScalarType::kI64, Prim{Op::kAdd, ScalarType::kI64, {first, i64(k)}});
        body_({number}, placeFor({number}));
      });
      size_t store_number = 0;
      for (Stm& stm : cell) {
        auto* let = std::get_if<Let>(&stm.node);
        auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
        if (const auto* store = std::get_if<Store>(&stm.node)) {
          if (k == 0) stored.push_back({store->buffer, {}});
          stored[store_number++].second.push_back(store->value);
          continue;
        }
        bool is_own = load != nullptr && load->index == number &&
                      code_.program().buffers[load->buffer].space == Space::kDevice;
        if (is_own) {
          ScalarType type = code_.program().buffers[load->buffer].type;
          auto found = loaded.find(load->buffer);
          if (found == loaded.end()) {
            found =
                loaded.emplace(load->buffer, loadVectors(code_, load->buffer, first, cells)).first;
          }
          Operand value = found->second[static_cast<size_t>(k)];
          let->expr = Convert{prim::ConvertKind::kValue, type, type, value};
        }
        code_.append(std::move(stm.node));
      }
    }
    for (const auto& [buffer, values] : stored) storeVectors(code_, buffer, first, values);
  }

  // All loads and arithmetic of the cells, then all stores.
  void together(const Operand& first, const Operand& step) {
    Block stores;
    for (int64_t k = 0; k < kCellsCells; k++) {
      Block cell = code_.capture([&] {
        Operands indices = indices_;
        indices[shared_] = code_.add(first, code_.mul(step, Operand::ofI64(k)));
        body_(indices, placeFor(indices));
      });
      for (const Stm& stm : cell) {
        if (storeOf(stm) != nullptr) {
          stores.push_back(stm);
        } else {
          code_.append(stm.node);
        }
      }
    }
    append(stores);
  }

  void atTheEdge(VarId moving, const Operand& first, const Operand& step, const Block& single,
                 int64_t cells = kCellsCells) {
    code_.forLoop("k", Operand::ofI64(0), Operand::ofI64(cells), [&](const Operand& k) {
      Operand moved = code_.mul(k, step);
      code_.append(Let{moving, Prim{Op::kAdd, ScalarType::kI64, {first, moved}}});
      Operand inside = code_.prim(Op::kLt, ScalarType::kI64, {Operand(moving), extents_[shared_]});
      code_.ifThenElse(inside, [&] { append(single); });
    });
  }

  void append(const Block& block) {
    for (const Stm& stm : block) code_.append(stm.node);
  }

  // Inside of the space in all dimensions but `except`.
  void guarded(size_t except, const std::function<void()>& emit, size_t k = 0) {
    if (k == rank_) return emit();
    if (k == except) return guarded(except, emit, k + 1);
    Operand inside = code_.prim(Op::kLt, ScalarType::kI64, {indices_[k], extents_[k]});
    code_.ifThenElse(inside, [&] { guarded(except, emit, k + 1); });
  }

  Place placeFor(const Operands& indices) {
    Operand cells = Operand::ofI64(1);
    for (const Operand& extent : host_space_) cells = scope_.host().mul(cells, extent);
    return scope_.place(cells, [this, indices] { return positionOf(code_, indices, extents_); });
  }

  Grid grid(int64_t cells) {
    Grid grid{{1, 1, 1}, {}};
    for (size_t d = 0; d < 3; d++) {
      grid.workgroup[d] = workgroup_[d];
      bool used = d < rank_;
      size_t k = used ? rank_ - 1 - d : 0;
      Operand extent = used ? host_space_[k] : Operand::ofI64(1);
      const int64_t of_thread = used && k == shared_ ? cells : 1;
      if (used && !logs_.empty()) {
        Builder& host = scope_.host();
        const Operand size = host.prim(Op::kMachineShl, ScalarType::kI64, {i64(1), logs_[d]});
        grid.groups.push_back(divideUp(host, extent, host.mul(size, i64(of_thread))));
        continue;
      }
      grid.groups.push_back(groupsFor(scope_.host(), extent, grid.workgroup[d] * of_thread));
    }
    return grid;
  }

  KernelScope& scope_;
  Builder& code_;
  size_t rank_;
  const Operands& host_space_;
  const CellBody& body_;
  size_t shared_ = 0;  // the dimension in which an invocation may have several cells
  Operands extents_, indices_;
  int workgroup_[3];
  Operands logs_;  // of its size in each dimension, x first, where only the host knows it; host
  Operand lid_;
};

}  // namespace

const core::Stm& lastStatement(const KernelCall& call) { return call.function.body.stms.back(); }

void lowerPrefix(KernelScope& scope, Environment& environment, const Place& place) {
  core::Body prefix;
  const std::vector<core::Stm>& stms = scope.call().function.body.stms;
  prefix.stms.assign(stms.begin(), stms.end() - 1);
  if (!prefix.stms.empty()) {
    lowerBody(scope.code(), scope.core(), prefix, environment, place);
  }
}

Results mapElement(KernelScope& scope, const std::vector<core::ValueId>& inputs,
                   const core::Lambda& map, Environment& environment, const Place& place,
                   const Operand& i) {
  for (size_t k = 0; k < inputs.size(); k++) {
    ArrayRef input = environment.arrays.at(inputs[k]);
    bindElement(scope.code(), scope.core(), environment, map.params[k], input, {i});
  }
  return lowerBody(scope.code(), scope.core(), map.body, environment, place);
}

Operand asWord(Builder& code, const Operand& value) {
  return code.let("w", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, value});
}

void branch(Builder& code, const Operand& condition, const std::function<void()>& yes,
            const std::function<void()>& no) {
  if (condition.isConstant()) return condition.constant.asBool() ? yes() : no();
  code.ifThenElse(condition, yes, no);
}

Operands indicesOf(Builder& code, Operand position, const Operands& extents) {
  Operands indices(extents.size());
  for (size_t k = extents.size(); k-- > 1;) {
    Operand rest = code.prim(Op::kMachineDiv, ScalarType::kI64, {position, extents[k]});
    indices[k] = code.sub(position, code.mul(rest, extents[k]));
    position = rest;
  }
  if (!extents.empty()) indices[0] = position;
  return indices;
}

Operand positionOf(Builder& code, const Operands& indices, const Operands& extents) {
  Operand position = Operand::ofI64(0);
  for (size_t k = 0; k < indices.size(); k++) {
    position = code.add(code.mul(position, extents[k]), indices[k]);
  }
  return position;
}

namespace {

constexpr size_t kGridRank = 3;
constexpr int64_t kLine = 32;  // invocations that read neighbouring elements

// How many of the last dimensions together fill a line, as far as constants say.
size_t dimensionsOfLine(const Operands& space) {
  int64_t known = 1;
  size_t count = 0;
  while (count + 2 < space.size() && known < kLine) {
    const Operand& extent = space[space.size() - 1 - count++];
    if (!extent.isConstant()) break;
    known *= std::max<int64_t>(extent.constant.asSigned(), 1);
  }
  return count;
}

}  // namespace

// More dimensions than a grid has: the last ones that fill a line, the one before, all others.
Grid forEachCell(KernelScope& scope, const Operands& host_space, const CellBody& body) {
  if (host_space.size() <= kGridRank) return Cells(scope, host_space, body).run();
  const size_t line = dimensionsOfLine(host_space);
  const size_t counts[kGridRank] = {host_space.size() - line - 1, 1, line};
  Operands folded;
  std::vector<Operands> parts;  // extents in the kernel
  auto next = host_space.begin();
  for (size_t count : counts) {
    const Operands part(next, next + static_cast<ptrdiff_t>(count));
    next += static_cast<ptrdiff_t>(count);
    folded.push_back(elementCount(scope.host(), part));
    parts.emplace_back();
    for (const Operand& extent : part) parts.back().push_back(scope.scalar(extent));
  }
  const CellBody unfolded = [&](const Operands& indices, const Place& place) {
    Operands all;
    for (size_t k = 0; k < kGridRank; k++) {
      const Operands here = indicesOf(scope.code(), indices[k], parts[k]);
      all.insert(all.end(), here.begin(), here.end());
    }
    body(all, place);
  };
  return Cells(scope, folded, unfolded).run();
}

Destinations cellDestinations(KernelScope& scope, const core::Body& body, const Operands& indices,
                              size_t first_result) {
  Destinations destinations(body.results.size());
  for (size_t i = 0; i < body.results.size(); i++) {
    const core::Operand& result = body.results[i];
    if (scope.core().type(result).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    destinations[i] = prefixView(scope.code(), whole, indices);
  }
  return destinations;
}

void storeScalars(KernelScope& scope, const core::Body& body, const Results& values,
                  const Operands& indices, size_t first_result) {
  for (size_t i = 0; i < body.results.size(); i++) {
    if (!scope.core().type(body.results[i]).isScalar()) continue;
    ArrayRef whole = scope.array(scope.call().results[first_result + i]);
    storeElement(scope.code(), whole, indices, values.scalars[i]);
  }
}

}  // namespace halo::gpu

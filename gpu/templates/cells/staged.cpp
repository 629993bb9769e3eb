// A tile is filled by the slice of the cell's code that a read needs, at the indices of a line's
// elements. cells/transposed_reads.cpp finds the reads.
#include "gpu/templates/cells/cell_code.h"

#include <algorithm>
#include <unordered_set>

#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// ---- slices

// Where a load stands: the statements from the outermost block to itself.
struct Step {
  const Block* block;
  size_t at;
};
bool findLoad(const Block& block, size_t& number, std::vector<Step>& path) {
  for (size_t at = 0; at < block.size(); ++at) {
    path.push_back({&block, at});
    if (loadOf(block[at]) != nullptr && number-- == 0) return true;
    if (const auto* branch = std::get_if<If>(&block[at].node)) {
      if (findLoad(branch->then_block, number, path)) return true;
      if (findLoad(branch->else_block, number, path)) return true;
    }
    path.pop_back();
  }
  return false;
}

// The load with this number, and what its index and the conditions around it need.
class ReadSlice {
 public:
  ReadSlice(const Block& cell, size_t number) {
    findLoad(cell, number, path_);
    slices_.resize(path_.size());
    std::unordered_set<VarId> needed;
    auto need = [&](const Operand& operand) {
      if (!operand.isConstant()) needed.insert(operand.var);
    };
    for (size_t k = path_.size(); k-- > 0;) {
      const auto& [block, at] = path_[k];
      forEachOperand((*block)[at], need);
      for (size_t s = at; s-- > 0;) {
        const auto* let = std::get_if<Let>(&(*block)[s].node);
        if (let == nullptr || !needed.contains(let->var)) continue;
        slices_[k].push_back(&(*block)[s]);
        forEachOperand((*block)[s], need);
      }
    }
  }

  const Let& read() const { return std::get<Let>((*path_.back().block)[path_.back().at].node); }
  BufferId buffer() const { return std::get<Load>(read().expr).buffer; }

  // Its value; anything where its conditions do not hold.
  Operand append(Builder& code) const {
    if (path_.size() == 1) {
      append(code, 0, {});
      return read().var;
    }
    const ScalarType type = code.program().buffers[buffer()].type;
    const VarId value = code.declare("read", type, prim::zero(type));
    append(code, 0, value);
    return value;
  }

 private:
  void append(Builder& code, size_t k, VarId value) const {
    for (size_t s = slices_[k].size(); s-- > 0;) code.append(slices_[k][s]->node);
    const Stm& stm = (*path_[k].block)[path_[k].at];
    if (k + 1 == path_.size()) {
      code.append(stm.node);
      if (value.valid()) code.assign(value, read().var);
      return;
    }
    const auto& branch = std::get<If>(stm.node);
    const bool is_then = path_[k + 1].block == &branch.then_block;
    auto inner = [&] { append(code, k + 1, value); };
    code.ifThenElse(
        branch.condition, is_then ? std::function<void()>(inner) : [] {},
        is_then ? std::function<void()>() : inner);
  }

  std::vector<Step> path_;
  std::vector<std::vector<const Stm*>> slices_;  // by step, backwards
};

// Loads with these numbers read `tiles[k][place]` instead.
void readFromTiles(Block& block, const TransposedReads& transposed,
                   const std::vector<BufferId>& tiles, const Operand& place, size_t& number) {
  for (Stm& stm : block) {
    if (auto* branch = std::get_if<If>(&stm.node)) {
      readFromTiles(branch->then_block, transposed, tiles, place, number);
      readFromTiles(branch->else_block, transposed, tiles, place, number);
    }
    if (loadOf(stm) == nullptr) continue;
    const auto found = std::find(transposed.reads.begin(), transposed.reads.end(), number++);
    if (found == transposed.reads.end()) continue;
    const BufferId tile = tiles[static_cast<size_t>(found - transposed.reads.begin())];
    std::get<Let>(stm.node).expr = Load{tile, place};
  }
}

// ---- the tiles

class StagedCells {
 public:
  StagedCells(KernelScope& scope, const Operands& host_space, const CellBody& body,
              const TransposedReads& transposed, const StagedCellsSchedule& schedule)
      : scope_(scope),
        code_(scope.code()),
        schedule_(schedule),
        host_space_(host_space),
        body_(body),
        transposed_(transposed),
        last_(host_space.size() - 1),
        dimension_(transposed.dimension) {
    for (const Operand& extent : host_space) extents_.push_back(scope.scalar(extent));
  }

  Grid run() {
    const auto across = last_ - dimension_;  // the tile's other direction in the grid
    quick_ = localId(0);
    slow_ = localId(static_cast<int>(across));
    for (size_t k = 0; k <= last_; ++k) {
      const Operand group = scope_.groupId(static_cast<int>(last_ - k));
      first_.push_back(isTiled(k) ? code_.mul(group, i64(schedule_.side)) : group);
    }
    fill();
    code_.append(Barrier{});
    if (schedule_.is_unrolled) {
      const Operand all =
          code_.prim(Op::kAnd, ScalarType::kBool, {isFull(last_), isFull(dimension_)});
      code_.ifThenElse(
          all, [&] { together(); }, [&] { oneByOne(); });
    } else {
      oneByOne();
    }
    Grid grid{{static_cast<int>(schedule_.side), 1, 1}, {}};
    grid.workgroup[across] = static_cast<int>(schedule_.rows);
    for (size_t d = 0; d < 3; ++d) {
      const bool is_used = d <= last_;
      const Operand extent = is_used ? host_space_[last_ - d] : i64(1);
      const bool is_tiled = is_used && isTiled(last_ - d);
      grid.groups.push_back(is_tiled ? groupsFor(scope_.host(), extent, schedule_.side) : extent);
    }
    return grid;
  }

 private:
  int64_t pitch() const { return schedule_.side + schedule_.padding; }
  int64_t steps() const { return schedule_.side / schedule_.rows; }
  // A workgroup has `side` x `rows` invocations.
  Operand localId(int dimension) {
    const BuiltInValue value{BuiltIn::kLocalId, dimension};
    const Operand raw = code_.let("lid", ScalarType::kU32, value);
    const Convert wide{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, raw};
    return code_.let("lid", ScalarType::kI64, wide);
  }
  bool isTiled(size_t k) const { return k == last_ || k == dimension_; }
  Operand isFull(size_t k) {
    const Operand last = code_.add(first_[k], i64(schedule_.side - 1));
    return code_.prim(Op::kLt, ScalarType::kI64, {last, extents_[k]});
  }
  // The cell of the tile at these places.
  Operands cellAt(const Operand& along_last, const Operand& along_dimension) {
    Operands indices = first_;
    indices[last_] = code_.add(first_[last_], along_last);
    indices[dimension_] = code_.add(first_[dimension_], along_dimension);
    return indices;
  }
  Block codeOf(const Operands& indices) {
    return code_.capture([&] {
      body_(indices, scope_.place(elementCount(scope_.host(), host_space_), [this, indices] {
        return positionOf(code_, indices, extents_);
      }));
    });
  }
  Operand row(int64_t step) { return code_.add(slow_, i64(step * schedule_.rows)); }

  // Lanes go along the array's lines; beyond the edge they read the last element again.
  void fill() {
    std::vector<Operands> values;
    for (int64_t step = 0; step < steps(); ++step) {
      Operands indices = cellAt(row(step), quick_);
      for (size_t k : {last_, dimension_}) {
        indices[k] = code_.min(indices[k], code_.sub(extents_[k], i64(1)));
      }
      values.emplace_back();
      for (size_t read : transposed_.reads) {  // slices of their own: variables are bound once
        values.back().push_back(appendRead(codeOf(indices), read));
      }
    }
    for (int64_t step = 0; step < steps(); ++step) {
      const Operand place = code_.add(code_.mul(row(step), i64(pitch())), quick_);
      for (size_t k = 0; k < tiles_.size(); ++k) {
        code_.store(tiles_[k], place, values[static_cast<size_t>(step)][k]);
      }
    }
  }

  Operand appendRead(const Block& cell, size_t number) {
    const ReadSlice slice(cell, number);
    if (tiles_.size() < transposed_.reads.size()) {
      const ScalarType type = code_.program().buffers[slice.buffer()].type;
      tiles_.push_back(scope_.shared("tile", type, schedule_.side * pitch()));
    }
    return slice.append(code_);
  }

  // The cell's code with its transposed reads from the tiles.
  Block staged(const Operands& indices, const Operand& row) {
    const Operand place = code_.add(code_.mul(quick_, i64(pitch())), row);
    Block cell = codeOf(indices);
    size_t number = 0;
    readFromTiles(cell, transposed_, tiles_, place, number);
    return cell;
  }

  // All loads and arithmetic of an invocation's cells, then all stores.
  void together() {
    Block stores;
    for (int64_t step = 0; step < steps(); ++step) {
      const Operand at = row(step);
      for (Stm& stm : staged(cellAt(quick_, at), at)) {
        if (storeOf(stm) != nullptr) {
          stores.push_back(std::move(stm));
        } else {
          code_.append(std::move(stm.node));
        }
      }
    }
    for (Stm& stm : stores) code_.append(std::move(stm.node));
  }

  void oneByOne() {
    code_.forLoop("k", i64(0), i64(steps()), [&](const Operand& step) {
      const Operand at = code_.add(slow_, code_.mul(step, i64(schedule_.rows)));
      const Operands indices = cellAt(quick_, at);
      auto isInside = [&](size_t k) {
        return code_.prim(Op::kLt, ScalarType::kI64, {indices[k], extents_[k]});
      };
      const Operand inside =
          code_.prim(Op::kAnd, ScalarType::kBool, {isInside(last_), isInside(dimension_)});
      code_.ifThenElse(inside, [&] {
        for (Stm& stm : staged(indices, at)) code_.append(std::move(stm.node));
      });
    });
  }

  KernelScope& scope_;
  Builder& code_;
  const StagedCellsSchedule& schedule_;
  const Operands& host_space_;
  const CellBody& body_;
  const TransposedReads& transposed_;
  size_t last_, dimension_;
  Operands extents_, first_;  // first_: of the tile
  Operand quick_, slow_;      // the invocation within the tile
  std::vector<BufferId> tiles_;
};

}  // namespace

Grid stagedCells(KernelScope& scope, const Operands& host_space, const CellBody& body,
                 const TransposedReads& transposed, const StagedCellsSchedule& schedule) {
  return StagedCells(scope, host_space, body, transposed, schedule).run();
}

}  // namespace halo::gpu

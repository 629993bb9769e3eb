// Element by element: a tile of 32 x 32; rows of shared memory are one element longer, so that
// columns lie in different banks. By vectors of four: a tile is 64 x 64, of which an invocation
// transposes a block of 4 x 4 in registers. In shared memory, vectors of a row are rotated by the
// number of its block: those of a column lie in different banks. Elements of 1 and 2 bytes: a
// tile's rows are 32 words. An invocation transposes a column of them with as many rows as a vector
// has elements; the rows of such a column are rotated together. The last dimension may be shorter
// than a tile, with others between the dense one and it. All of these are one dimension for the
// tile: together they are one run of the result.
#include "gpu/templates/copy/transpose.h"

#include "gpu/schedule/transpose.h"
#include "gpu/templates/copy/transpose_quantities.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

using Access = TransposeSchedule::Access;
using Order = TransposeSchedule::Order;

constexpr int64_t kSide = 32;                                  // element by element
constexpr int64_t kTransposeRows = kTransposeThreads / kSide;  // of the tile at a time
constexpr int64_t kSteps = kSide / kTransposeRows;
constexpr int64_t kTransposeTogether = 4;                  // tiles, of Order::kOfNeighbours
constexpr int64_t kWide = 64;                              // by vectors
constexpr int64_t kVectors = kWide / 4;                    // of a row
constexpr int64_t kBlocks = kTransposeThreads / kVectors;  // rows of blocks at a time: all
static_assert(kBlocks * 4 == kWide);
constexpr int64_t kTransposeWords = 32;  // of a row of small elements
constexpr int64_t kTransposeColumns =
    kTransposeThreads / kTransposeWords;  // groups of rows that are one vector across

std::string nameOf(const KernelCall& call, const TransposeSchedule& schedule) {
  return call.function.name + (schedule.merges_axes ? "_merged" : "") +
         (schedule.access == Access::kElements ? "" : "_by_4");
}

class Transpose {
 public:
  Transpose(Program& program, Builder& host, const KernelCall& call, const ArrayRef& from,
            const TransposeSchedule& schedule)
      : schedule_(schedule),
        side_(schedule.side),
        host_(host),
        call_(call),
        host_from_(from),
        dense_(denseDimension(from)),
        last_(from.shape.size() - 1),
        run_(runOf(host, from, schedule.merges_axes ? dense_ + 1 : last_)),
        scope_(program, host, call, nameOf(call, schedule)),
        code_(scope_.code()),
        from_(scope_.array(from)),
        run_there_(scope_.scalar(run_)) {}

  TemplateResult run() {
    Operand tiles_dense = groupsFor(host_, host_from_.shape[dense_], side_);
    Operand tiles_last = groupsFor(host_, run_, side_);
    placeTile(tiles_dense, tiles_last);
    if (schedule_.access == Access::kElements) {
      split(kSide);
      BufferId tile = scope_.shared("tile", from_.type, kSide * (kSide + 1));
      fill(tile);
      code_.append(Barrier{});
      empty(tile);
    } else if (schedule_.access == Access::kVectors) {
      split(kVectors);
      BufferId tile = scope_.shared("tile", from_.type, kWide * kWide);
      fillVectors(tile);
      code_.append(Barrier{});
      emptyVectors(tile);
    } else {
      split(kTransposeColumns);
      BufferId tile = scope_.shared("tile", ScalarType::kU32, side_ * kTransposeWords);
      fillWords(tile);
      code_.append(Barrier{});
      emptyWords(tile);
    }
    const int workgroup[3] = {static_cast<int>(kTransposeThreads), 1, 1};
    scope_.launch(workgroup, {groups_, i64(1), i64(1)});
    return {{}, !scope_.unsupported()};
  }

 private:
  // The invocation within the tile.
  void split(int64_t in_row) {
    Operand lid = scope_.localId();
    quick_ = code_.prim(Op::kAnd, ScalarType::kI64, {lid, i64(in_row - 1)});
    slow_ = code_.prim(Op::kMachineDiv, ScalarType::kI64, {lid, i64(in_row)});
  }
  // In the order of the result, neighbouring workgroups write to the same pages. But other
  // dimensions of the result may follow the dense one. Then concurrent workgroups would read only a
  // tile's side of each line of the source: Order::kOfTiles takes these dimensions first.
  void placeTile(const Operand& tiles_dense, const Operand& tiles_last) {
    const Order order = schedule_.order;
    int64_t together = order == Order::kOfNeighbours ? kTransposeTogether : 1;
    Operand blocks = groupsFor(host_, tiles_dense, together);
    std::vector<size_t> axes;
    for (size_t k = 0; k <= last_; ++k) {
      if (isMerged(k)) continue;
      if (order != Order::kOfTiles || !isTiled(k)) axes.push_back(k);
    }
    if (order == Order::kOfTiles) axes.insert(axes.end(), {dense_, last_});
    groups_ = i64(together);
    Operands space;
    for (size_t k : axes) {
      Operand extent = k == dense_ ? blocks : k == last_ ? tiles_last : host_from_.shape[k];
      groups_ = host_.mul(groups_, extent);
      space.push_back(scope_.scalar(extent));
    }
    if (together > 1) space.push_back(i64(together));
    Operands found = indicesOf(code_, scope_.groupId(), space);
    Operands place(last_ + 1);
    for (size_t k = 0; k < axes.size(); ++k) place[axes[k]] = found[k];
    Operand tile = code_.mul(place[dense_], i64(together));
    if (together > 1) tile = code_.add(tile, found.back());
    first_dense_ = code_.mul(tile, i64(side_));
    first_last_ = code_.mul(place[last_], i64(side_));
    for (size_t k = 0; k < last_; ++k) {
      if (!isTiled(k) && !isMerged(k)) rest_.push_back(place[k]);
    }
  }
  bool isTiled(size_t k) const { return k == dense_ || k == last_; }
  // Part of a dimension that is one with the last.
  bool isMerged(size_t k) const { return schedule_.merges_axes && dense_ < k && k < last_; }

  // In the result, whose merged dimensions are one.
  Operands indices(const Operand& dense, const Operand& last) const {
    Operands all;
    size_t next = 0;
    for (size_t k = 0; k < last_; ++k) {
      if (!isMerged(k)) all.push_back(k == dense_ ? dense : rest_[next++]);
    }
    all.push_back(last);
    return all;
  }
  ArrayRef result() {
    ArrayRef to = scope_.array(call_.results[0]);
    if (!schedule_.merges_axes) return to;
    to.shape.resize(dense_ + 1);
    to.shape.push_back(run_there_);
    to.strides.resize(dense_ + 1);
    to.strides.push_back(i64(1));
    return to;
  }
  Operands sourceIndices(const Operand& dense, const Operand& last) {
    Operands all = indices(dense, last);
    if (!schedule_.merges_axes) return all;
    all.pop_back();
    auto first = from_.shape.begin() + static_cast<std::ptrdiff_t>(dense_) + 1;
    Operands split = indicesOf(code_, last, Operands(first, from_.shape.end()));
    all.insert(all.end(), split.begin(), split.end());
    return all;
  }
  Operand extent(size_t dimension) const {
    return dimension == last_ ? run_there_ : from_.shape[dimension];
  }
  Operand atMost(const Operand& index, size_t dimension) {
    return code_.min(index, code_.sub(extent(dimension), i64(1)));
  }
  Operand isInside(const Operand& index, size_t dimension) {
    return code_.prim(Op::kLt, ScalarType::kI64, {index, extent(dimension)});
  }

  // All loads first; those beyond the edge read the last element again.
  void fill(BufferId tile) {
    Operands values, places;
    for (int64_t step = 0; step < kSteps; ++step) {
      Operand row = code_.add(slow_, i64(step * kTransposeRows));
      Operand dense = atMost(code_.add(first_dense_, quick_), dense_);
      Operand last = atMost(code_.add(first_last_, row), last_);
      values.push_back(loadElement(code_, from_, sourceIndices(dense, last)));
      places.push_back(code_.add(code_.mul(row, i64(kSide + 1)), quick_));
    }
    for (size_t k = 0; k < values.size(); ++k) code_.store(tile, places[k], values[k]);
  }

  void empty(BufferId tile) {
    ArrayRef to = result();
    Operand last = code_.add(first_last_, quick_);
    Operand inside_last = isInside(last, last_);
    for (int64_t step = 0; step < kSteps; ++step) {
      Operand row = code_.add(slow_, i64(step * kTransposeRows));
      Operand dense = code_.add(first_dense_, row);
      Operand inside_dense = isInside(dense, dense_);
      Operand inside = code_.prim(Op::kAnd, ScalarType::kBool, {inside_last, inside_dense});
      code_.ifThenElse(inside, [&] {
        Operand at = code_.add(code_.mul(quick_, i64(kSide + 1)), row);
        storeElement(code_, to, indices(dense, last), code_.load(tile, at));
      });
    }
  }

  // ---- by vectors

  // Where an element is in memory.
  Operand elementAt(const ArrayRef& array, const Operands& at) {
    Operand place = array.offset;
    for (size_t k = 0; k < at.size(); ++k) {
      place = code_.add(place, code_.mul(at[k], array.strides[k]));
    }
    return place;
  }
  // Vector number `vector` of a row of the tile.
  Operand inTile(const Operand& row, const Operand& vector) {
    Operand block = code_.prim(Op::kMachineDiv, ScalarType::kI64, {row, i64(4)});
    Operand rotated =
        code_.prim(Op::kAnd, ScalarType::kI64, {code_.add(vector, block), i64(kVectors - 1)});
    return code_.mul(code_.add(code_.mul(row, i64(kVectors)), rotated), i64(4));
  }

  // Block (slow, quick): four vectors along the dense dimension become four along the last one.
  void fillVectors(BufferId tile) {
    Operand last_vector = code_.prim(Op::kAnd, ScalarType::kI64,
                                     {code_.sub(from_.shape[dense_], i64(1)), i64(~int64_t{3})});
    Operand column = code_.mul(quick_, i64(4));
    Operand dense = code_.min(code_.add(first_dense_, column), last_vector);
    std::vector<Operands> loaded;
    for (int64_t k = 0; k < 4; ++k) {
      Operand row = code_.add(code_.mul(slow_, i64(4)), i64(k));
      Operand last = atMost(code_.add(first_last_, row), last_);
      Operand at = elementAt(from_, sourceIndices(dense, last));
      loaded.push_back(loadVectors(code_, from_.buffer, at, 4));
    }
    for (size_t q = 0; q < 4; ++q) {
      Operands turned;
      for (const Operands& row : loaded) turned.push_back(row[q]);
      Operand row = code_.add(column, i64(static_cast<int64_t>(q)));
      storeVectors(code_, tile, inTile(row, slow_), turned);
    }
  }

  void emptyVectors(BufferId tile) {
    ArrayRef to = result();
    Operand last = code_.add(first_last_, code_.mul(quick_, i64(4)));
    Operand inside_last = isInside(last, last_);
    for (int64_t step = 0; step < 4; ++step) {
      Operand row = code_.add(slow_, i64(step * kBlocks));
      Operand dense = code_.add(first_dense_, row);
      Operand inside_dense = isInside(dense, dense_);
      Operand inside = code_.prim(Op::kAnd, ScalarType::kBool, {inside_last, inside_dense});
      code_.ifThenElse(inside, [&] {
        Operands values = loadVectors(code_, tile, inTile(row, quick_), 4);
        storeVectors(code_, to.buffer, elementAt(to, indices(dense, last)), values);
      });
    }
  }

  // ---- small elements

  int64_t perWord() const { return 4 / prim::byteSize(from_.type); }
  // Where words of a row are, `column` of them behind the first of its rotation.
  Operand wordAt(const Operand& row, const Operand& group, const Operand& column) {
    Operand rotated = code_.add(column, code_.mul(group, i64(4)));
    Operand in_row = code_.prim(Op::kAnd, ScalarType::kI64, {rotated, i64(kTransposeWords - 1)});
    return code_.add(code_.mul(row, i64(kTransposeWords)), in_row);
  }
  Operand word(Op op, const Operand& a, const Operand& b) {
    return code_.prim(op, ScalarType::kU32, {a, b});
  }
  uint32_t bits() const { return static_cast<uint32_t>(32 / perWord()); }
  Operand masked(const Operand& value) {
    return word(Op::kAnd, value, u32((uint32_t{1} << bits()) - 1));
  }

  // Each invocation has a vector of several rows: number `quick` of row `slow` and so on.
  void fillWords(BufferId tile) {
    const int64_t per = perVector(from_.type);
    Operand last_vector =
        code_.prim(Op::kAnd, ScalarType::kI64, {code_.sub(from_.shape[dense_], i64(1)), i64(-per)});
    Operand dense = code_.add(first_dense_, code_.mul(quick_, i64(per)));
    dense = code_.min(dense, last_vector);
    std::vector<Operands> loaded;
    Operands rows;
    for (int64_t k = 0; k < side_ / kTransposeWords; ++k) {
      rows.push_back(code_.add(slow_, i64(k * kTransposeWords)));
      Operand last = atMost(code_.add(first_last_, rows.back()), last_);
      loaded.push_back(
          loadVectors(code_, from_.buffer, elementAt(from_, sourceIndices(dense, last)), per));
    }
    for (size_t k = 0; k < rows.size(); ++k) {
      Operands words(4, u32(0));
      for (size_t i = 0; i < loaded[k].size(); ++i) {
        Operand part = masked(toWords(code_, from_.type, loaded[k][i])[0]);
        auto place = static_cast<uint32_t>(i) % static_cast<uint32_t>(perWord());
        part = word(Op::kMachineShl, part, u32(place * bits()));
        Operand& whole = words[i / static_cast<size_t>(perWord())];
        whole = place == 0 ? part : word(Op::kOr, whole, part);
      }
      Operand group = code_.prim(Op::kMachineDiv, ScalarType::kI64, {rows[k], i64(per)});
      storeVectors(code_, tile, wordAt(rows[k], group, code_.mul(quick_, i64(4))), words);
    }
  }

  // A column of words, number `slow`, of the rows in group `quick`.
  void emptyWords(BufferId tile) {
    const int64_t per = perVector(from_.type);
    ArrayRef to = result();
    Operand first_row = code_.mul(quick_, i64(per));
    Operands words;
    for (int64_t i = 0; i < per; ++i) {
      words.push_back(code_.load(tile, wordAt(code_.add(first_row, i64(i)), quick_, slow_)));
    }
    Operand last = code_.add(first_last_, first_row);
    Operand inside_last = isInside(last, last_);
    for (int64_t q = 0; q < perWord(); ++q) {
      Operand column = code_.add(code_.mul(slow_, i64(perWord())), i64(q));
      Operand dense = code_.add(first_dense_, column);
      Operand inside_dense = isInside(dense, dense_);
      Operand inside = code_.prim(Op::kAnd, ScalarType::kBool, {inside_last, inside_dense});
      code_.ifThenElse(inside, [&] {
        Operands values;
        for (const Operand& one : words) {
          Operand part = word(Op::kMachineLshr, one, u32(static_cast<uint32_t>(q) * bits()));
          values.push_back(fromWords(code_, from_.type, {masked(part)}));
        }
        storeVectors(code_, to.buffer, elementAt(to, indices(dense, last)), values);
      });
    }
  }

  const TransposeSchedule& schedule_;
  int64_t side_;  // of the tile
  Builder& host_;
  const KernelCall& call_;
  const ArrayRef& host_from_;
  size_t dense_, last_;  // dimensions
  Operand run_;          // extent of the last one and those merged with it; host
  KernelScope scope_;
  Builder& code_;
  ArrayRef from_;
  Operand run_there_;                 // `run_` in the kernel
  Operand groups_;                    // host
  Operand first_dense_, first_last_;  // of the tile
  Operands rest_;                     // indices of the other dimensions
  Operand quick_, slow_;              // the invocation within the tile
};

}  // namespace

bool emitTranspose(Program& program, Builder& host, const KernelCall& call, const ArrayRef& from,
                   const TransposeSchedule& schedule) {
  return Transpose(program, host, call, from, schedule).run().supported;
}

}  // namespace halo::gpu

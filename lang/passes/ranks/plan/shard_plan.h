// The decisions of `shard`, as data: which arrays of an entry are cut into rows, one block a rank,
// and which are whole everywhere.
//
// A fixed point. At first everything is cut that has a form for it. Then values become whole until
// no array is gathered inside a loop, but where a cell goes over all its rows (shard_gathers.h):
//
//   loop (u, s) { a = stencil (window u); s = screma (a) reduce f32.add }   the sum needs a, whole:
//                                                                          a is whole, and so is u
//
// A whole node costs no message: every rank computes it.
//
// Sums of floats have the order of one rank (core/lane_sums.h). Where blocks are whole chunks, each
// rank makes the partial values of its rows. Where few rows are much work, that would leave ranks
// idle: the summands are made in rows, and every rank sums them all. Elements with loops are summed
// from left to right; each is a partial value.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

struct ShardPlan {
  // Statements, by their first result, that each rank does for its own rows.
  std::unordered_set<core::ValueId> statements;
  std::unordered_set<core::ValueId> cut;         // arrays of which a rank has its own rows only
  std::unordered_set<core::ValueId> cut_needed;  // read as rows: also whole ones, which get a copy
  std::unordered_set<core::ValueId> whole_needed;
  // Cut arrays of loops that are gathered at each step.
  std::unordered_set<core::ValueId> gathered_in_loops;
  // Loops, by their first result, whose steps run several at a time, and the rows that one step
  // reaches.
  std::unordered_map<core::ValueId, int64_t> cycles;
  // Nodes, by their first result, whose reductions have an order.
  enum class Sums : uint8_t { kPartialValues, kElements, kSummands, kChunks, kTiles, kScans };
  std::unordered_map<core::ValueId, Sums> sums;
  // Loops, by the first carried parameter, whose arrays have room for rows of neighbours around the
  // own ones, so that no step makes longer ones of them.
  struct Padded {
    core::Operand extent;
    int64_t reach = 0;
    bool wraps = false;
    std::unordered_set<core::ValueId> values;      // carried by the loop, or made in it
    std::unordered_set<core::ValueId> statements;  // that make such, by their first result
  };
  std::unordered_map<core::ValueId, Padded> padded;
  // Loops of the outermost level, by their first result, that are whole unless these extents have
  // so many elements. Engines do shorter steps in another way, in which sums have another order.
  struct LeastWork {
    core::Operands extents;  // their product
    int64_t elements;
  };
  std::unordered_map<core::ValueId, std::vector<LeastWork>> least_work;
  // Products of matrices, by their first result: where these extents have fewer elements, engines
  // make them in another way. Those of all products that are cut; an entry with smaller ones is
  // whole.
  std::unordered_map<core::ValueId, std::vector<LeastWork>> products;
  std::vector<LeastWork> least_sizes;
  // Of an extent, by its number or its value: blocks have `least` rows or more, and are multiples,
  // of chunks as well.
  struct Unit {
    int64_t least = 1, multiple = 1;
    bool has_lanes = false, has_chunks = false;  // of lane_sums.h, of chunk_sums.h
    // Of planes of so many lines, whole tiles of lines (tile_sums.h).
    std::vector<core::Operand> lines;

    int64_t rows(int64_t of) const { return (std::max(least, of) + of - 1) / of * of; }
  };
  std::map<std::pair<bool, uint64_t>, Unit> units;
  std::vector<std::string> why_whole;  // arrays that are not cut, with the reason

  bool isCut(const core::Operand& o) const { return !o.isConstant() && cut.contains(o.value); }
  static std::pair<bool, uint64_t> keyOf(const core::Operand& extent) {
    if (extent.isConstant()) return {true, extent.constant.bits};
    return {false, extent.value.index};
  }
  Unit unitOf(const core::Operand& extent) const {
    auto found = units.find(keyOf(extent));
    return found == units.end() ? Unit() : found->second;
  }
};

// The engine, which decides the order of a sum inside of a cell.
struct ShardOptions {
  // Cells with float sums: blocks of whole tiles give each cell the place in a tile that it has in
  // the whole array. False: such cells are whole.
  bool cuts_inner_sums = true;
  // How the engine reduces scalars: all such nodes alike, or by the code and the memory of each.
  enum class Order : uint8_t {
    kLanes,     // core/lane_sums.h
    kSequence,  // from left to right
    kChunks,    // core/chunk_sums.h, for plain elements; nodes with others are whole
    kOfEngine,  // nodes whose reductions have an order are whole
  };
  Order sums = Order::kLanes;
  // Elements, for each statement of a loop, from which on its steps are no short ones. 0: the
  // engine does all steps alike.
  int64_t short_step = 0;
  // Elements that the cells of a node go over, all ranks' together, from which on a loop gathers
  // rows at each step; 0: no loop does.
  int64_t min_gathered_work = int64_t{1} << 20;
  // The engine computes while rows of neighbours are on their way: loops have cycles of two parts,
  // of which one needs none of these (shard_beside.cpp).
  bool goes_beside = false;
  // Arguments lie where messages begin: rows of them may go to other ranks without a way through a
  // device. False: what is made of them by simple code is whole where it is not needed as rows.
  bool routes_arguments = true;
};

ShardPlan planShards(const core::Program& program, const core::Function& entry,
                     const ShardOptions& options);

// Arrays of a loop that is no loop of cycles; nothing if none of them needs room.
std::optional<ShardPlan::Padded> paddedIn(const core::Program& program, const ShardPlan& plan,
                                          const core::Loop& loop);

// Rows above and below a cell that a stencil reads, the larger of both.
int64_t reachOf(const core::Stencil& stencil);
bool wrapsRows(const core::Stencil& stencil);
// Of each neighbour around the own ones, for a step. An engine that sums rows by whole vectors
// wants the own rows to begin at one.
int64_t ghostRows(int64_t reach, const ShardOptions& options);

}  // namespace halo::passes

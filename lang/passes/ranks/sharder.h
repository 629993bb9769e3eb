// The state of `shard` while it writes a function: blocks of extents, and the rows of values.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/base/check.h"
#include "lang/core/builder.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/shard_plan.h"

namespace halo::passes {

inline constexpr int64_t kMostSteps = 256;  // of a cycle

// Of sizes and places.
inline core::Operand binary(core::Builder& b, prim::Op op, const core::Operand& x,
                            const core::Operand& y) {
  return b.prim(op, prim::ScalarType::kI64, {x, y});
}

class Sharder {
 public:
  Sharder(core::Program& program, const ShardPlan& plan, const ShardOptions& options,
          std::vector<std::string>* decisions)
      : program_(program), plan_(plan), options_(options), decisions_(decisions) {}

  core::Body function(const core::Function& f);

 private:
  using Builder = core::Builder;
  using Operand = core::Operand;
  using ValueId = core::ValueId;

  struct Extent {
    Operand n;
    ValueId first, rows, smallest;
    Operand unit;   // of rows, of which blocks are multiples
    Operand chunk;  // of a sum over them (core/chunk_sums.h)
  };
  // Own rows and `above` and `below` rows of the neighbours: `ext` in all.
  struct Strip {
    Operand k, above, below, before, behind, ext;
    int64_t reach;  // of a step; 0: of several
  };

  // A loop of stencils in cycles of k steps.
  struct Cycles {
    const core::Loop& loop;
    int64_t reach;
    Operand n, k, bound, count;
    Strip strip;
    std::vector<ValueId> invariants;  // arrays that no step changes
  };
  // Rows of each array that the loop reads, `ext` of each.
  struct Rows {
    std::unordered_map<ValueId, ValueId> of;
    Operand ext;
  };

  struct Edge;

  // Rows of an array in room for `reach` rows of each neighbour.
  struct Room {
    ValueId value;
    int64_t reach;
    bool is_fresh;  // the neighbours' rows are there
    Strip strip;
  };

  // ---- extents and values
  void noteExtents(const core::Body& body);
  Extent* findExtent(const Operand& n);
  Extent& extentOf(const Operand& n);
  Operand unit(const Operand& n) { return extentOf(n).unit; }
  Operand unitOf(Builder& b, const Operand& n, const Operand& chunk) const;
  static Operand unitOfPlanes(Builder& b, const ShardPlan::Unit& unit);
  Operand chunkOf(Builder& b, const Operand& n) const;
  std::vector<ValueId> move(Builder& b, core::Move move, const std::string& name,
                            std::vector<core::Type> types, core::Operands args);
  void emitBlock(Builder& b, const Operand& n);
  core::Type rowsType(ValueId value, const Operand& rows) const;
  ValueId newRows(ValueId value);
  ValueId rowsOf(ValueId value) const;
  ValueId slicedRows(Builder& b, ValueId array, const Operand& start, const Operand& rows);
  void bound(Builder& b, const std::vector<ValueId>& values, bool are_arguments = false);
  void gather(Builder& b, ValueId value);

  // ---- statements
  core::Body cutBody(const core::Function& f);
  core::Body largeOrWhole(const core::Function& f);
  bool isCut(const core::Stm& stm) const;
  bool hasCut(const core::Stm& stm) const;
  void statements(Builder& b, const core::Body& body);
  void statement(Builder& b, const core::Stm& stm);
  void made(Builder& b, const core::Stm& stm);
  void passOn(Builder& b, const core::Stm& stm);
  void save(Builder& b, const core::Stm& stm, core::Call call);
  static size_t accumulators(const std::vector<core::Reduction>& reductions);
  void nodeOfRows(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                  core::Expr expr);
  // Of each rank the values, and how many ranks there are.
  std::vector<ValueId> ofRanks(Builder& b, core::Move move, const std::vector<ValueId>& values);
  void combine(Builder& b, const std::vector<core::Reduction>& reductions,
               const std::vector<ValueId>& partial, const core::Stm& stm);
  core::Screma reduced(const Operand& width, const std::vector<ValueId>& arrays,
                       const std::vector<core::Reduction>& reductions, size_t rank);

  // ---- sums in the order of one rank
  void partialSums(Builder& b, const core::Stm& stm, core::Screma own, bool are_elements);
  void chunkSums(Builder& b, const core::Stm& stm, core::Screma own);
  std::vector<ValueId> partialNode(Builder& b, const core::Stm& stm, core::Screma own);
  void joinChunks(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                  const std::vector<ValueId>& all);
  void sumsOfSummands(Builder& b, const core::Stm& stm, core::Screma own);
  Operand chunksOf(Builder& b, const Operand& elements);
  Operand partialValuesOf(Builder& b, const Operand& elements);
  core::Loop sumOf(const std::vector<core::Reduction>& reductions,
                   const std::vector<ValueId>& values, const core::Operands& initial,
                   std::pair<Operand, Operand> range, bool are_chunks);

  core::PartialTiles tilesOf(Builder& b, const core::Stencil& own, const Strip& strip);
  void joinTiles(Builder& b, const core::Stm& stm, const core::Stencil& stencil,
                 const std::vector<ValueId>& partial);
  std::vector<ValueId> joinedValues(Builder& b, const std::vector<ValueId>& partial);

  bool sumsRowsOf(const core::Stm& stm) const;
  bool sumsPadded(const core::Stm& stm) const;
  bool sumsViews(const core::Stm& stm, const core::Screma& node) const;
  void sumsInRoom(Builder& b, const core::Stm& stm, core::Screma own);
  void sumOfAll(Builder& b, const core::Stm& stm, const std::vector<core::Reduction>& reductions,
                const std::vector<ValueId>& summands);

  // ---- scans and tables
  void scanOfRows(Builder& b, const core::Stm& stm, core::Screma own);
  void scanOfChunks(Builder& b, const core::Stm& stm, core::Screma own);
  std::vector<ValueId> chunkTotals(Builder& b, const std::vector<ValueId>& local,
                                   const Operand& rows, const Operand& chunks);
  std::vector<ValueId> beforeChunks(Builder& b, const core::Scan& scan,
                                    const std::vector<ValueId>& all, const Operand& first,
                                    const Operand& chunks);
  core::Screma withBefore(const core::Scan& scan, const std::vector<ValueId>& local,
                          const std::vector<ValueId>& before, const Operand& first,
                          std::pair<ValueId, Operand> places);
  std::vector<ValueId> carryOf(Builder& b, const core::Scan& scan,
                               const std::vector<ValueId>& scanned, const Operand& rows);
  void tablesOfRows(Builder& b, const core::Stm& stm, core::Hist own);
  void addTables(Builder& b, const core::HistOp& op, const std::vector<ValueId>& tables,
                 const std::vector<ValueId>& results);

  // ---- stencils and loops
  Strip strip(Builder& b, const Operand& n, const Operand& k, bool wraps);
  std::vector<ValueId> ghosts(Builder& b, const Strip& strip, const std::vector<ValueId>& arrays);
  std::vector<ValueId> extended(Builder& b, const Strip& strip, const std::vector<ValueId>& arrays);
  ValueId joined(Builder& b, std::vector<ValueId> arrays, const Operand& rows);
  void stencilOfRows(Builder& b, const core::Stm& stm, const core::Stencil& stencil);
  void stepOfStrip(Builder& b, const core::Stm& stm, const core::Stencil& stencil,
                   core::Stencil own, const Strip& strip);
  void stepOver(Builder& b, const core::Stm& stm, core::Stencil own, const Strip& strip);
  void hostLoop(Builder& b, const core::Stm& stm, const core::Loop& loop);
  void beginPadded(Builder& b, const core::Loop& loop);
  bool isPadded(ValueId value) const {
    return padding_ != nullptr && padding_->values.contains(value);
  }
  static std::vector<ValueId> readBy(const core::Stm& stm);
  static bool readsNeighbours(const core::Stencil& stencil, ValueId array);
  ValueId withRoom(Builder& b, ValueId array, bool is_fresh);
  void renew(Builder& b, const std::vector<ValueId>& arrays);
  void setPadded(Builder& b, ValueId array, ValueId padded, bool is_fresh);
  void paddedNode(Builder& b, const core::Stm& stm);
  void longOrWhole(Builder& b, const core::Stm& stm, const core::Loop& loop);
  Operand isLarge(Builder& b, const std::vector<ShardPlan::LeastWork>& works);
  core::Body cutArm(const core::Stm& stm, const core::Loop& loop);
  core::Body wholeArm(const core::Stm& stm);
  void cycles(Builder& b, const core::Stm& stm, const core::Loop& loop);
  Operand stepsOfCycle(Builder& b, const core::Loop& loop, const Operand& n, int64_t reach);
  Operand stepsBeside(Builder& b, const core::Loop& loop, const Operand& n, int64_t reach);
  void inTurn(Builder& b, const Cycles& cycles, core::Loop* outer);
  void beside(Builder& b, const Cycles& cycles, core::Loop* outer);
  std::vector<ValueId> edgeRows(Builder& b, const Edge& edge, const std::vector<ValueId>& arrays,
                                const std::vector<ValueId>& ghosts);
  std::vector<ValueId> carryRows(const core::Loop& loop, core::Loop* outer);
  std::pair<Operand, Operand> stepsOf(Builder& b, const Cycles& cycles, const core::Loop& outer);
  std::vector<ValueId> stepsOfRows(Builder& b, const core::Loop& loop, const Rows& rows,
                                   std::pair<Operand, Operand> steps);
  core::Body bodyOfRows(const core::Loop& loop, core::Substitution wide, const Operand& ext);

  void tell(const std::string& sentence, ValueId value) {
    if (decisions_ == nullptr) return;
    decisions_->push_back(
        fmt::format(fmt::runtime(sentence), program_.values[value].name, value.index));
  }

  core::Program& program_;
  const ShardPlan& plan_;
  const ShardOptions& options_;
  std::vector<std::string>* decisions_;
  std::vector<Extent> extents_;
  std::unordered_map<ValueId, ValueId> rows_;     // of an array: the value with this rank's rows
  std::unordered_set<ValueId> viewed_arguments_;  // arguments of the entry that are read as rows
  std::unordered_map<ValueId, core::Replicate> replicated_;  // made as rows
  std::unordered_map<ValueId, Room> padded_;
  const ShardPlan::Padded* padding_ = nullptr;  // of the loop at hand
  Strip padded_strip_;
};

}  // namespace halo::passes

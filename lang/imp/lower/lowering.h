// The state behind lowerBody: one Lowering per function or kernel body. Read lower_body.cpp first
// (statements, scopes), then lower_memory and lower_destinations. A node with a plan of its own has
// a class beside this one, such as MatchLowering, LoopLowering and ScremaLowering.
//
// Memory: an array value is an ArrayRef. The scope of the body that makes a fresh array owns it. It
// is released behind the last use of any value that touches its buffer. In-place operations
// and views share the buffer, so they keep it alive.
//
// Long because all files of the folder work on this one state.
#pragma once

#include <map>
#include <unordered_set>

#include "lang/imp/lower/boundary.h"
#include "lang/imp/lower/buffer_exchange.h"
#include "lang/imp/lower/destination_table.h"
#include "lang/imp/lower/in_place_root.h"
#include "lang/imp/schedule/lane_arrays.h"
#include "lang/imp/schedule/lanes.h"

namespace halo::imp {

inline constexpr int kVectorWidth = 16;      // the factor in marks of loops
inline constexpr double kWorthLanes = 0.8;   // of the cost without them
inline constexpr int64_t kShortLoop = 1024;  // trips that are not worth threads
inline constexpr int64_t kChunkBlocks = core::kSumChunk / kLanes;  // of an outermost reduction
inline constexpr int64_t kFewCopied = 16;           // elements that a loop's step may copy
inline constexpr int64_t kNeverStreamed = 1 << 16;  // elements that every cache holds
inline constexpr int64_t kFarAway = 1ll << 62;  // no array reaches this far: offsets are cut to it

// Why a stencil's rows are not done several at once; null: they are.
const char* whySingleRows(const core::Program& program, const core::Stm& stm);
bool sameMemory(const ArrayRef& a, const ArrayRef& b);
// Row-major from the first element of its buffer on.
bool isPlain(const ArrayRef& array);
// An array of any size in memory for Room::elements.
ArrayRef inRoom(Builder& b, const ArrayRef& room, Operands shape);

class LaneReduction;
struct StepPlan;

// A body while it is lowered.
struct Scope {
  const core::Body& body;
  std::unordered_map<core::ValueId, size_t> last_use;  // statement; absent: result or unused
  std::vector<core::ValueId> live;                     // arrays bound here, still needed
  std::vector<BufferId> owned;
  Scope* outer;
  size_t position = 0;  // of the statement at hand
  bool is_arm = false;  // of a branch

  bool owns(BufferId buffer) const;
  bool isBehind(core::ValueId value) const;  // the last use
};

class Lowering {
 public:
  Lowering(Builder& builder, const core::Program& core, Environment& environment,
           const LoweringTarget& target)
      : b_(builder), core_(core), env_(environment), target_(target) {}

  // Loops of stencils do several steps at once whatever the sizes, in tiny tiles.
  void useTinySteps() { tiny_steps_ = true; }
  void noteSpans(base::SideTable<Span, VarId>* spans) { spans_ = spans; }
  Results body(const core::Body& body, const Destinations& destinations = {});
  // A copy in memory of the array's own, unless `array` is already dense from element 0 on, real
  // and owned. For uses that take over the memory.
  ArrayRef ownedDense(const ArrayRef& array, Results& from);

 private:
  // Nodes with a plan of their own; all work on this state.
  friend class DestinationTable;
  friend class BufferExchange;
  friend class MatchLowering;
  friend class LoopLowering;
  friend class CompactionLowering;
  friend class AccumulatorLowering;
  friend class ScremaLowering;
  friend class ScremaLanes;
  friend class LaneReduction;
  friend class ProductTiles;
  friend class LineScan;
  friend class HistTables;
  friend class StripScatter;

  // lower_body.cpp
  void stm(const core::Stm& stm);
  bool intercepted(const core::Stm& stm);
  Results resultsOf(const core::Body& body, const Destinations& destinations);

  // lower_memory.cpp
  void keepIn(const ArrayRef& room, const ArrayRef& array);
  void releaseDead();
  bool isLastUse(core::ValueId value, const core::Stm& stm) const;
  void release(const std::vector<BufferId>& buffers);
  ArrayRef fresh(const std::string& name, ScalarType type, Operands shape);
  // Real memory with the same elements: `array` itself unless it is virtual.
  ArrayRef real(const ArrayRef& array);
  ArrayRef dense(const ArrayRef& array);  // real and dense
  // Equal shapes. Outside of parallel loops and lanes the copy has threads and tiles of its own.
  void copyTo(const ArrayRef& to, const ArrayRef& from);

  Operand scalar(const core::Operand& operand) const { return operandOf(env_, operand); }
  Operands scalars(const core::Operands& operands) const { return operandsOf(env_, operands); }
  const ArrayRef& array(core::ValueId value) const;
  void set(core::ValueId value, Operand scalar) { env_.scalars[value] = scalar; }
  void set(core::ValueId value, ArrayRef array);

  // lower_loops.cpp
  void loop(const std::string& name, Operand lo, Operand hi, bool independent,
            const std::function<void(Operand)>& body);
  // Independent iterations that threads may share, with a body that knows its own vectors.
  void parallelLoop(const std::string& name, Operand lo, Operand hi,
                    const std::function<void(Operand)>& body);
  // Chunks of one outermost operation, however few.
  void chunkLoop(Operand chunks, const std::function<void(Operand)>& body);
  Block bodyInLanes(VarId var, const std::function<Block()>& body, LaneArrays& arrays);

  // lower_scalars.cpp
  void lower(const core::Stm& stm, const core::Literal& node);
  void lower(const core::Stm& stm, const core::PrimOp& node);
  void lower(const core::Stm& stm, const core::Convert& node);
  void lower(const core::Stm& stm, const core::Select& node);
  void lower(const core::Stm& stm, const core::Assert& node);

  // lower_arrays.cpp
  void lower(const core::Stm& stm, const core::Index& node);
  void lower(const core::Stm& stm, const core::Slice& node);
  void lower(const core::Stm& stm, const core::Update& node);
  void lower(const core::Stm& stm, const core::Iota& node);
  void lower(const core::Stm& stm, const core::Replicate& node);
  void lower(const core::Stm& stm, const core::ArrayLiteral& node);
  void lower(const core::Stm& stm, const core::Scratch& node);
  void lower(const core::Stm& stm, const core::Rearrange& node);
  void lower(const core::Stm& stm, const core::Reshape& node);
  void lower(const core::Stm& stm, const core::Concat& node);
  void lower(const core::Stm& stm, const core::Copy& node);
  void lower(const core::Stm& stm, const core::Slide& node);
  // The elements of a literal of constants, also of nested ones.
  std::optional<std::vector<Scalar>> constantElements(const core::ArrayLiteral& node) const;
  // A virtual array becomes real where its value must be in memory.
  void setVirtual(core::ValueId value, ArrayRef array);

  // lower_match.cpp
  void lower(const core::Stm& stm, const core::Match& node);

  void lower(const core::Stm& stm, const core::Loop& node);  // lower_sequential.cpp
  void lower(const core::Stm& stm, const core::Call& node);  // lower_call.cpp
  std::vector<ArrayRef> passArguments(const core::Call& node, Call& call);

  // lower_soac.cpp
  void lower(const core::Stm& stm, const core::Screma& node);
  Results element(const std::vector<core::ValueId>& inputs, const core::Lambda& map, Operand i,
                  const std::vector<ArrayRef>& outputs, size_t first_output);
  // Mapped results of one cell: rows are written by the body, scalars stored here.
  // `rows`: where some of the rows are, if the caller knows.
  Results cellBody(const core::Body& body, const Operands& cell,
                   const std::vector<ArrayRef>& outputs, size_t first_output,
                   const Destinations& rows = {});

  // lower_lanes.cpp
  bool canUseLanes(const std::vector<core::Reduction>& reductions, const core::Lambda& map) const;

  // lower_scatter.cpp
  void lower(const core::Stm& stm, const core::Scatter& node);
  void scatterOneByOne(const core::Scatter& node, const std::vector<ArrayRef>& targets);

  // lower_hist.cpp
  struct Histogram;
  void lower(const core::Stm& stm, const core::Hist& node);
  void countOneByOne(const core::Hist& node, std::vector<Histogram>& histograms);

  void lower(const core::Stm& stm, const core::Pad& node);  // lower_pad.cpp

  struct Steps;  // lower_steps.cpp
  struct Sweep;

  // lower_stencil.cpp
  void lower(const core::Stm& stm, const core::Stencil& node);

  Builder& b_;
  const core::Program& core_;
  Environment& env_;
  const LoweringTarget& target_;
  Scope* scope_ = nullptr;
  int independent_ = 0;  // loops around whose iterations may run in parallel
  bool tiny_steps_ = false;
  bool in_lanes_ = false;  // of a loop around: inner loops are sequential
  std::unordered_map<core::ValueId, Operands> products_;  // reassociable ones: their factors
  bool lanes_chosen_ = false;                             // by bodyInLanes, for the loop that asked
  Span span_;                                             // of the statement being lowered
  base::SideTable<Span, VarId>* spans_ = nullptr;         // by variable, on request
  DestinationTable destinations_{*this};
  std::unordered_map<core::ValueId, std::vector<Scalar>> literals_;  // of constants only
  std::unordered_set<core::ValueId> indices_;                        // arrays of 0, 1, ..
  BufferAliases aliases_;
  BufferExchange exchange_{*this};
  bool starts_arm_ = false;  // the next body is an arm of a branch
};

}  // namespace halo::imp

// Imp: structured loops over buffers, for CPU code, GPU kernels and the host programs of GPU code.
// No gotos, no arrays: only scalars, buffers and element indices. Index functions (offset, strides)
// are arithmetic here. Everything is total except Fail, Alloc and calls into the runtime.
// Long because the whole language of this level is meant to be read in one place.
// Semantics
// - Scalars: a Let binds once and is never changed; a Declare makes a mutable variable, changed by
//   Assign. Both have their type in Program::vars.
// - Buffers: a buffer variable names some memory of one element type in one space. Parameters and
//   Alloc give it memory; Rebind points it elsewhere; Swap exchanges two (ping-pong). Distinct
//   `noalias` buffers never overlap; parameters of an entry may overlap each other but are only
//   read.
// - Allocation: a function's Allocs belong to the call's arena. Its end, also by a failure,
//   releases all that is neither freed nor returned. Free is early reuse only.
// - For runs lo, lo+1, .., hi-1. `kVector` says the iterations are independent except for private
//   accumulators indexed by the loop variable. A code generator may run `vector_width` of them at
//   once, lanes in order; more than 16 fill the registers. `kParallel`: independent, may run on
//   several threads; `vector_width` and `lanes` hold for the iterations of a chunk.
// - The order of every float operation is as written; nothing is reassociated or contracted.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "lang/base/containers/store.h"
#include "lang/diag/diagnostic.h"
#include "lang/prim/prim.h"

namespace halo::imp {

using prim::Scalar;
using prim::ScalarType;
using source::Span;
using VarId = base::Id<struct VarTag>;
using BufferId = base::Id<struct BufferTag>;

enum class Space : uint8_t {
  kHost,     // host memory; also where a GPU host program reads results to
  kDevice,   // device memory, an address in kernels and a handle in host code
  kShared,   // of one workgroup; constant size
  kPrivate,  // of one invocation or iteration; constant size
  kMatrix,   // of one subgroup: a cooperative matrix, which MatrixOp alone reads and writes
};

struct Operand {
  VarId var;  // invalid: a constant
  Scalar constant;
  Operand() = default;
  Operand(VarId v) : var(v) {}        // NOLINT: used everywhere
  Operand(Scalar s) : constant(s) {}  // NOLINT
  static Operand ofI64(int64_t v) { return Scalar::ofI64(v); }
  bool isConstant() const { return !var.valid(); }
  friend bool operator==(const Operand&, const Operand&) = default;
};
using Operands = std::vector<Operand>;
inline const Operand kZero = Operand::ofI64(0), kOne = Operand::ofI64(1);

// ---- expressions: right-hand sides of Let

struct Prim {  // after define-semantics: total at these operands
  prim::Op op;
  ScalarType type;
  Operands args;
  bool operator==(const Prim&) const = default;
};
struct Convert {
  prim::ConvertKind kind;
  ScalarType from, to;
  Operand arg;
  bool operator==(const Convert&) const = default;
};
struct Select {
  Operand condition, on_true, on_false;
  bool operator==(const Select&) const = default;
};
struct Load {  // buffer[index], index in elements, i64 (or i32/u32 after the narrowing pass)
  BufferId buffer;
  Operand index;
  // Host code, in a vector loop that ends the body of a vector loop: its neighbours in memory are
  // those of the outer axis. Both loops are done in square tiles (schedule/transposed_tiles.h).
  bool transposed = false;
  bool operator==(const Load&) const = default;
};
enum class BuiltIn : uint8_t {  // kernels; u32
  kGlobalId,
  kLocalId,
  kGroupId,
  kGroupCount,
  kGroupSize,
  kLane,      // number within the subgroup
  kSubgroup,  // number of the subgroup within the workgroup
  kThreads,   // host code, i64: how many threads parallel loops may use
};
struct BuiltInValue {
  BuiltIn what;
  int dimension;  // 0 = x
  bool operator==(const BuiltInValue&) const = default;
};
// Kernels, uniform control flow: `value` of another invocation of the subgroup. kUp: of the lane
// `lane` places before, kDown: after, kXor: whose number differs in these bits, kFrom: of this
// number. Any value where there is no such lane. 32-bit types and f64.
// Host code: of another iteration of a vector loop from 0 to a constant, straight in its body; kUp
// by a constant; any type.
enum class ShuffleKind : uint8_t { kUp, kDown, kXor, kFrom };
struct Shuffle {
  ShuffleKind kind;
  Operand value;
  Operand lane;  // u32
  bool operator==(const Shuffle&) const = default;
};
// a * b + c, rounded once where the device can. Kernels only, and only in reductions, which may
// fuse a multiplication into the sum (language.md#semantics). f32 and f64.
struct Fma {
  ScalarType type;
  Operand a, b, c;
  bool operator==(const Fma&) const = default;
};
using Expr = std::variant<Prim, Convert, Select, Load, BuiltInValue, Shuffle, Fma>;

// ---- statements

struct Stm;
using Block = std::vector<Stm>;

struct Let {
  VarId var;
  Expr expr;
  bool operator==(const Let&) const = default;
};
struct Declare {
  VarId var;
  Operand initial;
  bool operator==(const Declare&) const = default;
};
struct Assign {
  VarId var;
  Operand value;
  bool operator==(const Assign&) const = default;
};
struct Store {
  BufferId buffer;
  Operand index;
  Operand value;
  // Host code, i64: the loops around write this many elements, each once, and read none of them. If
  // that is more than caches hold, it pays to write past them. 0: nothing is known.
  Operand stream = Operand::ofI64(0);
  bool operator==(const Store&) const = default;
};
// Kernels: buffer[index ..] as one access of 16 bytes (2 to 16 elements). The index is a multiple
// of the number of elements; the buffer begins at a multiple of 16 bytes. Shared buffers
// may be read so if their size is a multiple of the number of elements, and these have 4 bytes.
// Smaller elements of device memory may be loaded as four words, of type u32.
struct LoadVector {
  std::vector<VarId> vars;
  BufferId buffer;
  Operand index;
  bool operator==(const LoadVector&) const = default;
};
struct StoreVector {
  BufferId buffer;
  Operand index;
  Operands values;
  bool operator==(const StoreVector&) const = default;
};
enum class Schedule : uint8_t { kSequential, kVector, kParallel };
struct For {
  VarId var;
  Operand lo, hi;
  Schedule schedule = Schedule::kSequential;
  int vector_width = 1;
  Block body;
  bool contract = false;  // a product that is added at once may be rounded together with the sum
  // Host code: outer-loop vectorisation, through inner loops and branches, with masks. Else the
  // body is straight, and LLVM vectorises it (schedule/vector_loops.h).
  bool lanes = false;
  bool operator==(const For&) const;
};
// Runs `before`, which computes `condition`; stops when it is false; else runs `body`, and again.
struct While {
  Block before;
  Operand condition;
  Block body;
  bool operator==(const While&) const;
};
struct If {
  Operand condition;
  Block then_block, else_block;
  bool operator==(const If&) const;
};
// What an allocation of device memory holds at first. Launches leave memory with zeros or states as
// the next such allocation wants it: all zeros, or states that count as older (gpu/kept_memory.h).
enum class Holds : uint8_t { kAnything, kZeros, kStates };
struct Alloc {  // `elements` >= 0 of the buffer's type; fails with out_of_memory
  BufferId buffer;
  Operand elements;
  Holds holds = Holds::kAnything;
  bool operator==(const Alloc&) const = default;
};
struct Free {
  BufferId buffer;
  bool operator==(const Free&) const = default;
};
struct Rebind {  // dst names the memory of src
  BufferId dst, src;
  bool operator==(const Rebind&) const = default;
};
struct Swap {
  BufferId a, b;
  bool operator==(const Swap&) const = default;
};
struct CopyBuffer {  // count elements; regions do not overlap
  BufferId dst;
  Operand dst_offset;
  BufferId src;
  Operand src_offset;
  Operand count;
  bool operator==(const CopyBuffer&) const = default;
};
// Ends the function (CPU: returns a status; kernel: takes the failure word and leaves the body)
// with the failure of this site (Program::sites).
struct Fail {
  int site;
  Operands operands;  // i64
  bool operator==(const Fail&) const = default;
};
// Host code, twice in the body of a parallel loop, straight in it. Iterations run the code between
// the two one at a time, in their order; all else may run at once.
struct OrderedSection {
  bool begins;
  bool operator==(const OrderedSection&) const = default;
};
// Host code: if `condition`, buffers[k][next] := values[k], and `next`, a mutable i64, goes up by
// one. Iterations of vector loops in order. The memory has room for kAppendRoom more elements than
// are ever kept. Its elements from `next` on may be overwritten.
inline constexpr int64_t kAppendRoom = 64;
struct Append {
  std::vector<BufferId> buffers;
  VarId next;
  Operand condition;
  Operands values;
  bool operator==(const Append&) const = default;
};
struct Barrier {                // kernels, uniform control flow; orders shared memory
  bool orders_atomics = false;  // also the workgroup's atomic operations, for other workgroups
  bool operator==(const Barrier&) const = default;
};
// Kernels: buffer[index] = op(buffer[index], value) as one step among all invocations, in any
// order. It says nothing about other elements. 4-byte integers; 8-byte ones on devices that have
// them. kLoad changes nothing and kStore takes the value; device-scope atomics are made of these.
enum class AtomicOp : uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor, kLoad, kStore };
struct Atomic {
  AtomicOp op;
  BufferId buffer;
  Operand index;
  Operand value;
  VarId old = {};  // the element before; of the buffer's type, which is unsigned then
  bool operator==(const Atomic&) const = default;
};
// Kernels, control flow that is uniform in a subgroup: all of its invocations do one operation on
// cooperative matrices together. A memory access has `pitch` as the stride of its rows, or columns;
// index and pitch are whole numbers of 16 bytes. The elements of the matrix are the bits that lie
// there, whatever the type of the memory. kMultiply: matrix := a * b + matrix. Integers wrap;
// floats are added in an order that the device chooses once and for all.
struct MatrixOp {
  enum class Kind : uint8_t { kClear, kLoad, kStore, kMultiply };
  Kind kind;
  BufferId matrix;
  BufferId memory = {};  // kLoad, kStore
  Operand index = Operand::ofI64(0), pitch = Operand::ofI64(0);
  bool by_columns = false;  // columns lie together, else rows
  BufferId a = {}, b = {};  // kMultiply
  bool operator==(const MatrixOp&) const = default;
};
inline bool stores(const MatrixOp& op) { return op.kind == MatrixOp::Kind::kStore; }
// Host programs: record a launch of a kernel over `groups` workgroups. Arguments in the order of
// the kernel's parameters; an empty grid launches nothing.
struct Launch {
  std::string kernel;
  Operands groups;  // 3, i64
  std::vector<BufferId> buffers;
  Operands scalars;
  bool operator==(const Launch&) const = default;
};
// Host programs: wait for the device, then fetch one element.
struct ReadScalar {
  VarId var;
  BufferId buffer;
  Operand index;
  bool operator==(const ReadScalar&) const = default;
};
// Host programs: `buffer` names the device's exit flag, one u32. While it is not 0, kernels return
// at once; it is 0 when a call begins. Reading it sets it to 0 again.
struct ExitFlag {
  BufferId buffer;
  bool operator==(const ExitFlag&) const = default;
};
// A function of the program. Results: scalars into `results`, buffers into `result_buffers`.
struct Call {
  std::string function;
  std::vector<BufferId> buffers;
  Operands scalars;
  std::vector<VarId> results;
  std::vector<BufferId> result_buffers;
  bool operator==(const Call&) const = default;
};

using StmAlternatives =
    std::variant<Let, Declare, Assign, Store, For, While, If, Alloc, Free, Rebind, Swap, CopyBuffer,
                 Fail, Barrier, Launch, ReadScalar, Call, LoadVector, StoreVector, Atomic, ExitFlag,
                 OrderedSection, Append, MatrixOp>;
// One of the statements above. Copies, moves and comparisons switch over all of them; ir.cpp holds
// the only instances, for each includer would compile its own.
struct StmNode : StmAlternatives {
  using StmAlternatives::StmAlternatives;
  using StmAlternatives::operator=;
  StmNode();
  StmNode(const StmNode& other);
  StmNode(StmNode&& other) noexcept;
  StmNode& operator=(const StmNode& other);
  StmNode& operator=(StmNode&& other) noexcept;
  ~StmNode();
  bool operator==(const StmNode& other) const;
};
struct Stm {
  StmNode node;
  bool operator==(const Stm&) const = default;
};

// ---- programs

struct VarInfo {
  std::string name;
  ScalarType type;
  bool is_mutable = false;
};
struct BufferInfo {
  std::string name;
  ScalarType type;
  Space space = Space::kHost;
  int64_t constant_elements = 0;  // shared and private buffers, matrices: their size, no Alloc
  bool noalias = false;           // fresh memory: overlaps nothing else while it lives
  // Host functions: a buffer with contents is constant data; only loads and copies from it.
  std::vector<Scalar> contents = {};
  int64_t matrix_rows = 0;  // matrices: constant_elements / matrix_rows columns
  Span span = {};           // of the statement that needs it, for out_of_memory
};

// A failure that generated code can report; its operands are those of engine/failure.h.
struct Site {
  diag::Code code;
  Span span;
};

// One array result of an entry: dense, row-major, from `offset` elements on.
struct ArrayResult {
  BufferId buffer;
  Operand offset;
  Operands shape;
  ScalarType type;
};
// A result of an entry, in order: a scalar operand or an array.
using EntryResult = std::variant<Operand, ArrayResult>;

enum class FunctionKind : uint8_t { kHost, kKernel };

struct Function {
  std::string name;
  FunctionKind kind = FunctionKind::kHost;
  bool is_entry = false;
  // Parameters: the buffers and the scalars, each in order. An entry's: see `entry_params`.
  std::vector<BufferId> buffers;
  std::vector<VarId> scalars;
  // Entries: where each parameter of the Core function is, in order.
  struct EntryParam {
    bool is_array;
    int index;  // into `buffers` or `scalars`
    int rank;
    Operands shape;  // arrays: per dimension a constant or one of `scalars`, a size parameter
  };
  std::vector<EntryParam> entry_params;
  int size_params = 0;   // leading entry parameters that are sizes of the arrays
  int size_results = 0;  // leading results that only carry sizes
  Block body;
  std::vector<EntryResult> results;  // entries
  std::vector<VarId> result_vars;    // other functions
  std::vector<BufferId> result_buffers;
  int workgroup[3] = {1, 1, 1};  // kernels
  // Kernels: always launched right behind a launch with the same buffers, and may run at the same
  // time. Neither reads or writes an element that the other writes.
  bool concurrent = false;
};

struct Program {
  base::Store<VarInfo, VarId> vars;
  base::Store<BufferInfo, BufferId> buffers;
  std::vector<Site> sites;
  std::vector<Function> functions;

  // Of the statement that needs the buffer of this number; -1: of none.
  Span placeOf(int buffer) const {
    return buffer < 0 ? Span{} : buffers[BufferId(static_cast<size_t>(buffer))].span;
  }
  VarId addVar(std::string name, ScalarType type, bool is_mutable = false) {
    return vars.add({std::move(name), type, is_mutable});
  }
  const Function* find(const std::string& name) const;
};

}  // namespace halo::imp

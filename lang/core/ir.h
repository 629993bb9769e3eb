// Long because the whole language of this level is meant to be read in one place.
// Core: A-normal form, first order, monomorphic, arrays of scalars only, explicit i64 sizes; SOACs
// are nodes; there is no memory. The whole language of this level is in this header.
//
// Semantics
// - A Body is a list of statements, run in order, and the operands it returns.
// - Every value is bound once in a Program; names, types and spans of values are in
// Program::values.
//   A binder's type may mention earlier binders of the same list as sizes (`n: i64, xs: [n]f32`).
// - A size that only the result knows is an extra i64 result in front, for function, match, loop.
// - Arrays are values. `update`, `scatter` and `*` parameters consume their array: it and its
//   aliases (index, slice, rearrange, reshape are views) must not be used afterwards.
// - A checked statement can fail (codes 7xxx, at its span). A pass may move, fuse and merge checked
//   statements, but never drops one that would run, runs one that would not, or moves one across a
//   loop that may not end. A proven one cannot fail: a pass has shown it, or it follows an assert.
// - Reductions may associate in any order fixed by shapes; scans likewise.
//
// Every struct is a plain value; copying a Body copies everything below it. Equality is structural.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lang/base/containers/store.h"
#include "lang/diag/diagnostic.h"
#include "lang/prim/prim.h"
#include "lang/source/source.h"

namespace halo::core {

using prim::Scalar;
using prim::ScalarType;
using source::Span;
using ValueId = base::Id<struct ValueTag>;

// A use: of a value, or of a constant.
struct Operand {
  ValueId value;    // invalid: a constant
  Scalar constant;  // meaningful when there is no value

  Operand() = default;
  Operand(ValueId v) : value(v) {}    // NOLINT: used everywhere
  Operand(Scalar s) : constant(s) {}  // NOLINT
  static Operand ofI64(int64_t v) { return Scalar::ofI64(v); }
  bool isConstant() const { return !value.valid(); }
  friend bool operator==(const Operand&, const Operand&) = default;
};
using Operands = std::vector<Operand>;
inline const Operand kZero = Operand::ofI64(0), kOne = Operand::ofI64(1);

// rank 0: a scalar. Sizes are i64 operands; two sizes are equal when they are the same operand.
struct Type {
  ScalarType scalar = ScalarType::kI64;
  Operands shape;

  int rank() const { return static_cast<int>(shape.size()); }
  bool isScalar() const { return shape.empty(); }
  friend bool operator==(const Type&, const Type&) = default;
};

struct Stm;
struct Body {
  std::vector<Stm> stms;
  Operands results;
  bool operator==(const Body&) const;
};

struct Lambda {
  std::vector<ValueId> params;
  Body body;
  friend bool operator==(const Lambda&, const Lambda&) = default;
};

// ---- scalars

struct Literal {  // gives a constant a name; simplify removes it
  Scalar value;
  bool operator==(const Literal&) const = default;
};
// `f32.add a b`; checked if prim::canFail. `loose f32.add a b`: part of a float reduction that has
// been written out. It is reassociable, and a `loose` product may be fused into it
// (language.md#semantics).
struct PrimOp {
  prim::Op op;
  ScalarType type;
  Operands args;
  bool loose = false;
  bool operator==(const PrimOp&) const = default;
};
struct Convert {
  prim::ConvertKind kind;
  ScalarType from, to;
  Operand arg;
  bool operator==(const Convert&) const = default;
};
struct Select {  // both sides are computed already
  Operand condition, on_true, on_false;
  bool operator==(const Select&) const = default;
};

// ---- arrays

// Fewer indices than dimensions give a view of the rest. Checked: 7001.
struct Index {
  ValueId array;
  Operands indices;
  bool operator==(const Index&) const = default;
};
struct SliceDim {  // elements start, start + stride, ..; `length` of them
  Operand start, length, stride;
  bool operator==(const SliceDim&) const = default;
};
// A view, one SliceDim for each dimension of the array (whole dimensions spelled out). Checked:
// 7002 unless 0 <= every element's index < extent (nothing is checked of an empty dimension).
struct Slice {
  ValueId array;
  std::vector<SliceDim> dims;
  bool operator==(const Slice&) const = default;
};
// `array` with the part that `indices` (a prefix, as in Index), or `dims` if not empty, select
// replaced by `value`. Consumes array. Checked: 7001 or 7002.
struct Update {
  ValueId array;
  Operands indices;
  std::vector<SliceDim> dims;
  Operand value;
  bool operator==(const Update&) const = default;
};
struct Iota {  // start, start + step, ..; [count]type
  ScalarType type;
  Operand count, start, step;
  bool range = false;  // has no derivative; `range` in text, where derivatives are asked for
  bool operator==(const Iota&) const = default;
};
// [shape..]t for a scalar, [shape..][rest]t for an array. Sizes are >= 0: lower asserts (7005).
struct Replicate {
  Operands shape;
  Operand value;
  bool operator==(const Replicate&) const = default;
};
struct ArrayLiteral {  // [a, b, ..] of scalars or of equally shaped arrays; never empty
  ScalarType type;
  Operands elements;
  bool operator==(const ArrayLiteral&) const = default;
};
struct Scratch {  // undefined contents; [shape..]type
  ScalarType type;
  Operands shape;
  bool operator==(const Scratch&) const = default;
};
struct Rearrange {  // a view: dimension i of the result is dimension permutation[i] of the array
  ValueId array;
  std::vector<int> permutation;
  bool operator==(const Rearrange&) const = default;
};
struct Reshape {  // same elements in row-major order; equal products of sizes (lower asserts)
  ValueId array;
  Operands shape;
  bool operator==(const Reshape&) const = default;
};
struct Concat {  // along the outermost dimension, `size` in all
  std::vector<ValueId> arrays;
  Operand size;
  bool operator==(const Concat&) const = default;
};
struct Copy {  // fresh and dense
  ValueId array;
  bool operator==(const Copy&) const = default;
};

// ---- second-order

// Which versions of a SOAC and of all below it the program asked for (flattening.def): a set of
// attributes. Nothing here changes a result; engines without versions ignore it.
struct Flattening {
  enum Attribute : uint8_t {
#define FLATTENING(enumerator, word) enumerator,
#include "lang/core/flattening.def"
#undef FLATTENING
  };
  uint8_t bits = 0;

  bool has(Attribute attribute) const { return (bits >> attribute & 1) != 0; }
  bool any() const { return bits != 0; }
  void add(Attribute attribute) { bits = static_cast<uint8_t>(bits | 1u << attribute); }
  void add(Flattening other) { bits = static_cast<uint8_t>(bits | other.bits); }
  bool operator==(const Flattening&) const = default;
};

enum class Joins : uint8_t { kNothing, kChunks, kTiles };  // partial values of which kind

struct Reduction {
  Lambda op;  // params: accumulators then elements; neutral first
  Operands neutral;
  bool commutative = false;
  bool operator==(const Reduction&) const = default;
};
struct Scan {  // inclusive
  Lambda op;
  Operands neutral;
  bool operator==(const Scan&) const = default;
};
// map / reduce / scan / redomap / scanomap in one. `map` takes one element (a row, for inputs of
// higher rank) of each input. Its results are, in order: operands of the reductions, operands of
// the scans, results passed through. The statement's results come in the same order: reduced
// values, scanned arrays, mapped arrays. Identity maps are spelled out.
struct Screma {
  Operand width;
  std::vector<ValueId> inputs;
  Lambda map;
  std::vector<Reduction> reductions;
  std::vector<Scan> scans;
  Flattening flattening = {};
  // Instead of each reduced value an array of so many partial values (lane_sums.h): the node does
  // some rows of a longer reduction.
  std::optional<Operand> partial_values = {};
  // Each of these has so many elements, but for the last one. Of a scan: each is scanned alone.
  std::optional<Operand> chunk = {};
  // The elements are such partial values of all rows: the last part of the longer reduction.
  Joins joins = Joins::kNothing;
  bool operator==(const Screma&) const = default;
};
// Whether the screma has neither reductions nor scans.
inline bool isMap(const Screma& screma) {
  return screma.reductions.empty() && screma.scans.empty();
}

// The value outside of an axis (language.md#stencils). Of several axes outside with constants the
// outermost decides.
enum class BoundaryKind : uint8_t { kClamp, kMirror, kWrap, kConstant };
struct Boundary {
  BoundaryKind kind = BoundaryKind::kClamp;
  Operand value;  // kConstant: of the type of one element of the array
  bool operator==(const Boundary&) const = default;
};

// Instead of each reduced value of a stencil an array of so many partial values (tile_sums.h): the
// node does some rows of a longer reduction. Of its first axis `rows` count, from `first_row` on,
// in tiles of `lines` by `columns` cells; lines are rows of the last axis.
struct PartialTiles {
  Operand values;
  Operand first_row, rows;
  Operand lines, columns;
  bool operator==(const PartialTiles&) const = default;
};

// A neighbourhood of an array as input of a stencil. Static offsets: one vector of `rank` numbers
// per neighbour, outermost axis first, each neighbour one scalar parameter of the map lambda.
// Dynamic: `dynamic` holds one [d]i64 array per axis and the lambda gets one [d]t array.
struct Window {
  ValueId array;
  std::vector<Boundary> boundary;  // per axis
  std::vector<std::vector<int64_t>> offsets;
  std::vector<ValueId> dynamic;
  bool operator==(const Window&) const = default;
};
// A screma over an index space of rank 1-3. Lambda parameters: the windows' neighbours in order,
// then one element of each plain input (of rank >= that of the space), then the cell's position
// (i64) along each axis of `positions`. Reductions run over the whole space in row-major order.
struct Stencil {
  Operands space;
  std::vector<Window> windows;
  std::vector<ValueId> inputs;
  Lambda map;
  std::vector<Reduction> reductions;
  Flattening flattening = {};
  std::optional<PartialTiles> partial_tiles = {};
  std::vector<size_t> positions = {};  // axes
  bool operator==(const Stencil&) const = default;
};

struct ScatterDest {
  ValueId array;   // consumed
  int index_rank;  // how many of its dimensions are indexed; the rest is a row
  bool operator==(const ScatterDest&) const = default;
};
// For each i < width: map(inputs[i]) gives for each destination its indices (i64) and its value;
// pairs out of range are dropped. Several destinations are independent.
struct Scatter {
  Operand width;
  std::vector<ValueId> inputs;
  Lambda map;
  std::vector<ScatterDest> destinations;
  Flattening flattening = {};
  bool operator==(const Scatter&) const = default;
};

// For each i < width: map(inputs[i]) gives for each operation its indices (i64), then its values.
// Then destinations[j][indices] = op(destinations[j][indices], values); pairs out of range are
// dropped. All destinations of one operation have the same outer `index_rank` dimensions.
struct HistOp {
  std::vector<ValueId> destinations;  // consumed
  int index_rank = 1;
  Lambda op;  // params: accumulators then elements; associative and commutative
  Operands neutral;
  bool operator==(const HistOp&) const = default;
};
struct Hist {
  Operand width;
  std::vector<ValueId> inputs;
  Lambda map;
  std::vector<HistOp> operations;
  Flattening flattening = {};
  bool operator==(const Hist&) const = default;
};
struct PadDim {
  Operand before, after;  // >= 0 (lower asserts, 7005)
  Boundary boundary;
  bool operator==(const PadDim&) const = default;
};
// The outer dims.size() dimensions of the array grow on both sides. lower asserts (7015) that no
// axis without elements grows except by a constant. `shape`: those dimensions afterwards.
struct Pad {
  ValueId array;
  std::vector<PadDim> dims;
  Operands shape;
  bool operator==(const Pad&) const = default;
};
struct SlideDim {
  Operand size, step, count;  // windows of `size` elements at 0, step, ..; `count` of them
  bool operator==(const SlideDim&) const = default;
};
// A view: [n][m]t becomes [count_0][count_1][size_0][size_1]t. lower asserts (7015) that the
// windows fit exactly. Its elements alias each other: it is never consumed.
struct Slide {
  ValueId array;
  std::vector<SlideDim> dims;  // of the outer dimensions
  bool operator==(const Slide&) const = default;
};

// ---- control

struct Case {
  Scalar value;
  Body body;
  bool operator==(const Case&) const = default;
};
struct Match {  // `if c` is a match on a bool with the case `true`
  Operand scrutinee;
  std::vector<Case> cases;
  Body otherwise;
  bool operator==(const Match&) const = default;
};
struct Carried {
  ValueId param;
  Operand initial;
  bool consumed = false;  // `*`: the body may consume it, so `initial` is consumed too
  bool operator==(const Carried&) const = default;
};
struct ForLoop {  // i = 0 .. bound-1; bound may be negative: no iteration
  ValueId index;
  Operand bound;
  bool operator==(const ForLoop&) const = default;
};
struct WhileLoop {  // runs while this carried bool is true (tested before each iteration)
  int condition;    // position in `carried`
  bool operator==(const WhileLoop&) const = default;
};
struct Loop {
  std::vector<Carried> carried;
  std::variant<ForLoop, WhileLoop> form;
  Body body;  // returns the next value of each carried parameter
  bool operator==(const Loop&) const = default;
};
struct Call {  // of another function of the program, or (stage `kernels`) of a kernel
  std::string function;
  Operands args;
  bool operator==(const Call&) const = default;
};
// Fails with `code` and `operands` (engine/failure.h) unless `condition` holds.
struct Assert {
  Operand condition;
  diag::Code code;
  Operands operands;
  bool operator==(const Assert&) const = default;
};

using ExprNode =
    std::variant<Literal, PrimOp, Convert, Select, Index, Slice, Update, Iota, Replicate,
                 ArrayLiteral, Scratch, Rearrange, Reshape, Concat, Copy, Screma, Stencil, Scatter,
                 Match, Loop, Call, Assert, Hist, Pad, Slide>;
// One of the nodes above. Copies, moves and comparisons switch over all of them; ir.cpp holds the
// only instances, for each includer would compile its own.
struct Expr : ExprNode {
  using ExprNode::ExprNode;
  using ExprNode::operator=;
  Expr();
  Expr(const Expr& other);
  Expr(Expr&& other) noexcept;
  Expr& operator=(const Expr& other);
  Expr& operator=(Expr&& other) noexcept;
  ~Expr();
  bool operator==(const Expr& other) const;
};

struct Stm {
  std::vector<ValueId> results;
  Expr expr;
  bool checked = false;                      // see above; only on statements that can fail
  Span span;                                 // its place in the source; failures point at it
  bool operator==(const Stm& other) const {  // spans are not compared
    return results == other.results && expr == other.expr && checked == other.checked;
  }
};

// ---- programs

// Stage `kernels`: the kind of a function. A kernel opens with an index space (its outer
// dimensions) and is launched by Call from a host function. Sorts are kernels from lowering on.
enum class KernelKind : uint8_t {
#define KERNEL_KIND(enumerator, word) enumerator,
#include "lang/core/kernel_kind.def"
#undef KERNEL_KIND
};
struct KernelInfo {
  KernelKind kind;
  Operands space;
  // Where a rank has a share of the outermost extent: the whole one, which decides how sums are
  // divided, so that their order is that of one rank.
  std::optional<Operand> whole_extent = {};
  // Of a sort, if not empty: the function that sorts each row of flat arrays by the same order. Its
  // arguments are the number of all elements, the arrays, and the number of a row's elements.
  std::string row_sort = {};
  bool operator==(const KernelInfo&) const = default;
};

struct Function {
  std::string name;
  std::vector<ValueId> params;  // the first `size_params` are sizes of the arrays behind them
  int size_params = 0;
  std::vector<bool> consumed;    // per param: `*`
  std::vector<ValueId> results;  // binders that only carry the result types
  int size_results = 0;          // the first of them: sizes that only the result knows
  Body body;
  bool is_entry = false;
  std::vector<KernelInfo> kernel;  // empty or one
  // Of a rank's part: sizes among the params, and the whole sizes, params as well, of which they
  // are the rank's share.
  std::vector<std::pair<ValueId, ValueId>> shares;
  Span span;
  bool operator==(const Function& other) const {
    return name == other.name && params == other.params && size_params == other.size_params &&
           consumed == other.consumed && body == other.body && is_entry == other.is_entry &&
           kernel == other.kernel && shares == other.shares;
  }
};

struct ValueInfo {
  std::string name;  // hint; printed as name_id
  Type type;
};

struct Program {
  base::Store<ValueInfo, ValueId> values;
  std::vector<Function> functions;  // callees may come later

  const Type& type(ValueId id) const { return values[id].type; }
  Type type(const Operand& operand) const {
    return operand.isConstant() ? Type{operand.constant.type, {}} : values[operand.value].type;
  }
  ValueId add(std::string name, Type type) {
    return values.add({std::move(name), std::move(type)});
  }
  const Function* find(const std::string& name) const;
};

}  // namespace halo::core

// The rows of arrays that a rank has, while `shard` writes an entry: blocks of extents, and the own
// rows of each cut array. A value keeps its number where it is whole; its rows are a new value.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/base/check.h"
#include "lang/core/builder.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// Of sizes and places.
inline core::Operand binary(core::Builder& b, prim::Op op, const core::Operand& x,
                            const core::Operand& y) {
  return b.prim(op, prim::ScalarType::kI64, {x, y});
}
inline core::Operand divideUp(core::Builder& b, const core::Operand& x, const core::Operand& y) {
  return binary(b, prim::Op::kQuot, b.sub(b.add(x, y), core::kOne), y);
}

// Own rows and `above` and `below` rows of the neighbours: `ext` in all.
struct Strip {
  core::Operand k, above, below, before, behind, ext;
  int64_t reach;  // of a step; 0: of several
};

// Rows of an array in room for `reach` rows of each neighbour.
struct Room {
  core::ValueId value;
  int64_t reach;
  bool is_fresh;  // the neighbours' rows are there
  Strip strip;
};

class OwnRows {
 public:
  using Builder = core::Builder;
  using Operand = core::Operand;
  using ValueId = core::ValueId;

  struct Extent {
    Operand n;
    ValueId first, rows, smallest;
    Operand unit;   // of rows, of which blocks are multiples
    Operand chunk;  // of a sum over them (core/chunk_sums.h)
  };

  OwnRows(core::Program& program, const ShardPlan& plan, const ShardOptions& options,
          std::vector<std::string>* decisions)
      : program_(program), plan_(plan), options_(options), decisions_(decisions) {}

  core::Program& program() { return program_; }
  const ShardPlan& plan() const { return plan_; }
  const ShardOptions& options() const { return options_; }

  // The blocks of constant extents, and the rows of parameters.
  void begin(Builder& b, const core::Function& f);
  // Behind the binders of some values: the blocks of extents among them, whole arrays that are read
  // whole, rows that are read as rows.
  void bound(Builder& b, const std::vector<ValueId>& values, bool are_arguments = false);

  const Extent& extentOf(const Operand& n);
  Operand unit(const Operand& n) { return extentOf(n).unit; }

  core::Type rowsType(ValueId value, const Operand& rows) const;
  ValueId newRows(ValueId value);
  ValueId rowsOf(ValueId value) const;
  void setRows(ValueId value, ValueId rows) { rows_[value] = rows; }
  // Rows [start, start + rows) of an array that has others as well.
  ValueId slicedRows(Builder& b, ValueId array, const Operand& start, const Operand& rows);
  std::vector<ValueId> move(Builder& b, core::Move move, const std::string& name,
                            std::vector<core::Type> types, core::Operands args);
  // An argument of the entry that is read as rows.
  bool isViewed(ValueId value) const { return viewed_arguments_.contains(value); }
  // The node that made an array as rows out of nothing; nullptr for others.
  const core::Expr* madeOf(ValueId value) const;
  const core::Replicate* replicated(ValueId value) const;
  std::unordered_map<ValueId, Room>& rooms() { return rooms_; }
  const std::unordered_map<ValueId, Room>& rooms() const { return rooms_; }

  bool isCut(const core::Stm& stm) const;
  bool hasCut(const core::Stm& stm) const;
  // Nodes without inputs (iota, replicate), once more as rows.
  void made(Builder& b, const core::Stm& stm);
  // Views and copies of rows.
  void passOn(Builder& b, const core::Stm& stm);

  // A sentence of `--explain`, whose `{}_{}` is the value.
  void tell(const std::string& sentence, ValueId value) {
    if (decisions_ == nullptr) return;
    decisions_->push_back(
        fmt::format(fmt::runtime(sentence), program_.values[value].name, value.index));
  }

 private:
  void noteExtents(const core::Body& body);
  Extent* findExtent(const Operand& n);
  Operand unitOf(Builder& b, const Operand& n, const Operand& chunk) const;
  static Operand unitOfPlanes(Builder& b, const ShardPlan::Unit& unit);
  Operand chunkOf(Builder& b, const Operand& n) const;
  void emitBlock(Builder& b, const Operand& n);
  void gather(Builder& b, const std::vector<ValueId>& values);

  core::Program& program_;
  const ShardPlan& plan_;
  const ShardOptions& options_;
  std::vector<std::string>* decisions_;
  std::vector<Extent> extents_;
  std::unordered_map<ValueId, ValueId> rows_;  // of an array: the value with this rank's rows
  std::unordered_set<ValueId> viewed_arguments_;
  std::unordered_map<ValueId, core::Expr> made_;  // as rows
  std::unordered_map<ValueId, Room> rooms_;
};

// A writer of a kind of statements, over the own rows.
class RowWriter {
 public:
  explicit RowWriter(OwnRows& own)
      : own_(own), program_(own.program()), plan_(own.plan()), options_(own.options()) {}

 protected:
  using Builder = core::Builder;
  using Operand = core::Operand;
  using ValueId = core::ValueId;
  using Extent = OwnRows::Extent;

  OwnRows& own_;
  core::Program& program_;
  const ShardPlan& plan_;
  const ShardOptions& options_;
};

}  // namespace halo::passes

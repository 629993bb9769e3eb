// The host program of one rank: runs an entry behind `passes::parts`, whose statements are calls of
// parts, moves, and loops around these. An engine runs the parts; arrays stay where it puts them.
// Moves bring rows to the host, pass messages, and leave received rows in host memory; rows of
// neighbours and those of all ranks go from device to device where they can.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/distributed/all_gather.h"
#include "cli/distributed/checkpoints.h"
#include "cli/distributed/result_rows.h"
#include "cli/distributed/row_exchange.h"
#include "lang/core/ir.h"
#include "lang/core/moves.h"
#include "lang/engine/engine.h"
#include "lang/passes/late_scalars.h"
#include "lang/ranks/ranks.h"
#include "lang/ranks/route.h"

namespace halo::distributed {

// Prepares a program with one entry, of leaves.
using PreparePart = std::function<diag::Result<std::unique_ptr<engine::Prepared>>(
    const core::Program& program, const std::string& entry)>;

// How a call ended, alike on all ranks.
struct Outcome {
  enum class End {
    kResults,
    kFailed,       // a part on some rank
    kInterrupted,  // some rank
    kFile,         // could not be read or written; `diagnostic` on the first rank
    kLost,         // some rank has ended; `text` says more
  };
  End end = End::kResults;
  std::vector<value::Value> leaves;
  std::string text;
  std::optional<diag::Diagnostic> diagnostic;  // of this rank's own failure
};

class RankProgram {
 public:
  // `program` has gone through the passes of Pipeline::kRanks.
  // `copies`: of the engine's arrays. `checkpoints`: null if the program has no move for them. Only
  // the first rank uses it. `results`: null if all ranks want them.
  RankProgram(core::Program program, PreparePart prepare, ranks::Ranks& ranks,
              std::unique_ptr<engine::PageCopies> copies, Checkpoints* checkpoints = nullptr,
              ResultPlace* results = nullptr);

  // Collective. `leaves`: without sizes.
  Outcome call(const std::vector<value::Value>& leaves, const base::CancelFlag* cancel);
  const RowExchange& rows() const { return rows_; }
  const AllGather& allGather() const { return all_gather_; }
  // Whether there is another move than those of own rows: otherwise ranks have nothing to share.
  bool hasMoves() const;

 private:
  using Value = value::Value;
  using Values = std::vector<Value>;

  // ---- values
  // A late scalar (late_scalars.h) comes to the host, or stays where it is.
  Value get(const core::Operand& operand);
  Value whereItIs(const core::Operand& operand) const;
  bool isLate(const core::Operand& operand) const;
  int64_t number(const core::Operand& operand);
  void bind(core::ValueId id, Value value) { values_[id] = std::move(value); }
  void bindSizes(core::ValueId id, const Value& value);
  void forget(const core::Body& body);
  void noteLastUses(const core::Body& body, std::unordered_set<core::ValueId> own);

  // ---- statements; false: stopped
  bool run(const core::Body& body) { return run(body, 0, body.stms.size()); }
  bool run(const core::Body& body, size_t first, size_t end);
  bool statement(const core::Stm& stm);
  bool loop(const core::Stm& stm, const core::Loop& loop);
  enum class Step : uint8_t { kStopped, kEnd, kBegun, kNext };
  Step nextStep(const core::Loop& loop, const Values& carried, int64_t i);
  Step beginAhead(const core::Loop& loop, const Values& carried, size_t condition);
  bool match(const core::Stm& stm, const core::Match& match);
  bool part(const core::Stm& stm, const core::Call& call);
  diag::Result<Values> argumentsOf(const core::Function& part, const core::Call& call,
                                   const passes::LateScalars* late);
  engine::Prepared* prepared(const std::string& part);

  // ---- moves
  bool move(const core::Stm& stm, core::Move move, const core::Operands& args);
  void block(const core::Stm& stm, const core::Operands& args);
  bool rows(const core::Stm& stm, const core::Operands& args);
  void edges(const core::Stm& stm, const core::Operands& args);
  bool ghosts(const core::Stm& stm, const core::Operands& args);
  bool whole(const core::Stm& stm, const core::Operands& args);
  std::optional<size_t> onlyResult(core::ValueId value) const;
  bool result(core::ValueId value, size_t place, const ResultRows& rows,
              const std::vector<uint64_t>& bytes);
  bool paste(const core::Stm& stm, const core::Operands& args);
  bool renew(const core::Stm& stm, const core::Operands& args);
  diag::Result<value::Array> ownDense(const value::Array& array);
  bool bindGathered(const std::vector<core::ValueId>& results, std::vector<Contribution> arrays);
  diag::Result<std::vector<value::Array>> gathered(std::vector<Contribution> arrays);
  diag::Result<value::Array> gatheredByMessages(const Contribution& array);
  bool each(const core::Stm& stm, const core::Operands& args, int64_t kept);
  bool join(const core::Stm& stm, const core::Operands& args);
  bool route(const core::Stm& stm, const core::Operands& args);
  bool sendRows(core::ValueId result, const core::Operand& array, const ranks::Route& route);

  // ---- checkpoints
  bool resume(const core::Stm& stm, const core::Operands& args);
  bool steps(const core::Stm& stm, const core::Operands& args);
  bool save(const core::Stm& stm, const core::Operands& args);

  // ---- stops
  bool meet(uint64_t site);  // with all other ranks: does one of them stop?
  bool settle();
  bool stop(Outcome::End end);
  bool lost(const std::string& text);
  bool noRows(const diag::Diagnostic& diagnostic);  // or a part that fails
  bool failed(const diag::Diagnostic& diagnostic);
  bool noFile(const diag::Diagnostic& diagnostic);

  core::Program program_;
  const core::Function* entry_;
  PreparePart prepare_;
  ranks::Ranks& ranks_;
  Checkpoints* checkpoints_;
  ResultPlace* results_;
  RowExchange rows_;
  AllGather all_gather_;
  std::unordered_map<core::ValueId, int> uses_;  // other results of moves are not sent
  // Arrays that nothing mentions behind a statement of the same body.
  std::unordered_map<const core::Stm*, std::vector<core::ValueId>> last_uses_;
  std::map<std::string, std::unique_ptr<engine::Prepared>> parts_;
  std::map<std::string, passes::LateScalars> late_;  // by parts
  std::unordered_map<core::ValueId, Value> values_;
  Values arguments_;
  const base::CancelFlag* cancel_ = nullptr;
  Outcome::End end_ = Outcome::End::kResults;
  bool all_know_ = false;  // of the stop
  std::string text_;
  std::optional<diag::Diagnostic> diagnostic_;
};

}  // namespace halo::distributed

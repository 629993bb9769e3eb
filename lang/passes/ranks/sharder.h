// The entry that the plan asks for, statement by statement; each kind of statements has a writer.
#pragma once

#include <string>
#include <vector>

#include "lang/passes/ranks/shard_cycles.h"
#include "lang/passes/ranks/shard_padded.h"
#include "lang/passes/ranks/shard_routes.h"
#include "lang/passes/ranks/shard_rows.h"
#include "lang/passes/ranks/shard_scans.h"
#include "lang/passes/ranks/shard_stencils.h"
#include "lang/passes/ranks/shard_sums.h"

namespace halo::passes {

class Sharder {
 public:
  Sharder(core::Program& program, const ShardPlan& plan, const ShardOptions& options,
          std::vector<std::string>* decisions)
      : program_(program),
        plan_(plan),
        decisions_(decisions),
        own_(program, plan, options, decisions) {}

  core::Body function(const core::Function& f);

 private:
  using Builder = core::Builder;
  using Operand = core::Operand;
  using ValueId = core::ValueId;

  core::Body cutBody(const core::Function& f);
  void statements(Builder& b, const core::Body& body);
  void statement(Builder& b, const core::Stm& stm);
  void screma(Builder& b, const core::Stm& stm, const core::Screma& node);
  void save(Builder& b, const core::Stm& stm, core::Call call);
  void loop(Builder& b, const core::Stm& stm, const core::Loop& loop);
  void hostLoop(Builder& b, const core::Stm& stm, const core::Loop& loop);

  // ---- cut where sizes are large, else whole (shard_long_steps.cpp, shard_products.cpp)
  core::Body largeOrWhole(const core::Function& f);
  void longOrWhole(Builder& b, const core::Stm& stm, const core::Loop& loop);
  Operand isLarge(Builder& b, const std::vector<ShardPlan::LeastWork>& works);
  core::Body cutArm(const core::Stm& stm, const core::Loop& loop);
  core::Body wholeArm(const core::Stm& stm);

  core::Program& program_;
  const ShardPlan& plan_;
  std::vector<std::string>* decisions_;
  OwnRows own_;
  RankSums sums_{own_};
  RankScans scans_{own_, sums_};
  OwnStencils stencils_{own_, sums_};
  RankRoutes routes_{own_, sums_};
  PaddedLoops padded_{own_, sums_, stencils_};
  StencilCycles cycles_{own_, stencils_};
};

}  // namespace halo::passes

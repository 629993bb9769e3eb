#include "lang/passes/ranks/shard.h"

#include "lang/passes/fuse/split_maps.h"
#include "lang/passes/ranks/plan/shard_forms.h"
#include "lang/passes/ranks/sharder.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Loop;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;

}  // namespace

Body Sharder::function(const core::Function& f) {
  if (plan_.least_sizes.empty()) return cutBody(f);
  if (decisions_ != nullptr)
    decisions_->push_back("the entry is whole where its products, or pairs, are few");
  return largeOrWhole(f);
}

Body Sharder::cutBody(const core::Function& f) {
  Builder b(program_);
  own_.begin(b, f);
  statements(b, f.body);
  return b.take(f.body.results);
}

void Sharder::statements(Builder& b, const Body& body) {
  for (const Stm& stm : body.stms) statement(b, stm);
}

void Sharder::statement(Builder& b, const Stm& stm) {
  const auto* nested = std::get_if<Loop>(&stm.expr);
  if (nested != nullptr && own_.hasCut(stm)) {
    loop(b, stm, *nested);
  } else if (padded_.isPadded(stm)) {
    padded_.paddedNode(b, stm);
  } else if (core::isMove(stm, core::Move::kSave)) {
    save(b, stm, std::get<core::Call>(stm.expr));
  } else if (!own_.isCut(stm)) {
    b.append(stm);
    own_.made(b, stm);
  } else if (const auto* node = std::get_if<Screma>(&stm.expr)) {
    screma(b, stm, *node);
  } else if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
    stencils_.stencilOfRows(b, stm, *stencil);
  } else if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
    core::Hist own = *hist;
    own.width = own_.extentOf(own.width).rows;
    for (ValueId& input : own.inputs) input = own_.rowsOf(input);
    scans_.tablesOfRows(b, stm, std::move(own));
  } else if (passedOn(program_, stm)) {
    own_.passOn(b, stm);
  } else {
    routes_.routed(b, stm);
  }
  own_.bound(b, stm.results);
}

void Sharder::screma(Builder& b, const Stm& stm, const Screma& node) {
  if (padded_.sumsViews(stm, node)) return padded_.sumsInRoom(b, stm, node);
  Screma own = node;
  own.width = own_.extentOf(own.width).rows;
  for (ValueId& input : own.inputs) input = own_.rowsOf(input);
  const auto order = plan_.sums.find(stm.results[0]);
  const bool is_ordered_scan =
      order != plan_.sums.end() && order->second == ShardPlan::Sums::kScans;
  if (!own.scans.empty() && !is_ordered_scan) return scans_.scanOfRows(b, stm, std::move(own));
  if (order == plan_.sums.end()) {
    return sums_.nodeOfRows(b, stm, node.reductions, std::move(own));
  }
  switch (order->second) {
    case ShardPlan::Sums::kScans:
      return scans_.scanOfChunks(b, stm, std::move(own));
    case ShardPlan::Sums::kChunks:
      return sums_.chunkSums(b, stm, std::move(own));
    case ShardPlan::Sums::kSummands:
      return sums_.sumsOfSummands(b, stm, std::move(own));
    case ShardPlan::Sums::kElements:
      return sums_.partialSums(b, stm, std::move(own), true);
    case ShardPlan::Sums::kPartialValues:
    case ShardPlan::Sums::kTiles:
      return sums_.partialSums(b, stm, std::move(own), false);
  }
}

void Sharder::loop(Builder& b, const Stm& stm, const Loop& loop) {
  if (plan_.cycles.contains(stm.results.at(0))) {
    cycles_.cycles(b, stm, loop);
  } else if (plan_.least_work.contains(stm.results[0])) {
    longOrWhole(b, stm, loop);
  } else {
    hostLoop(b, stm, loop);
  }
}

// A checkpoint holds whole arrays, so that any number of ranks can continue it.
void Sharder::save(Builder& b, const Stm& stm, core::Call call) {
  for (Operand& arg : call.args) {
    if (!plan_.isCut(arg)) continue;
    const Type& type = program_.type(arg.value);
    const Operand n = type.shape[0];
    arg = b.bind(
        "all", Type(type),
        core::Call{core::name(core::Move::kWhole), {n, own_.unit(n), own_.rowsOf(arg.value)}});
  }
  b.append({stm.results, std::move(call), stm.checked, stm.span});
}

void Sharder::hostLoop(Builder& b, const Stm& stm, const Loop& loop) {
  const PaddedLoops::Outer outer = padded_.enter(b, loop);
  Loop own = loop;
  Stm result{{}, core::Literal{}, stm.checked, stm.span};
  std::vector<ValueId> params;
  Builder inner(program_);
  auto wide = [&](ValueId value) {
    return program_.add(std::string(program_.values[value].name),
                        own_.rowsType(value, padded_.ext()));
  };
  for (size_t k = 0; k < own.carried.size(); ++k) {
    core::Carried& carried = own.carried[k];
    const ValueId param = carried.param;
    params.push_back(param);
    if (padded_.isPadded(param)) {
      carried.initial = padded_.withRoom(b, carried.initial.value, false);
      carried.param = wide(param);
      result.results.push_back(wide(stm.results[k]));
    } else if (plan_.cut.contains(param)) {
      carried.initial = own_.rowsOf(carried.initial.value);
      carried.param = own_.newRows(param);
      result.results.push_back(own_.newRows(stm.results[k]));
    } else {
      result.results.push_back(stm.results[k]);
    }
  }
  if (const auto* counted = std::get_if<core::ForLoop>(&loop.form))
    params.push_back(counted->index);
  const auto around = own_.rooms();
  for (size_t k = 0; k < own.carried.size(); ++k) {
    const ValueId param = loop.carried[k].param;
    if (padded_.isPadded(param)) padded_.setPadded(inner, param, own.carried[k].param, false);
  }
  own_.bound(inner, params);
  statements(inner, loop.body);
  Operands results = loop.body.results;
  for (size_t k = 0; k < results.size(); ++k) {
    if (padded_.isPadded(loop.carried[k].param)) {
      results[k] = padded_.withRoom(inner, results[k].value, false);
    } else if (plan_.cut.contains(loop.carried[k].param)) {
      results[k] = own_.rowsOf(results[k].value);
    }
  }
  own.body = inner.take(std::move(results));
  if (padded_.isOpen() && own_.options().goes_beside) PaddedLoops::renewEarly(b, own);
  const std::vector<ValueId> made = result.results;
  result.expr = std::move(own);
  b.append(std::move(result));
  own_.rooms() = around;
  for (size_t k = 0; k < made.size(); ++k) {
    if (padded_.isPadded(loop.carried[k].param))
      padded_.setPadded(b, stm.results[k], made[k], false);
  }
  padded_.leave(outer);
}

core::Program shard(const core::Program& program, const ShardOptions& options,
                    std::vector<std::string>* decisions) {
  // As the engine does it with one rank, so that maps can be cut.
  const bool splits =
      options.sums == ShardOptions::Order::kLanes || options.sums == ShardOptions::Order::kSequence;
  core::Program result = splits ? splitMaps(program) : program;
  for (core::Function& function : result.functions) {
    if (!function.is_entry) continue;
    const core::Function before = function;
    const ShardPlan plan = planShards(result, before, options);
    if (decisions != nullptr) {
      decisions->insert(decisions->end(), plan.why_whole.begin(), plan.why_whole.end());
    }
    Sharder sharder(result, plan, options, decisions);
    core::Body body = sharder.function(before);
    function.body = std::move(body);
  }
  return result;
}

}  // namespace halo::passes

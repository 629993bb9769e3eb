// One iteration of the loop: the elements, the first node's map, its operators on carried values,
// the scatter's map, its writes.
#include "lang/passes/fuse/fuse_scans.h"

#include <algorithm>
#include <map>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/fuse/fusion_order.h"
#include "lang/passes/fuse/scan_lasts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

// Statements of a map that may run again. A device reads elements again in less time than it writes
// and reads places.
constexpr size_t kCheapMap = 12;
constexpr size_t kCheapOnDevice = 96;

std::optional<size_t> positionIn(const std::vector<ValueId>& list, ValueId value) {
  auto found = std::find(list.begin(), list.end(), value);
  if (found == list.end()) return std::nullopt;
  return static_cast<size_t>(found - list.begin());
}

class ScanFuser {
 public:
  ScanFuser(Program& program, const core::Function& function, JoinScan join = {})
      : program_(program), function_(function), join_(std::move(join)) {}

  // Without nested bodies.
  void fuseHere(Body& body) {
    reduceForLasts(program_, body, around_);
    if (std::none_of(body.stms.begin(), body.stms.end(), hasScan)) return;
    if (!order_) order_.emplace(program_, function_);
    order_->enter(body);
    while (step(body)) {
    }
  }
  void fuseBody(Body& body) {
    fuseHere(body);
    const size_t mark = around_.size();
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { fuseBody(nested); });
      if (std::holds_alternative<core::PrimOp>(stm.expr)) around_.push_back(&stm);
    }
    around_.resize(mark);
  }

 private:
  bool step(Body& body) {
    auto inputs = [](const ParallelNode& node) { return node.inputs; };
    return order_->joinFirst(0, inputs, [&](size_t p, size_t c) {
      if (order_->node(p)->scans.empty()) return false;
      if (order_->node(c)->isScatter()) return join(body, p, c) || joinBehindSums(body, p, c);
      return join_ && isMap(*order_->node(c)) && join(body, p, c);
    });
  }

  static bool hasScan(const Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    return screma != nullptr && !screma->scans.empty();
  }
  static bool isMap(const ParallelNode& node) {
    return !node.isInPlace() && !node.isStencil() && node.reductions.empty() && node.scans.empty();
  }

  bool join(Body& body, size_t p, size_t c) {
    const ParallelNode& scan = *order_->node(p);
    const ParallelNode& scatter = *order_->node(c);
    if (scan.space != scatter.space || !hasScalarOperators(scan)) return false;
    if (!ownsElements(c, scan, scatter) || order_->clobbers(p, scatter)) return false;
    auto depends = order_->dependents(p, c);
    if (!depends) return false;
    std::optional<Stm> joined =
        join_ ? join_(body.stms[p], body.stms[c]) : std::optional(joint(scan, scatter));
    if (!joined) return false;
    order_->replace(body, p, c, *depends, std::move(*joined));
    return true;
  }

  bool isCheap(const std::vector<Stm>& stms) const {
    return stms.size() <= (join_ ? kCheapOnDevice : kCheapMap) &&
           std::all_of(stms.begin(), stms.end(), [](const Stm& stm) {
             return !core::mayFail(stm) && isTotalScalar(stm.expr);
           });
  }

  // The same with the first node's reductions in front of it.
  bool joinBehindSums(Body& body, size_t p, size_t c) {
    ParallelNode scan = *order_->node(p);
    if (scan.reductions.empty() || !isCheap(scan.stms)) return false;
    ParallelNode sums = scan;
    scan.reductions.clear(), scan.reduced.clear(), scan.reduced_results.clear();
    sums.scans.clear(), sums.scanned.clear(), sums.scanned_results.clear();
    sums.mapped.clear(), sums.mapped_results.clear();
    Stm first = compose(std::move(sums));
    auto& screma = std::get<core::Screma>(first.expr);
    screma.map = core::freshCopy(program_, screma.map);
    return order_->joinSecond(body, p, c, std::move(first), compose(std::move(scan)),
                              [&](size_t i, size_t k) { return join(body, i, k); });
  }

  template <typename List>
  bool areScalars(const List& operators) const {
    return std::all_of(operators.begin(), operators.end(), [&](const auto& combiner) {
      return std::all_of(combiner.neutral.begin(), combiner.neutral.end(),
                         [&](const Operand& o) { return program_.type(o).isScalar(); });
    });
  }
  bool hasScalarOperators(const ParallelNode& scan) const {
    return areScalars(scan.reductions) && areScalars(scan.scans);
  }

  // Is the scatter the only reader of the first node's results, element by element?
  bool ownsElements(size_t c, const ParallelNode& scan, const ParallelNode& scatter) {
    ParallelNode without = scatter;
    without.inputs.clear();
    without.input_params.clear();
    FusionOrder::ValueSet whole = core::freeValues(program_, compose(std::move(without)));
    auto isOwned = [&](ValueId result) {
      return !whole.contains(result) && !order_->isUsedBeside(c, result);
    };
    auto isElement = [&](const Operand& o) { return program_.type(o).isScalar(); };
    const bool takes_sums = join_ && scatter.isScatter();  // the caller decides
    return (takes_sums ||
            std::none_of(scan.reduced_results.begin(), scan.reduced_results.end(),
                         [&](ValueId result) { return order_->used(c).contains(result); })) &&
           std::all_of(scan.scanned_results.begin(), scan.scanned_results.end(), isOwned) &&
           std::all_of(scan.mapped_results.begin(), scan.mapped_results.end(), isOwned) &&
           std::all_of(scan.mapped.begin(), scan.mapped.end(), isElement);
  }

  // ---- the loop

  Stm joint(const ParallelNode& scan, const ParallelNode& scatter) {
    core::Loop loop;
    Stm stm;
    stm.span = scatter.span;
    const ValueId index = program_.add("i", {});
    loop.form = core::ForLoop{index, scan.space[0]};
    core::Builder builder(program_);
    for (size_t k = 0; k < scan.inputs.size(); ++k) {
      builder.append({{scan.input_params[k]}, core::Index{scan.inputs[k], {index}}, false, {}});
    }
    for (const Stm& inner : scan.stms) builder.append(inner);
    Operands next = combineAll(builder, scan.reductions, scan.reduced, loop);
    stm.results = scan.reduced_results;
    const Operands counters = combineAll(builder, scan.scans, scan.scanned, loop);
    for (const Operand& counter : counters) {
      next.push_back(counter);
      stm.results.push_back(program_.add("last", program_.type(counter)));
    }
    place(builder, scan, scatter, counters, index);
    for (const Operand& written : writeAll(builder, scatter, loop)) next.push_back(written);
    stm.results.insert(stm.results.end(), scatter.scatter_results.begin(),
                       scatter.scatter_results.end());
    loop.body = builder.take(std::move(next));
    stm.expr = std::move(loop);
    return stm;
  }

  // Carries the accumulators of these operators; their next values.
  template <typename List>
  Operands combineAll(core::Builder& builder, const List& operators, const Operands& elements,
                      core::Loop& loop) {
    Operands all;
    size_t next = 0;
    for (const auto& combiner : operators) {
      Operands args;
      for (const Operand& neutral : combiner.neutral) {
        const ValueId sum = program_.add("sum", program_.type(neutral));
        loop.carried.push_back({sum, neutral, false});
        args.push_back(sum);
      }
      for (size_t k = 0; k < combiner.neutral.size(); ++k) args.push_back(elements[next++]);
      auto [stms, results] = core::apply(program_, combiner.op, args);
      for (Stm& inner : stms) builder.append(std::move(inner));
      all.insert(all.end(), results.begin(), results.end());
    }
    return all;
  }

  // The results of the scatter's lambda from the counters and the elements.
  void place(core::Builder& builder, const ParallelNode& scan, const ParallelNode& scatter,
             const Operands& counters, ValueId index) {
    core::Substitution known;
    for (size_t k = 0; k < scatter.inputs.size(); ++k) {
      const ValueId input = scatter.inputs[k], param = scatter.input_params[k];
      if (auto at = positionIn(scan.scanned_results, input)) {
        known[param] = counters[*at];
      } else if (auto made = positionIn(scan.mapped_results, input)) {
        known[param] = scan.mapped[*made];
      } else {
        builder.append({{param}, core::Index{input, {index}}, false, {}});
      }
    }
    Body body{scatter.stms, scatter.scattered};
    core::substitute(program_, body, known);
    for (Stm& inner : body.stms) builder.append(std::move(inner));
    places_ = std::move(body.results);
  }

  Operands writeAll(core::Builder& builder, const ParallelNode& scatter, core::Loop& loop) {
    const int writes = writesOf(scatter.destinations, scatter.scattered.size());
    Operands written;
    size_t next = 0;
    for (const core::ScatterDest& destination : scatter.destinations) {
      ValueId array = program_.add("written", program_.type(destination.array));
      loop.carried.push_back({array, destination.array, true});
      for (int w = 0; w < writes; ++w) {
        array = write(builder, array, static_cast<size_t>(destination.index_rank), next);
      }
      written.push_back(array);
    }
    return written;
  }

  // Pairs out of range are dropped.
  ValueId write(core::Builder& builder, ValueId array, size_t rank, size_t& next) {
    const core::Type type = program_.type(array);
    core::Update update{array, {}, {}, {}};
    Operand inside = prim::Scalar::ofBool(true);
    for (size_t axis = 0; axis < rank; ++axis) {
      const Operand at = places_[next++];
      const Operand low = builder.prim(Op::kLe, ScalarType::kI64, {Operand::ofI64(0), at});
      const Operand high = builder.prim(Op::kLt, ScalarType::kI64, {at, type.shape[axis]});
      const Operand both = builder.prim(Op::kAnd, ScalarType::kBool, {low, high});
      inside = axis == 0 ? both : builder.prim(Op::kAnd, ScalarType::kBool, {inside, both});
      update.indices.push_back(at);
    }
    update.value = places_[next++];
    core::Builder arm(program_);
    const ValueId changed = arm.bind("written", type, std::move(update));
    core::Match match{inside, {{prim::Scalar::ofBool(true), arm.take({changed})}}, {{}, {array}}};
    return builder.bind("written", type, std::move(match));
  }

  std::vector<const Stm*> around_;  // operations in front of a nested body, in all those around it
  Operands places_;                 // indices and value for each destination
  Program& program_;
  const core::Function& function_;
  std::optional<FusionOrder> order_;  // made for the first body with a scan
  JoinScan join_;
};

}  // namespace

core::Program fuseScans(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    ScanFuser(result, function).fuseBody(body);
  });
}

void joinScans(Program& program, const core::Function& function, Body& body, const JoinScan& join) {
  ScanFuser(program, function, join).fuseHere(body);
}

}  // namespace halo::passes

// The joint loop writes the scatter's values in each iteration (scan_loop.h).
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
#include "lang/passes/fuse/scan_loop.h"
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
    const auto isElement = [&](const Operand& o) { return program_.type(o).isScalar(); };
    const bool takes_sums = join_ && scatter.isScatter();  // the caller decides
    return (takes_sums || !order_->readsSums(c, scan)) && order_->ownsElements(c, scan, scatter) &&
           std::all_of(scan.mapped.begin(), scan.mapped.end(), isElement);
  }

  // ---- the loop

  Stm joint(const ParallelNode& scan, const ParallelNode& scatter) {
    ScanLoop loop(program_, scan);
    places_ = loop.elementOf(scatter, scatter.scattered);
    const Operands written = writeAll(loop, scatter);
    return loop.take(written, scatter.scatter_results, scatter.span);
  }

  Operands writeAll(ScanLoop& loop, const ParallelNode& scatter) {
    const int writes = writesOf(scatter.destinations, scatter.scattered.size());
    Operands written;
    size_t next = 0;
    for (const core::ScatterDest& destination : scatter.destinations) {
      ValueId array = loop.carry("written", destination.array, true);
      for (int w = 0; w < writes; ++w) {
        array = write(loop.code(), array, static_cast<size_t>(destination.index_rank), next);
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

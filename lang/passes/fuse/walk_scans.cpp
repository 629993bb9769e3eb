// The joint loop has the reduction's operators behind its map (scan_loop.h).
#include "lang/passes/fuse/walk_scans.h"

#include <algorithm>
#include <optional>

#include "lang/core/definitions.h"
#include "lang/core/lane_sums.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/fusion_order.h"
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

// Elements, and what branches read.
std::vector<ValueId> readArrays(const ParallelNode& node) {
  std::vector<ValueId> arrays = node.inputs;
  for (const Stm& stm : node.stms) {
    core::visitBodies(stm.expr, [&](const Body& nested) {
      for (const Stm& inner : nested.stms) {
        const auto* read = std::get_if<core::Index>(&inner.expr);
        if (read != nullptr) arrays.push_back(read->array);
      }
    });
  }
  return arrays;
}

// The choices of a reduction's map that are values in front of its elements: the scan's neutral
// element for the first one, its value of the elements before for others.
class ValuesInFront {
 public:
  ValuesInFront(const core::Definitions& definitions, const ParallelNode& scan,
                const ParallelNode& reader)
      : definitions_(definitions), scan_(scan) {
    for (const core::Scan& one : scan.scans) {
      neutral_.insert(neutral_.end(), one.neutral.begin(), one.neutral.end());
    }
    for (size_t i = 0; i < reader.inputs.size(); ++i) {
      const auto* iota = definitions.node<core::Iota>(reader.inputs[i]);
      if (iota != nullptr && iota->start == Operand::ofI64(0) && iota->step == Operand::ofI64(1)) {
        positions_.push_back(reader.input_params[i]);
      }
    }
  }

  // The scanned value of each result of this statement; none if it is another one.
  std::vector<size_t> of(const Stm& stm) const {
    const auto* match = std::get_if<core::Match>(&stm.expr);
    if (match == nullptr || match->cases.size() != 1) return {};
    const core::Case& first = match->cases[0];
    if (!first.body.stms.empty() || first.value != prim::Scalar::ofBool(true)) return {};
    const auto* test = definitions_.node<core::PrimOp>(match->scrutinee);
    if (test == nullptr || test->op != Op::kEq || !isPosition(test->args[0])) return {};
    if (test->args[1] != Operand::ofI64(0)) return {};
    std::vector<size_t> found;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const auto scanned = readInFront(match->otherwise.results[k]);
      if (!scanned || first.body.results[k] != neutral_[*scanned]) return {};
      found.push_back(*scanned);
    }
    return readsAlone(*match) ? found : std::vector<size_t>();
  }

 private:
  bool isPosition(const Operand& operand) const {
    return !operand.isConstant() && positionIn(positions_, operand.value).has_value();
  }
  // Reads of places in front hold; any other check of the arm, or a loop, must run.
  static bool readsAlone(const core::Match& match) {
    const core::Operands& reads = match.otherwise.results;
    return std::all_of(match.otherwise.stms.begin(), match.otherwise.stms.end(), [&](const Stm& s) {
      const bool is_read = s.results.size() == 1 &&
                           std::find(reads.begin(), reads.end(), s.results[0]) != reads.end();
      return is_read || !core::mayFail(s);
    });
  }
  std::optional<size_t> readInFront(const Operand& operand) const {
    const auto* read = definitions_.node<core::Index>(operand);
    if (read == nullptr || read->indices.size() != 1) return std::nullopt;
    const auto* before = definitions_.node<core::PrimOp>(read->indices[0]);
    if (before == nullptr || before->op != Op::kSub || !isPosition(before->args[0])) return {};
    if (before->args[1] != Operand::ofI64(1)) return std::nullopt;
    return positionIn(scan_.scanned_results, read->array);
  }

  const core::Definitions& definitions_;
  const ParallelNode& scan_;
  Operands neutral_;
  std::vector<ValueId> positions_;
};

class ScanWalker {
 public:
  ScanWalker(Program& program, const core::Function& function)
      : program_(program),
        definitions_(core::Definitions::inside(function.body)),
        order_(program, function) {}

  void walkBody(Body& body) {
    order_.enter(body);
    while (step(body)) {
    }
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { walkBody(nested); });
    }
  }

 private:
  bool step(Body& body) {
    return order_.joinFirst(0, readArrays, [&](size_t p, size_t c) { return join(body, p, c); });
  }

  bool join(Body& body, size_t p, size_t c) {
    const ParallelNode &scan = *order_.node(p), &sum = *order_.node(c);
    if (scan.scans.empty() || scan.isStencil() || !isReduction(sum)) return false;
    if (scan.space != sum.space || !goesFromTheLeft(scan) || !goesFromTheLeft(sum)) return false;
    if (hasLoops(scan) || hasLoops(sum)) return false;
    ParallelNode reader = sum;
    core::Substitution in_front;  // results of choices: places of scanned values
    takeChoices(scan, reader, in_front);
    if (in_front.empty() || order_.readsSums(c, scan)) return false;
    if (!order_.ownsElements(c, scan, reader)) return false;
    const auto depends = order_.dependents(p, c);
    if (!depends) return false;
    order_.replace(body, p, c, *depends, joint(scan, reader, in_front));
    return true;
  }

  static bool isReduction(const ParallelNode& node) {
    return !node.reductions.empty() && node.scans.empty() && node.mapped.empty() &&
           !node.isInPlace() && !node.isStencil();
  }
  // Reductions in lanes are faster on their own.
  bool goesFromTheLeft(const ParallelNode& node) const {
    const core::Lambda map{node.input_params, {node.stms, node.reduced}};
    const auto isScalar = [&](const Operand& o) { return program_.type(o).isScalar(); };
    return std::all_of(node.reduced.begin(), node.reduced.end(), isScalar) &&
           std::all_of(node.scanned.begin(), node.scanned.end(), isScalar) &&
           std::all_of(node.mapped.begin(), node.mapped.end(), isScalar) &&
           (node.reductions.empty() || !core::reducesInLanes(program_, map, node.reductions));
  }

  // Maps with loops are nodes of their own, with lanes and threads (split_maps.h).
  static bool hasLoops(const ParallelNode& node) {
    return std::any_of(node.stms.begin(), node.stms.end(), [](const Stm& stm) {
      bool found = isLoop(stm);
      core::visitBodies(stm.expr, [&](const Body& nested) {
        core::visitStms(nested, [&](const Stm& inner) { found = found || isLoop(inner); });
      });
      return found;
    });
  }
  static bool isLoop(const Stm& stm) {
    return std::holds_alternative<core::Loop>(stm.expr) || decompose(stm).has_value();
  }

  // Takes the choices out of the reader's map.
  void takeChoices(const ParallelNode& scan, ParallelNode& reader, core::Substitution& in_front) {
    const ValuesInFront values(definitions_, scan, reader);
    std::vector<Stm> others;
    for (Stm& stm : reader.stms) {
      const std::vector<size_t> found = values.of(stm);
      for (size_t k = 0; k < found.size(); ++k) {
        in_front[stm.results[k]] = Operand::ofI64(static_cast<int64_t>(found[k]));
      }
      if (found.empty()) others.push_back(std::move(stm));
    }
    reader.stms = std::move(others);
  }

  Stm joint(const ParallelNode& scan, const ParallelNode& reader,
            const core::Substitution& in_front) {
    ScanLoop loop(program_, scan);
    core::Substitution known;
    for (const auto& [choice, place] : in_front) {
      known[choice] = loop.before(static_cast<size_t>(place.constant.asSigned()));
    }
    const Operands reduced = loop.elementOf(reader, reader.reduced, std::move(known));
    const Operands sums = loop.combineAll(reader.reductions, reduced);
    return loop.take(sums, reader.reduced_results, reader.span);
  }

  Program& program_;
  core::Definitions definitions_;
  FusionOrder order_;
};

}  // namespace

Program walkScans(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function& function, Body& body) {
    bool has_scans = false;  // most functions have none
    core::visitStms(body, [&](const Stm& stm) { has_scans = has_scans || hasScan(stm); });
    if (has_scans) ScanWalker(result, function).walkBody(body);
  });
}

}  // namespace halo::passes

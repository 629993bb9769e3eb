// One iteration of the loop: the elements, the scan's map, its operators on carried values, the
// reduction's map with the values in front, its operators.
#include "lang/passes/fuse/walk_scans.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "lang/core/builder.h"
#include "lang/core/lane_sums.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/fusion_order.h"
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

std::optional<size_t> positionIn(const std::vector<ValueId>& list, ValueId value) {
  const auto found = std::find(list.begin(), list.end(), value);
  if (found == list.end()) return std::nullopt;
  return static_cast<size_t>(found - list.begin());
}

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

// The nodes of a function by their results.
class Makers {
 public:
  explicit Makers(const Body& body) {
    core::visitStms(body, [&](const Stm& stm) {
      for (const ValueId result : stm.results) made_[result] = &stm;
    });
  }
  template <typename Node>
  const Node* find(const Operand& operand) const {
    const auto found = operand.isConstant() ? made_.end() : made_.find(operand.value);
    return found == made_.end() ? nullptr : std::get_if<Node>(&found->second->expr);
  }

 private:
  std::unordered_map<ValueId, const Stm*> made_;
};

// The choices of a reduction's map that are values in front of its elements: the scan's neutral
// element for the first one, its value of the elements before for others.
class ValuesInFront {
 public:
  ValuesInFront(const Makers& makers, const ParallelNode& scan, const ParallelNode& reader)
      : makers_(makers), scan_(scan) {
    for (const core::Scan& one : scan.scans) {
      neutral_.insert(neutral_.end(), one.neutral.begin(), one.neutral.end());
    }
    for (size_t i = 0; i < reader.inputs.size(); ++i) {
      const auto* iota = makers.find<core::Iota>(reader.inputs[i]);
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
    const auto* test = makers_.find<core::PrimOp>(match->scrutinee);
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
    const auto* read = makers_.find<core::Index>(operand);
    if (read == nullptr || read->indices.size() != 1) return std::nullopt;
    const auto* before = makers_.find<core::PrimOp>(read->indices[0]);
    if (before == nullptr || before->op != Op::kSub || !isPosition(before->args[0])) return {};
    if (before->args[1] != Operand::ofI64(1)) return std::nullopt;
    return positionIn(scan_.scanned_results, read->array);
  }

  const Makers& makers_;
  const ParallelNode& scan_;
  Operands neutral_;
  std::vector<ValueId> positions_;
};

class ScanWalker {
 public:
  ScanWalker(Program& program, const core::Function& function)
      : program_(program), makers_(function.body), order_(program, function) {}

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
    if (in_front.empty() || !ownsElements(c, scan, reader)) return false;
    const auto depends = order_.dependents(p, c);
    if (!depends) return false;
    order_.replace(body, p, c, *depends, joint(scan, std::move(reader), in_front));
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
    const ValuesInFront values(makers_, scan, reader);
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

  // Does the reader alone take the scan's arrays, element by element?
  bool ownsElements(size_t c, const ParallelNode& scan, const ParallelNode& reader) {
    ParallelNode without = reader;
    without.inputs.clear();
    without.input_params.clear();
    const FusionOrder::ValueSet whole = core::freeValues(program_, compose(std::move(without)));
    const auto isOwned = [&](ValueId result) {
      return !whole.contains(result) && !order_.isUsedBeside(c, result);
    };
    const auto isRead = [&](ValueId result) { return order_.used(c).contains(result); };
    return std::none_of(scan.reduced_results.begin(), scan.reduced_results.end(), isRead) &&
           std::all_of(scan.scanned_results.begin(), scan.scanned_results.end(), isOwned) &&
           std::all_of(scan.mapped_results.begin(), scan.mapped_results.end(), isOwned);
  }

  // ---- the loop

  Stm joint(const ParallelNode& scan, ParallelNode reader, const core::Substitution& in_front) {
    core::Loop loop;
    Stm stm;
    stm.span = reader.span;
    const ValueId index = program_.add("i", {});
    loop.form = core::ForLoop{index, scan.space[0]};
    core::Builder builder(program_);
    for (size_t k = 0; k < scan.inputs.size(); ++k) {
      builder.append({{scan.input_params[k]}, core::Index{scan.inputs[k], {index}}, false, {}});
    }
    for (const Stm& inner : scan.stms) builder.append(inner);
    Operands next = combineAll(builder, scan.reductions, scan.reduced, loop);
    const size_t first = loop.carried.size();
    const Operands counters = combineAll(builder, scan.scans, scan.scanned, loop);
    core::Substitution known;
    for (const auto& [choice, place] : in_front) {
      known[choice] = loop.carried[first + static_cast<size_t>(place.constant.asSigned())].param;
    }
    const Operands reduced = elementOf(builder, scan, reader, counters, known, index);
    const Operands sums = combineAll(builder, reader.reductions, reduced, loop);
    next.insert(next.end(), counters.begin(), counters.end());
    next.insert(next.end(), sums.begin(), sums.end());
    stm.results = scan.reduced_results;
    for (const Operand& last : counters) {
      stm.results.push_back(program_.add("last", program_.type(last)));
    }
    stm.results.insert(stm.results.end(), reader.reduced_results.begin(),
                       reader.reduced_results.end());
    loop.body = builder.take(std::move(next));
    stm.expr = std::move(loop);
    return stm;
  }

  // What the reader's map makes of an element.
  Operands elementOf(core::Builder& builder, const ParallelNode& scan, const ParallelNode& reader,
                     const Operands& counters, core::Substitution known, ValueId index) {
    for (size_t k = 0; k < reader.inputs.size(); ++k) {
      const ValueId input = reader.inputs[k], param = reader.input_params[k];
      if (const auto at = positionIn(scan.scanned_results, input)) {
        known[param] = counters[*at];
      } else if (const auto made = positionIn(scan.mapped_results, input)) {
        known[param] = scan.mapped[*made];
      } else {
        builder.append({{param}, core::Index{input, {index}}, false, {}});
      }
    }
    Body body{reader.stms, reader.reduced};
    core::substitute(program_, body, known);
    for (Stm& inner : body.stms) builder.append(std::move(inner));
    return std::move(body.results);
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
        args.push_back(program_.add("sum", program_.type(neutral)));
        loop.carried.push_back({args.back().value, neutral, false});
      }
      for (size_t k = 0; k < combiner.neutral.size(); ++k) args.push_back(elements[next++]);
      auto [stms, results] = core::apply(program_, combiner.op, args);
      for (Stm& inner : stms) builder.append(std::move(inner));
      all.insert(all.end(), results.begin(), results.end());
    }
    return all;
  }

  Program& program_;
  Makers makers_;
  FusionOrder order_;
};

}  // namespace

Program walkScans(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function& function, Body& body) {
    ScanWalker(result, function).walkBody(body);
  });
}

}  // namespace halo::passes

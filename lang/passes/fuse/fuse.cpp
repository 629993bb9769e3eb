// Which two statements to join, and the joint one; where it goes is fusion_order.h.
#include "lang/passes/fuse/fuse.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/fuse_chains.h"
#include "lang/passes/fuse/fusion_order.h"
#include "lang/passes/fuse/recompute.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;
using ValueSet = FusionOrder::ValueSet;

// Horizontal fusion: more results than registers hold gain nothing by another one.
constexpr size_t kMaxResults = 64;
// Of a literal that a cell keeps for itself: a block of a digest or a cipher.
constexpr size_t kMaxOwnElements = 32;

class Fuser {
 public:
  Fuser(Program& program, const core::Function& function)
      : program_(program), order_(program, function) {}

  void fuseBody(Body& body) {
    fuseChains(program_, body);
    order_.enter(body);
    while (step(body)) {
    }
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) {
        enter(stm, nested);
        fuseBody(nested);
      });
    }
  }

 private:
  // Arrays that differ from step to step, if `nested` is the body of a loop.
  void enter(const Stm& stm, const Body& nested) {
    steps_.clear();
    const auto* loop = std::get_if<core::Loop>(&stm.expr);
    if (loop == nullptr || takesParts(nested)) return;
    for (const core::Carried& carried : loop->carried) steps_.insert(carried.param);
    for (const Stm& inner : nested.stms) {
      steps_.insert(inner.results.begin(), inner.results.end());
    }
  }

  // A step that takes rows of arrays, as return loops do of tapes: no engine does several at once.
  bool takesParts(const Body& step) const {
    return std::any_of(step.stms.begin(), step.stms.end(), [&](const Stm& stm) {
      return std::holds_alternative<core::Index>(stm.expr) &&
             !program_.type(stm.results[0]).isScalar();
    });
  }

  // Recomputed last: nodes fused by now need no array between, and are one consumer.
  bool step(Body& body) {
    enum : size_t { kVertical, kHorizontal, kRecomputed, kElements };
    auto inputs = [](const ParallelNode& node) { return node.inputs; };
    auto windowed = [](const ParallelNode& node) { return node.windowed(); };
    return order_.joinFirst(kVertical, inputs, [&](size_t p, size_t c) {
      return vertical(body, p, c);
    }) || order_.joinSharers(kHorizontal, [&](size_t p, size_t c) {
      return horizontal(body, p, c);
    }) || order_.joinFirst(kRecomputed, windowed, [&](size_t p, size_t c) {
      return recomputed(body, p, c);
    }) || order_.joinFirst(kElements, FusionOrder::arraysOf, [&](size_t p, size_t c) {
      return takesElements(body, p, c);
    });
  }

  // ---- the three kinds of pairs

  bool vertical(Body& body, size_t p, size_t c) {
    const ParallelNode &producer = *order_.node(p), &consumer = *order_.node(c);
    if (producer.isInPlace() || producer.space != consumer.space) return false;
    // Attributes that differ ask for different versions.
    if (producer.flattening.any() && consumer.flattening.any() &&
        producer.flattening != consumer.flattening) {
      return false;
    }
    const std::vector<ValueId>& mapped = producer.mapped_results;
    // Only as plain inputs: any other use, or of another result, needs the whole node done before.
    Operands elements(consumer.inputs.size());
    std::vector<bool> connected(consumer.inputs.size());
    for (size_t i = 0; i < consumer.inputs.size(); ++i) {
      auto found = std::find(mapped.begin(), mapped.end(), consumer.inputs[i]);
      if (found == mapped.end()) continue;
      elements[i] = producer.mapped[static_cast<size_t>(found - mapped.begin())];
      connected[i] = true;
      if (!isFusableElement(producer, elements[i], consumer, consumer.input_params[i])) {
        return false;
      }
    }
    if (usesOtherwise(body.stms[p], producer, consumer)) return false;
    if (order_.clobbers(p, consumer)) return false;
    return join(body, p, c, producer, consumer, elements, connected);
  }

  bool horizontal(Body& body, size_t p, size_t c) {
    const ParallelNode &producer = *order_.node(p), &consumer = *order_.node(c);
    if (producer.isScatter() != consumer.isScatter() || producer.isHist() != consumer.isHist() ||
        producer.space != consumer.space || producer.flattening != consumer.flattening ||
        body.stms[p].results.size() + body.stms[c].results.size() > kMaxResults ||
        hasNest(producer) || hasNest(consumer)) {
      return false;
    }
    for (ValueId result : body.stms[p].results) {
      if (order_.used(c).contains(result)) return false;
    }
    if (order_.clobbers(p, consumer)) return false;
    std::vector<bool> none(consumer.inputs.size());
    return join(body, p, c, producer, consumer, Operands(consumer.inputs.size()), none);
  }

  bool recomputed(Body& body, size_t p, size_t c) {
    const ParallelNode &producer = *order_.node(p), &consumer = *order_.node(c);
    if (!variesLike(producer, consumer)) return false;
    for (ValueId result : body.stms[p].results) {
      if (order_.isUsedBeside(c, result)) return false;
    }
    ParallelNode others = consumer;
    others.windows.clear();
    others.window_params.clear();
    if (usesOtherwise(body.stms[p], producer, others)) return false;
    std::optional<Recomputed> joint = recomputeProducer(program_, producer, consumer);
    if (joint && !joint->before.empty() && isStep(consumer)) return false;
    auto depends = joint ? order_.dependents(p, c) : std::nullopt;
    if (!depends) return false;
    order_.replace(body, p, c, *depends, compose(std::move(joint->node)));
    order_.insert(body, p, std::move(joint->before));
    return true;
  }

  // The two are not fused, because others use results of the producer, or the consumer has a window
  // on a costly one.
  bool takesElements(Body& body, size_t p, size_t c) {
    const ParallelNode &producer = *order_.node(p), &consumer = *order_.node(c);
    if (!variesLike(producer, consumer) || !order_.mayRepeat(p, c)) return false;
    for (const bool has_windows : {true, false}) {
      const std::vector<ValueId> elements = elementsOf(c, producer, consumer, has_windows);
      std::optional<Recomputed> whole = recomputeElements(program_, producer, elements, consumer);
      if (!whole || (isStep(consumer) && !whole->before.empty())) continue;
      order_.replace(body, c, compose(std::move(whole->node)));
      order_.insert(body, p, std::move(whole->before));
      return true;
    }
    return false;
  }
  // Results of the producer of which the consumer alone takes cells: its own, with `has_windows`
  // neighbours, too.
  std::vector<ValueId> elementsOf(size_t c, const ParallelNode& producer,
                                  const ParallelNode& consumer, bool has_windows) {
    ParallelNode others = consumer;
    others.inputs.clear();
    others.input_params.clear();
    std::vector<ValueId> taken = consumer.inputs;
    if (has_windows) {
      others.windows.clear();
      others.window_params.clear();
      for (ValueId array : consumer.windowed()) taken.push_back(array);
    }
    ValueSet elsewhere = core::freeValues(program_, compose(std::move(others)));
    std::vector<ValueId> elements;
    for (ValueId made : producer.mapped_results) {
      bool is_taken = std::find(taken.begin(), taken.end(), made) != taken.end();
      bool is_else = elsewhere.contains(made) || order_.isUsedBeside(c, made);
      if (is_taken && !is_else) elements.push_back(made);
    }
    return elements;
  }
  bool isStep(const ParallelNode& node) const {
    return !steps_.empty() &&
           std::all_of(node.windows.begin(), node.windows.end(),
                       [&](const core::Window& window) { return steps_.contains(window.array); });
  }
  // In a loop the engines do several steps at once if all windows are on arrays that change.
  bool variesLike(const ParallelNode& producer, const ParallelNode& consumer) const {
    if (!isStep(consumer)) return true;
    auto varies = [&](ValueId array) { return steps_.contains(array); };
    auto of_window = [&](const core::Window& window) { return varies(window.array); };
    return std::all_of(producer.inputs.begin(), producer.inputs.end(), varies) &&
           std::all_of(producer.windows.begin(), producer.windows.end(), of_window);
  }

  // Several nests and loops in one lambda are harder to make parallel than two nests.
  static bool hasNest(const ParallelNode& node) {
    bool nest = false;
    for (const Stm& stm : node.stms) {
      core::visitBodies(stm.expr, [&](const Body&) {
        nest = nest || !std::holds_alternative<core::Match>(stm.expr);
      });
    }
    return nest;
  }

  // A scalar. A row that a node in the producer's lambda makes and nodes in the consumer's take,
  // which then fuse, too. A row of another array (`xs[i]`, a slice) that the consumer reads. A
  // short literal whose elements it reads. Any other row would become an array of each cell.
  bool isFusableElement(const ParallelNode& producer, const Operand& element,
                        const ParallelNode& consumer, ValueId param) const {
    if (program_.type(element).isScalar()) return true;
    bool is_made = false, is_view = false;
    const core::ArrayLiteral* literal = nullptr;
    for (const Stm& stm : producer.stms) {
      if (std::find(stm.results.begin(), stm.results.end(), element.value) == stm.results.end()) {
        continue;
      }
      is_made = decompose(stm).has_value();
      is_view = std::holds_alternative<core::Index>(stm.expr) ||
                std::holds_alternative<core::Slice>(stm.expr);
      literal = std::get_if<core::ArrayLiteral>(&stm.expr);
    }
    if (!is_made && !is_view && literal == nullptr) return false;
    Body lambda{consumer.stms, allResults(consumer)};
    auto counts = core::useCounts(program_, lambda);
    const auto uses = counts.find(param);
    if (uses == counts.end()) return true;
    if (literal != nullptr) {
      int elements = 0;
      core::visitStms(lambda, [&](const Stm& stm) {
        const auto* index = std::get_if<core::Index>(&stm.expr);
        elements += index != nullptr && index->array == param;
      });
      return literal->elements.size() <= kMaxOwnElements && program_.type(element).rank() == 1 &&
             uses->second == elements;
    }
    const int reads = is_view ? readsIn(consumer.stms, param) : inputsIn(consumer.stms, param);
    return uses->second == reads;
  }

  // How often nodes among the statements take the array as a plain input.
  static int inputsIn(const std::vector<Stm>& stms, ValueId array) {
    int inputs = 0;
    for (const Stm& stm : stms) {
      const auto node = decompose(stm);
      if (!node) continue;
      inputs += static_cast<int>(std::count(node->inputs.begin(), node->inputs.end(), array));
    }
    return inputs;
  }

  // The same, with elements and slices of it, in inner bodies too: uses that leave it as it is.
  static int readsIn(const std::vector<Stm>& stms, ValueId array) {
    int reads = inputsIn(stms, array);
    for (const Stm& stm : stms) {
      if (auto* index = std::get_if<core::Index>(&stm.expr)) reads += index->array == array;
      if (auto* slice = std::get_if<core::Slice>(&stm.expr)) reads += slice->array == array;
      core::visitBodies(stm.expr, [&](const Body& inner) { reads += readsIn(inner.stms, array); });
    }
    return reads;
  }

  static Operands allResults(const ParallelNode& node) {
    Operands all = node.reduced;
    for (const auto* list : {&node.scanned, &node.mapped, &node.scattered}) {
      all.insert(all.end(), list->begin(), list->end());
    }
    return all;
  }

  // Does the consumer use results of the producer other than as plain inputs?
  bool usesOtherwise(const Stm& producer_stm, const ParallelNode& producer,
                     const ParallelNode& consumer) {
    ParallelNode without = consumer;
    without.inputs.clear();
    without.input_params.clear();
    ValueSet used = core::freeValues(program_, compose(std::move(without)));
    for (ValueId result : producer_stm.results) {
      if (used.contains(result)) return true;
    }
    // Reduced and scanned results as inputs are no elements of the map.
    size_t combined = producer_stm.results.size() - producer.mapped_results.size();
    for (size_t i = 0; i < combined; ++i) {
      ValueId result = producer_stm.results[i];
      if (std::count(consumer.inputs.begin(), consumer.inputs.end(), result) > 0) return true;
    }
    return false;
  }

  // ---- joining

  bool join(Body& body, size_t p, size_t c, const ParallelNode& producer,
            const ParallelNode& consumer, const Operands& elements,
            const std::vector<bool>& connected) {
    auto depends = order_.dependents(p, c);
    if (!depends) return false;
    ParallelNode joint = joinNodes(c, producer, consumer, connected);
    if (!isComposable(joint)) return false;

    core::Substitution params;
    for (size_t i = 0; i < connected.size(); ++i) {
      if (connected[i]) params[consumer.input_params[i]] = elements[i];
    }
    Stm stm = compose(std::move(joint));
    core::substitute(program_, stm.expr, params);
    order_.replace(body, p, c, *depends, std::move(stm));
    return true;
  }

  ParallelNode joinNodes(size_t c, const ParallelNode& producer, const ParallelNode& consumer,
                         const std::vector<bool>& connected) {
    ParallelNode joint = producer;
    joint.span = consumer.span;
    joint.flattening.add(consumer.flattening);
    auto append = [](auto& list, const auto& tail) {
      list.insert(list.end(), tail.begin(), tail.end());
    };
    append(joint.windows, consumer.windows);
    append(joint.window_params, consumer.window_params);
    for (size_t i = 0; i < consumer.inputs.size(); ++i) {
      if (connected[i]) continue;
      joint.inputs.push_back(consumer.inputs[i]);
      joint.input_params.push_back(consumer.input_params[i]);
    }
    append(joint.positions, consumer.positions);
    append(joint.position_params, consumer.position_params);
    append(joint.stms, consumer.stms);
    append(joint.reductions, consumer.reductions);
    append(joint.reduced, consumer.reduced);
    append(joint.reduced_results, consumer.reduced_results);
    append(joint.scans, consumer.scans);
    append(joint.scanned, consumer.scanned);
    append(joint.scanned_results, consumer.scanned_results);
    dropUnused(c, joint);
    append(joint.mapped, consumer.mapped);
    append(joint.mapped_results, consumer.mapped_results);
    append(joint.destinations, consumer.destinations);
    append(joint.operations, consumer.operations);
    append(joint.scattered, consumer.scattered);
    append(joint.scatter_results, consumer.scatter_results);
    return joint;
  }

  // Mapped results of the producer that only the consumer used.
  void dropUnused(size_t c, ParallelNode& joint) {
    for (size_t i = 0; i < joint.mapped_results.size();) {
      ValueId result = joint.mapped_results[i];
      bool by_consumer = order_.used(c).contains(result);
      if (!by_consumer || order_.isUsedBeside(c, result)) {
        ++i;
        continue;
      }
      joint.mapped_results.erase(joint.mapped_results.begin() + static_cast<std::ptrdiff_t>(i));
      joint.mapped.erase(joint.mapped.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  Program& program_;
  FusionOrder order_;
  ValueSet steps_;  // in the body of a loop
};

}  // namespace

core::Program fuse(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Fuser(result, function).fuseBody(body);
  });
}

}  // namespace halo::passes

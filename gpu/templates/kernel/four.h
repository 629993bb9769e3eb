// The common part of templates that take four elements at a time: a node's operators as one, and
// its map's results for an element.
#pragma once

#include <unordered_set>

#include "gpu/schedule/node_code.h"
#include "gpu/templates/kernel/lanes.h"
#include "gpu/templates/kernel/levels.h"
#include "gpu/templates/kernel/tree.h"

namespace halo::gpu {

inline constexpr size_t kFour = 4;

// All scans, or all reductions, of a node on the values of all.
class Operators {
 public:
  Operators(KernelScope& scope, const core::Screma& screma);
  // Sums of integers of these types.
  Operators(KernelScope& scope, std::vector<prim::ScalarType> sums);

  const std::vector<prim::ScalarType>& types() const { return types_; }
  const imp::Operands& neutral() const { return neutral_; }
  // Integers under + * min max & | ^: any order gives the same bits.
  bool areReorderable() const { return are_reorderable_; }

  imp::Operands apply(const imp::Operands& left, const imp::Operands& right);
  // condition ? op(left, right) : right
  imp::Operands join(const imp::Operand& condition, const imp::Operands& left,
                     const imp::Operands& right);
  imp::Operands select(const imp::Operand& condition, const imp::Operands& yes,
                       const imp::Operands& no);
  imp::Operands shuffle(imp::ShuffleKind kind, const imp::Operands& values,
                        const imp::Operand& lane);
  std::vector<imp::VarId> declare(const char* name, const imp::Operands& initial);
  std::vector<imp::BufferId> shared(const char* name, int64_t elements);
  imp::Operands load(const std::vector<imp::BufferId>& buffers, const imp::Operand& at);
  void store(const std::vector<imp::BufferId>& buffers, const imp::Operand& at,
             const imp::Operands& values);

 private:
  KernelScope& scope_;
  std::vector<Combiner> single_;
  std::vector<prim::ScalarType> types_;
  imp::Operands neutral_;
  bool are_reorderable_ = true;
};

// The first of four elements to read, of `cells` (host): memory has room behind the last one, but
// no more than for a vector.
imp::Operand firstInMemory(KernelScope& scope, const imp::Operand& cells,
                           const imp::Operand& first);

// The map of a nest's innermost level.
class ElementMap {
 public:
  // `cells`: host, of all segments.
  ElementMap(KernelScope& scope, const std::vector<const core::Screma*>& levels,
             const OuterLevels& outer, const FlatInputs& flat, imp::Operand cells);

  // The names that the levels around bind at these indices of theirs, for elements of that segment.
  imp::Environment bound(const imp::Operand& segment, const imp::Operands& indices);

  // Of each flat input its elements first .. first + 3, as far as there are any.
  std::vector<imp::Operands> load(const imp::Operand& first);

  // Where an element is: its number among all, its result of `load`, and the indices of all
  // levels, for which code is made when they are needed.
  struct Element {
    imp::Operand number;
    const std::vector<imp::Operands>& loaded;
    size_t which;  // of the four
    std::function<imp::Operands()> indices;
    const imp::Environment* levels = nullptr;  // of its segment, if bound() was asked
  };
  // The values for `ops`; results passed on are stored. Where the element is not `inside`, the
  // values are neutral ones, or with `any_outside` may be whatever there is.
  imp::Operands values(Operators& ops, const Element& element, const imp::Operand& inside,
                       bool any_outside);

  // The same, but results that are whole arrays stand behind the values, for storeFour. Stores of
  // one element each would go to the same bytes of memory four times.
  imp::Operands valuesAndPassed(Operators& ops, const Element& element, const imp::Operand& inside,
                                bool any_outside);
  // Stores the results that valuesAndPassed gave of elements first .. first + 3, and removes them.
  // `first` is a multiple of 4; `insides`: of each element, all of them under `all_inside`.
  void storeFour(const imp::Operand& first, const imp::Operand& all_inside,
                 const imp::Operands& insides, std::vector<imp::Operands>& four);

 private:
  imp::Operands guarded(Operators& ops, const Element& element, const imp::Operand& inside,
                        bool any_outside, const std::vector<size_t>& passed);
  imp::Operands compute(const Element& element, const std::vector<size_t>& passed);
  std::vector<size_t> passedWhole() const;  // numbers of results

  KernelScope& scope_;
  const core::Screma& screma_;
  const OuterLevels& outer_;
  const FlatInputs& flat_;
  imp::Operand cells_;
  size_t arity_ = 0;  // results that go to the operators
};

}  // namespace halo::gpu

// Follows the arrays from statement to statement. Each knows the carried arrays it was made of: one
// use at an unknown place, and all of these stay arrays. Then it starts again without them.
#include "lang/passes/loops/element_uses.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

using Roots = uint64_t;  // carried values by their numbers
// Of nodes that `unroll` will write out. Longer ones are parallel work.
constexpr int64_t kMaxWidth = 16;
constexpr int64_t kMaxNode = 512;  // statements
// Statements that a division or square root counts for: a GPU's exact ones are long. Eight springs
// with one of each, at 2048 x 2048 points: 105 us on an H200 as a loop, 265 written out.
constexpr int64_t kDivision = 160;

class Uses {
 public:
  Uses(const core::Program& program, const core::Loop& loop, const DefinitionOf& definition)
      : program_(program), loop_(loop), definition_(definition) {}

  // Carried arrays of `candidates` that no use rules out.
  Roots run(Roots candidates, bool index_known) {
    if (const auto* form = std::get_if<core::ForLoop>(&loop_.form); form && index_known)
      numbers_.emplace(form->index, true);
    for (size_t i = 0; i < loop_.carried.size(); ++i)
      if ((candidates >> i & 1) != 0) arrays_.emplace(loop_.carried[i].param, Roots{1} << i);
    uses_.statements = count(loop_.body);
    for (size_t i = 0; i < loop_.carried.size(); ++i) {
      const Operand& result = loop_.body.results[i];
      const bool is_known = !result.isConstant() && arrays_.count(result.value) > 0;
      if ((candidates >> i & 1) == 0) {
        refuse(result);
      } else if (!is_known) {
        refused_ |= Roots{1} << i;
      }
    }
    return candidates & ~refused_;
  }
  const ElementUses& uses() const { return uses_; }

 private:
  bool isNumber(const Operand& o) const { return o.isConstant() || numbers_.count(o.value) > 0; }
  bool areNumbers(const Operands& os) const {
    return std::all_of(os.begin(), os.end(), [&](const Operand& o) { return isNumber(o); });
  }
  bool isByIndex(const Operands& os) const {
    return std::any_of(os.begin(), os.end(), [&](const Operand& o) {
      return !o.isConstant() && numbers_.count(o.value) > 0 && numbers_.at(o.value);
    });
  }
  const core::Expr* definitionOf(ValueId array) const {
    const auto made = made_.find(array);
    return made != made_.end() ? made->second : definition_(array);
  }
  bool isKnown(ValueId array) const {
    if (arrays_.count(array) > 0) return true;
    const core::Expr* made = definitionOf(array);
    return made != nullptr && elementsOf(program_, *made).has_value();
  }
  Roots rootsOf(const Operand& o) const {
    const auto found = o.isConstant() ? arrays_.end() : arrays_.find(o.value);
    return found == arrays_.end() ? 0 : found->second;
  }
  void refuse(const Operand& o) { refused_ |= rootsOf(o); }
  void refuseAll(const core::Expr& expr) {
    core::forEachOperand(expr, [&](const Operand& o) { refuse(o); });
    core::visitBodies(expr, [&](const Body& below) {
      for (ValueId used : core::freeValues(program_, below)) refuse(Operand(used));
    });
  }

  int64_t count(const Body& body) {
    int64_t statements = 0;
    for (const Stm& stm : body.stms) statements += count(stm);
    return statements;
  }

  // Statements that are left of this one.
  int64_t count(const Stm& stm) {
    if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) return countNode(stm, *screma);
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) return countArms(stm, *match);
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) return countLoop(*loop);
    if (const auto* index = std::get_if<core::Index>(&stm.expr)) {
      useElement(index->array, index->indices);
      return 1;
    }
    if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
      refuse(update->value);
      useElement(update->array, update->indices);
      if (isKnown(update->array) && update->dims.empty() && areNumbers(update->indices))
        arrays_.emplace(stm.results[0], rootsOf(Operand(update->array)));
      return 0;
    }
    if (const auto* copy = std::get_if<core::Copy>(&stm.expr); copy && isKnown(copy->array)) {
      arrays_.emplace(stm.results[0], rootsOf(Operand(copy->array)));
      return 0;
    }
    if (elementsOf(program_, stm.expr)) {
      made_.emplace(stm.results[0], &stm.expr);
      arrays_.emplace(stm.results[0], 0);
      return 0;
    }
    return countOther(stm);
  }

  void useElement(ValueId array, const Operands& indices) {
    if (program_.type(array).rank() != static_cast<int>(indices.size()) || !areNumbers(indices)) {
      refuse(Operand(array));
    } else if (isKnown(array) && isByIndex(indices)) {
      uses_.are_by_index = true;
    }
  }

  static bool isDivision(const Stm& stm) {
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr) return false;
    const bool is_remainder = op->op == prim::Op::kMod || op->op == prim::Op::kRem;
    return is_remainder || op->op == prim::Op::kDiv || op->op == prim::Op::kQuot ||
           op->op == prim::Op::kSqrt;
  }

  int64_t countOther(const Stm& stm) {
    const bool is_scalar = std::holds_alternative<core::PrimOp>(stm.expr) ||
                           std::holds_alternative<core::Convert>(stm.expr) ||
                           std::holds_alternative<core::Select>(stm.expr);
    Operands operands;
    core::forEachOperand(stm.expr, [&](const Operand& o) { operands.push_back(o); });
    if (is_scalar && areNumbers(operands)) {
      numbers_.emplace(stm.results[0], isByIndex(operands));
      return 0;
    }
    refuseAll(stm.expr);
    int64_t statements = isDivision(stm) ? kDivision : 1;
    core::visitBodies(stm.expr, [&](const Body& below) {
      core::visitStms(below, [&](const Stm&) { statements++; });
      uses_.have_unwritten = true;
    });
    return statements;
  }

  // A loop inside may read elements of the arrays around it.
  int64_t countLoop(const core::Loop& loop) {
    uses_.have_unwritten = true;
    for (const core::Carried& carried : loop.carried) refuse(carried.initial);
    const int64_t statements = 1 + count(loop.body);
    for (const Operand& result : loop.body.results) refuse(result);
    return statements;
  }

  // Where the arm is known, its arrays are.
  int64_t countArms(const Stm& stm, const core::Match& match) {
    int64_t statements = 1;
    const auto arms = core::armsOf(match);
    for (const Body* arm : arms) statements += count(*arm);
    for (size_t i = 0; i < stm.results.size(); ++i) {
      bool is_known = isNumber(match.scrutinee);
      Roots roots = 0;
      for (const Body* arm : arms) {
        const Operand& result = arm->results[i];
        is_known = is_known && !result.isConstant() && arrays_.count(result.value) > 0;
        roots |= rootsOf(result);
      }
      if (is_known) {
        arrays_.emplace(stm.results[i], roots);
      } else {
        refused_ |= roots;
      }
    }
    return statements;
  }

  // Of a map or sum over known elements, which `unroll` writes out.
  bool isSmall(const Stm& stm, const core::Screma& node) const {
    if (!node.width.isConstant() || node.inputs.empty()) return false;
    const int64_t width = node.width.constant.asSigned();
    bool is_small = width >= 1 && width <= kMaxWidth;
    for (ValueId input : node.inputs)
      is_small = is_small && program_.type(input).rank() == 1 && isKnown(input);
    int64_t statements = 0;
    core::visitBodies(stm.expr, [&](const Body& below) {
      core::visitStms(below, [&](const Stm& inner) {
        ++statements;
        core::visitBodies(inner.expr, [&](const Body&) {
          is_small = is_small && std::holds_alternative<core::Match>(inner.expr);
        });
      });
    });
    return is_small && statements * width <= kMaxNode;
  }

  int64_t countNode(const Stm& stm, const core::Screma& node) {
    if (!isSmall(stm, node)) return countOther(stm);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const core::Expr* made = definitionOf(node.inputs[i]);
      if (made != nullptr && std::holds_alternative<core::Iota>(*made))
        numbers_.emplace(node.map.params[i], false);
    }
    int64_t statements = 0;
    core::visitBodies(stm.expr, [&](const Body& below) { statements += count(below); });
    for (ValueId result : stm.results)
      if (program_.type(result).rank() == 1) arrays_.emplace(result, 0);
    return statements * node.width.constant.asSigned();
  }

  const core::Program& program_;
  const core::Loop& loop_;
  const DefinitionOf& definition_;
  std::unordered_map<ValueId, bool> numbers_;  // known ones; whether the loop's index gives them
  std::unordered_map<ValueId, Roots> arrays_;  // of known elements, and what they were made of
  std::unordered_map<ValueId, const core::Expr*> made_;
  Roots refused_ = 0;
  ElementUses uses_;
};

bool isShortRow(const core::Type& type) {
  return type.rank() == 1 && type.shape[0].isConstant() && type.shape[0].constant.asSigned() >= 1 &&
         type.shape[0].constant.asSigned() <= kMaxKnownElements;
}

}  // namespace

ElementUses elementUses(const core::Program& program, const core::Loop& loop,
                        const DefinitionOf& definition, bool index_known) {
  Roots candidates = 0;
  for (size_t i = 0; i < std::min<size_t>(loop.carried.size(), 64); ++i)
    if (isShortRow(program.type(loop.carried[i].param))) candidates |= Roots{1} << i;
  for (;;) {
    Uses attempt(program, loop, definition);
    const Roots left = attempt.run(candidates, index_known);
    if (left == candidates) {
      ElementUses uses = attempt.uses();
      for (size_t i = 0; i < loop.carried.size(); ++i)
        uses.known.push_back(i < 64 && (left >> i & 1) != 0);
      return uses;
    }
    candidates = left;
  }
}

std::optional<Operands> elementsOf(const core::Program& program, const core::Expr& made) {
  const auto isFew = [](const Operand& count) {
    return count.isConstant() && count.constant.asSigned() >= 1 &&
           count.constant.asSigned() <= kMaxKnownElements;
  };
  const auto isScalar = [&](const Operand& o) { return program.type(o).isScalar(); };
  if (const auto* literal = std::get_if<core::ArrayLiteral>(&made)) {
    const Operands& all = literal->elements;
    if (all.size() <= kMaxKnownElements && std::all_of(all.begin(), all.end(), isScalar))
      return all;
  }
  const auto* replicate = std::get_if<core::Replicate>(&made);
  if (replicate && replicate->shape.size() == 1 && isFew(replicate->shape[0]) &&
      isScalar(replicate->value))
    return Operands(static_cast<size_t>(replicate->shape[0].constant.asSigned()), replicate->value);
  const auto* iota = std::get_if<core::Iota>(&made);
  if (iota == nullptr || !isFew(iota->count) || !iota->start.isConstant() ||
      !iota->step.isConstant())
    return std::nullopt;
  Operands numbers;
  const int64_t start = iota->start.constant.asSigned(), step = iota->step.constant.asSigned();
  for (int64_t i = 0; i < iota->count.constant.asSigned(); ++i)
    numbers.emplace_back(core::Scalar::ofSigned(
        iota->type, static_cast<int64_t>(static_cast<uint64_t>(start) +
                                         static_cast<uint64_t>(i) * static_cast<uint64_t>(step))));
  return numbers;
}

}  // namespace halo::passes

// Counted loops: the pieces add the steps before them to the index. Loops with a condition: a piece
// ends when the condition does, or after its steps.
#include "lang/passes/ranks/checkpoint.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Carried;
using core::ForLoop;
using core::kOne;
using core::kZero;
using core::Loop;
using core::Move;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::Type;
using core::ValueId;
using core::WhileLoop;
using prim::Op;
using prim::ScalarType;

const Type kStepType{ScalarType::kI64, {}};
const Type kConditionType{ScalarType::kBool, {}};

class Pieces {
 public:
  explicit Pieces(Program& program) : program_(program) {}

  void entry(Body& body) {
    Builder b(program_);
    for (Stm& stm : body.stms) {
      const auto* loop = std::get_if<Loop>(&stm.expr);
      if (loop != nullptr && keepsShapes(*loop)) {
        inPieces(b, stm, *loop);
        ++count_;
      } else {
        b.append(std::move(stm));
      }
    }
    body = b.take(std::move(body.results));
  }
  int count() const { return count_; }

 private:
  // ---- the loop of pieces

  struct Outer {
    ValueId step, goes_on;
    std::vector<ValueId> carried;
  };

  // Whether no size of a carried array is carried itself.
  bool keepsShapes(const Loop& loop) const {
    std::unordered_set<ValueId> params;
    for (const Carried& carried : loop.carried) params.insert(carried.param);
    return std::all_of(loop.carried.begin(), loop.carried.end(), [&](const Carried& carried) {
      const auto& shape = program_.type(carried.param).shape;
      return std::none_of(shape.begin(), shape.end(), [&](const Operand& size) {
        return !size.isConstant() && params.contains(size.value);
      });
    });
  }

  void inPieces(Builder& b, const Stm& stm, const Loop& loop) {
    const Operand number = Operand::ofI64(count_);
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    const Operand bound = counted != nullptr ? inI64(b, counted->bound) : Operand();
    const std::vector<ValueId> resumed = resume(b, number, loop);
    const Outer outer{program_.add("step", kStepType), program_.add("goes_on", kConditionType),
                      params(loop)};
    const Operand goes_on =
        counted != nullptr ? isBelow(b, resumed[0], bound) : resumed[1 + conditionOf(loop)];
    Loop pieces;
    pieces.form = WhileLoop{1};
    pieces.carried.push_back({outer.step, resumed[0]});
    pieces.carried.push_back({outer.goes_on, goes_on});
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      pieces.carried.push_back({outer.carried[k], resumed[k + 1], loop.carried[k].consumed});
    }
    pieces.body = counted != nullptr ? countedPiece(number, outer, stm, loop, bound)
                                     : openPiece(number, outer, stm, loop);
    Stm result{{program_.add("steps", kStepType), program_.add("ended", kConditionType)},
               std::move(pieces),
               stm.checked,
               stm.span};
    result.results.insert(result.results.end(), stm.results.begin(), stm.results.end());
    b.append(std::move(result));
  }

  std::vector<ValueId> resume(Builder& b, const Operand& number, const Loop& loop) {
    Operands args{number};
    std::vector<Type> types{kStepType};
    for (const Carried& carried : loop.carried) {
      args.push_back(carried.initial);
      types.push_back(program_.type(carried.param));
    }
    return b.bindAll("resumed", std::move(types),
                     core::Call{core::name(Move::kResume), std::move(args)});
  }

  static size_t conditionOf(const Loop& loop) {
    return static_cast<size_t>(std::get<WhileLoop>(loop.form).condition);
  }
  static Operand isBelow(Builder& b, const Operand& step, const Operand& bound) {
    return b.prim(Op::kLt, ScalarType::kI64, {step, bound});
  }
  Operand inI64(Builder& b, const Operand& bound) {
    return b.convert(prim::ConvertKind::kValue, ScalarType::kI64, bound);
  }

  std::vector<ValueId> params(const Loop& loop) {
    std::vector<ValueId> made;
    for (const Carried& carried : loop.carried) {
      const core::ValueInfo& info = program_.values[carried.param];
      const std::string name(info.name);
      made.push_back(program_.add(name, Type(info.type)));
    }
    return made;
  }

  // ---- one piece

  Operand stepsOf(Builder& b, const Operand& number, const Operand& left) {
    return b.bind("k", kStepType, core::Call{core::name(Move::kSteps), {number, left}});
  }

  Body saved(Builder& b, const Operand& number, const Operand& step, const Operand& goes_on,
             const std::vector<ValueId>& values) {
    Operands args{number, step, goes_on};
    args.insert(args.end(), values.begin(), values.end());
    Operands results{
        b.bind("saved", kStepType, core::Call{core::name(Move::kSave), std::move(args)}), goes_on};
    results.insert(results.end(), values.begin(), values.end());
    return b.take(std::move(results));
  }

  // The loop, with the values of the piece before as its first ones.
  Loop from(const Loop& loop, const Outer& outer) const {
    Loop piece = loop;
    for (size_t k = 0; k < piece.carried.size(); ++k) {
      piece.carried[k].initial = outer.carried[k];
    }
    return piece;
  }

  std::vector<Type> typesOf(const Loop& loop) const {
    std::vector<Type> types;
    for (const Carried& carried : loop.carried) types.push_back(program_.type(carried.param));
    return types;
  }

  Body countedPiece(const Operand& number, const Outer& outer, const Stm& stm, const Loop& loop,
                    const Operand& bound) {
    Builder b(program_);
    const Operand steps = stepsOf(b, number, b.sub(bound, outer.step));
    Loop piece = from(loop, outer);
    auto& form = std::get<ForLoop>(piece.form);
    const ValueId index = form.index;
    const ScalarType type = program_.type(index).scalar;
    form.index = program_.add("j", {type, {}});
    form.bound = b.convert(prim::ConvertKind::kValue, type, steps);
    if (core::freeValues(program_, piece.body).contains(index)) {
      const Operand first = b.convert(prim::ConvertKind::kValue, type, outer.step);
      const Stm offset{{index}, core::PrimOp{Op::kAdd, type, {first, form.index}}, false, {}};
      piece.body.stms.insert(piece.body.stms.begin(), offset);
    }
    const std::vector<ValueId> next =
        b.bindAll("next", typesOf(loop), std::move(piece), stm.checked, stm.span);
    const Operand step = b.add(outer.step, steps);
    return saved(b, number, step, isBelow(b, step, bound), next);
  }

  // Carried behind the loop's own values: the steps of the piece, and whether it goes on.
  Body openPiece(const Operand& number, const Outer& outer, const Stm& stm, const Loop& loop) {
    Builder b(program_);
    const Operand all = Operand::ofI64(std::numeric_limits<int64_t>::max());
    const Operand steps = stepsOf(b, number, b.sub(all, outer.step));
    Loop piece = from(loop, outer);
    const size_t own = loop.carried.size();
    const size_t condition = conditionOf(loop);
    const ValueId taken = program_.add("j", kStepType), on = program_.add("on", kConditionType);
    piece.carried.push_back({taken, kZero});
    piece.carried.push_back({on, outer.carried[condition]});
    piece.form = WhileLoop{static_cast<int>(own) + 1};
    Builder body(program_);
    for (Stm& inner : piece.body.stms) body.append(std::move(inner));
    const Operand after = body.add(taken, kOne);
    const Operand has_steps = isBelow(body, after, steps);
    Operands results = std::move(piece.body.results);
    results.push_back(after);
    results.push_back(body.prim(Op::kAnd, ScalarType::kBool, {results[condition], has_steps}));
    piece.body = body.take(std::move(results));
    std::vector<Type> types = typesOf(loop);
    types.insert(types.end(), {kStepType, kConditionType});
    std::vector<ValueId> next =
        b.bindAll("next", std::move(types), std::move(piece), stm.checked, stm.span);
    const Operand step = b.add(outer.step, next[own]);
    next.resize(own);
    return saved(b, number, step, next[condition], next);
  }

  Program& program_;
  int count_ = 0;
};

}  // namespace

Program checkpoint(const Program& program, int* count) {
  Program result = program;
  int all = 0;
  for (core::Function& function : result.functions) {
    if (!function.is_entry) continue;
    Body body = std::move(function.body);
    Pieces pieces(result);
    pieces.entry(body);
    function.body = std::move(body);
    all += pieces.count();
  }
  if (count != nullptr) *count = all;
  return result;
}

}  // namespace halo::passes

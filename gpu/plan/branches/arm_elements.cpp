// Maps are applied to elements of their inputs; views change the place; cheap code is written down.
#include "gpu/plan/branches/arm_elements.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "gpu/plan/branches/guarded_nodes.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

bool isView(const Expr& expr) {
  return std::holds_alternative<Index>(expr) || std::holds_alternative<Slice>(expr) ||
         std::holds_alternative<Rearrange>(expr);
}
// Arrays that a cell need not store.
bool isVirtual(const Expr& expr) {
  return isView(expr) || std::holds_alternative<Iota>(expr) ||
         std::holds_alternative<Replicate>(expr);
}

// Cheap code, copies and replaced elements, and maps and branches of such code.
bool isHeld(const Program& program, const Stm& stm) {
  if (isVirtual(stm.expr) || isScalarCode(program, stm)) return true;
  if (std::holds_alternative<Copy>(stm.expr)) return true;
  if (const auto* update = std::get_if<Update>(&stm.expr)) return update->dims.empty();
  const auto* map = std::get_if<Screma>(&stm.expr);
  bool is_held = map != nullptr ? isMap(*map) : std::holds_alternative<Match>(stm.expr);
  visitBodies(stm.expr, [&](const Body& body) {
    for (const Stm& inner : body.stms) is_held = is_held && isHeld(program, inner);
  });
  return is_held;
}

class ElementCode {
 public:
  ElementCode(Program& program, ArmElements::Makers makers)
      : program_(program), makers_(std::move(makers)), code_(program) {}

  std::optional<Body> run(const Operands& values, const Operands& at) {
    Operands results;
    for (const Operand& value : values) {
      results.push_back(program_.type(value).isScalar() ? scalar(value) : element(value, at));
    }
    if (fails_) return std::nullopt;
    return code_.take(std::move(results));
  }

 private:
  const Stm* makerOf(const Operand& operand) const {
    const auto found = operand.isConstant() ? makers_.end() : makers_.find(operand.value);
    return found == makers_.end() ? nullptr : found->second.get();
  }
  void hold(const Stm& stm) {
    const auto own = std::make_shared<const Stm>(stm);
    for (const ValueId result : stm.results) makers_.insert_or_assign(result, own);
  }

  Operand scalar(const Operand& operand) {
    write(operand);
    return operand;
  }
  // The statement that makes the value, and those that it needs.
  void write(const Operand& operand) {
    const Stm* maker = makerOf(operand);
    if (maker == nullptr || written_.contains(operand.value)) return;
    const bool is_cheap = isVirtual(maker->expr) || isScalarCode(program_, *maker);
    fails_ = fails_ || !is_cheap;
    append(*maker);
    written_.insert(maker->results.begin(), maker->results.end());
  }
  void append(const Stm& stm) {
    for (const ValueId used : freeValues(program_, stm)) write(used);
    code_.append(stm);
  }

  Operand element(const Operand& array, const Operands& at) {
    const Stm* maker = makerOf(array);
    if (maker == nullptr) return read(array.value, at);
    const Stm stm = *maker;
    if (const auto* map = std::get_if<Screma>(&stm.expr)) return ofMap(stm, *map, array.value, at);
    if (const auto* e = std::get_if<Match>(&stm.expr)) return ofMatch(stm, *e, array.value, at);
    if (const auto* e = std::get_if<Update>(&stm.expr)) return ofUpdate(stm, *e, at);
    if (const auto* e = std::get_if<Copy>(&stm.expr)) return element(e->array, at);
    if (const auto* e = std::get_if<Replicate>(&stm.expr)) {
      const auto rest = static_cast<std::ptrdiff_t>(e->shape.size());
      return elementOrScalar(e->value, {at.begin() + rest, at.end()});
    }
    if (const auto* e = std::get_if<Index>(&stm.expr)) {
      Operands all;
      for (const Operand& index : e->indices) all.push_back(scalar(index));
      all.insert(all.end(), at.begin(), at.end());
      return element(e->array, all);
    }
    write(array);
    return read(array.value, at);
  }
  Operand elementOrScalar(const Operand& value, const Operands& at) {
    return at.empty() ? scalar(value) : element(value, at);
  }
  Operand read(ValueId array, const Operands& at) {
    const Type type = rowOf(program_.type(array), at.size());
    return code_.bind("x", type, Index{array, at});
  }

  // Arrays wait until their elements are wanted.
  void enter(const std::vector<Stm>& stms) {
    for (const Stm& stm : stms) {
      if (isVirtual(stm.expr) || isScalarCode(program_, stm)) {
        append(stm);
      } else {
        hold(stm);
      }
    }
  }
  Operand ofMatch(const Stm& stm, const Match& match, ValueId array, const Operands& at) {
    const auto k = std::find(stm.results.begin(), stm.results.end(), array) - stm.results.begin();
    const auto arm = [&](const Body& body) {
      return inside([&] {
        enter(body.stms);
        return element(body.results[static_cast<size_t>(k)], at);
      });
    };
    Match chosen{scalar(match.scrutinee), {}, {}};
    for (const Case& one : match.cases) chosen.cases.push_back({one.value, arm(one.body)});
    chosen.otherwise = arm(match.otherwise);
    return code_.bind("x", {program_.type(array).scalar, {}}, std::move(chosen));
  }

  Operand ofUpdate(const Stm& stm, const Update& update, const Operands& at) {
    const size_t rank = update.indices.size();
    Operand here = Scalar::ofBool(true);
    for (size_t k = 0; k < rank; ++k) {
      const Operand same =
          code_.prim(Op::kEq, ScalarType::kI64, {at[k], scalar(update.indices[k])});
      here = code_.prim(Op::kAnd, ScalarType::kBool, {here, same});
    }
    const Operands rest(at.begin() + static_cast<std::ptrdiff_t>(rank), at.end());
    const Body replaced = inside([&] { return elementOrScalar(update.value, rest); });
    const Body before = inside([&] { return element(update.array, at); });
    return code_.bind("x", {program_.type(stm.results[0]).scalar, {}},
                      Match{here, {{Scalar::ofBool(true), replaced}}, before});
  }
  template <typename Write>
  Body inside(const Write& write_code) {
    Body outer = std::exchange(code_.body(), {});
    const auto written = written_;
    const auto applied = applied_;
    const Operand made = write_code();
    Body body = code_.take({made});
    code_.body() = std::move(outer);
    written_ = written;
    applied_ = applied;
    return body;
  }

  // ---- maps

  struct Applied {
    ValueId first;  // result of the map
    Operand at;
    Operands results;
  };
  Operand ofMap(const Stm& stm, const Screma& map, ValueId array, const Operands& at) {
    const Operands results = applied(stm, map, at[0]);
    const auto k = std::find(stm.results.begin(), stm.results.end(), array) - stm.results.begin();
    return elementOrScalar(results[static_cast<size_t>(k)], {at.begin() + 1, at.end()});
  }
  Operands applied(const Stm& stm, const Screma& map, const Operand& at) {
    for (const Applied& one : applied_) {
      if (one.first == stm.results[0] && one.at == at) return one.results;
    }
    Operands args;
    for (const ValueId input : map.inputs) args.push_back(rowAt(input, at));
    auto [stms, results] = apply(program_, map.map, args);
    enter(stms);
    applied_.push_back({stm.results[0], at, results});
    return results;
  }
  // An element, or a row as a view.
  Operand rowAt(ValueId input, const Operand& at) {
    if (program_.type(input).rank() == 1) return element(input, {at});
    const Stm* maker = makerOf(input);
    fails_ = fails_ || (maker != nullptr && !isView(maker->expr));
    write(input);
    return read(input, {at});
  }

  Program& program_;
  ArmElements::Makers makers_;
  Builder code_;
  std::unordered_set<ValueId> written_;
  std::vector<Applied> applied_;
  bool fails_ = false;
};

}  // namespace

bool ArmElements::canHold(const Program& program, const Stm& stm) { return isHeld(program, stm); }

void ArmElements::hold(const Stm& stm) {
  const auto own = std::make_shared<const Stm>(stm);
  for (const ValueId result : stm.results) makers_.insert_or_assign(result, own);
}

std::optional<Body> ArmElements::at(const Operands& values, const Operands& at) const {
  std::optional<Body> body = ElementCode(program_, makers_).run(values, at);
  if (body) body = freshCopy(program_, *body);
  return body;
}

}  // namespace halo::gpu

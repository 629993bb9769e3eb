// The walk is in program order: an array literal is known before the window that uses it.
#include "lang/passes/stencil/static_offsets.h"

#include <optional>
#include <unordered_map>

#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"
#include "lang/prim/fold.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Stencil;
using core::Stm;
using core::ValueId;
using Numbers = std::vector<int64_t>;

constexpr size_t kMaxNeighbours = 320;  // registers end far below

class OffsetRecogniser {
 public:
  explicit OffsetRecogniser(core::Program& program) : program_(program) {}

  void body(Body& b) {
    for (Stm& stm : b.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      define(stm);
      if (auto* stencil = std::get_if<Stencil>(&stm.expr)) convert(*stencil);
    }
  }

 private:
  void define(const Stm& stm) {
    Numbers numbers;
    if (const auto* literal = std::get_if<core::ArrayLiteral>(&stm.expr)) {
      for (const Operand& element : literal->elements) {
        if (!element.isConstant()) return;
        numbers.push_back(element.constant.asSigned());
      }
    } else if (const auto* replicate = std::get_if<core::Replicate>(&stm.expr)) {
      bool known = replicate->shape.size() == 1 && replicate->shape[0].isConstant() &&
                   replicate->value.isConstant();
      if (!known || replicate->shape[0].constant.bits > kMaxNeighbours) return;
      numbers.assign(replicate->shape[0].constant.bits, replicate->value.constant.asSigned());
    } else if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) {
      bool known = iota->count.isConstant() && iota->start.isConstant() && iota->step.isConstant();
      if (!known || iota->count.constant.bits > kMaxNeighbours) return;
      auto step = static_cast<uint64_t>(iota->step.constant.asSigned());
      auto next = static_cast<uint64_t>(iota->start.constant.asSigned());
      for (uint64_t i = 0; i < iota->count.constant.bits; ++i, next += step) {
        numbers.push_back(static_cast<int64_t>(next));
      }
    } else if (const auto* screma = std::get_if<core::Screma>(&stm.expr)) {
      return defineMap(stm, *screma);
    } else {
      return;
    }
    bool is_offsets = program_.type(stm.results[0]).scalar == prim::ScalarType::kI64;
    if (is_offsets && numbers.size() <= kMaxNeighbours) known_[stm.results[0]] = numbers;
  }

  // Offsets computed from known numbers: `map (\k -> (k / 5 - 2, k % 5 - 2)) (iota 25)`.
  void defineMap(const Stm& stm, const core::Screma& screma) {
    if (!screma.reductions.empty() || !screma.scans.empty() || screma.inputs.empty()) return;
    std::vector<const Numbers*> inputs;
    for (ValueId input : screma.inputs) {
      auto found = known_.find(input);
      if (found == known_.end()) return;
      inputs.push_back(&found->second);
    }
    std::vector<Numbers> results(stm.results.size());
    for (size_t i = 0; i < inputs[0]->size(); ++i) {
      Scalars values;
      for (size_t k = 0; k < inputs.size(); ++k) {
        values[screma.map.params[k]] = core::Scalar::ofI64((*inputs[k])[i]);
      }
      for (const Stm& inner : screma.map.body.stms) {
        if (!evaluate(inner, values)) return;
      }
      for (size_t k = 0; k < results.size(); ++k) {
        auto value = valueOf(screma.map.body.results[k], values);
        if (!value || value->type != core::ScalarType::kI64) return;
        results[k].push_back(value->asSigned());
      }
    }
    for (size_t k = 0; k < results.size(); ++k) known_[stm.results[k]] = std::move(results[k]);
  }

  using Scalars = std::unordered_map<ValueId, core::Scalar>;

  static std::optional<core::Scalar> valueOf(const Operand& operand, const Scalars& values) {
    if (operand.isConstant()) return operand.constant;
    auto found = values.find(operand.value);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }

  static bool evaluate(const Stm& stm, Scalars& values) {
    if (const auto* literal = std::get_if<core::Literal>(&stm.expr)) {
      values[stm.results[0]] = literal->value;
      return true;
    }
    if (const auto* select = std::get_if<core::Select>(&stm.expr)) {
      auto condition = valueOf(select->condition, values);
      if (!condition) return false;
      auto chosen = valueOf(condition->asBool() ? select->on_true : select->on_false, values);
      if (chosen) values[stm.results[0]] = *chosen;
      return chosen.has_value();
    }
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op == nullptr) return false;
    std::vector<core::Scalar> args;
    for (const Operand& arg : op->args) {
      auto value = valueOf(arg, values);
      if (!value) return false;
      args.push_back(*value);
    }
    prim::Folded folded = prim::fold(op->op, op->type, args);
    const auto* value = std::get_if<core::Scalar>(&folded);
    if (value != nullptr) values[stm.results[0]] = *value;
    return value != nullptr;
  }

  // One vector of `rank` numbers per neighbour, from one array per axis.
  std::optional<std::vector<Numbers>> offsetsOf(const core::Window& window) const {
    std::vector<Numbers> offsets;
    for (ValueId array : window.dynamic) {
      auto found = known_.find(array);
      if (found == known_.end()) return std::nullopt;
      offsets.resize(found->second.size());
      for (size_t i = 0; i < offsets.size(); ++i) offsets[i].push_back(found->second[i]);
    }
    return offsets;
  }

  void convert(Stencil& stencil) {
    std::vector<ValueId> params;
    std::vector<Stm> arrays;
    size_t next = 0;
    for (core::Window& window : stencil.windows) {
      const size_t own = core::paramsOf(window);
      auto offsets = window.dynamic.empty() ? std::nullopt : offsetsOf(window);
      if (!offsets || offsets->empty()) {
        for (size_t i = 0; i < own; ++i) params.push_back(stencil.map.params[next++]);
        continue;
      }
      ValueId array = stencil.map.params[next++];
      core::ScalarType scalar = program_.type(array).scalar;
      core::Operands elements;
      for (size_t i = 0; i < offsets->size(); ++i) {
        elements.push_back(program_.add("x", {scalar, {}}));
        params.push_back(elements.back().value);
      }
      arrays.push_back({{array}, core::ArrayLiteral{scalar, std::move(elements)}, false, {}});
      window.offsets = std::move(*offsets);
      window.dynamic.clear();
    }
    for (; next < stencil.map.params.size(); ++next) params.push_back(stencil.map.params[next]);
    stencil.map.params = std::move(params);
    std::vector<Stm>& stms = stencil.map.body.stms;
    stms.insert(stms.begin(), std::make_move_iterator(arrays.begin()),
                std::make_move_iterator(arrays.end()));
  }

  core::Program& program_;
  std::unordered_map<ValueId, Numbers> known_;
};

}  // namespace

core::Program staticOffsets(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    OffsetRecogniser(result).body(body);
  });
}

}  // namespace halo::passes

#include "lang/passes/loops/written_out.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/visit.h"
#include "lang/prim/fold.h"

namespace halo::passes {

using core::Operand;
using core::Operands;
using core::Stm;

void Known::define(const Stm& stm) {
  if (elementsOf(program_, stm.expr)) rows_.insert_or_assign(stm.results[0], stm.expr);
}

std::optional<Operands> Known::elements(core::ValueId array) const {
  const auto found = rows_.find(array);
  return found == rows_.end() ? std::nullopt : elementsOf(program_, found->second);
}

DefinitionOf Known::lookUp() const {
  return [this](core::ValueId array) -> const core::Expr* {
    const auto found = rows_.find(array);
    return found == rows_.end() ? nullptr : &found->second;
  };
}

void Known::makeRow(Stm& stm) const {
  auto row = rowOf(stm.expr);
  if (!row) return;
  stm.expr = std::move(*row);
  stm.checked = false;
}

Operand Known::place(const Operand& operand) const {
  const auto found = operand.isConstant() ? places_.end() : places_.find(operand.value);
  return found == places_.end() ? operand : found->second;
}

Operands Known::writeOut(core::Body body, std::vector<Stm>& out) {
  for (Stm& stm : body.stms) write(std::move(stm), out);
  Operands results;
  for (const Operand& result : body.results) results.push_back(place(result));
  return results;
}

void Known::write(Stm stm, std::vector<Stm>& out) {
  core::Body one{{std::move(stm)}, {}};  // types of its results change as well
  core::substitute(program_, one, places_);
  stm = std::move(one.stms[0]);
  if (auto* match = std::get_if<core::Match>(&stm.expr);
      match != nullptr && match->scrutinee.isConstant()) {
    core::Body* arm = &match->otherwise;
    for (core::Case& each : match->cases)
      if (Operand(each.value) == match->scrutinee) arm = &each.body;
    core::Body taken = std::move(*arm);
    const Operands results = writeOut(std::move(taken), out);
    for (size_t i = 0; i < results.size(); ++i)
      places_.insert_or_assign(stm.results[i], results[i]);
    return;
  }
  if (const auto value = fold(stm.expr)) {
    places_.insert_or_assign(stm.results[0], *value);
    return;
  }
  makeRow(stm);
  out.push_back(std::move(stm));
  define(out.back());
}

namespace {

// The number of an element; nothing where it is unknown or outside.
std::optional<size_t> placeIn(const Operands& elements, const Operands& indices) {
  if (indices.size() != 1 || !indices[0].isConstant()) return std::nullopt;
  const int64_t place = indices[0].constant.asSigned();
  if (place < 0 || place >= static_cast<int64_t>(elements.size())) return std::nullopt;
  return static_cast<size_t>(place);
}

}  // namespace

std::optional<Operand> Known::fold(const core::Expr& expr) const {
  if (const auto* op = std::get_if<core::PrimOp>(&expr)) {
    const auto value = core::foldConstants(op->op, op->type, op->args);
    return value ? std::optional<Operand>(*value) : std::nullopt;
  }
  if (const auto* convert = std::get_if<core::Convert>(&expr); convert && convert->arg.isConstant())
    return prim::convert(convert->kind, convert->to, convert->arg.constant);
  if (const auto* select = std::get_if<core::Select>(&expr);
      select && select->condition.isConstant())
    return select->condition.constant.asBool() ? select->on_true : select->on_false;
  const auto* index = std::get_if<core::Index>(&expr);
  const auto row = index == nullptr ? std::nullopt : elements(index->array);
  const auto at = row ? placeIn(*row, index->indices) : std::nullopt;
  return at ? std::optional<Operand>((*row)[*at]) : std::nullopt;
}

std::optional<core::Expr> Known::rowOf(const core::Expr& expr) const {
  if (const auto* copy = std::get_if<core::Copy>(&expr)) {
    const auto row = elements(copy->array);
    if (!row) return std::nullopt;
    return core::ArrayLiteral{program_.type(copy->array).scalar, *row};
  }
  const auto* update = std::get_if<core::Update>(&expr);
  if (update == nullptr || !update->dims.empty()) return std::nullopt;
  auto row = elements(update->array);
  const auto at = row ? placeIn(*row, update->indices) : std::nullopt;
  if (!at) return std::nullopt;
  (*row)[*at] = update->value;
  return core::ArrayLiteral{program_.type(update->array).scalar, std::move(*row)};
}

}  // namespace halo::passes

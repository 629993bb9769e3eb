// A chain of updates is followed from the result back to the statement that made the row.
#include "gpu/plan/nodes/row_updates.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "gpu/plan/nodes/row_branches.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"

namespace halo::gpu {

using namespace core;

namespace {

struct Chain {
  size_t source;                // position of the copy or replicate
  std::vector<size_t> updates;  // positions, in order
};

class RowUpdates {
 public:
  RowUpdates(Program& program, const Body& body)
      : program_(program), body_(body), uses_(useCounts(program, body)) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      for (ValueId made : body.stms[i].results) makers_[made] = i;
    }
  }

  Body run() {
    std::unordered_map<size_t, Chain> chains;  // by the position of the last update
    std::vector<bool> is_part(body_.stms.size(), false);
    for (const Operand& result : body_.results) {
      const std::optional<Chain> chain = chainOf(result);
      if (!chain) continue;
      is_part[chain->source] = true;
      for (size_t update : chain->updates) is_part[update] = true;
      chains.emplace(chain->updates.back(), *chain);
    }
    Builder cell(program_);
    for (size_t i = 0; i < body_.stms.size(); ++i) {
      if (auto found = chains.find(i); found != chains.end()) {
        addMap(cell, found->second);
      } else if (!is_part[i]) {
        cell.append(body_.stms[i]);
      }
    }
    return cell.take(body_.results);
  }

 private:
  const Stm* makerOf(const Operand& value) const {
    const auto found = value.isConstant() ? makers_.end() : makers_.find(value.value);
    return found == makers_.end() ? nullptr : &body_.stms[found->second];
  }

  // The next statement of the chain, or the result, is the only use of the row.
  bool isUsedOnce(ValueId row) const { return core::isUsedOnce(uses_, row); }

  bool replacesElement(const Stm& stm) const {
    const auto* update = std::get_if<Update>(&stm.expr);
    return update != nullptr && !stm.checked && update->indices.size() == 1 &&
           update->dims.empty() && program_.type(update->value).isScalar() &&
           isLongRow(program_.type(stm.results[0]).shape);
  }

  std::optional<Chain> chainOf(const Operand& result) const {
    Chain chain;
    const Stm* stm = makerOf(result);
    while (stm != nullptr && replacesElement(*stm) && isUsedOnce(stm->results[0])) {
      chain.updates.insert(chain.updates.begin(), makers_.at(stm->results[0]));
      stm = makerOf(std::get<Update>(stm->expr).array);
    }
    if (chain.updates.empty() || stm == nullptr) return std::nullopt;
    const bool is_fresh =
        std::holds_alternative<Copy>(stm->expr) || std::holds_alternative<Replicate>(stm->expr);
    if (!is_fresh || !isUsedOnce(stm->results[0])) return std::nullopt;
    chain.source = makers_.at(stm->results[0]);
    return chain;
  }

  void addMap(Builder& cell, const Chain& chain) {
    const Stm& last = body_.stms[chain.updates.back()];
    const Type row = program_.type(last.results[0]);
    const ValueId at = program_.add("j", {ScalarType::kI64, {}});
    Builder map(program_);
    const Expr& source = body_.stms[chain.source].expr;
    const auto* replicate = std::get_if<Replicate>(&source);
    Operand element = replicate != nullptr ? replicate->value
                                           : map.bind("x", {row.scalar, {}},
                                                      Index{std::get<Copy>(source).array, {at}});
    for (size_t i : chain.updates) {
      const auto& update = std::get<Update>(body_.stms[i].expr);
      const Operand here = map.prim(prim::Op::kEq, ScalarType::kI64, {at, update.indices[0]});
      element = map.bind("y", {row.scalar, {}}, Select{here, update.value, element});
    }
    for (Stm& made : mapOverRow(program_, last, at, map.take({element}))) {
      cell.append(std::move(made));
    }
  }

  Program& program_;
  const Body& body_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, size_t> makers_;
};

}  // namespace

Body withRowUpdates(Program& program, const Body& body) { return RowUpdates(program, body).run(); }

}  // namespace halo::gpu

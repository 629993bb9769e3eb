// Cells that go over rows: by a node with the array as an input, or by a loop over its extent.
#include "lang/passes/ranks/plan/shard_gathers.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;

bool reads(const Program& program, const Body& body, ValueId array) {
  return core::freeValues(program, body).contains(array);
}

// Whether a statement of a cell does one iteration, or one element, for each row.
bool isOverRows(const Program& program, const Stm& stm, const Operand& rows, ValueId array) {
  if (const auto* node = std::get_if<Screma>(&stm.expr)) {
    const auto is_input = std::find(node->inputs.begin(), node->inputs.end(), array);
    return node->width == rows &&
           (is_input != node->inputs.end() || reads(program, node->map.body, array));
  }
  const auto* loop = std::get_if<core::Loop>(&stm.expr);
  const auto* form = loop != nullptr ? std::get_if<core::ForLoop>(&loop->form) : nullptr;
  return form != nullptr && form->bound == rows && reads(program, loop->body, array);
}

}  // namespace

bool goesOverRows(const Program& program, const Stm& stm, ValueId array) {
  const auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || node->width != program.type(array).shape[0]) return false;
  const std::vector<Stm>& cell = node->map.body.stms;
  return std::any_of(cell.begin(), cell.end(),
                     [&](const Stm& one) { return isOverRows(program, one, node->width, array); });
}

std::vector<core::Operands> gatheredWork(const Program& program, const ShardPlan& plan,
                                         const core::Loop& loop) {
  std::vector<core::Operands> work;
  core::visitStms(loop.body, [&](const Stm& stm) {
    if (stm.results.empty() || !plan.statements.contains(stm.results[0])) return;
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr) return;
    for (ValueId array : core::freeValues(program, node->map)) {
      if (!plan.gathered_in_loops.contains(array) || !goesOverRows(program, stm, array)) continue;
      work.push_back({node->width, node->width});
      return;
    }
  });
  return work;
}

}  // namespace halo::passes

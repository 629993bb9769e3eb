#include "lang/passes/stencil/inline_gathers.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"
#include "lang/passes/simplify/simplify_parts.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Screma;
using core::Stm;
using core::ValueId;

constexpr size_t kMaxStatements = 12;  // of an index: clamped and wrapped along an axis

class GatherInliner {
 public:
  GatherInliner(core::Program& program, Consumption& consumption)
      : program_(program), consumption_(consumption) {}

  // Readers in bodies below may not run, and then nothing would check the indices.
  void body(Body& b) {
    auto around = std::exchange(gathers_, {});
    for (Stm& stm : b.stms) {
      noteIota(stm);
      auto* screma = std::get_if<Screma>(&stm.expr);
      if (screma != nullptr && core::isMap(*screma)) read(*screma);
      core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      if (screma != nullptr && isGather(*screma))
        gathers_.insert_or_assign(stm.results[0], *screma);
    }
    dropUnread(b);
    gathers_ = std::move(around);
  }

 private:
  void noteIota(const Stm& stm) {
    if (core::isPlainIota(stm.expr)) iotas_.insert(stm.results[0]);
  }

  // Scalar code of the position, and one element or row read at the end; or the same for each of
  // the rows, as in `map (rotate 1) xss`.
  bool isGather(const Screma& screma) {
    const Body& code = screma.map.body;
    const bool is_one = core::isMap(screma) && screma.inputs.size() == 1 &&
                        code.results.size() == 1 && !code.stms.empty() &&
                        code.stms.size() <= kMaxStatements;
    if (!is_one) return false;
    const Stm& last = code.stms.back();
    if (last.results.size() != 1 || !(code.results[0] == Operand(last.results[0]))) return false;
    const bool begins = std::all_of(code.stms.begin(), code.stms.end() - 1,
                                    [&](const Stm& stm) { return computesIndex(stm); });
    if (!begins || consumption_.isConsumed(Operand(screma.inputs[0]))) return false;
    if (const auto* rows = std::get_if<Screma>(&last.expr)) return isGather(*rows);
    return iotas_.contains(screma.inputs[0]) && isRead(last);
  }

  bool isRead(const Stm& stm) {
    const auto* read = std::get_if<core::Index>(&stm.expr);
    return read != nullptr && !consumption_.isConsumed(Operand(read->array));
  }

  // A row may be read in front of its elements: `map (rotate 1) (rotate 1 xss)`.
  bool computesIndex(const Stm& stm) {
    noteIota(stm);
    return isTotalScalar(stm.expr) || std::holds_alternative<core::PrimOp>(stm.expr) ||
           core::isPlainIota(stm.expr) || isRead(stm);
  }

  // Rows made by a map in the cell cost what they cost in an array unless maps read them.
  bool takesRows(const Screma& reader, ValueId row, const Screma& gather) const {
    if (!std::holds_alternative<Screma>(gather.map.body.stms.back().expr)) return true;
    const Body& code = reader.map.body;
    size_t maps = 0;
    for (const Stm& stm : code.stms) {
      const auto* map = std::get_if<Screma>(&stm.expr);
      if (map == nullptr || !core::isMap(*map)) continue;
      maps += static_cast<size_t>(std::count(map->inputs.begin(), map->inputs.end(), row));
    }
    const auto uses = core::useCounts(program_, code);
    const auto all = uses.find(row);
    return all != uses.end() && static_cast<size_t>(all->second) == maps;
  }

  void read(Screma& screma) {
    for (size_t k = 0; k < screma.inputs.size(); ++k) {
      const auto found = gathers_.find(screma.inputs[k]);
      if (found == gathers_.end() || !(found->second.width == screma.width)) continue;
      const Screma& gather = found->second;
      const ValueId element = screma.map.params[k];
      if (!takesRows(screma, element, gather)) continue;
      read_.insert(screma.inputs[k]);
      const ValueId position = program_.add("i", program_.type(gather.map.params[0]));
      auto [stms, results] = core::apply(program_, gather.map, {Operand(position)});
      screma.inputs[k] = gather.inputs[0];
      screma.map.params[k] = position;
      core::Substitution same{{element, results[0]}};
      core::substitute(program_, screma.map.body, same);
      std::vector<Stm>& code = screma.map.body.stms;
      code.insert(code.begin(), std::make_move_iterator(stms.begin()),
                  std::make_move_iterator(stms.end()));
    }
  }

  // Their readers check what they checked.
  void dropUnread(Body& b) {
    if (read_.empty()) return;
    const auto counts = core::useCounts(program_, b);
    std::erase_if(b.stms, [&](const Stm& stm) {
      return stm.results.size() == 1 && read_.contains(stm.results[0]) &&
             !counts.contains(stm.results[0]);
    });
  }

  core::Program& program_;
  Consumption& consumption_;
  std::unordered_set<ValueId> iotas_;
  std::unordered_map<ValueId, Screma> gathers_;
  std::unordered_set<ValueId> read_;  // of the gathers, by maps that gather themselves now
};

}  // namespace

core::Program inlineGathers(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    Consumption consumption(result, function);
    GatherInliner(result, consumption).body(body);
  });
}

}  // namespace halo::passes

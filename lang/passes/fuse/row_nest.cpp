// Outer levels first. Their arrays are made when the levels inside are done.
#include "lang/passes/fuse/row_nest.h"

#include "lang/core/rewrite.h"

namespace halo::passes {

using core::Screma;
using core::Stm;
using core::ValueId;

namespace {

constexpr size_t kMaxRowCode = 2048;  // statements that are looked at

}  // namespace

void RowNest::bind(const std::vector<ValueId>& values) {
  names_.bound.insert(values.begin(), values.end());
  names_.varying.insert(values.begin(), values.end());
}

void RowNest::unbind(const std::vector<ValueId>& values) {
  for (ValueId value : values) names_.varying.erase(value), names_.bound.erase(value);
}

bool RowNest::varies(const Stm& stm) const {
  return usesAny(core::freeValues(program_, stm), names_.varying);
}

void RowNest::enter(Stm& stm) {
  auto* node = std::get_if<Screma>(&stm.expr);
  if (node == nullptr || node->map.body.stms.size() > kMaxRowCode) return;
  if (!node->width.isConstant() && names_.bound.contains(node->width.value)) return;
  const size_t depth = levels_.size();
  levels_.push_back({&stm, {}});
  const bool splits = holdsAsMuch(program_, levels_, names_, surroundings_, true);
  levels_.back() = enterLevel(program_, stm, names_, splits);
  // A workgroup for each cell: nothing parts the levels.
  if (!node->flattening.has(core::Flattening::kOnlyIntra)) {
    std::vector<Stm>& stms = node->map.body.stms;
    for (size_t i = 0; i < stms.size(); ++i) {
      if (!levels_[depth].common.stms.contains(i)) enter(stms[i]);
    }
  }
  shareLast();
  levels_.pop_back();
}

void RowNest::shareLast() {
  const Level& last = levels_.back();
  const bool is_all = last.common.stms.size() == last.node().map.body.stms.size();
  if (is_all && levels_.size() == 1) return;  // hoist takes it all
  if (auto made = shareCommonCode(program_, levels_, names_, surroundings_)) {
    out_.push_back(std::move(*made));
  }
}

}  // namespace halo::passes

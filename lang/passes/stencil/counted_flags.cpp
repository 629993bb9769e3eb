// Statements are in order, so that one walk finds all readers.
#include "lang/passes/stencil/counted_flags.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"

namespace halo::passes {
namespace {

using core::ValueId;
using Values = std::unordered_set<ValueId>;

bool readsOne(const Values& used, const Values& flags) {
  return std::any_of(used.begin(), used.end(),
                     [&](ValueId value) { return flags.contains(value); });
}

bool addsNumbers(const core::Program& program, const core::Screma& screma) {
  const std::pair add{prim::Op::kAdd, prim::ScalarType::kI64};
  return std::any_of(screma.scans.begin(), screma.scans.end(), [&](const core::Scan& scan) {
    return core::asPrimitive(program, scan.op) == add;
  });
}

// Its elements are inputs of the node, element by element.
bool readsByElements(const core::Program& program, const core::Stm& stm, const Values& flags) {
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  const auto* scatter = std::get_if<core::Scatter>(&stm.expr);
  if (screma != nullptr) return !readsOne(core::freeValues(program, screma->map), flags);
  return scatter != nullptr && !readsOne(core::freeValues(program, scatter->map), flags);
}

// Places that a scatter alone takes; one of them is the number of elements.
bool arePlaces(const core::Program& program, const core::Stm& counting,
               const std::vector<core::Stm>& stms, const core::Operands& results) {
  const Values places(counting.results.begin(), counting.results.end());
  const bool is_returned = std::any_of(results.begin(), results.end(), [&](const auto& result) {
    return !result.isConstant() && places.contains(result.value);
  });
  return !is_returned && std::all_of(stms.begin(), stms.end(), [&](const core::Stm& stm) {
    return std::holds_alternative<core::Scatter>(stm.expr) ||
           std::holds_alternative<core::Index>(stm.expr) ||
           !readsOne(core::freeValues(program, stm), places);
  });
}

// Fuse joins scans of one width, and the flags would be stored again.
bool isOnlyScan(const core::Stm& counting, const std::vector<core::Stm>& stms) {
  const core::Operand& width = std::get<core::Screma>(counting.expr).width;
  return std::all_of(stms.begin(), stms.end(), [&](const core::Stm& stm) {
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    return &stm == &counting || screma == nullptr || screma->scans.empty() ||
           screma->width != width;
  });
}

}  // namespace

bool areCounted(const core::Program& program, ValueId flags, const std::vector<core::Stm>& stms,
                size_t next, const core::Operands& results) {
  Values made = {flags};
  const core::Stm* counting = nullptr;
  size_t scatters = 0;
  for (size_t k = next; k < stms.size(); ++k) {
    const core::Stm& stm = stms[k];
    if (!readsOne(core::freeValues(program, stm), made)) continue;
    if (!readsByElements(program, stm, made)) return false;
    const auto* screma = std::get_if<core::Screma>(&stm.expr);
    if (screma == nullptr) {
      ++scatters;
      continue;
    }
    if (core::isMap(*screma)) made.insert(stm.results.begin(), stm.results.end());
    if (addsNumbers(program, *screma)) counting = &stm;
  }
  const bool is_result = std::any_of(results.begin(), results.end(), [&](const core::Operand& o) {
    return !o.isConstant() && made.contains(o.value);
  });
  return counting != nullptr && scatters == 1 && !is_result &&
         arePlaces(program, *counting, stms, results) && isOnlyScan(*counting, stms);
}

}  // namespace halo::passes

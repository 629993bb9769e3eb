// What the template takes (templates/scan_tile).
#include "gpu/plan/scan_scatter.h"

#include <algorithm>

#include "gpu/plan/nest.h"
#include "gpu/plan/split.h"
#include "gpu/templates/four.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMostWords = 4;    // of what is scanned
constexpr size_t kMostPlaces = 24;  // statements of the scatter's map

bool isShort(const Program& program, const Lambda& map) {
  auto is_scalar = [&](const auto& value) { return program.type(value).isScalar(); };
  return map.body.stms.size() <= kMostPlaces &&
         std::all_of(map.params.begin(), map.params.end(), is_scalar) &&
         std::all_of(map.body.results.begin(), map.body.results.end(), is_scalar) &&
         std::all_of(map.body.stms.begin(), map.body.stms.end(), [](const Stm& stm) {
           return std::holds_alternative<Literal>(stm.expr) ||
                  std::holds_alternative<PrimOp>(stm.expr) ||
                  std::holds_alternative<Convert>(stm.expr) ||
                  std::holds_alternative<Select>(stm.expr) ||
                  std::holds_alternative<Index>(stm.expr);
         });
}

}  // namespace

Screma withoutReductions(const Screma& screma) {
  Screma scans = screma;
  size_t reduced = 0;
  for (const Reduction& reduction : screma.reductions) reduced += reduction.neutral.size();
  scans.reductions.clear();
  Operands& results = scans.map.body.results;
  results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(reduced));
  return scans;
}

bool isScanAndScatter(const Program& program, const Stm& scan, const Stm& scatter,
                      const Variants& variants) {
  const bool wanted =
      variants.forced.empty() ? variants.groups_finish : variants.forced == "one_pass";
  if (!wanted || !variants.groups_talk || !hasLanes(variants)) return false;
  const auto* screma = std::get_if<Screma>(&scan.expr);
  const auto* to = std::get_if<Scatter>(&scatter.expr);
  if (screma == nullptr || to == nullptr || screma->scans.empty()) return false;
  for (size_t r = 0; r < screma->reductions.size(); r++) {
    if (!scanOf(program, *screma, r)) return false;
  }
  const Screma scans = withoutReductions(*screma);
  const bool is_single = std::all_of(scans.scans.begin(), scans.scans.end(),
                                     [](const Scan& it) { return it.neutral.size() == 1; });
  return is_single && !scanNest(program, scans).empty() && isStraight(program, scans, kMostWords) &&
         isShort(program, to->map);
}

}  // namespace halo::gpu

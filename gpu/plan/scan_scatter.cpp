// What the template takes (templates/scan_tile).
#include "gpu/plan/scan_scatter.h"

#include <algorithm>

#include "gpu/plan/nest.h"
#include "gpu/plan/split.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int kMostBytes = 16;    // of what is scanned: more is posted too slowly
constexpr size_t kMostCode = 24;  // statements of either map, which stand many times in a kernel
constexpr size_t kMostOperator = 8;

bool isStraight(const Program& program, const Lambda& map, size_t most) {
  auto is_scalar = [&](const auto& value) { return program.type(value).isScalar(); };
  return map.body.stms.size() <= most &&
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

// Values of one operand each, by operators that cannot fail.
bool areSimple(const Program& program, const std::vector<Scan>& scans) {
  int bytes = 0;
  for (const Scan& scan : scans) {
    if (scan.neutral.size() != 1 || !isStraight(program, scan.op, kMostOperator)) return false;
    if (std::any_of(scan.op.body.stms.begin(), scan.op.body.stms.end(),
                    [](const Stm& stm) { return stm.checked; })) {
      return false;
    }
    bytes += std::max(prim::byteSize(program.type(scan.neutral[0]).scalar), 4);
  }
  return !scans.empty() && bytes <= kMostBytes;
}

bool looksBack(const Variants& variants) {
  const bool wanted =
      variants.forced.empty() ? variants.groups_finish : variants.forced == "one_pass";
  const int lanes = variants.subgroup;
  return wanted && variants.groups_talk && lanes >= 4 && lanes <= 32 && (lanes & (lanes - 1)) == 0;
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
  const auto* screma = std::get_if<Screma>(&scan.expr);
  const auto* to = std::get_if<Scatter>(&scatter.expr);
  if (screma == nullptr || to == nullptr || !looksBack(variants)) return false;
  for (size_t r = 0; r < screma->reductions.size(); r++) {
    if (!scanOf(program, *screma, r)) return false;
  }
  return areSimple(program, screma->scans) &&
         !scanNest(program, withoutReductions(*screma)).empty() &&
         isStraight(program, screma->map, kMostCode) && isStraight(program, to->map, kMostCode);
}

}  // namespace halo::gpu

// The scans that the template takes (templates/scan_tile).
#include "gpu/plan/nodes/scan_scatter.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/nest.h"
#include "gpu/plan/split.h"
#include "lang/core/counts.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int kMaxScannedBytes = 32;  // of an element: longer ones are posted too slowly
constexpr int kMaxCounted = 64;   // the same for flags that are counted: a word of registers each
constexpr size_t kMaxCode = 96;   // statements of either map, which stand many times in a kernel
constexpr size_t kMaxSimple = 8;  // of an operator on single values

bool isShort(const Program& program, const Lambda& map, size_t most, bool may_fail) {
  auto is_scalar = [&](const auto& value) { return program.type(value).isScalar(); };
  return codeSize(map.body) <= most && isElementCode(program, map.body, may_fail) &&
         std::all_of(map.params.begin(), map.params.end(), is_scalar) &&
         std::all_of(map.body.results.begin(), map.body.results.end(), is_scalar);
}

// Values of one operand each, by operators that cannot fail.
bool areSimple(const Program& program, const std::vector<Scan>& scans, int most_bytes) {
  int bytes = 0;
  for (const Scan& scan : scans) {
    if (scan.neutral.size() != 1 || !isShort(program, scan.op, kMaxSimple, false)) return false;
    bytes += std::max(prim::byteSize(program.type(scan.neutral[0]).scalar), 4);
  }
  return !scans.empty() && bytes <= most_bytes;
}

// The same for values of several operands, all operators together.
bool areTuples(const Program& program, const std::vector<Scan>& scans, int most_bytes) {
  int bytes = 0;
  size_t code = 0;
  for (const Scan& scan : scans) {
    if (!isShort(program, scan.op, kMaxOperator, false)) return false;
    code += codeSize(scan.op.body);
    for (const Operand& neutral : scan.neutral) {
      bytes += std::max(prim::byteSize(program.type(neutral).scalar), 4);
    }
  }
  return bytes <= most_bytes && code <= kMaxOperator;
}

// Whether some scan computes each reduction as well.
bool areLasts(const Program& program, const Screma& screma) {
  for (size_t r = 0; r < screma.reductions.size(); ++r) {
    if (!scanOf(program, screma, r)) return false;
  }
  return true;
}

bool looksBack(const Variants& variants) {
  const bool wanted =
      variants.forced.empty() ? variants.groups_finish : variants.forced == "one_pass";
  return wanted && variants.groups_talk;
}

// Whether all scans add up ones where some condition holds.
bool countsFlags(const Screma& screma) {
  size_t first = 0;
  for (const Reduction& reduction : screma.reductions) first += reduction.neutral.size();
  for (size_t s = 0; s < screma.scans.size(); ++s) {
    const Scan& scan = screma.scans[s];
    if (!addsIntegers(scan.op) || !isIntegerConstant(scan.neutral[0], 0) ||
        !isFlag(screma.map.body, screma.map.body.results[first + s])) {
      return false;
    }
  }
  return !screma.scans.empty();
}

}  // namespace

bool isCompaction(const Screma& screma, const Request& request) {
  return request.allows("compact") && countsFlags(screma);
}

bool hasTwoWays(const Screma& screma, const Limits& limits) {
  return countsFlags(screma) && limits.groups_talk && limits.groups_finish;
}

bool takesTotals(const Program& program, const Stm& scan, const Stm& scatter) {
  size_t totals = 0;
  for (const Reduction& reduction : std::get<Screma>(scan.expr).reductions) {
    totals += reduction.neutral.size();
  }
  const auto* to = std::get_if<Scatter>(&scatter.expr);
  if (to == nullptr) return false;
  const std::unordered_set<ValueId> free = freeValues(program, to->map);
  return std::any_of(scan.results.begin(), scan.results.begin() + static_cast<long>(totals),
                     [&](ValueId total) { return free.contains(total); });
}

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
  if (screma == nullptr || to == nullptr || !hasLanes(variants)) return false;
  if (writesOf(*to) != 1 || (variants.strict_floats && hasOrder(program, *screma))) return false;
  const bool tiles_do = looksBack(variants) && !takesTotals(program, scan, scatter);
  if (!tiles_do && !isCompaction(*screma, variants)) return false;
  const int most = isCompaction(*screma, variants) ? kMaxCounted : kMaxScannedBytes;
  return areSimple(program, screma->scans, most) && areLasts(program, *screma) &&
         !scanNest(program, withoutReductions(*screma)).empty() &&
         isShort(program, screma->map, kMaxCode, true) && isShort(program, to->map, kMaxCode, true);
}

bool hasMapBehind(const Body& kernel) {
  if (kernel.stms.size() < 2) return false;
  const auto* scan = std::get_if<Screma>(&kernel.stms[kernel.stms.size() - 2].expr);
  return scan != nullptr && !scan->scans.empty() &&
         std::holds_alternative<Screma>(kernel.stms.back().expr);
}

bool isScanAndMap(const Program& program, const Stm& scan, const Stm& map,
                  const Variants& variants) {
  const auto* screma = std::get_if<Screma>(&scan.expr);
  const auto* consumer = std::get_if<Screma>(&map.expr);
  if (screma == nullptr || consumer == nullptr || !hasLanes(variants)) return false;
  if (!looksBack(variants) || (variants.strict_floats && hasOrder(program, *screma))) return false;
  const bool counts = !screma->reductions.empty();
  return (counts ? areSimple(program, screma->scans, kMaxScannedBytes)
                 : areTuples(program, screma->scans, kMaxScannedBytes)) &&
         areLasts(program, *screma) && !scanNest(program, withoutReductions(*screma)).empty() &&
         isShort(program, screma->map, kMaxCode, true) &&
         isShort(program, consumer->map, kMaxCode, true);
}

}  // namespace halo::gpu

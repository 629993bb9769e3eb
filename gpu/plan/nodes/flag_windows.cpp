// A stencil becomes a map that reads by index (stencil_maps.h), whose body then stands in front of
// the scan's.
#include "gpu/plan/nodes/flag_windows.h"

#include <algorithm>
#include <utility>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nodes/read_maps.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/plan/nodes/stencil_maps.h"
#include "gpu/plan/split.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxNeighbours = 8;  // reads for each element, two times
constexpr size_t kMaxFlagCode = 24;   // statements of a flag

class FlagWindows {
 public:
  FlagWindows(Program& program, Body& body) : program_(program), body_(body) {}

  void run(const Variants& variants) {
    for (size_t c = 0; c < body_.stms.size(); ++c) {
      while (joinAny(c, variants)) {  // one statement less in front of it, and one more
      }
    }
    for (size_t c = 0; c < body_.stms.size();) c = readMaps(c, variants) ? 0 : c + 1;
  }

 private:
  // One of the maps whose elements the flags of a compaction are made of (read_maps.h).
  bool readMaps(size_t c, const Variants& variants) {
    const auto* scan = std::get_if<Screma>(&body_.stms[c].expr);
    if (scan == nullptr || scan->scans.empty() || !isCompaction(*scan, variants)) return false;
    const std::vector<ValueId> arrays = indexedBy(scan->map);
    return std::any_of(arrays.begin(), arrays.end(),
                       [&](ValueId array) { return readThrough(program_, body_, array); });
  }

  bool joinAny(size_t c, const Variants& variants) {
    const auto* scan = std::get_if<Screma>(&body_.stms[c].expr);
    if (scan == nullptr || scan->scans.empty()) return false;
    for (size_t k = 0; k < scan->inputs.size(); ++k) {
      const std::optional<size_t> p = producer(c, scan->inputs[k]);
      if (p && join(*p, c, k, variants)) return true;
    }
    return false;
  }

  // The stencil that makes the array for statement `c`, perhaps for a scatter as well.
  std::optional<size_t> producer(size_t c, ValueId array) {
    for (size_t p = 0; p < c; ++p) {
      const Stm& stm = body_.stms[p];
      const auto* stencil = std::get_if<Stencil>(&stm.expr);
      const bool makes_it = !stm.results.empty() && stm.results.back() == array;
      if (stencil == nullptr || !makes_it) continue;
      const int others = useCounts(program_, body_)[array] - 1;
      const bool is_own = others == 0 || (others == 1 && isScattered(c, array));
      return is_own && isShort(stm) && isStill(p, c) ? std::optional(p) : std::nullopt;
    }
    return std::nullopt;
  }
  bool isScattered(size_t c, ValueId array) const {
    return std::any_of(body_.stms.begin() + static_cast<std::ptrdiff_t>(c), body_.stms.end(),
                       [array](const Stm& stm) {
                         const auto* to = std::get_if<Scatter>(&stm.expr);
                         return to != nullptr && std::find(to->inputs.begin(), to->inputs.end(),
                                                           array) != to->inputs.end();
                       });
  }
  // Nothing is overwritten in between, or reads the stencil's reductions.
  bool isStill(size_t p, size_t c) const {
    const auto from = body_.stms.begin() + static_cast<std::ptrdiff_t>(p);
    const Body between = {{from + 1, body_.stms.begin() + static_cast<std::ptrdiff_t>(c)}, {}};
    const auto uses = useCounts(program_, between);
    return std::all_of(between.stms.begin(), between.stms.end(),
                       [this](const Stm& stm) { return consumed(program_, stm).empty(); }) &&
           std::none_of(from->results.begin(), from->results.end(),
                        [&](ValueId result) { return uses.contains(result); });
  }
  bool isShort(const Stm& stm) const {
    const auto& stencil = std::get<Stencil>(stm.expr);
    size_t neighbours = 0, reduced = 0;
    for (const Reduction& one : stencil.reductions) reduced += one.neutral.size();
    for (const Window& window : stencil.windows) neighbours += window.offsets.size();
    const Body& code = stencil.map.body;
    return stencil.space.size() == 1 && stm.results.size() == reduced + 1 &&
           neighbours <= kMaxNeighbours && hasStaticWindows(program_, stencil) &&
           codeSize(code) <= kMaxFlagCode && isElementCode(program_, code, false);
  }

  // Input k of the scan `c` is a result of the stencil `p`. Done if it is a compaction then.
  bool join(size_t p, size_t c, size_t k, const Variants& variants) {
    const ValueId flags = body_.stms[p].results.back();
    std::vector<Stm> made = withAllMapped(body_.stms[p]);
    const Screma map = std::get<Screma>(made.back().expr);
    made.pop_back();
    Stm joint = body_.stms[c];
    auto& scan = std::get<Screma>(joint.expr);
    scan.inputs[k] = map.inputs[0];
    const ValueId param = std::exchange(scan.map.params[k], map.map.params[0]);
    const Operand flag = map.map.body.results.back();
    substitute(program_, scan.map.body, {{param, flag}});
    prepend(scan.map.body.stms, map.map.body.stms);
    takeReductions(body_.stms[p], map.map.body.results, joint);
    if (useCounts(program_, body_)[flags] > 1) {
      scan.map.body.results.push_back(flag);
      joint.results.push_back(flags);
    }
    if (!isCompaction(scan, variants) || !areCounts(scan)) return false;
    body_.stms[c] = std::move(joint);
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(p));
    body_.stms.insert(body_.stms.begin() + static_cast<std::ptrdiff_t>(c) - 1, made.begin(),
                      made.end());
    return true;
  }

  template <typename T>
  static void prepend(std::vector<T>& to, const std::vector<T>& front) {
    to.insert(to.begin(), front.begin(), front.end());
  }

  // The stencil as a map whose results are all arrays.
  std::vector<Stm> withAllMapped(Stm stencil) {
    std::get<Stencil>(stencil.expr).reductions.clear();
    for (size_t r = 0; r + 1 < stencil.results.size(); ++r) {
      const Type& flags = program_.type(stencil.results.back());
      stencil.results[r] = program_.add("reduced", flags);
    }
    return asMap(program_, stencil);
  }
  // `mapped`: by the stencil, the last one its flags.
  static void takeReductions(const Stm& stencil, const Operands& mapped, Stm& joint) {
    auto& scan = std::get<Screma>(joint.expr);
    prepend(scan.reductions, std::get<Stencil>(stencil.expr).reductions);
    prepend(scan.map.body.results, Operands(mapped.begin(), mapped.end() - 1));
    prepend(joint.results, {stencil.results.begin(), stencil.results.end() - 1});
  }
  bool areCounts(const Screma& scan) const {
    for (size_t r = 0; r < scan.reductions.size(); ++r) {
      if (!scanOf(program_, scan, r)) return false;
    }
    return true;
  }

  Program& program_;
  Body& body_;
};

}  // namespace

void countNeighbours(Program& program, Body& body, const Variants& variants) {
  if (hasLanes(variants)) FlagWindows(program, body).run(variants);
}

}  // namespace halo::gpu

// A stencil becomes a map that reads by index (stencil_maps.h), whose body then stands in front of
// the scan's.
#include "gpu/plan/nodes/flag_windows.h"

#include <algorithm>
#include <iterator>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nodes/scan_scatter.h"
#include "gpu/plan/nodes/stencil_maps.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxNeighbours = 4;  // reads of each element, two times
constexpr size_t kMaxFlagCode = 24;   // statements of a flag

class FlagWindows {
 public:
  FlagWindows(Program& program, Body& body) : program_(program), body_(body) {}

  void run(const Variants& variants) {
    for (size_t c = 0; c < body_.stms.size(); ++c) {
      const auto* scan = std::get_if<Screma>(&body_.stms[c].expr);
      if (scan == nullptr || !hasLanes(variants) || !isCompaction(*scan, variants)) continue;
      for (size_t k = 0; k < scan->inputs.size(); ++k) {
        const std::optional<size_t> p = producer(c, scan->inputs[k]);
        if (!p) continue;
        join(*p, c, k);
        --c;  // one statement less in front of it, and one more
        break;
      }
    }
  }

 private:
  // The stencil that makes the array for statement `c` alone.
  std::optional<size_t> producer(size_t c, ValueId array) {
    for (size_t p = 0; p < c; ++p) {
      const Stm& stm = body_.stms[p];
      const auto* stencil = std::get_if<Stencil>(&stm.expr);
      if (stencil == nullptr || stm.results != std::vector<ValueId>{array}) continue;
      const bool is_own = useCounts(program_, body_)[array] == 1 && isStill(p, c);
      return is_own && isShort(*stencil) ? std::optional(p) : std::nullopt;
    }
    return std::nullopt;
  }
  // Nothing is overwritten in between.
  bool isStill(size_t p, size_t c) const {
    const auto from = body_.stms.begin();
    return std::all_of(from + static_cast<std::ptrdiff_t>(p), from + static_cast<std::ptrdiff_t>(c),
                       [this](const Stm& stm) { return consumed(program_, stm).empty(); });
  }
  bool isShort(const Stencil& stencil) const {
    size_t neighbours = 0;
    for (const Window& window : stencil.windows) neighbours += window.offsets.size();
    const Body& code = stencil.map.body;
    return stencil.space.size() == 1 && stencil.reductions.empty() &&
           neighbours <= kMaxNeighbours && hasStaticWindows(program_, stencil) &&
           codeSize(code) <= kMaxFlagCode && isElementCode(program_, code, false);
  }

  // Input k of the scan `c` is what the stencil `p` makes.
  void join(size_t p, size_t c, size_t k) {
    std::vector<Stm> maps = asMap(program_, body_.stms[p]);
    Screma map = std::get<Screma>(maps.back().expr);
    maps.pop_back();
    Screma& scan = std::get<Screma>(body_.stms[c].expr);
    const Substitution flag = {{scan.map.params[k], map.map.body.results[0]}};
    substitute(program_, scan.map.body, flag);
    for (Stm& stm : scan.map.body.stms) map.map.body.stms.push_back(std::move(stm));
    scan.map.body.stms = std::move(map.map.body.stms);
    scan.inputs[k] = map.inputs[0];
    scan.map.params[k] = map.map.params[0];
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(p));
    body_.stms.insert(body_.stms.begin() + static_cast<std::ptrdiff_t>(c) - 1,
                      std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end()));
  }

  Program& program_;
  Body& body_;
};

}  // namespace

void countNeighbours(Program& program, Body& body, const Variants& variants) {
  FlagWindows(program, body).run(variants);
}

}  // namespace halo::gpu

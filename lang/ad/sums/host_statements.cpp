#include "lang/ad/sums/host_statements.h"

#include "lang/core/node_kinds.h"
#include "lang/core/visit.h"

namespace halo::ad {

bool rewriteFirst(Body& host, const RewriteStm& rewrite) {
  for (size_t i = 0; i < host.stms.size(); ++i) {
    bool is_changed = false;
    if (core::isControl(host.stms[i].expr)) {
      core::visitBodies(host.stms[i].expr, [&](Body& nested) {
        is_changed = is_changed || rewriteFirst(nested, rewrite);
      });
    }
    if (is_changed || rewrite(host, i)) return true;
  }
  return false;
}

void replaceStm(Body& body, size_t at, std::vector<Stm> stms) {
  for (Stm& stm : stms) stm.span = body.stms[at].span;
  const auto place = body.stms.begin() + static_cast<ptrdiff_t>(at);
  body.stms.insert(body.stms.erase(place), stms.begin(), stms.end());
}

}  // namespace halo::ad

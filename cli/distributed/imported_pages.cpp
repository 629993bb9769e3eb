// Pieces are imported one by one; a rank that cannot import one tells the others.
#include "cli/distributed/imported_pages.h"

#include <cstdlib>
#include <cstring>

namespace halo::distributed {

bool isWayAsked(const char* way) {
  const char* asked = std::getenv("HALO_EXCHANGE");
  return asked != nullptr && std::strcmp(asked, way) == 0;
}

ranks::Result<bool> ImportedPages::share(uint64_t bytes, uint64_t site) {
  forget();
  auto shared = ranks::Pages::share(ranks_, bytes);
  if (!shared) return tl::unexpected(shared.error());
  pages_ = std::move(*shared);
  bool can_import = pages_ != nullptr;
  for (int rank = 0; can_import && rank < ranks_.count(); ++rank) {
    can_import = copies_->import(pages_->of(rank), pages_->bytes()).has_value();
  }
  auto worst = ranks_.agree(can_import ? 0 : 1, site);
  if (!worst) return tl::unexpected(worst.error());
  if (*worst != 0) forget();
  return *worst == 0;
}

void ImportedPages::forget() noexcept {
  if (pages_ == nullptr) return;
  for (int rank = 0; rank < ranks_.count(); ++rank) copies_->forget(pages_->of(rank));
  pages_.reset();
}

}  // namespace halo::distributed

// Pieces are imported one by one; a rank that cannot import one tells the others.
#include "cli/distributed/imported_pages.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "lang/ranks/files.h"

namespace halo::distributed {

bool isWayAsked(const char* way) {
  const char* asked = std::getenv("HALO_EXCHANGE");
  return asked != nullptr && std::strcmp(asked, way) == 0;
}

ranks::Result<bool> ImportedPages::makePages(uint64_t bytes) {
  forget();
  auto shared = ranks::Pages::share(ranks_, bytes);
  if (!shared) return tl::unexpected(shared.error());
  pages_ = std::move(*shared);
  return pages_ != nullptr;
}

ranks::Result<bool> ImportedPages::agreed(bool can_copy, uint64_t site) {
  auto worst = ranks_.agree(can_copy ? 0 : 1, site);
  if (!worst) return tl::unexpected(worst.error());
  if (*worst != 0) forget();
  return *worst == 0;
}

ranks::Result<bool> ImportedPages::share(uint64_t bytes, uint64_t site) {
  auto can_import = makePages(bytes);
  if (!can_import) return can_import;
  for (int rank = 0; *can_import && rank < ranks_.count(); ++rank) {
    *can_import = copies_->import(pages_->of(rank), pages_->bytes()).has_value();
  }
  return agreed(*can_import, site);
}

ranks::Result<bool> ImportedPages::shareWindows(uint64_t bytes, uint64_t site) {
  auto made = makePages(bytes);
  if (!made || !*made) return made;
  const int own = copies_->makeWindow(pages_->of(ranks_.rank()), bytes);
  auto files = ranks::passFiles(ranks_, own);
  if (own >= 0) close(own);
  if (!files) return tl::unexpected(files.error());
  bool can_take = !files->empty();
  for (size_t rank = 0; rank < files->size(); ++rank) {
    const int file = (*files)[rank];
    if (file < 0) continue;  // this rank's
    can_take = can_take && copies_->takeWindow(pages_->of(static_cast<int>(rank)), file, bytes);
    close(file);
  }
  return agreed(can_take, site);
}

void ImportedPages::forget() noexcept {
  if (pages_ == nullptr) return;
  for (int rank = 0; rank < ranks_.count(); ++rank) copies_->forget(pages_->of(rank));
  pages_.reset();
}

}  // namespace halo::distributed

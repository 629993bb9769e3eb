// Pages that the ranks of a machine share (lang/ranks/pages.h), which the engine of each has
// imported, for its own copies.
#pragma once

#include <memory>

#include "lang/engine/page_copies.h"
#include "lang/ranks/pages.h"

namespace halo::distributed {

// HALO_EXCHANGE=messages takes no pages, =pages overlaps no computation, =windows takes these from
// the start: to compare.
bool isWayAsked(const char* way);

inline uint64_t roundUp(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

class ImportedPages {
 public:
  // `copies`: of the engine's arrays; null if it has none, and then nothing is shared.
  ImportedPages(ranks::Ranks& ranks, engine::PageCopies* copies) : ranks_(ranks), copies_(copies) {}
  ~ImportedPages() { forget(); }
  ImportedPages(const ImportedPages&) = delete;
  ImportedPages& operator=(const ImportedPages&) = delete;

  // Collective, with one answer: whether all ranks have a piece of `bytes` and can copy to and from
  // all pieces. They replace those before. `site`: where the ranks agree.
  ranks::Result<bool> share(uint64_t bytes, uint64_t site);
  // The same with windows (lang/engine/page_copies.h): whether all ranks' devices copy from each
  // other's. If not, there are no pages either.
  ranks::Result<bool> shareWindows(uint64_t bytes, uint64_t site);
  ranks::Pages* operator->() const { return pages_.get(); }

 private:
  ranks::Result<bool> makePages(uint64_t bytes);
  ranks::Result<bool> agreed(bool can_copy, uint64_t site);
  void forget() noexcept;

  ranks::Ranks& ranks_;
  engine::PageCopies* copies_;
  std::unique_ptr<ranks::Pages> pages_;
};

}  // namespace halo::distributed

// The rows of all ranks on every rank (an all-gather), for ranks of one machine whose arrays lie on
// devices: through pages that these ranks share.
//
//   rank 0   rows -> page 0   ring        hear   page 1 -> array
//   rank 1   rows -> page 1   ring        hear   page 0 -> array
//
// A device copies its rows to its own piece and the others' from theirs (engine/page_copies.h). So
// no array goes through memory of the host, and kernels may run while the last copies arrive.
//
// A piece has two slots, which alternate; longer blocks take several turns. A rank fills a slot
// again when all others have signalled the turn behind: their copies from it have ended then.
#pragma once

#include <memory>
#include <vector>

#include "lang/engine/page_copies.h"
#include "lang/ranks/pages.h"

namespace halo::distributed {

class AllGather {
 public:
  // `copies`: of the engine's arrays; null if it has none.
  AllGather(ranks::Ranks& ranks, engine::PageCopies* copies) : ranks_(ranks), copies_(copies) {}
  ~AllGather() { forget(); }
  AllGather(const AllGather&) = delete;
  AllGather& operator=(const AllGather&) = delete;

  // Collective, with one answer. Whether blocks of `bytes[r]` bytes of rank r go through pages;
  // makes these. A failure: another rank has ended.
  diag::Result<bool> takes(const std::vector<uint64_t>& bytes);
  // Collective, behind takes(). `own`: dense rows of this rank. The result has `rows` rows, those
  // of all ranks in their order; it may still be on its way to the device. Other ranks do not wait
  // for one that fails.
  diag::Result<value::Array> gather(const value::Array& own, const std::vector<uint64_t>& bytes,
                                    int64_t rows);

 private:
  using Done = diag::Result<std::monostate>;

  diag::Result<bool> share(uint64_t bytes);
  void forget() noexcept;
  Done turns(const value::Array& own, const std::vector<uint64_t>& bytes, const value::Array& all);
  Done turn(const value::Array& own, const std::vector<uint64_t>& bytes, const value::Array& all,
            bool has_own, uint64_t done);

  ranks::Ranks& ranks_;
  engine::PageCopies* copies_;
  std::unique_ptr<ranks::Pages> pages_;
  uint64_t slot_bytes_ = 0;
  uint64_t turn_ = 0;
  bool has_pages_ = true;  // not tried yet, or shared
};

}  // namespace halo::distributed

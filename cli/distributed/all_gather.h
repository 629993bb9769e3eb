// The rows of all ranks on every rank (an all-gather), for ranks of one machine whose arrays lie on
// devices: through pages that these ranks share.
//
//   rank 0   rows -> page 0   ring        hear   page 1 -> arrays
//   rank 1   rows -> page 1   ring        hear   page 0 -> arrays
//
// Where the devices can copy from each other, windows of their memory replace the pages once these
// have carried much (gpu/windows.h).
//
// A device copies its rows to its own piece and the others' from theirs (engine/page_copies.h). So
// no array goes through memory of the host, and kernels may run while the last copies arrive. A
// block that fits a slot need not be there when gather() returns: the device waits for it.
//
// The block of a rank is its rows of several arrays, one behind the other. A piece has two slots,
// which alternate; longer blocks take several turns. A rank fills a slot again when all others have
// signalled the turn behind: their copies from it have ended then.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/distributed/imported_pages.h"

namespace halo::distributed {

// One of the arrays: the rows of this rank, dense, and the numbers of rows of all ranks.
struct Contribution {
  value::Array own;
  std::vector<int64_t> rows;
};

class AllGather {
 public:
  // `copies`: of the engine's arrays; null if it has none.
  AllGather(ranks::Ranks& ranks, engine::PageCopies* copies)
      : ranks_(ranks), copies_(copies), pages_(ranks, copies) {}

  // Collective, with one answer. Whether such blocks go through pages; makes these. A failure:
  // another rank has ended.
  diag::Result<bool> takes(const std::vector<Contribution>& arrays);
  // Collective, behind takes(). The rows of all ranks in their order, for each array; they may
  // still be on their way to the device. Other ranks do not wait for one that fails. `meanwhile`
  // is called when the first own rows are on their way to the pages.
  using Done = diag::Result<std::monostate>;
  diag::Result<std::vector<value::Array>> gather(std::vector<Contribution> arrays,
                                                 const std::function<Done()>& meanwhile);

  bool hasWindows() const { return has_windows_; }
  // Another rank has ended while the device waited for its rows.
  bool isLost() const { return is_lost_; }

 private:
  using Arrays = std::vector<value::Array>;

  ranks::Result<bool> share(bool by_windows);
  Done turns(std::vector<Contribution>& arrays, Arrays* all,
             const std::function<Done()>& meanwhile);
  Done begin(const std::vector<Contribution>& arrays, uint64_t done);
  Done arrive(const std::vector<Contribution>& arrays, const Arrays& all, uint64_t done);
  bool arriveLater(const std::vector<Contribution>& arrays, const Arrays& all);
  Done hear(int rank, uint64_t turn);
  std::vector<engine::PageCopy> copiesOf(const std::vector<Contribution>& arrays, const Arrays* all,
                                         size_t rank, uint64_t done) const;

  ranks::Ranks& ranks_;
  engine::PageCopies* copies_;
  ImportedPages pages_;
  uint64_t slot_bytes_ = 0;
  uint64_t turn_ = 0;
  uint64_t carried_ = 0;      // bytes of a rank, by pages
  int small_ = 0;             // blocks so far
  bool has_pages_ = true;     // not tried yet, or shared
  bool has_windows_ = false;  // in their place
  bool can_try_ = true;       // whether there are windows
  bool comes_later_ = false;  // the last turn
  bool is_lost_ = false;
};

}  // namespace halo::distributed

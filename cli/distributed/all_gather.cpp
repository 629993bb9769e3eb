// Turns of an all-gather, and its pages.
#include "cli/distributed/all_gather.h"

#include <algorithm>
#include <numeric>

#include "cli/distributed/rows.h"

namespace halo::distributed {
namespace {

using engine::PageCopy;
using value::Array;

constexpr uint64_t kSite = 0x676174686572;         // `gather`: where ranks agree
constexpr uint64_t kMaxSlot = uint64_t{1} << 24;   // bytes
constexpr uint64_t kMinBytes = uint64_t{1} << 16;  // of the longest block
// Smaller ones go by messages until there have been so many: pages take some time to make.
constexpr int kFewSmall = 4;
constexpr uint64_t kAlignment = 256;  // of each array's rows in a block
// Pages carry 23 GB/s, windows of two H200 90; to open these takes 0.4 s.
constexpr uint64_t kWorthWindows = uint64_t{1} << 33;
constexpr int kSlots = 2;
constexpr int kBell = 0;

uint64_t bytesOf(const Contribution& array, size_t rank) {
  return static_cast<uint64_t>(array.rows[rank]) * rowBytes(array.own);
}

uint64_t longestBlock(const std::vector<Contribution>& arrays) {
  uint64_t longest = 0;
  for (size_t rank = 0; rank < arrays[0].rows.size(); ++rank) {
    uint64_t bytes = 0;
    for (const Contribution& array : arrays) bytes += roundUp(bytesOf(array, rank), kAlignment);
    longest = std::max(longest, bytes);
  }
  return longest;
}

// Rows of all ranks in front of that one's.
int64_t rowsBefore(const Contribution& array, size_t rank) {
  return std::accumulate(array.rows.begin(), array.rows.begin() + static_cast<std::ptrdiff_t>(rank),
                         int64_t{0});
}

// Elements [first, first + count) of a dense array, as a row of numbers.
Array elementsOf(const Array& array, uint64_t first, uint64_t count) {
  Array part = array;
  part.layout.shape = {static_cast<int64_t>(count)};
  part.layout.strides = {1};
  part.layout.offset += static_cast<int64_t>(first);
  return part;
}

}  // namespace

diag::Result<bool> AllGather::takes(const std::vector<Contribution>& arrays) {
  const uint64_t longest = longestBlock(arrays);
  const bool is_host = copies_ == nullptr || !copies_->isOfDevice();
  if (is_host || !has_pages_ || longest == 0 || isWayAsked("messages")) return false;
  if (longest < kMinBytes && (has_windows_ || ++small_ <= kFewSmall)) return false;
  const uint64_t wanted = std::min(roundUp(longest, kMinBytes), kMaxSlot);
  carried_ += longest;
  const bool begins =
      can_try_ && !has_windows_ && (carried_ > kWorthWindows || isWayAsked("windows"));
  if (slot_bytes_ >= wanted && !begins) return true;
  can_try_ = can_try_ && !begins;
  slot_bytes_ = std::max(slot_bytes_, wanted);
  turn_ = 0;
  auto shared = share(begins || has_windows_);
  if (!shared) return diag::fail(diag::Code::device_failure, {}, shared.error().text);
  has_pages_ = *shared;
  return has_pages_;
}

ranks::Result<bool> AllGather::share(bool by_windows) {
  const uint64_t bytes = slot_bytes_ * kSlots;
  if (by_windows) {
    auto shared = pages_.shareWindows(bytes, kSite);
    if (!shared) return shared;
    has_windows_ = *shared;
    if (has_windows_) return true;
  }
  return pages_.share(bytes, kSite);
}

diag::Result<std::vector<Array>> AllGather::gather(std::vector<Contribution> arrays,
                                                   const std::function<Done()>& meanwhile) {
  const uint64_t last = turn_ + (longestBlock(arrays) + slot_bytes_ - 1) / slot_bytes_;
  Arrays all;
  const Done done = turns(arrays, &all, meanwhile);
  turn_ = last;
  if (!done || !comes_later_) pages_->ring(kBell, last);
  if (!done) return tl::unexpected(done.error());
  return all;
}

AllGather::Done AllGather::turns(std::vector<Contribution>& arrays, Arrays* all,
                                 const std::function<Done()>& meanwhile) {
  const auto self = static_cast<size_t>(ranks_.rank());
  for (Contribution& array : arrays) {
    const int64_t rows = rowsBefore(array, array.rows.size());
    auto room = copies_->room(array.own.type(), withRows(array.own.shape(), rows));
    if (!room) return tl::unexpected(room.error());
    all->push_back(std::move(*room));
    if (copies_->canCopy(array.own)) continue;
    auto dense = value::toDense(array.own);
    if (!dense) return tl::unexpected(dense.error());
    array.own = std::move(*dense);
  }
  const uint64_t longest = longestBlock(arrays);
  comes_later_ = false;
  for (uint64_t done = 0; done < longest; done += slot_bytes_) {
    ++turn_;
    if (auto begun = begin(arrays, done); !begun) return begun;
    if (done == 0) {
      if (auto ready = meanwhile(); !ready) return ready;
    }
    const bool can_wait = longest <= slot_bytes_ && !isWayAsked("pages");
    comes_later_ = can_wait && arriveLater(arrays, *all);
    if (comes_later_) break;
    if (auto arrived = arrive(arrays, *all, done); !arrived) return arrived;
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (bytesOf(arrays[i], self) == 0) continue;
    if (copies_->paste((*all)[i], rowsBefore(arrays[i], self), arrays[i].own)) continue;
    return diag::fail(diag::Code::device_failure, {}, "own rows cannot be copied");
  }
  return std::monostate{};
}

// Bytes done .. done + slot_bytes_ of this rank's block.
AllGather::Done AllGather::begin(const std::vector<Contribution>& arrays, uint64_t done) {
  const auto self = static_cast<size_t>(ranks_.rank());
  return copies_->out(pages_->of(ranks_.rank()), copiesOf(arrays, nullptr, self, done));
}

// Those of the others.
AllGather::Done AllGather::arrive(const std::vector<Contribution>& arrays, const Arrays& all,
                                  uint64_t done) {
  if (auto copied = copies_->finishOut(); !copied) return copied;
  pages_->ring(kBell, turn_);
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    if (rank == ranks_.rank()) continue;
    if (auto heard = hear(rank, turn_); !heard) return heard;
    const std::vector<PageCopy> in = copiesOf(arrays, &all, static_cast<size_t>(rank), done);
    if (auto begun = copies_->in(pages_->of(rank), in); !begun) return begun;
  }
  return std::monostate{};
}

AllGather::Done AllGather::hear(int rank, uint64_t turn) {
  auto heard = pages_->hear(rank, kBell, turn);
  if (heard) return std::monostate{};
  is_lost_ = true;
  return diag::fail(diag::Code::device_failure, {}, heard.error().text);
}

// Own rows stay as they are until they have left.
bool AllGather::arriveLater(const std::vector<Contribution>& arrays, const Arrays& all) {
  std::vector<engine::PageCopies::PageRows> pages;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    if (rank == ranks_.rank()) continue;
    pages.push_back({pages_->of(rank), copiesOf(arrays, &all, static_cast<size_t>(rank), 0)});
  }
  return copies_->inLater(pages, [this, sent = arrays, turn = turn_](bool hears) -> Done {
    pages_->ring(kBell, turn);
    for (int rank = 0; hears && rank < ranks_.count(); ++rank) {
      if (rank == ranks_.rank()) continue;
      if (auto heard = hear(rank, turn); !heard) return heard;
    }
    return std::monostate{};
  });
}

// The parts of a rank's block in this turn: of its own rows, or of those of `all`.
std::vector<PageCopy> AllGather::copiesOf(const std::vector<Contribution>& arrays,
                                          const Arrays* all, size_t rank, uint64_t done) const {
  std::vector<PageCopy> copies;
  const uint64_t slot = turn_ % kSlots * slot_bytes_;
  uint64_t begin = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Contribution& array = arrays[i];
    const auto size = static_cast<uint64_t>(prim::byteSize(array.own.type()));
    const uint64_t row = rowBytes(array.own);
    const uint64_t from = std::max(begin, done);
    const uint64_t to = std::min(begin + bytesOf(array, rank), done + slot_bytes_);
    const uint64_t before =
        all == nullptr ? 0 : static_cast<uint64_t>(rowsBefore(array, rank)) * row;
    if (from < to) {
      const Array& whole = all == nullptr ? array.own : (*all)[i];
      copies.push_back({elementsOf(whole, (before + from - begin) / size, (to - from) / size),
                        slot + from - done});
    }
    begin += roundUp(bytesOf(array, rank), kAlignment);
  }
  return copies;
}

}  // namespace halo::distributed

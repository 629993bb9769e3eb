// Turns of an all-gather, and its pages.
#include "cli/distributed/all_gather.h"

#include <algorithm>
#include <numeric>

#include "cli/distributed/row_exchange.h"
#include "cli/distributed/rows.h"

namespace halo::distributed {
namespace {

using engine::PageCopy;
using value::Array;

constexpr uint64_t kSite = 0x676174686572;         // `gather`: where ranks agree
constexpr uint64_t kMaxSlot = uint64_t{1} << 24;   // bytes
constexpr uint64_t kMinBytes = uint64_t{1} << 16;  // of the longest block; else messages
constexpr int kSlots = 2;
constexpr int kBell = 0;

// Elements [first, first + count) of a dense array, as a row of numbers.
Array elementsOf(const Array& array, uint64_t first, uint64_t count) {
  Array part = array;
  part.layout.shape = {static_cast<int64_t>(count)};
  part.layout.strides = {1};
  part.layout.offset += static_cast<int64_t>(first);
  return part;
}

}  // namespace

diag::Result<bool> AllGather::takes(const std::vector<uint64_t>& bytes) {
  const uint64_t longest = *std::max_element(bytes.begin(), bytes.end());
  const bool is_host = copies_ == nullptr || !copies_->isOfDevice();
  if (is_host || !has_pages_ || longest < kMinBytes || isWayAsked("messages")) return false;
  const uint64_t wanted = std::min((longest + kMinBytes - 1) / kMinBytes * kMinBytes, kMaxSlot);
  return pages_ != nullptr && slot_bytes_ >= wanted ? true : share(wanted);
}

diag::Result<bool> AllGather::share(uint64_t bytes) {
  forget();
  auto shared = ranks::Pages::share(ranks_, bytes * kSlots);
  if (!shared) return diag::fail(diag::Code::device_failure, {}, shared.error().text);
  pages_ = std::move(*shared);
  bool can_import = pages_ != nullptr;
  for (int rank = 0; can_import && rank < ranks_.count(); ++rank) {
    can_import = copies_->import(pages_->of(rank), pages_->bytes()).has_value();
  }
  auto worst = ranks_.agree(can_import ? 0 : 1, kSite);
  if (!worst) return diag::fail(diag::Code::device_failure, {}, worst.error().text);
  has_pages_ = *worst == 0;
  slot_bytes_ = bytes;
  turn_ = 0;
  if (!has_pages_) forget();
  return has_pages_;
}

void AllGather::forget() noexcept {
  if (pages_ == nullptr) return;
  for (int rank = 0; rank < ranks_.count(); ++rank) copies_->forget(pages_->of(rank));
  pages_.reset();
}

diag::Result<Array> AllGather::gather(const Array& own, const std::vector<uint64_t>& bytes,
                                      int64_t rows) {
  const uint64_t longest = *std::max_element(bytes.begin(), bytes.end());
  const uint64_t last = turn_ + (longest + slot_bytes_ - 1) / slot_bytes_;
  auto all = copies_->room(own.type(), withRows(own.shape(), rows));
  const Done done = all ? turns(own, bytes, *all) : Done(tl::unexpected(all.error()));
  turn_ = last;
  pages_->ring(kBell, last);
  if (!done) return tl::unexpected(done.error());
  return all;
}

AllGather::Done AllGather::turns(const Array& own, const std::vector<uint64_t>& bytes,
                                 const Array& all) {
  Array source = own;
  if (!copies_->canCopy(source)) {
    auto dense = value::toDense(source);
    if (!dense) return tl::unexpected(dense.error());
    source = std::move(*dense);
  }
  const uint64_t longest = *std::max_element(bytes.begin(), bytes.end());
  const auto self = bytes.begin() + ranks_.rank();
  const uint64_t before = std::accumulate(bytes.begin(), self, uint64_t{0});
  const auto row = static_cast<int64_t>(rowBytes(all));
  const bool has_own =
      *self == 0 || copies_->paste(all, static_cast<int64_t>(before) / row, source);
  for (uint64_t done = 0; done < longest; done += slot_bytes_) {
    ++turn_;
    if (auto went = turn(source, bytes, all, has_own, done); !went) return went;
  }
  return std::monostate{};
}

// Bytes done .. done + slot_bytes_ of each rank's block.
AllGather::Done AllGather::turn(const Array& own, const std::vector<uint64_t>& bytes,
                                const Array& all, bool has_own, uint64_t done) {
  const auto size = static_cast<uint64_t>(prim::byteSize(own.type()));
  const uint64_t slot = turn_ % kSlots * slot_bytes_;
  const auto countOf = [&](uint64_t block) {
    return block <= done ? 0 : std::min(block - done, slot_bytes_) / size;
  };
  const int self = ranks_.rank();
  const uint64_t mine = countOf(bytes[static_cast<size_t>(self)]);
  const PageCopy out{elementsOf(own, done / size, mine), slot};
  if (mine > 0) {
    if (auto begun = copies_->out(pages_->of(self), {&out, 1}); !begun) return begun;
  }
  if (auto copied = copies_->finishOut(); !copied) return copied;
  pages_->ring(kBell, turn_);
  uint64_t first = done / size;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    if (rank != self) {
      if (auto heard = pages_->hear(rank, kBell, turn_); !heard) {
        return diag::fail(diag::Code::device_failure, {}, heard.error().text);
      }
    }
    const PageCopy in{elementsOf(all, first, countOf(bytes[static_cast<size_t>(rank)])), slot};
    if (in.rows.elements() > 0 && !(rank == self && has_own)) {
      if (auto begun = copies_->in(pages_->of(rank), {&in, 1}); !begun) return begun;
    }
    first += bytes[static_cast<size_t>(rank)] / size;
  }
  return std::monostate{};
}

}  // namespace halo::distributed

// The two ways of an exchange.
#include "cli/distributed/row_exchange.h"

#include <algorithm>
#include <cstring>

#include "cli/distributed/rows.h"

namespace halo::distributed {
namespace {

using engine::PageCopy;
using value::Array;

constexpr uint64_t kSite = 0x726f7773;            // `rows`: where ranks agree
constexpr uint64_t kMaxSlot = uint64_t{1} << 28;  // bytes that a piece holds for one neighbour
constexpr uint64_t kSlotUnit = uint64_t{1} << 16;
constexpr uint64_t kAlignment = 256;  // of each array's rows in a slot
constexpr int kTurns = 2;

// Bells, and halves of a piece: for the rank before this one, and for the one behind.
constexpr int kBefore = 0, kBehind = 1;

uint64_t edgeBytes(const Array& array, int64_t k) {
  return static_cast<uint64_t>(k) * rowBytes(array);
}

uint64_t alignedEdge(const Array& array, int64_t k) {
  return roundUp(edgeBytes(array, k), kAlignment);
}

// The own rows of arrays with room.
std::vector<Array> rowsInside(const std::vector<Array>& arrays, const ranks::Edges& edges) {
  std::vector<Array> own;
  for (const Array& array : arrays) {
    own.push_back(rowsOf(array, edges.above, array.shape()[0] - edges.above - edges.below));
  }
  return own;
}

}  // namespace

RowExchange::RowExchange(ranks::Ranks& ranks, std::unique_ptr<engine::PageCopies> copies)
    : ranks_(ranks), copies_(std::move(copies)), pages_(ranks, copies_.get()) {}

void RowExchange::runAhead() {
  if (copies_ != nullptr) copies_->runAhead();
}

const char* RowExchange::way() const { return way_ == Way::kPages ? "shared pages" : "messages"; }

RowExchange::Done RowExchange::lost(const std::string& text) {
  is_lost_ = true;
  return diag::fail(diag::Code::device_failure, {}, text);
}

uint64_t RowExchange::slot(int bell) const {
  return (static_cast<uint64_t>(bell) * kTurns + turn_ % kTurns) * slot_bytes_;
}

RowExchange::Done RowExchange::begin(const std::vector<Array>& arrays, int64_t k,
                                     const ranks::Edges& edges, std::vector<Array>* ghosts) {
  if (auto done = finish(); !done) return done;
  if (auto chosen = choose(arrays, k, edges); !chosen) return chosen;
  const Timed timed(traffic_.exchange_ms);
  return fitsPages(arrays, k) ? beginByPages(arrays, k, edges, ghosts)
                              : byMessages(arrays, k, edges, ghosts);
}

RowExchange::Done RowExchange::renew(std::vector<Array>& arrays, int64_t k,
                                     const ranks::Edges& edges) {
  if (auto done = finish(); !done) return done;
  if (auto chosen = choose(rowsInside(arrays, edges), k, edges); !chosen) return chosen;
  const Timed timed(traffic_.exchange_ms);
  if (!fitsPages(arrays, k)) return renewByMessages(arrays, k, edges);
  for (Array& array : arrays) {
    if (auto alone = makeAlone(array); !alone) return alone;
  }
  std::vector<Array> ghosts;
  for (const Array& array : arrays) {
    ghosts.push_back(rowsOf(array, 0, edges.above));
    ghosts.push_back(rowsOf(array, array.shape()[0] - edges.below, edges.below));
  }
  return beginByPages(rowsInside(arrays, edges), k, edges, &ghosts);
}

// Its memory is no other array's; on its device, if that can.
RowExchange::Done RowExchange::makeAlone(Array& array) {
  if (array.buffer == nullptr || array.buffer.use_count() == 1) return std::monostate{};
  auto room = copies_->room(array.type(), array.shape());
  if (!room) return tl::unexpected(room.error());
  if (copies_->paste(*room, 0, array)) {
    array = std::move(*room);
    return std::monostate{};
  }
  auto fresh = value::makeArray(array.type(), array.shape());
  auto old = value::toDense(array);
  if (!fresh || !old) return tl::unexpected(!fresh ? fresh.error() : old.error());
  std::memcpy(fresh->data(), old->data(),
              static_cast<size_t>(fresh->shape()[0]) * rowBytes(*fresh));
  array = std::move(*fresh);
  return std::monostate{};
}

RowExchange::Done RowExchange::renewByMessages(std::vector<Array>& arrays, int64_t k,
                                               const ranks::Edges& edges) {
  std::vector<Array> ghosts;
  if (auto done = byMessages(rowsInside(arrays, edges), k, edges, &ghosts); !done) return done;
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto above = paste(std::move(arrays[i]), 0, ghosts[2 * i]);
    if (!above) return tl::unexpected(above.error());
    const int64_t last = above->shape()[0] - edges.below;
    auto both = paste(std::move(*above), last, ghosts[2 * i + 1]);
    if (!both) return tl::unexpected(both.error());
    arrays[i] = std::move(*both);
  }
  return std::monostate{};
}

bool RowExchange::fitsPages(const std::vector<Array>& arrays, int64_t k) const {
  uint64_t bytes = 0;
  for (const Array& array : arrays) bytes += alignedEdge(array, k);
  return way_ == Way::kPages && bytes > 0 && bytes <= kMaxSlot;
}

// All ranks need as much room, so that all ask for pages here, or none.
RowExchange::Done RowExchange::choose(const std::vector<Array>& arrays, int64_t k,
                                      const ranks::Edges& edges) {
  uint64_t bytes = 0;
  for (const Array& array : arrays) {
    bytes += alignedEdge(array, k);
    traffic_.bytes +=
        static_cast<int64_t>(edgeBytes(array, k)) * ((edges.before >= 0) + (edges.behind >= 0));
  }
  ++traffic_.exchanges;
  if (copies_ == nullptr || isWayAsked("messages")) way_ = Way::kMessages;
  // Rows without elements need no pages, and a device imports no empty ones.
  if (way_ == Way::kMessages || bytes == 0 || bytes > kMaxSlot) return std::monostate{};
  if (way_ == Way::kPages && bytes <= slot_bytes_) return std::monostate{};
  const Timed timed(traffic_.set_up_ms);
  slot_bytes_ = roundUp(bytes, kSlotUnit);
  turn_ = 0;
  auto shared = pages_.share(slot_bytes_ * kTurns * ranks::kBells, kSite);
  if (!shared) return lost(shared.error().text);
  way_ = *shared ? Way::kPages : Way::kMessages;
  return std::monostate{};
}

RowExchange::Done RowExchange::beginByPages(const std::vector<Array>& arrays, int64_t k,
                                            const ranks::Edges& edges, std::vector<Array>* ghosts) {
  const bool are_given = !ghosts->empty();
  ++turn_;
  sides_.clear();
  sent_.clear();
  is_open_ = true;
  sides_.push_back({edges.before, kBefore, kBehind, {}});
  sides_.push_back({edges.behind, kBehind, kBefore, {}});
  std::vector<PageCopy> out;
  uint64_t at = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Array& array = arrays[i];
    Array source = array;
    if (!copies_->canCopy(source)) {
      auto dense = value::toDense(source);
      if (!dense) return tl::unexpected(dense.error());
      source = std::move(*dense);
    }
    sent_.push_back(source);
    for (Side& side : sides_) {
      const int64_t rows = side.bell == kBefore ? edges.above : edges.below;
      const size_t place = 2 * i + (side.bell == kBefore ? 0 : 1);
      if (!are_given) {
        auto room = copies_->room(array.type(), withRows(array.shape(), rows));
        if (!room) return tl::unexpected(room.error());
        ghosts->push_back(std::move(*room));
      }
      if (side.rank < 0 || edgeBytes(array, k) == 0) continue;
      const int64_t first = side.bell == kBefore ? 0 : array.shape()[0] - k;
      out.push_back({rowsOf(source, first, k), slot(side.bell) + at});
      side.in.push_back({(*ghosts)[place], slot(side.heard_bell) + at});
    }
    at += alignedEdge(array, k);
  }
  if (auto begun = copies_->out(pages_->of(ranks_.rank()), out); !begun) return begun;
  const bool waits = !isWayAsked("pages") && copies_->expect(*ghosts, [this] {
    const Timed timed(traffic_.exchange_ms);
    return arrive();
  });
  return waits ? Done(std::monostate{}) : arrive();
}

// Neighbours may wait for these rows whatever happens here: bells ring in any case.
RowExchange::Done RowExchange::arrive() {
  if (!is_open_) return std::monostate{};
  is_open_ = false;
  auto copied = copies_->finishOut();
  sent_.clear();
  ring(sides_, turn_);
  if (!copied) return copied;
  for (Side& side : sides_) {
    if (side.rank < 0) continue;
    if (auto heard = hear(side, turn_); !heard) return heard;
    const int rank = static_cast<int>(side.rank);
    if (auto begun = copies_->in(pages_->of(rank), side.in); !begun) return begun;
    side.in.clear();  // the next exchange may ask whether an array is alone
  }
  return std::monostate{};
}

void RowExchange::ring(const std::vector<Side>& sides, uint64_t turn) {
  for (const Side& side : sides) {
    if (side.rank >= 0) pages_->ring(side.bell, turn);
  }
}

RowExchange::Done RowExchange::hear(const Side& side, uint64_t turn) {
  auto heard = pages_->hear(static_cast<int>(side.rank), side.heard_bell, turn);
  return heard ? Done(std::monostate{}) : lost(heard.error().text);
}

// Sent rows stay as they are until they have left.
bool RowExchange::arriveLater() {
  std::vector<engine::PageCopies::PageRows> pages;
  std::vector<Side> sides = sides_;
  for (Side& side : sides) {
    if (side.rank >= 0) pages.push_back({pages_->of(static_cast<int>(side.rank)), side.in});
    side.in.clear();
  }
  return copies_->inLater(pages, [this, sides, sent = sent_, turn = turn_](bool hears) -> Done {
    const Timed timed(traffic_.exchange_ms);
    ring(sides, turn);
    for (const Side& side : sides) {
      if (!hears || side.rank < 0) continue;
      if (auto heard = hear(side, turn); !heard) return heard;
    }
    return std::monostate{};
  });
}

RowExchange::Done RowExchange::finish() {
  if (!is_open_) return std::monostate{};
  const Timed timed(traffic_.exchange_ms);
  return arrive();
}

RowExchange::Done RowExchange::finishLater() {
  if (!is_open_ || !arriveLater()) return finish();
  is_open_ = false;
  (void)copies_->expect({}, {});
  sides_.clear();
  sent_.clear();
  return std::monostate{};
}

void RowExchange::abandon() {
  if (copies_ != nullptr) (void)copies_->settle(false);
  if (!is_open_) return;
  is_open_ = false;
  (void)copies_->finishOut();
  (void)copies_->expect({}, {});
  sent_.clear();
  ring(sides_, turn_);
}

diag::Result<Array> RowExchange::paste(Array into, int64_t first, const Array& rows) {
  if (rows.elements() == 0) return into;
  const bool is_own = into.buffer.use_count() == 1;
  if (is_own && copies_ != nullptr && copies_->paste(into, first, rows)) return into;
  auto all = value::makeArray(into.type(), into.shape());
  auto old = value::toDense(into), given = value::toDense(rows);
  for (const auto* part : {&all, &old, &given}) {
    if (!*part) return tl::unexpected(part->error());
  }
  std::memcpy(all->data(), old->data(), static_cast<size_t>(into.shape()[0]) * rowBytes(into));
  std::memcpy(all->data() + static_cast<size_t>(first) * rowBytes(into), given->data(),
              static_cast<size_t>(rows.shape()[0]) * rowBytes(into));
  return all;
}

// Only the rows at the edges come to the host.
RowExchange::Done RowExchange::byMessages(const std::vector<Array>& arrays, int64_t k,
                                          const ranks::Edges& edges, std::vector<Array>* ghosts) {
  for (const Array& array : arrays) {
    const uint64_t edge = edgeBytes(array, k);
    auto above = value::makeArray(array.type(), withRows(array.shape(), edges.above));
    auto below = value::makeArray(array.type(), withRows(array.shape(), edges.below));
    if (!above || !below) return lost("no memory for the rows of a neighbour");
    // An edge of the array has no neighbour, and need not come to the host.
    diag::Result<Array> first = *above, last = *below;
    if (edge > 0 && edges.before >= 0) first = value::toDense(rowsOf(array, 0, k));
    if (edge > 0 && edges.behind >= 0) {
      last = value::toDense(rowsOf(array, array.shape()[0] - k, k));
    }
    if (!first || !last) return lost((!first ? first : last).error().message);
    auto sent = ranks::exchangeEdges(ranks_, edges, edge, dataOf(*first), dataOf(*last),
                                     dataOf(*above), dataOf(*below));
    if (!sent) return lost(sent.error().text);
    ghosts->push_back(std::move(*above));
    ghosts->push_back(std::move(*below));
  }
  return std::monostate{};
}

}  // namespace halo::distributed

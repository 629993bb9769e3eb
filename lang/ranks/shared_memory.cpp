// The mailboxes and how ranks meet.
#include "lang/ranks/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "lang/ranks/patience.h"

namespace halo::ranks {
namespace {

constexpr int kMaxRanks = 1024;

// At the front of the memory.
struct Meeting {
  std::atomic<uint32_t> arrived;
  std::atomic<uint32_t> round;
  std::atomic<uint32_t> left;  // a rank has ended
  Overdue overdue;
  std::atomic<uint32_t> rounds[kMaxRanks];  // that each rank has come to
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "shared between processes");
constexpr size_t kHead = 8192;  // two pages
static_assert(sizeof(Meeting) <= kHead);

class SharedRank {
 public:
  SharedRank(std::shared_ptr<void> owner, void* memory, int rank, int count, size_t mailbox)
      : owner_(std::move(owner)),
        memory_(static_cast<std::byte*>(memory)),
        meeting_(static_cast<Meeting*>(memory)),
        rank_(rank),
        count_(count),
        mailbox_(mailbox) {}

  // Every rank tells how much it sends in all, then one piece of that after another.
  int32_t gather(const void* mine, void* all, const uint64_t* bytes, const uint64_t* offsets) {
    const uint64_t longest = *std::max_element(bytes, bytes + count_);
    auto* into = static_cast<std::byte*>(all);
    for (uint64_t at = 0; at < longest; at += mailbox_) {
      if (at < bytes[rank_]) {
        std::memcpy(box(rank_), static_cast<const std::byte*>(mine) + at, piece(bytes[rank_], at));
      }
      if (!meet()) return status_;
      for (int r = 0; r < count_; ++r) {
        if (at < bytes[r]) std::memcpy(into + offsets[r] + at, box(r), piece(bytes[r], at));
      }
      turn_ ^= 1;
    }
    return 0;
  }

  int32_t broadcast(void* data, uint64_t bytes, int32_t root) {
    for (uint64_t at = 0; at < bytes; at += mailbox_) {
      std::byte* here = static_cast<std::byte*>(data) + at;
      if (rank_ == root) std::memcpy(box(root), here, piece(bytes, at));
      if (!meet()) return status_;
      if (rank_ != root) std::memcpy(here, box(root), piece(bytes, at));
      turn_ ^= 1;
    }
    return 0;
  }

  // A mailbox holds the messages that its rank sends, a head before each.
  int32_t exchange(const HaloMessage* out, int32_t outs, const HaloMessage* in, int32_t ins) {
    std::vector<uint64_t> sent(static_cast<size_t>(outs)), got(static_cast<size_t>(ins));
    while (true) {
      const bool is_done = write(out, outs, sent);
      if (!meet()) return status_;
      read(in, ins, got);
      const bool all_done = everybodyIsDone(is_done);
      turn_ ^= 1;
      if (all_done) return 0;
    }
  }

  void limit(double seconds) { limit_ = seconds; }
  void tell(int late) {
    meeting_->overdue.tell(rank_, late, limit_);
    meeting_->left.store(1);
  }

  void close(int32_t status) {
    (void)status;
    meeting_->left.store(1);
  }

 private:
  struct Head {
    int32_t to;  // a rank, or kEnd
    int32_t is_done;
    uint64_t bytes;
  };
  static constexpr int32_t kEnd = -1;

  std::byte* box(int rank) const {
    return memory_ + kHead + (static_cast<size_t>(rank) * 2 + turn_) * mailbox_;
  }
  uint64_t piece(uint64_t bytes, uint64_t at) const { return std::min(bytes - at, mailbox_); }

  // As much of the messages as fits, in their order; whether that is all.
  bool write(const HaloMessage* out, int32_t outs, std::vector<uint64_t>& sent) const {
    std::byte* at = box(rank_);
    size_t left = mailbox_ - sizeof(Head);
    bool is_done = true;
    for (size_t k = 0; k < static_cast<size_t>(outs); ++k) {
      const uint64_t rest = out[k].bytes - sent[k];
      if (rest == 0) continue;
      const uint64_t now = left > sizeof(Head) ? std::min<uint64_t>(rest, left - sizeof(Head)) : 0;
      is_done = is_done && now == rest;
      if (now == 0) break;
      put(at, {out[k].rank, 0, now});
      std::memcpy(at + sizeof(Head), static_cast<const std::byte*>(out[k].data) + sent[k], now);
      at += sizeof(Head) + now;
      left -= sizeof(Head) + now;
      sent[k] += now;
      if (now < rest) break;
    }
    put(at, {kEnd, is_done ? 1 : 0, 0});
    return is_done;
  }

  void read(const HaloMessage* in, int32_t ins, std::vector<uint64_t>& got) const {
    for (int r = 0; r < count_; ++r) {
      size_t k = 0;
      for (const std::byte* at = box(r);;) {
        const Head head = headAt(at);
        if (head.to == kEnd) break;
        if (head.to == rank_) receive(r, at + sizeof(Head), head.bytes, in, ins, got, &k);
        at += sizeof(Head) + head.bytes;
      }
    }
  }

  // The bytes of one piece, into the messages that come from `rank`, in their order.
  static void receive(int rank, const std::byte* from, uint64_t bytes, const HaloMessage* in,
                      int32_t ins, std::vector<uint64_t>& got, size_t* k) {
    while (bytes > 0) {
      while (*k < static_cast<size_t>(ins) && (in[*k].rank != rank || got[*k] == in[*k].bytes)) {
        ++*k;
      }
      if (*k == static_cast<size_t>(ins)) return;
      const uint64_t now = std::min(bytes, in[*k].bytes - got[*k]);
      std::memcpy(static_cast<std::byte*>(in[*k].data) + got[*k], from, now);
      got[*k] += now;
      from += now;
      bytes -= now;
    }
  }

  bool everybodyIsDone(bool is_done) const {
    for (int r = 0; r < count_; ++r) {
      const std::byte* at = box(r);
      Head head = headAt(at);
      while (head.to != kEnd) at += sizeof(Head) + head.bytes, head = headAt(at);
      is_done = is_done && head.is_done != 0;
    }
    return is_done;
  }

  static void put(std::byte* at, Head head) { std::memcpy(at, &head, sizeof head); }
  static Head headAt(const std::byte* at) {
    Head head;
    std::memcpy(&head, at, sizeof head);
    return head;
  }

  // Waits until all ranks are here; false if one of them has ended, or has not come in time.
  bool meet() {
    const uint32_t round = meeting_->round.load();
    meeting_->rounds[rank_].store(round + 1);
    if (meeting_->arrived.fetch_add(1) + 1 == static_cast<uint32_t>(count_)) {
      meeting_->arrived.store(0);
      meeting_->round.fetch_add(1);
      return true;
    }
    for (Patience patience(limit_); meeting_->round.load() == round; patience.wait()) {
      // A rank that came to this round may have ended behind it.
      if (meeting_->left.load() != 0) return meeting_->round.load() != round;
      if (patience.isOver()) return isLate(round);
    }
    return true;
  }

  // The first rank that has not come. Others end as they do behind a rank that has ended.
  bool isLate(uint32_t round) {
    int late = 0;
    while (late + 1 < count_ && meeting_->rounds[late].load() == round + 1) late++;
    status_ = kHaloOverdue + late;
    tell(late);
    return false;
  }

  std::shared_ptr<void> owner_;
  std::byte* memory_;
  Meeting* meeting_;
  int rank_, count_;
  size_t mailbox_;
  size_t turn_ = 0;
  double limit_ = 0;
  int32_t status_ = 1;  // of the message that has failed
};

SharedRank& rankOf(void* self) { return *static_cast<SharedRank*>(self); }

}  // namespace

size_t sharedBytes(int count, size_t mailbox) {
  return kHead + static_cast<size_t>(count) * 2 * mailbox;
}

std::unique_ptr<Ranks> joinShared(std::shared_ptr<void> owner, void* memory, int rank, int count,
                                  size_t mailbox) {
  HaloRanks carrier{};
  carrier.self = new SharedRank(std::move(owner), memory, rank, count, mailbox);
  carrier.rank = rank;
  carrier.count = count;
  carrier.gather = [](void* self, const void* mine, void* all, const uint64_t* bytes,
                      const uint64_t* offsets) {
    return rankOf(self).gather(mine, all, bytes, offsets);
  };
  carrier.exchange = [](void* self, const HaloMessage* out, int32_t outs, const HaloMessage* in,
                        int32_t ins) { return rankOf(self).exchange(out, outs, in, ins); };
  carrier.broadcast = [](void* self, void* data, uint64_t bytes, int32_t root) {
    return rankOf(self).broadcast(data, bytes, root);
  };
  carrier.limit = [](void* self, double seconds) { rankOf(self).limit(seconds); };
  carrier.tell = [](void* self, int32_t late) { rankOf(self).tell(late); };
  carrier.close = [](void* self, int32_t status) {
    rankOf(self).close(status);
    delete &rankOf(self);
  };
  return std::make_unique<Ranks>(carrier);
}

void endRank(void* memory) { static_cast<Meeting*>(memory)->left.store(1); }

Overdue& overdueOf(void* memory) { return static_cast<Meeting*>(memory)->overdue; }

std::vector<std::unique_ptr<Ranks>> threadRanks(int count, size_t mailbox) {
  const size_t bytes = sharedBytes(count, mailbox);
  std::shared_ptr<void> memory(::operator new(bytes, std::align_val_t(64)),
                               [](void* p) { ::operator delete(p, std::align_val_t(64)); });
  std::memset(memory.get(), 0, kHead);
  std::vector<std::unique_ptr<Ranks>> all;
  for (int r = 0; r < count; ++r) {
    all.push_back(joinShared(memory, memory.get(), r, count, mailbox));
  }
  return all;
}

}  // namespace halo::ranks

// Chunks are made for the clock, not for the result: no iteration depends on another one.
#include "jit/runtime/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "jit/runtime/nest_times.h"
#include "lang/base/hand_over.h"

namespace halo::jit {
namespace {

constexpr int64_t kWorth = 40000;      // instructions below which starting threads costs more
constexpr int64_t kChunkWork = 50000;  // of one chunk, if there are not too many
constexpr int64_t kChunksOfThread = 16;
constexpr int64_t kPieceWork = 500000;  // between polls of a slot: a millisecond of quick code
constexpr int64_t kChunkUnit = 64;      // a multiple of the lanes: vectors stay whole

// One for each requested number of threads.
tbb::task_arena& arenaOf(int threads) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  static std::unique_ptr<tbb::global_control> limit;
  const std::lock_guard lock(mutex);
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (arena == nullptr) {
    auto most = static_cast<size_t>(arenas.rbegin()->first);
    limit.reset();
    limit =
        std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, most);
    arena = std::make_unique<tbb::task_arena>(threads);
  }
  return *arena;
}

ChunkBody bodyIn(uint64_t* slot) {
  return reinterpret_cast<ChunkBody>(
      std::atomic_ref<uint64_t>(*slot).load(std::memory_order_acquire));
}

int64_t roundedChunk(int64_t chunk) {
  return chunk < kChunkUnit ? chunk : (chunk + kChunkUnit - 1) / kChunkUnit * kChunkUnit;
}

int64_t chunkSize(int64_t count, int64_t work, int threads) {
  int64_t by_work = std::max<int64_t>(kChunkWork / std::max<int64_t>(work, 1), 1);
  int64_t by_count = count / (kChunksOfThread * threads) + 1;
  int64_t chunk = std::max(by_work, by_count);
  return roundedChunk(chunk);
}

// In pieces until there is better code, which takes the rest.
int32_t runInPieces(RunContext* context, uint64_t* slot, const uint64_t* frame, int64_t lo,
                    int64_t hi, int64_t work) {
  const int64_t piece = roundedChunk(std::max<int64_t>(kPieceWork / std::max<int64_t>(work, 1), 1));
  const ChunkBody quick = bodyIn(slot);
  int32_t status = kRunOk;
  while (status == kRunOk && lo < hi) {
    const ChunkBody body = bodyIn(slot);
    const int64_t end = body == quick && hi - lo > piece ? lo + piece : hi;
    status = body(context, frame, lo, end);
    lo = end;
  }
  return status;
}

}  // namespace

struct OrderedSections {
  std::atomic<int64_t> next;                  // iteration to begin
  alignas(64) std::atomic<int64_t> entering;  // iteration whose section may begin
  alignas(64) std::atomic<int64_t> first_failed;
};

namespace {

// Chunks below a failing one always finish, so the lowest failure is the same in every run.
class Chunks {
 public:
  Chunks(RunContext& parent, uint64_t* slot, const uint64_t* frame, int64_t count, uint32_t loop)
      : parent_(parent),
        slot_(slot),
        frame_(frame),
        first_failed_(count),
        count_(count),
        loop_(loop) {
    base::handOver(this);
  }

  void run(int64_t k, int64_t lo, int64_t hi, OrderedSections* ordered = nullptr) noexcept {
    base::takeOver(this);
    runHere(k, lo, hi, ordered);
    base::handOver(this);
  }
  int32_t status() {
    base::takeOver(this);
    return first_failed_.load() < count_ ? status_ : kRunOk;
  }

 private:
  void runHere(int64_t k, int64_t lo, int64_t hi, OrderedSections* ordered) noexcept {
    if (k > first_failed_.load(std::memory_order_relaxed)) return;
    RunContext own;
    own.cancel = parent_.cancel;
    own.ordered = ordered;
    own.stack_limit = stackLimit();
    int32_t status = timed(own, lo, hi);
    if (status == kRunOk && own.arena.empty()) return;
    const std::lock_guard lock(mutex_);
    if (status == kRunOk) return parent_.arena.merge(own.arena);
    if (k >= first_failed_.load(std::memory_order_relaxed)) return;
    first_failed_.store(k, std::memory_order_relaxed);
    if (ordered != nullptr) ordered->first_failed.store(lo, std::memory_order_release);
    status_ = status;
    parent_.site = own.site;
    parent_.buffer = own.buffer;
    parent_.operands = own.operands;
  }
  int32_t timed(RunContext& own, int64_t lo, int64_t hi) const {
    const NestTimer timer(parent_.times, loop_, tbb::this_task_arena::current_thread_index() + 1);
    return bodyIn(slot_)(&own, frame_, lo, hi);
  }

  RunContext& parent_;
  uint64_t* slot_;
  const uint64_t* frame_;
  std::atomic<int64_t> first_failed_;
  int64_t count_;
  uint32_t loop_;
  std::mutex mutex_;
  int32_t status_ = kRunOk;
};

}  // namespace

namespace {

bool isWorthThreads(const RunContext& context, int64_t count, int64_t work) {
  return context.threads > 1 && count > 1 && work > 0 && count > kWorth / work;
}

int32_t runAlone(RunContext* context, uint64_t* slot, const uint64_t* frame, int64_t lo, int64_t hi,
                 int64_t work) {
  if (context->code_changes) return runInPieces(context, slot, frame, lo, hi, work);
  return bodyIn(slot)(context, frame, lo, hi);
}

// Ordered sections are short, and so is the work of others before theirs: they began at the same
// time.
int32_t waitToEnter(const OrderedSections& ordered, const std::atomic<uint32_t>& cancel,
                    int64_t iteration) {
  constexpr int kSpins = 2000;
  int spins = 0;
  while (ordered.entering.load(std::memory_order_acquire) != iteration) {
    if (ordered.first_failed.load(std::memory_order_acquire) < iteration) return kRunInterrupted;
    if (cancel.load(std::memory_order_relaxed) != 0) return kRunInterrupted;
    if (spins++ >= kSpins) std::this_thread::yield();
  }
  return kRunOk;
}

}  // namespace

extern "C" int32_t rt_ordered_begin(RunContext* context, int64_t iteration) noexcept {
  if (context->ordered == nullptr) return kRunOk;
  return waitToEnter(*context->ordered, *context->cancel, iteration);
}

extern "C" int32_t rt_ordered_end(RunContext* context, int64_t iteration) noexcept {
  if (context->ordered != nullptr) {
    context->ordered->entering.store(iteration + 1, std::memory_order_release);
  }
  return kRunOk;
}

// Every thread takes the next iteration that has not begun, so the one that others wait for runs.
extern "C" int32_t rt_ordered(RunContext* context, uint64_t* slot, const uint64_t* frame,
                              int64_t lo, int64_t hi, int64_t work, uint32_t loop) noexcept {
  const int64_t count = hi - lo;
  if (count <= 0) return kRunOk;
  const NestTimer timer(context->times, loop, kCaller);
  if (!isWorthThreads(*context, count, work)) {
    return runAlone(context, slot, frame, lo, hi, work);
  }
  OrderedSections ordered{lo, lo, hi};
  Chunks all(*context, slot, frame, count, loop);
  arenaOf(context->threads).execute([&] {
    tbb::parallel_for(
        0, context->threads,
        [&](int) {
          while (true) {
            const int64_t k = ordered.next.fetch_add(1, std::memory_order_relaxed);
            if (k >= hi) return;
            all.run(k - lo, k, k + 1, &ordered);
          }
        },
        tbb::simple_partitioner());
  });
  return all.status();
}

extern "C" int32_t rt_parallel(RunContext* context, uint64_t* slot, const uint64_t* frame,
                               int64_t lo, int64_t hi, int64_t work, uint32_t loop) noexcept {
  int64_t count = hi - lo;
  if (count <= 0) return kRunOk;
  const NestTimer timer(context->times, loop, kCaller);
  if (!isWorthThreads(*context, count, work)) {
    return runAlone(context, slot, frame, lo, hi, work);
  }
  int64_t chunk = chunkSize(count, work, context->threads);
  int64_t chunks = (count + chunk - 1) / chunk;
  Chunks all(*context, slot, frame, chunks, loop);
  arenaOf(context->threads).execute([&] {
    tbb::parallel_for(int64_t{0}, chunks, [&](int64_t k) {
      all.run(k, lo + k * chunk, std::min(hi, lo + (k + 1) * chunk));
    });
  });
  return all.status();
}

}  // namespace halo::jit

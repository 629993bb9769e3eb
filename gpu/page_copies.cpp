// Arrays of a device and pages of the host (lang/engine/page_copies.h). Arrays that an engine has
// left in host memory are copied there.
#include "lang/engine/page_copies.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "gpu/context.h"
#include "gpu/engine.h"
#include "gpu/vulkan/page_queue.h"
#include "gpu/windows.h"

namespace halo::gpu {
namespace {

using engine::PageCopy;
using value::Array;
using Piece = vulkan::PageQueue::Piece;

class GpuPageCopies final : public engine::PageCopies {
 public:
  explicit GpuPageCopies(std::string device) : device_(std::move(device)) {}
  ~GpuPageCopies() override {
    if (context_ == nullptr) return;
    const std::lock_guard lock(context_->in_use);
    context_->stream->expect({}, nullptr);
    if (queue_ != nullptr) (void)queue_->settle(false);
    windows_.reset();
    queue_.reset();
  }

  // A device that cannot be opened says so in the first call.
  void runAhead() override {
    if (auto context = contextFor(device_, true)) (*context)->runs_ahead = true;
  }

  bool isOfDevice() const override { return true; }

  Done import(std::byte* pages, uint64_t bytes) override {
    if (auto done = open(); !done) return done;
    const std::lock_guard lock(context_->in_use);
    return queue_->import(pages, bytes);
  }

  int makeWindow(std::byte* pages, uint64_t bytes) override {
    if (!open()) return -1;
    const std::lock_guard lock(context_->in_use);
    if (windows_ == nullptr) windows_ = Windows::open(context_->device, *context_->stream);
    return windows_ == nullptr ? -1 : windows_->make(pages, bytes);
  }

  bool takeWindow(std::byte* pages, int file, uint64_t bytes) override {
    if (!isUsable() || windows_ == nullptr) return false;
    const std::lock_guard lock(context_->in_use);
    return windows_->take(pages, file, bytes);
  }

  void forget(const std::byte* pages) noexcept override {
    if (context_ == nullptr) return;
    const std::lock_guard lock(context_->in_use);
    if (isWindow(pages)) return windows_->forget(pages);
    queue_->forget(pages);
  }

  bool canCopy(const Array& rows) const override {
    return rows.isDense() && (isHere(rows) || rows.onHost());
  }

  Done out(std::byte* pages, std::span<const PageCopy> copies) override {
    if (!isUsable()) return gone();
    const std::lock_guard lock(context_->in_use);
    if (!isWindow(pages)) return queue_->out(pages, piecesOf(copies, pages, true));
    has_filled_ = true;
    return windows_->out(pages, piecesOf(copies));
  }

  Done finishOut() override {
    if (!isUsable()) return gone();
    if (std::exchange(has_filled_, false)) {
      if (auto done = context_->stream->finish(); !done) return done;
    }
    return queue_->finishOut();
  }

  diag::Result<Array> room(prim::ScalarType type, std::vector<int64_t> shape) override {
    if (!isUsable()) return diag::Failure(gone().error());
    auto bytes = value::byteSize(type, shape);
    if (!bytes) return diag::Failure(bytes.error());
    if (*bytes == 0) return value::makeArray(type, std::move(shape));
    auto buffer = context_->memory->allocate(*bytes);
    if (!buffer) return diag::Failure(buffer.error());
    std::vector<int64_t> strides = value::denseStrides(shape);
    return Array{{type, std::move(shape), std::move(strides), 0}, std::move(*buffer)};
  }

  // Within a call of the engine, which holds the device, or while none runs.
  Done in(std::byte* pages, std::span<const PageCopy> copies) override {
    if (!isUsable()) return gone();
    if (isWindow(pages)) return windows_->in(pages, piecesOf(copies));
    return queue_->in(pages, piecesOf(copies, pages, false));
  }

  bool inLater(const std::vector<PageRows>& pages, std::function<Done(bool)> arrive) override {
    if (!isUsable()) return false;
    std::vector<vulkan::PageQueue::Source> sources;
    for (const PageRows& from : pages) {
      if (isWindow(from.pages)) return false;
      for (const PageCopy& copy : from.rows) {
        if (bytes(copy.rows) > 0 && !isHere(copy.rows)) return false;
      }
      sources.push_back({from.pages, piecesOf(from.rows)});
    }
    return queue_->inLater(sources, std::move(arrive)).has_value();
  }

  Done settle(bool hears) override {
    return queue_ == nullptr ? Done(std::monostate{}) : queue_->settle(hears);
  }

  bool paste(const Array& into, int64_t first, const Array& rows) override {
    if (!isUsable() || !isHere(into) || !isHere(rows)) return false;
    if (!into.isDense() || !rows.isDense()) return false;
    const std::lock_guard lock(context_->in_use);
    const int64_t at = first * into.layout.strides[0] * prim::byteSize(into.type());
    const uint64_t to = address(into) + static_cast<uint64_t>(at);
    return context_->stream->copy(to, address(rows), bytes(rows)).has_value();
  }

  bool beginFetch(const Array& late) override {
    if (!open() || !isHere(late)) return false;
    if (fetched_ == nullptr) {
      fetched_.reset(static_cast<std::byte*>(std::aligned_alloc(kFetched, kFetched)));
      can_fetch_ = fetched_ != nullptr && import(fetched_.get(), kFetched).has_value();
    }
    const std::lock_guard lock(context_->in_use);
    const Piece piece{address(late), 0, bytes(late)};
    is_fetching_ = can_fetch_ && queue_->out(fetched_.get(), {&piece, 1}).has_value();
    return is_fetching_;
  }

  diag::Result<value::Scalar> fetch(const Array& late) override {
    if (!open() || !isHere(late)) return PageCopies::fetch(late);
    uint64_t bits = 0;
    const std::lock_guard lock(context_->in_use);
    const bool has_begun = std::exchange(is_fetching_, false);
    auto done =
        has_begun ? queue_->finishOut() : context_->stream->read(address(late), &bits, bytes(late));
    if (!done) return diag::Failure(done.error());
    if (has_begun) std::memcpy(&bits, fetched_.get(), bytes(late));
    return value::Scalar::fromBits(late.type(), bits);
  }

  bool expect(const std::vector<Array>& rows, std::function<Done()> arrive) override {
    if (!isUsable()) return false;
    std::vector<vulkan::Access> places;
    for (const Array& array : rows) {
      if (isHere(array) && array.elements() > 0)
        places.push_back({address(array), bytes(array), true});
    }
    if (places.empty()) arrive = nullptr;
    const bool asks = !places.empty();
    context_->stream->expect(std::move(places), std::move(arrive));
    return asks;
  }

 private:
  Done open() {
    if (context_ != nullptr) return isUsable() ? Done(std::monostate{}) : gone();
    auto context = contextFor(device_, true);
    if (!context) return diag::Failure(context.error());
    auto queue =
        vulkan::PageQueue::make((*context)->device, *(*context)->memory, *(*context)->stream);
    if (!queue) return diag::Failure(queue.error());
    context_ = *context;
    queue_ = std::move(*queue);
    return std::monostate{};
  }
  bool isWindow(const std::byte* pages) const {
    return windows_ != nullptr && windows_->has(pages);
  }
  bool isUsable() const { return context_ != nullptr && !context_->stream->isLost(); }
  static Done gone() {
    return diag::fail(diag::Code::device_lost, {}, "the Vulkan device was lost");
  }
  bool isHere(const Array& rows) const {
    return context_ != nullptr && rows.buffer != nullptr &&
           &rows.buffer->memory() == context_->memory.get();
  }
  static uint64_t bytes(const Array& rows) {
    return static_cast<uint64_t>(rows.elements() * prim::byteSize(rows.type()));
  }
  static uint64_t address(const Array& rows) {
    return rows.buffer->deviceAddress() +
           static_cast<uint64_t>(rows.layout.offset * prim::byteSize(rows.type()));
  }

  // Those of the device; arrays that the host can copy to or from pages are copied.
  std::vector<Piece> piecesOf(std::span<const PageCopy> copies, std::byte* pages = nullptr,
                              bool is_out = false) const {
    std::vector<Piece> pieces;
    for (const PageCopy& copy : copies) {
      if (bytes(copy.rows) == 0) continue;
      if (pages != nullptr && engine::copyOnHost(pages, copy, is_out)) continue;
      pieces.push_back({address(copy.rows), copy.at, bytes(copy.rows)});
    }
    return pieces;
  }

  std::string device_;
  Context* context_ = nullptr;
  std::unique_ptr<vulkan::PageQueue> queue_;
  std::unique_ptr<Windows> windows_;
  bool has_filled_ = false;  // a window, since the last finishOut()
  struct Free {
    void operator()(std::byte* pages) const { std::free(pages); }
  };
  static constexpr size_t kFetched = size_t{1} << 16;  // bytes, and their alignment
  std::unique_ptr<std::byte, Free> fetched_;           // pages of this process
  bool can_fetch_ = false, is_fetching_ = false;
};

}  // namespace

std::unique_ptr<engine::PageCopies> pageCopies(const std::string& device) {
  return std::make_unique<GpuPageCopies>(device);
}

void shareRows() { vulkan::sharesRows() = true; }

}  // namespace halo::gpu

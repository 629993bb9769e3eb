// The host's copies: done when they are begun.
#include "lang/engine/page_copies.h"

#include <cstring>

namespace halo::engine {
namespace {

class HostPageCopies final : public PageCopies {
 public:
  Done import(std::byte*, uint64_t) override { return std::monostate{}; }
  bool isOfDevice() const override { return false; }
  void forget(const std::byte*) noexcept override {}
  bool canCopy(const value::Array& rows) const override { return rows.onHost() && rows.isDense(); }
  Done out(std::byte* pages, std::span<const PageCopy> copies) override {
    for (const PageCopy& copy : copies) copyOnHost(pages, copy, true);
    return std::monostate{};
  }
  Done finishOut() override { return std::monostate{}; }
  diag::Result<value::Array> room(prim::ScalarType type, std::vector<int64_t> shape) override {
    return value::makeArray(type, std::move(shape));
  }
  Done in(std::byte* pages, std::span<const PageCopy> copies) override {
    for (const PageCopy& copy : copies) copyOnHost(pages, copy, false);
    return std::monostate{};
  }
  bool paste(const value::Array& into, int64_t first, const value::Array& rows) override {
    if (!canCopy(into) || !canCopy(rows)) return false;
    const int64_t bytes = prim::byteSize(rows.type());
    const int64_t at = first * into.layout.strides[0] * bytes;
    std::memcpy(into.data() + at, rows.data(), static_cast<size_t>(rows.elements() * bytes));
    return true;
  }
  bool expect(const std::vector<value::Array>&, std::function<Done()>) override { return false; }
};

}  // namespace

int PageCopies::makeWindow(std::byte*, uint64_t) { return -1; }

bool PageCopies::takeWindow(std::byte*, int, uint64_t) { return false; }

bool PageCopies::inLater(const std::vector<PageRows>&, std::function<Done(bool)>) { return false; }

PageCopies::Done PageCopies::settle(bool) { return std::monostate{}; }

bool PageCopies::beginFetch(const value::Array&) { return false; }

diag::Result<value::Scalar> PageCopies::fetch(const value::Array& late) {
  auto host = value::toHost(late);
  if (!host) return diag::Failure(host.error());
  return host->at(0);
}

bool copyOnHost(std::byte* pages, const PageCopy& copy, bool is_out) {
  if (!copy.rows.onHost()) return false;
  const auto bytes = static_cast<size_t>(copy.rows.elements()) *
                     static_cast<size_t>(prim::byteSize(copy.rows.type()));
  if (bytes == 0) return true;
  std::byte* here = copy.rows.data();
  std::memcpy(is_out ? pages + copy.at : here, is_out ? here : pages + copy.at, bytes);
  return true;
}

std::unique_ptr<PageCopies> hostPageCopies() { return std::make_unique<HostPageCopies>(); }

}  // namespace halo::engine

// Copies between arrays and pages of host memory that processes share (lang/ranks/pages.h). The
// engine that owns the arrays makes them; a device's own copies overlap its other work.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lang/value/value.h"

namespace halo::engine {

// Rows of a dense array, and their place in some pages.
struct PageCopy {
  value::Array rows;
  uint64_t at = 0;  // byte in the pages
};

class PageCopies {
 public:
  using Done = diag::Result<std::monostate>;
  virtual ~PageCopies() = default;

  // Calls of the engine that cannot fail may return from now on while the device still works.
  virtual void runAhead() {}

  // Whether arrays lie in the memory of a device, not of the host.
  virtual bool isOfDevice() const = 0;

  // Copies may name these pages from now on; they stay until forget().
  virtual Done import(std::byte* pages, uint64_t bytes) = 0;
  // The same for windows, pieces of a device's memory that those of other ranks copy from directly;
  // the pages are their names, and hold nothing. A file for the other ranks, to be closed by the
  // caller; -1: this engine has none.
  virtual int makeWindow(std::byte* pages, uint64_t bytes);
  // The window of another rank, by its file.
  virtual bool takeWindow(std::byte* pages, int file, uint64_t bytes);
  // Waits for copies that have begun. Pages that are not imported are left alone.
  virtual void forget(const std::byte* pages) noexcept = 0;

  // Begins to copy rows to pages, behind all that was called before. The rows' memory must stay
  // until finishOut(), which waits for it. Views with gaps are not copied: false.
  virtual bool canCopy(const value::Array& rows) const = 0;
  virtual Done out(std::byte* pages, std::span<const PageCopy> copies) = 0;
  virtual Done finishOut() = 0;

  // An array for rows that will come in.
  virtual diag::Result<value::Array> room(prim::ScalarType type, std::vector<int64_t> shape) = 0;
  // Begins to copy pages to rows. Calls of the engine come behind it.
  virtual Done in(std::byte* pages, std::span<const PageCopy> copies) = 0;

  // The same for pages that other ranks fill later, from a rank that has called out() before:
  // commands of the device that read these rows wait on the device. `arrive` tells the others that
  // the own rows are in the pages, and waits for theirs; arrive(false) tells them alone. The engine
  // calls it once, in settle() or before it waits for the device. False: it cannot; nothing begins.
  struct PageRows {
    std::byte* pages;
    std::vector<PageCopy> rows;
  };
  virtual bool inLater(const std::vector<PageRows>& pages, std::function<Done(bool)> arrive);
  // All of them arrive; with false others are told alone.
  virtual Done settle(bool hears = true);

  // Overwrites rows first .. of a dense array, in order with calls of the engine. False: it cannot.
  virtual bool paste(const value::Array& into, int64_t first, const value::Array& rows) = 0;

  // Begins to bring an array of one element to the host, behind all earlier calls and concurrently
  // with later ones. False: it cannot.
  virtual bool beginFetch(const value::Array& late);
  // That element; waits for the copy of beginFetch(), else for all calls. No out() in between.
  virtual diag::Result<value::Scalar> fetch(const value::Array& late);

  // The engine calls `arrive`, once, before the first command that touches one of these arrays, so
  // that other work goes first. False: it does not, and the caller has to before a call reads them.
  virtual bool expect(const std::vector<value::Array>& rows, std::function<Done()> arrive) = 0;
};

// Of arrays in host memory.
std::unique_ptr<PageCopies> hostPageCopies();
bool copyOnHost(std::byte* pages, const PageCopy& copy, bool is_out);

}  // namespace halo::engine

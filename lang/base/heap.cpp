// glibc: each thread but the first has heaps of 64 MiB at multiples of their size (glibc 2.36,
// malloc/arena.c, HEAP_MAX_SIZE). They grow a few pages at a time unless M_TOP_PAD requests all of
// it. The kernel makes large pages only of memory that can be written as a whole.
#include "lang/base/heap.h"

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#endif

namespace halo::base {

void keepHeapInLargePages() {
#ifdef __GLIBC__
  constexpr uintptr_t kHeap = uintptr_t{64} << 20;
  constexpr int kMinMapped = 32 << 20;  // blocks from here on have mappings of their own
  constexpr int kKept = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kMinMapped);
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_TOP_PAD, static_cast<int>(kHeap));
  void* block = std::malloc(1);  // it makes the heap
  if (block == nullptr) return;
  const uintptr_t heap = reinterpret_cast<uintptr_t>(block) / kHeap * kHeap;
  madvise(reinterpret_cast<void*>(heap), kHeap, MADV_HUGEPAGE);
  std::free(block);
#endif
}

}  // namespace halo::base

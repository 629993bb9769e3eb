// The heap of a process that builds programs: many small nodes, most of which live briefly.
#pragma once

namespace halo::base {

// From now on freed memory stays in the process, and this thread's heap lies in large pages. The
// compilers' passes are bound by page faults otherwise, above all under a hypervisor. For the start
// of a thread; a hint, without effect on other C libraries.
void keepHeapInLargePages();

}  // namespace halo::base

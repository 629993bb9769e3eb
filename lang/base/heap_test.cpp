#include "lang/base/heap.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "lang/base/sanitized.h"

namespace halo::base {
namespace {

// The flags of the mapping that holds an address, as the kernel shows them.
std::string flagsAt(const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  bool holds = false;
  while (std::getline(maps, line)) {
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      holds = begin <= place && place < end;
    } else if (holds && line.starts_with("VmFlags:")) {
      return line + " ";
    }
  }
  return "";
}

}  // namespace

TEST_CASE("the heap of a thread lies in large pages where the system has them") {
  const bool has_large_pages = std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good();
  if (!has_large_pages || kIsAddressSanitized || kIsThreadSanitized) return;
  std::string flags;
  std::thread([&] {
    keepHeapInLargePages();
    const std::string block(size_t{1} << 20, 'x');
    flags = flagsAt(block.data());
  }).join();
  CHECK(flags.find(" hg ") != std::string::npos);
}

}  // namespace halo::base

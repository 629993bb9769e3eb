// Where a kernel can be made in several ways: what the device allows, and what was asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace halo::gpu {

struct Variants {
  // Of the device; the defaults are what a dump without a device shows.
  int subgroup = 32;  // 0: no shuffles between invocations
  int64_t shared_bytes = 32 * 1024;
  // `--variant=NAME`: where this variant exists it is taken, whatever the sizes. Empty: the cost
  // model decides.
  std::string forced;
  // `--explain`: lines about what was chosen and why; may be empty.
  std::function<void(const std::string&)> explain;

  bool allows(const std::string& name) const { return forced.empty() || forced == name; }
  void say(const std::string& line) const {
    if (explain) explain(line);
  }
};

}  // namespace halo::gpu

// The statements that raised kernels do not have: those of host programs and of CPU code.
#pragma once

#include <concepts>

#include "lang/base/check.h"
#include "lang/imp/ir.h"

namespace halo::imp {

template <typename Node>
concept HostStatement =
    std::same_as<Node, Alloc> || std::same_as<Node, Free> || std::same_as<Node, Rebind> ||
    std::same_as<Node, Swap> || std::same_as<Node, CopyBuffer> || std::same_as<Node, Launch> ||
    std::same_as<Node, ExitFlag> || std::same_as<Node, OrderedSection> ||
    std::same_as<Node, Append> || std::same_as<Node, ReadScalar>;

// The last handler of a match over the statements of a raised kernel:
//
//   base::match(stm.node, [&](const Let& s) { .. }, .., NotInKernels());
struct NotInKernels {
  template <HostStatement Node>
  [[noreturn]] void operator()(const Node&) const {
    HALO_UNREACHABLE("a statement of host code in a kernel");
  }
};

}  // namespace halo::imp

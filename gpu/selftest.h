// A device's behaviour with floats and loops, found by trying (reliability.md#floats): `halo
// devices` shows it beside the driver's own statements.
#pragma once

#include <string>
#include <vector>

#include "gpu/context.h"

namespace halo::gpu {

struct SelfTestRow {
  std::string question;  // `a * b + c rounds twice`
  bool holds = false;
};
diag::Result<std::vector<SelfTestRow>> selfTest(Context& context);

}  // namespace halo::gpu

// halo devices: every Vulkan device, whether Halo can use it, its limits and self-test. With
// --ranks or --gpus: what messages between ranks cost.
#include <cstdio>

#include "cli/as_rank.h"
#include "cli/commands.h"
#include "cli/distributed/rank_costs.h"
#include "gpu/engine.h"

namespace halo::cli {
namespace {

int listDevices(const Common& common) {
  std::vector<gpu::DeviceInfo> all = gpu::devices();
  if (all.empty()) std::printf("no Vulkan device: the loader or a driver is missing\n");
  for (const gpu::DeviceInfo& device : all) {
    std::printf("%s (%s, %s): %s\n", device.name.c_str(), device.type.c_str(),
                device.driver.c_str(),
                device.usable ? "usable" : ("not usable: " + device.why_not).c_str());
    if (common.quiet) continue;
    for (const std::string& line : device.details) std::printf("  %s\n", line.c_str());
  }
  return kOk;
}

int tellCosts(const Common& common, ranks::Ranks& ranks, bool has_gpus) {
  const std::string device = optionsOfRank(common, &ranks).device;
  auto costs = distributed::measureCosts(
      ranks, has_gpus ? gpu::pageCopies(device) : engine::hostPageCopies());
  if (!costs) {
    return report(common, {},
                  diag::fail(diag::Code::engine_unsupported, {}, costs.error()).value());
  }
  std::printf("%d ranks, rows of %s by %s\n", ranks.count(), has_gpus ? "devices" : "the host",
              costs->way.c_str());
  std::printf("  an agreement      %.1f us\n", costs->agreement_us);
  std::printf("  an exchange       %.1f us, and %.1f GB/s each way\n", costs->exchange_us,
              costs->bytes_per_second / 1e9);
  return kOk;
}

}  // namespace

int devices(const Common& common, const DevicesArguments& arguments) {
  const bool has_gpus = !arguments.gpus.empty();
  if (ranks::placeOf().isRank()) {
    return asRank(common, [&](ranks::Ranks& ranks) { return tellCosts(common, ranks, has_gpus); });
  }
  const int count = ranksAsked(arguments.ranks, arguments.gpus);
  return count > 1 ? ranks::startHere(count) : listDevices(common);
}

}  // namespace halo::cli

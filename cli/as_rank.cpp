#include "cli/as_rank.h"

#include <algorithm>
#include <csignal>

#include "gpu/engine.h"
#include "lang/ranks/ranks.h"

namespace halo::cli {

int ranksAsked(int ranks, const std::string& gpus) {
  if (gpus.empty()) return ranks;
  return gpus == "all" ? std::max(gpu::hardwareDevices(), 1) : std::stoi(gpus);
}

int asRank(const Common& common, const std::function<int(ranks::Ranks& ranks)>& run) {
  auto joined = ranks::join();
  if (!joined) {
    return report(common, {},
                  diag::fail(diag::Code::engine_unsupported, {}, joined.error()).value());
  }
  ranks::Ranks& ranks = **joined;
  gpu::shareRows();
  std::signal(SIGTERM, [](int) { cancelFlag().set(); });  // launchers make this of a Ctrl-C
  const int status = run(ranks);
  if (ranks.isLost()) return status;
  constexpr uint64_t kEnd = 1;
  auto worst = ranks.agree(status, kEnd);
  return worst ? std::max(status, static_cast<int>(*worst)) : status;
}

session::SessionOptions optionsOfRank(const Common& common, ranks::Ranks* ranks) {
  session::SessionOptions options = sessionOptions(common);
  options.ranks = ranks;
  if (ranks != nullptr && options.device.find('#') == std::string::npos) {
    options.device += '#' + std::to_string(ranks::placeOf().on_host);
  }
  return options;
}

}  // namespace halo::cli

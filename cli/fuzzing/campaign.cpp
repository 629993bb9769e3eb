// The state is text, one fact a line, and is replaced as a whole:
//   options --backend=interp,cpu --fp=default --seed=1
//   seed 401
//   agree 396
//   ..
#include "cli/fuzzing/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "lang/base/files.h"

namespace halo::cli {

namespace {

namespace fs = std::filesystem;

std::string stateFile(const std::string& folder) { return folder + "/campaign.txt"; }

Tally sum(const Tally& a, const Tally& b) {
  return {a.agree + b.agree, a.differ + b.differ, a.rejected + b.rejected, a.slow + b.slow};
}

diag::Failure wrongState(const std::string& message) {
  return diag::fail(diag::Code::unreadable_file, {}, message);
}

}  // namespace

diag::Result<Campaign> Campaign::open(const std::string& folder, const std::string& options,
                                      std::optional<uint64_t> first_seed) {
  Campaign campaign;
  campaign.folder_ = folder;
  const std::string begun = options + " --seed=";
  campaign.next_seed_ = first_seed.value_or(1);
  campaign.options_ = begun + std::to_string(campaign.next_seed_);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return wrongState(fmt::format("`{}`: {}", folder, error.message()));
  const std::string path = stateFile(folder);
  if (!fs::exists(path, error)) return campaign;
  constexpr size_t kMaxState = size_t{1} << 16;
  std::istringstream lines(base::readFile(path, kMaxState).bytes);
  std::string line;
  const bool has_options = static_cast<bool>(std::getline(lines, line));
  const std::string saved = line.substr(std::min(line.size(), std::string("options ").size()));
  const bool goes_on = first_seed ? saved == campaign.options_ : saved.starts_with(begun);
  if (!has_options || !goes_on) {
    return wrongState(fmt::format("`{}` is the state of another campaign: `{}`", path, line));
  }
  campaign.options_ = saved;
  const std::pair<const char*, int64_t*> counts[] = {{"agree", &campaign.tally_.agree},
                                                     {"differ", &campaign.tally_.differ},
                                                     {"rejected", &campaign.tally_.rejected},
                                                     {"slow", &campaign.tally_.slow}};
  std::string word;
  bool is_whole = static_cast<bool>(lines >> word >> campaign.next_seed_) && word == "seed";
  for (const auto& [name, count] : counts) {
    is_whole = is_whole && static_cast<bool>(lines >> word >> *count) && word == name;
  }
  if (!is_whole) return wrongState(fmt::format("`{}` is no state of a campaign", path));
  return campaign;
}

std::string Campaign::save(uint64_t next_seed, const Tally& slice) const {
  if (!isKept()) return "";
  const Tally all = sum(tally_, slice);
  return base::writeFile(
      stateFile(folder_),
      fmt::format("options {}\nseed {}\nagree {}\ndiffer {}\nrejected {}\nslow {}\n", options_,
                  next_seed, all.agree, all.differ, all.rejected, all.slow));
}

std::string Campaign::keep(uint64_t seed, const std::string& reproducer) const {
  if (!isKept()) return "";
  return base::writeFile(fmt::format("{}/seed-{}.fut", folder_, seed), reproducer);
}

std::string Campaign::text(const Tally& slice) const {
  const Tally all = sum(tally_, slice);
  return fmt::format("all slices: {} programs agree, {} differ, {} rejected, {} slow\n", all.agree,
                     all.differ, all.rejected, all.slow);
}

}  // namespace halo::cli

// A campaign of `halo fuzz` in slices: a folder has the next seed, the sums of all slices and the
// findings. A slice that is killed loses the batch at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lang/diag/diagnostic.h"

namespace halo::cli {

struct Tally {
  int64_t agree = 0, differ = 0, rejected = 0, slow = 0;
};

class Campaign {
 public:
  Campaign() = default;  // one slice, of which nothing is left

  // `folder` is made if it is missing. `options` are the words that decide about programs and
  // engines: slices of another campaign do not add up, nor do those with another first seed. None
  // is that of the state, or 1.
  static diag::Result<Campaign> open(const std::string& folder, const std::string& options,
                                     std::optional<uint64_t> first_seed);

  bool isKept() const { return !folder_.empty(); }
  uint64_t nextSeed() const { return next_seed_; }
  const Tally& tally() const { return tally_; }

  // The programs before `next_seed` are done, `slice` of them since `open`. The problem, or
  // nothing.
  std::string save(uint64_t next_seed, const Tally& slice) const;
  // A whole program that shows a finding again.
  std::string keep(uint64_t seed, const std::string& reproducer) const;
  // The sums of all slices, and this one.
  std::string text(const Tally& slice) const;

 private:
  std::string folder_, options_;
  uint64_t next_seed_ = 0;
  Tally tally_;
};

}  // namespace halo::cli

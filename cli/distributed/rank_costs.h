// What ranks cost here: the constants of the model (docs/ranks.md#model), measured.
#pragma once

#include <memory>
#include <string>

#include "lang/engine/page_copies.h"
#include "lang/ranks/ranks.h"

namespace halo::distributed {

struct RankCosts {
  double agreement_us = 0;
  double exchange_us = 0;       // of neighbours' rows, in addition to their bytes
  double bytes_per_second = 0;  // each way, both at once
  std::string way;              // of the rows
};

// Collective; some tenths of a second. Failure: a sentence.
base::Expected<RankCosts, std::string> measureCosts(ranks::Ranks& ranks,
                                                    std::unique_ptr<engine::PageCopies> copies);

}  // namespace halo::distributed

// halo datacmp: whether the values of two files are the same, within the tolerance of tests.
#include <algorithm>
#include <cstdio>

#include "cli/commands.h"
#include "lang/value/format.h"

namespace halo::cli {

int datacmp(const Common& common, const std::vector<std::string>& files) {
  source::Files sources;
  const auto want = value::readFile(sources, files[0], std::nullopt);
  if (!want) return report(common, sources, want.error());
  const auto got = value::readFile(sources, files[1], std::nullopt);
  if (!got) return report(common, sources, got.error());
  const value::Tolerance tolerance{value::Tolerance::Kind::kFuthark};
  bool is_same = want->size() == got->size();
  if (!is_same) std::printf("%zu values, and %zu\n", want->size(), got->size());
  for (size_t i = 0; i < std::min(want->size(), got->size()); ++i) {
    const auto difference = value::firstDifference((*want)[i], (*got)[i], tolerance);
    if (!difference) continue;
    std::printf("value %zu: %s\n", i, difference->c_str());
    is_same = false;
  }
  return is_same ? kOk : kRunTimeError;
}

}  // namespace halo::cli

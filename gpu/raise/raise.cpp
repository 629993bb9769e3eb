// The order of the passes.
#include "gpu/raise/raise.h"

namespace halo::gpu {

int givingUpSite(imp::Program& program) {
  for (size_t i = 0; i < program.sites.size(); ++i) {
    if (program.sites[i].code == diag::Code::engine_unsupported) return static_cast<int>(i);
  }
  program.sites.push_back({diag::Code::engine_unsupported, {}});
  return static_cast<int>(program.sites.size()) - 1;
}

Raised raise(imp::Program& program, const imp::Function& kernel, const Target& target) {
  imp::Function function = unswitchLoops(program, plainMatrices(program, kernel, target));
  function = batchLoops(program, function);
  function = splitShifts(program, function);
  function = looseBits(program, function);
  function = nativeExtrema(function, target);
  function = divideZeros(program, function);
  function = unrollDivisions(program, function);
  function = exactDivision(program, function, target);
  function = exactHalves(program, function);
  function = splitWideProducts(program, function);
  function = foldConstants(program, function);
  function = roundHalves(program, function, target);
  function = hideZeros(program, function, target);
  function = hideNegations(program, function, target);
  function = separateCarried(program, function, target);
  function = checkTrips(program, function, target);
  function = limitNesting(program, function, target);
  function = keepBarriersUniform(program, function);  // after all that adds failures
  auto finish = [&](imp::Function variant) {
    variant = tryShortDivision(program, variant, target);
    variant = splitWideDivision(program, variant, target);
    variant = widenSmallTypes(program, variant, target);
    return splitWideIntegers(program, variant, target);
  };
  imp::Function narrow = narrowIndices(program, function);
  return {.wide = finish(std::move(function)), .narrow = finish(std::move(narrow))};
}

}  // namespace halo::gpu

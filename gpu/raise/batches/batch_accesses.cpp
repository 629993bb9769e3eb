// One invocation walks along a row by itself. An access of a line of invocations reaches 32
// lines of memory there, and a vector takes a quarter of such accesses. Vectors are at multiples of
// 16 bytes together; the rows that most others go along with decide where batches begin.
#include "gpu/raise/batches/batch_accesses.h"

#include <algorithm>

namespace halo::gpu {

using namespace imp;

namespace {

class Chooser {
 public:
  Chooser(const Program& program, const IndexPolynomials& places, const For& loop,
          const EarlyCode& early)
      : program_(program), places_(places), loop_(loop), early_(early) {}

  std::optional<BatchAccesses> run() const {
    BatchAccesses best;
    const auto vectors = [](const BatchAccesses& of) {
      return of.loaded.size() + of.stored.size();
    };
    for (const Access& leader : early_.accesses()) {
      if (!isRow(leader)) continue;
      BatchAccesses made = togetherWith(leader);
      if (vectors(made) > vectors(best)) best = std::move(made);
    }
    bool saves = best.hasVectors();
    for (const Access& access : early_.accesses()) {
      const bool is_vector =
          std::any_of(best.loaded.begin(), best.loaded.end(),
                      [&](const Access& vector) { return vector.at == access.at; });
      if (access.is_store || is_vector) continue;
      best.loads.push_back(access);
      // Without stores a driver moves the loads by itself.
      saves |= early_.storesToDevice() && moves(places_, loop_, access) && isInLine(access);
    }
    return saves ? std::optional(std::move(best)) : std::nullopt;
  }

 private:
  bool isRow(const Access& access) const {
    const auto step = places_.stepOf(loop_, access.index);
    const auto constant = step ? step->asConstant() : std::nullopt;
    const auto bytes = prim::byteSize(program_.buffers[access.buffer].type);
    return constant && (*constant == 1 || *constant == -1) && !isInLine(access) &&
           (bytes == 4 || bytes == 8);
  }

  // Neighbouring invocations reach neighbouring memory, or the same.
  bool isInLine(const Access& access) const {
    const auto step = places_.laneStep(access.index);
    return step && *step >= -1 && *step <= 1;
  }

  BatchAccesses togetherWith(const Access& leader) const {
    BatchAccesses found;
    const auto step = places_.stepOf(loop_, leader.index);
    found.step = static_cast<int64_t>(*step->asConstant());
    for (const Access& access : early_.accesses()) {
      if (!isRow(access) || places_.stepOf(loop_, access.index) != step) continue;
      const auto distance = places_.of(access.index)->plus(*places_.of(leader.index), -1);
      const auto constant = distance ? distance->asConstant() : std::nullopt;
      if (!constant || *constant % kBatch != 0) continue;
      (access.is_store ? found.stored : found.loaded).push_back(access);
    }
    return found;
  }

  const Program& program_;
  const IndexPolynomials& places_;
  const For& loop_;
  const EarlyCode& early_;
};

}  // namespace

bool moves(const IndexPolynomials& places, const For& loop, const Access& access) {
  const auto step = places.stepOf(loop, access.index);
  return !step || step->size() != 0;
}

std::optional<BatchAccesses> batchAccesses(const Program& program, const IndexPolynomials& places,
                                           const For& loop, const EarlyCode& early) {
  return Chooser(program, places, loop, early).run();
}

}  // namespace halo::gpu

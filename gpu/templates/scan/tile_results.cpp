#include "gpu/templates/scan/tile_results.h"

#include "gpu/templates/kernel/four.h"
#include "gpu/templates/kernel/guarded_stores.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

TileResults::TileResults(KernelScope& scope, const KernelCall& call, TilePlaces& places,
                         const FlatInputs& flat, const ScanSchedule& schedule, ScanScatter* scatter)
    : scope_(scope),
      code_(scope.code()),
      call_(call),
      places_(places),
      flat_(flat),
      scatter_(scatter) {
  if (schedule.sink != ScanSchedule::Sink::kMap) return;
  read_.emplace(scatter->call(), scatter->mapLevels());
  maps_anywhere_ = mapsAnywhere();
}

void TileResults::store(const ScanVector& vector, const std::vector<Operands>& scanned,
                        const ScanVector* next) {
  if (read_) return storeMapped(vector, scanned, next);
  if (scatter_ == nullptr) return storeValues(vector, scanned);
  for (size_t c = 0; c < kFour; ++c) scatter(vector, c, scanned[c]);
}

// Value k of each element is of result k.
void TileResults::storeValues(const ScanVector& vector, const std::vector<Operands>& out) {
  Operand all = places_.isInside(vector, kFour - 1);
  if (places_.isInLines() && !places_.isAligned()) {
    Operand first = places_.isInside(vector, 0);
    all = code_.prim(Op::kAnd, ScalarType::kBool, {first, all});
  }
  GuardedStores stores{vector.first, kFour, all,
                       [&](size_t c) { return places_.isInside(vector, c); }};
  std::vector<GuardedStores::Target> targets;
  bool are_whole = true;
  for (size_t k = 0; k < out[0].size(); ++k) {
    if (!isWanted(k)) continue;
    are_whole = are_whole && isWhole(whole().results[k]);
    GuardedStores::Target target{scope_.buffer(whole().results[k].buffer), {}};
    for (const Operands& element : out) target.values.push_back(element[k]);
    targets.push_back(std::move(target));
  }
  if (are_whole) return stores.store(code_, targets);
  stores.each(code_, [&](size_t c, const Operand& at) { storeElementOf(vector, c, at, out[c]); });
}

void TileResults::storeElementOf(const ScanVector& vector, size_t c, const Operand& at,
                                 const Operands& values) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (!isWanted(k)) continue;
    const ArrayRef& result = whole().results[k];
    if (isWhole(result)) {
      code_.store(scope_.buffer(result.buffer), at, values[k]);
    } else {
      storeElement(code_, scope_.array(result), places_.indicesOf(vector, c), values[k]);
    }
  }
}

void TileResults::scatter(const ScanVector& vector, size_t c, const Operands& scanned) {
  Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
  code_.ifThenElse(code_.prim(Op::kLt, ScalarType::kI64, {i, places_.end()}), [&] {
    scatter_->scatter(
        scope_, i, [&](size_t input) { return loaded(vector, input, c); }, scanned);
    storeLast(i, scanned);
  });
}

void TileResults::storeLast(const Operand& i, const Operands& scanned) {
  if (scatter_->lasts().empty()) return;
  Operand last = code_.sub(scope_.scalar(places_.width()), i64(1));
  Operand is_last = code_.prim(Op::kEq, ScalarType::kI64, {i, last});
  code_.ifThenElse(is_last, [&] { scatter_->storeLast(scope_, scanned); });
}

// Results of the map are stored instead of the scanned values.
void TileResults::storeMapped(const ScanVector& vector, const std::vector<Operands>& scanned,
                              const ScanVector* next) {
  const std::vector<Operands> read = ahead_.empty() ? readFor(vector) : std::move(ahead_);
  ahead_ = next == nullptr ? std::vector<Operands>() : readFor(*next);
  std::vector<Operands> out;
  for (size_t c = 0; c < kFour; ++c) {
    const Operand i = code_.add(vector.first, i64(static_cast<int64_t>(c)));
    auto values = [&] {
      return scatter_->values(
          scope_, i, [&](size_t input) { return loaded(vector, input, c); },
          [&](size_t input) {
            return read[input].empty() ? std::nullopt : std::optional(read[input][c]);
          },
          scanned[c]);
    };
    if (maps_anywhere_) {
      out.push_back(values());
      storeLast(i, scanned[c]);
      continue;
    }
    const std::vector<VarId> inside = scatter_->declareResults(scope_);
    code_.ifThenElse(places_.isInside(vector, c), [&] {
      assignAll(code_, inside, values());
      storeLast(i, scanned[c]);
    });
    out.emplace_back(inside.begin(), inside.end());
  }
  storeValues(vector, out);
}

// Whether the map may see elements behind the last one: it cannot fail, and reads nothing else.
bool TileResults::mapsAnywhere() const {
  for (size_t k = 0; k < scatter_->inputs().size(); ++k) {
    const bool is_known = scatter_->isComputed(k) || read_->isFlat(k);
    if (!is_known) return false;
  }
  for (size_t k = 0; k < scatter_->screma().inputs.size(); ++k) {
    if (!flat_.isFlat(k)) return false;
  }
  return scatter_->isTotal();
}

// Elements of the map's inputs that the scan does not read, by input, as far as vectors reach.
std::vector<Operands> TileResults::readFor(const ScanVector& vector) {
  std::vector<Operands> read(scatter_->inputs().size());
  const Operand from = firstInMemory(scope_, places_.width(), vector.first);
  for (size_t k = 0; k < read.size(); ++k) {
    if (read_->isFlat(k) && !scatter_->isOfScan(k)) read[k] = read_->loadFour(scope_, k, from);
  }
  return read;
}

// The element that has been read of an input of the scan, if it was read this way.
std::optional<Operand> TileResults::loaded(const ScanVector& vector, size_t input, size_t c) const {
  if (!flat_.isFlat(input)) return std::nullopt;
  return vector.inputs[input][c];
}

}  // namespace halo::gpu

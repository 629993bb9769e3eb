// (1) Runs of statements that may leave; small branches go with them. (2) Places that begin with
// the same operations, by hash. (3) For each place that is left, the equal ones and the length that
// pays most. (4) Calls instead.
#include "gpu/raise/outline_repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "gpu/raise/matching_runs.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr size_t kGram = 6;         // statements that candidates have in common
constexpr size_t kMaxBranch = 160;  // statements of a branch that goes with its run
constexpr size_t kMinWeight = 12;   // statements of a function
constexpr size_t kMinPlaces = 3;
constexpr size_t kMinGain = 64;  // statements
constexpr size_t kCall = 4;      // statements that a call costs
constexpr size_t kMaxScalars = 6, kMaxResults = 3;
constexpr size_t kMaxTries = 8;    // lengths
constexpr size_t kMaxLooks = 200;  // candidates of one place
constexpr size_t kMaxLength = 400;
constexpr size_t kMaxWork = 4'000'000;  // statements that are compared: a second

size_t weightOf(const Stm& stm) {
  const auto* branch = std::get_if<If>(&stm.node);
  return branch == nullptr ? 1 : 1 + countStms(branch->then_block) + countStms(branch->else_block);
}

bool mayLeave(const Stm& stm) {
  if (const auto* let = std::get_if<Let>(&stm.node)) {
    return isArithmetic(let->expr) || std::holds_alternative<Fma>(let->expr);
  }
  if (const auto* branch = std::get_if<If>(&stm.node)) {
    return weightOf(stm) <= kMaxBranch &&
           std::all_of(branch->then_block.begin(), branch->then_block.end(), mayLeave) &&
           std::all_of(branch->else_block.begin(), branch->else_block.end(), mayLeave);
  }
  return std::holds_alternative<Declare>(stm.node) || std::holds_alternative<Assign>(stm.node);
}

struct Place {
  Block* block;
  size_t begin;
  size_t end;  // of the run
};
struct Placed {
  size_t begin, length;
  imp::Call call;
};

class Outliner {
 public:
  Outliner(const Program& program, const Function& kernel) : program_(program) {
    repeats_.kernel = kernel;
  }

  Repeats run() {
    countUses();
    findPlaces(repeats_.kernel.body, 0);
    findAlike();
    for (size_t i = 0; i < places_.size(); ++i) {
      if (!taken_[i]) outlineFrom(i);
    }
    replace();
    return std::move(repeats_);
  }

 private:
  void countUses() {
    forEachStm(repeats_.kernel.body, [&](const Stm& stm) {
      forEachOperand(stm, [&](const Operand& operand) {
        if (!operand.isConstant()) ++uses_[operand.var];
      });
      if (const auto* assign = std::get_if<Assign>(&stm.node)) ++uses_[assign->var];
    });
  }

  // All places of runs, one after another.
  void findPlaces(Block& block, size_t depth) {
    blocks_.emplace_back(depth, &block);
    size_t end = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      if (!mayLeave(block[i])) {
        findInside(block[i], depth + 1);
        continue;
      }
      if (i >= end) {
        for (end = i; end < block.size() && mayLeave(block[end]);) ++end;
      }
      places_.push_back({&block, i, end});
    }
  }
  void findAlike() {
    taken_.assign(places_.size(), false);
    std::vector<size_t> hashes;
    for (const Place& place : places_) hashes.push_back(hashOf((*place.block)[place.begin]));
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].end - places_[i].begin < kGram) continue;
      size_t gram = 0;
      for (size_t k = 0; k < kGram; ++k) mixHash(gram, hashes[i + k]);
      alike_[gram].push_back(i);
      gram_[i] = gram;
    }
  }
  void findInside(Stm& stm, size_t depth) {
    if (auto* loop = std::get_if<For>(&stm.node)) {
      findPlaces(loop->body, depth);
    } else if (auto* loop = std::get_if<While>(&stm.node)) {
      findPlaces(loop->before, depth);
      findPlaces(loop->body, depth);
    } else if (auto* branch = std::get_if<If>(&stm.node)) {
      findPlaces(branch->then_block, depth);
      findPlaces(branch->else_block, depth);
    }
  }

  const Stm& stmAt(size_t place) const { return (*places_[place].block)[places_[place].begin]; }
  size_t leftAt(size_t place) const { return places_[place].end - places_[place].begin; }

  // How many statements are equal.
  size_t lengthOf(size_t i, size_t j) {
    Matching matching(program_);
    size_t most = std::min({leftAt(i), leftAt(j), kMaxLength});
    if (places_[i].block == places_[j].block && j > i) most = std::min(most, j - i);
    size_t length = 0;
    while (length < most && !taken_[i + length] && !taken_[j + length] &&
           matching.add(stmAt(i + length), stmAt(j + length))) {
      ++length;
    }
    work_ += length + 1;
    return length;
  }

  size_t weightOfRun(size_t i, size_t length) const {
    size_t weight = 0;
    for (size_t k = 0; k < length; ++k) weight += weightOf(stmAt(i + k));
    return weight;
  }

  struct Candidate {
    size_t place, length;
  };
  // Those of at least this length that do not overlap.
  static std::vector<size_t> apart(const std::vector<Candidate>& all, size_t length) {
    std::vector<size_t> places;
    for (const Candidate& each : all) {
      if (each.length < length) continue;
      if (!places.empty() && each.place < places.back() + length) continue;
      places.push_back(each.place);
    }
    return places;
  }

  void outlineFrom(size_t i) {
    auto gram = gram_.find(i);
    if (gram == gram_.end() || alike_[gram->second].size() < kMinPlaces) return;
    std::vector<Candidate> all = {{i, leftAt(i)}};
    for (size_t j : alike_[gram->second]) {
      if (j <= i || taken_[j] || all.size() > kMaxLooks || work_ > kMaxWork) continue;
      const size_t length = lengthOf(i, j);
      if (length >= kGram) all.push_back({j, length});
    }
    std::unordered_set<size_t> lengths;
    for (size_t k = 1; k < all.size(); ++k) lengths.insert(all[k].length);
    std::vector<std::pair<size_t, size_t>> gains;
    for (size_t length : lengths) {
      const size_t count = apart(all, length).size();
      const size_t weight = weightOfRun(i, length);
      const bool pays = count >= kMinPlaces && weight >= kMinWeight &&
                        count * weight >= weight + count * kCall + kMinGain;
      if (pays) gains.emplace_back((count - 1) * weight - count * kCall, length);
    }
    std::sort(gains.rbegin(), gains.rend());
    if (gains.size() > kMaxTries) gains.resize(kMaxTries);
    for (const auto& [gain, length] : gains) {
      if (outline(apart(all, length), length)) return;
    }
  }

  bool outline(const std::vector<size_t>& places, size_t length) {
    Function function;
    function.name = fmt::format("halo_repeat_{}", repeats_.functions.size());
    for (size_t k = 0; k < length; ++k) function.body.push_back(stmAt(places[0] + k));
    std::vector<Matching> matchings;
    for (size_t place : places) {
      Matching& matching = matchings.emplace_back(program_);
      for (size_t k = 0; k < length; ++k) matching.add(stmAt(places[0] + k), stmAt(place + k));
    }
    function.scalars = matchings[0].outside();
    const auto made = results(function.body, places, length, matchings);
    if (!made || function.scalars.size() > kMaxScalars) return false;
    function.result_vars = *made;
    for (size_t p = 0; p < places.size(); ++p) {
      imp::Call call{function.name, {}, {}, {}, {}};
      const auto& pairs = matchings[p].pairs();
      for (VarId scalar : function.scalars) call.scalars.push_back(pairs.at(scalar));
      for (VarId result : function.result_vars) call.results.push_back(pairs.at(result));
      calls_[places_[places[p]].block].push_back({places_[places[p]].begin, length, call});
      for (size_t k = 0; k < length; ++k) taken_[places[p] + k] = true;
    }
    repeats_.functions.push_back(std::move(function));
    return true;
  }

  // The variables that the kernel uses behind any of the places; none: too many, or one changes.
  std::optional<std::vector<VarId>> results(const Block& body, const std::vector<size_t>& places,
                                            size_t length,
                                            const std::vector<Matching>& matchings) const {
    std::vector<std::unordered_map<VarId, int>> inside(places.size());
    for (size_t p = 0; p < places.size(); ++p) {
      Block own;
      for (size_t k = 0; k < length; ++k) own.push_back(stmAt(places[p] + k));
      forEachStm(own, [&](const Stm& stm) {
        forEachOperand(stm, [&](const Operand& operand) {
          if (!operand.isConstant()) ++inside[p][operand.var];
        });
        if (const auto* assign = std::get_if<Assign>(&stm.node)) ++inside[p][assign->var];
      });
    }
    auto isUsed = [&](VarId var) {
      for (size_t p = 0; p < places.size(); ++p) {
        const VarId own = matchings[p].pairs().at(var);
        auto all = uses_.find(own);
        auto here = inside[p].find(own);
        const int in_here = here == inside[p].end() ? 0 : here->second;
        if (all != uses_.end() && all->second > in_here) return true;
      }
      return false;
    };
    std::vector<VarId> results;
    for (const Stm& stm : body) {
      const auto* let = std::get_if<Let>(&stm.node);
      if (let != nullptr && isUsed(let->var)) results.push_back(let->var);
      const auto* declare = std::get_if<Declare>(&stm.node);
      if (declare != nullptr && isUsed(declare->var)) return std::nullopt;
    }
    return results.size() > kMaxResults ? std::nullopt : std::optional(results);
  }

  // Inner blocks first: their statements move when those around them do.
  void replace() {
    std::sort(blocks_.begin(), blocks_.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [depth, block] : blocks_) {
      auto calls = calls_.find(block);
      if (calls != calls_.end()) replaceIn(*block, calls->second);
    }
  }
  void replaceIn(Block& block, std::vector<Placed>& calls) const {
    std::vector<bool> goes(block.size(), false);
    for (Placed& placed : calls) {
      for (size_t k = 1; k < placed.length; ++k) goes[placed.begin + k] = true;
      block[placed.begin] = {std::move(placed.call)};
    }
    size_t kept = 0;
    for (size_t k = 0; k < goes.size(); ++k) {
      if (goes[k]) continue;
      if (kept != k) block[kept] = std::move(block[k]);
      ++kept;
    }
    block.resize(kept);
  }

  const Program& program_;
  Repeats repeats_;
  std::unordered_map<VarId, int> uses_;
  std::vector<std::pair<size_t, Block*>> blocks_;  // with how deep they lie
  std::vector<Place> places_;
  std::vector<bool> taken_;
  size_t work_ = 0;
  std::unordered_map<size_t, std::vector<size_t>> alike_;  // places, by their beginning
  std::unordered_map<size_t, size_t> gram_;
  std::unordered_map<Block*, std::vector<Placed>> calls_;
};

}  // namespace

bool isLongCode(const Function& kernel, size_t long_code) {
  size_t weight = 0;
  bool is_plain = true;
  forEachStm(kernel.body, [&](const Stm& stm) {
    ++weight;
    const auto* let = std::get_if<Let>(&stm.node);
    is_plain = is_plain && !std::holds_alternative<LoadVector>(stm.node) &&
               !std::holds_alternative<StoreVector>(stm.node) &&
               !std::holds_alternative<MatrixOp>(stm.node) &&
               !std::holds_alternative<Barrier>(stm.node) &&
               !(let != nullptr && std::holds_alternative<Shuffle>(let->expr));
  });
  return is_plain && weight >= long_code;
}

Repeats outlineRepeats(const Program& program, const Function& kernel, size_t long_code) {
  if (!isLongCode(kernel, long_code)) return {kernel, {}};
  return Outliner(program, kernel).run();
}

}  // namespace halo::gpu

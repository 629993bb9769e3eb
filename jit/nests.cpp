// One walk over the code that the entry reaches, outside of nests.
//
// Three kinds of sequential loops are no reason to optimise at once. Some have known trips and
// little work. Some are rests of vectors (loops of programs begin at 0, these do not). Some combine
// the results of a nest right before them, one step for each iteration.
#include "jit/nests.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "jit/captures.h"
#include "lang/base/check.h"
#include "lang/base/match.h"

namespace halo::jit {
namespace {

using imp::Block;

constexpr int64_t kLittleWork = 1000000;  // instructions: a millisecond of quick code
constexpr int64_t kMuchLess = 64;         // a nest's iteration relative to the step that takes it

bool isNest(const imp::For& n) { return n.schedule == imp::Schedule::kParallel; }

bool hasKnownTrips(const Block& block);

bool hasKnownTrips(const imp::For& n) {
  return n.lo.isConstant() && n.hi.isConstant() && hasKnownTrips(n.body);
}

bool hasKnownTrips(const Block& block) {
  return std::all_of(block.begin(), block.end(), [](const imp::Stm& stm) {
    return base::match(
        stm.node, [](const imp::For& n) { return hasKnownTrips(n); },
        [](const imp::While&) { return false; }, [](const imp::Call&) { return false; },
        [](const imp::If& n) { return hasKnownTrips(n.then_block) && hasKnownTrips(n.else_block); },
        base::otherwise([](const auto&) { return true; }));
  });
}

class Walk {
 public:
  explicit Walk(const imp::Program& program) : program_(program) {}

  bool comesToNest(const imp::Function& function) {
    bool is_new = has_nest_.emplace(&function, false).second;  // for a recursion to find
    if (is_new) has_nest_[&function] = comesToNest(function.body);
    return has_nest_[&function];
  }

  // Whether a loop or a recursion of the function may run long without coming to a nest.
  bool mayLinger(const imp::Function& function) {
    if (!active_.insert(&function).second) return true;  // a recursion
    auto known = lingers_.find(&function);
    bool lingers = known != lingers_.end() ? known->second : block(function.body);
    lingers_[&function] = lingers;
    active_.erase(&function);
    return lingers;
  }

 private:
  bool block(const Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      bool lingers = base::match(
          block[i].node, [&](const imp::For& n) { return loop(n, block, i); },
          [&](const imp::While& n) {
            return !comesToNest(n.body) || this->block(n.before) || this->block(n.body);
          },
          [&](const imp::If& n) { return this->block(n.then_block) || this->block(n.else_block); },
          [&](const imp::Call& n) { return mayLinger(find(n.function)); },
          base::otherwise([](const auto&) { return false; }));
      if (lingers) return true;
    }
    return false;
  }

  bool loop(const imp::For& n, const Block& around, size_t position) {
    if (isNest(n) || !n.lo.isConstant() || followsNest(n, around, position)) return false;
    if (comesToNest(n.body)) return block(n.body);
    if (!hasKnownTrips(n)) return true;
    int64_t trips = n.hi.constant.asSigned() - n.lo.constant.asSigned();
    return trips > 0 && estimatedWork(n.body) > kLittleWork / trips;
  }

  static bool followsNest(const imp::For& n, const Block& around, size_t position) {
    for (size_t i = 0; i < position; ++i) {
      const auto* nest = std::get_if<imp::For>(&around[i].node);
      if (nest == nullptr || !isNest(*nest) || nest->hi != n.hi) continue;
      if (estimatedWork(n.body) * kMuchLess <= estimatedWork(nest->body)) return true;
    }
    return false;
  }

  bool comesToNest(const Block& block) {
    return std::any_of(block.begin(), block.end(), [&](const imp::Stm& stm) {
      return base::match(
          stm.node, [&](const imp::For& n) { return isNest(n) || comesToNest(n.body); },
          [&](const imp::While& n) { return comesToNest(n.body); },
          [&](const imp::If& n) { return comesToNest(n.then_block) || comesToNest(n.else_block); },
          [&](const imp::Call& n) { return comesToNest(find(n.function)); },
          base::otherwise([](const auto&) { return false; }));
    });
  }

  const imp::Function& find(const std::string& name) const {
    auto found = std::find_if(
        program_.functions.begin(), program_.functions.end(), [&](const imp::Function& candidate) {
          bool is_inner = !candidate.is_entry && candidate.kind == imp::FunctionKind::kHost;
          return is_inner && candidate.name == name;
        });
    HALO_CHECK(found != program_.functions.end(), "call of an unknown function");
    return *found;
  }

  const imp::Program& program_;
  std::unordered_set<const imp::Function*> active_;  // on the way from the entry to here
  std::unordered_map<const imp::Function*, bool> lingers_, has_nest_;
};

const imp::Function* findEntry(const imp::Program& program, const std::string& entry) {
  const auto found = std::find_if(
      program.functions.begin(), program.functions.end(),
      [&](const imp::Function& function) { return function.is_entry && function.name == entry; });
  return found == program.functions.end() ? nullptr : &*found;
}

}  // namespace

bool canBeginQuick(const imp::Program& program, const std::string& entry) {
  const imp::Function* function = findEntry(program, entry);
  return function != nullptr && !Walk(program).mayLinger(*function);
}

bool hasNest(const imp::Program& program, const std::string& entry) {
  const imp::Function* function = findEntry(program, entry);
  return function != nullptr && Walk(program).comesToNest(*function);
}

}  // namespace halo::jit

// Runs of statements without moves become functions; values that they use are parameters, values
// that are used behind them are results.
#include "lang/passes/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "lang/core/aliases.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/ranks/plan/shard_forms.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Function;
using core::Operand;
using core::Program;
using core::Stm;
using core::ValueId;

bool isMove(const Stm& stm) {
  const auto* call = std::get_if<core::Call>(&stm.expr);
  return call != nullptr && core::moveOf(call->function).has_value();
}

bool hasMove(const Stm& stm) {
  if (isMove(stm)) return true;
  bool found = false;
  core::visitBodies(stm.expr, [&](const Body& body) {
    found = found || std::any_of(body.stms.begin(), body.stms.end(), hasMove);
  });
  return found;
}

class Outliner {
 public:
  explicit Outliner(Program& program) : program_(program) {}

  void entry(Body& body) {
    uses_ = core::useCounts(program_, body);
    core::visitStms(body, [&](const Stm& stm) {
      const bool is_block = core::isMove(stm, core::Move::kBlock);
      if (!is_block && !core::isMove(stm, core::Move::kEdges)) return;
      const Operand whole = std::get<core::Call>(stm.expr).args[0];
      if (!whole.isConstant()) wholes_[stm.results[is_block ? 1 : 4]] = whole.value;
    });
    statements(body);
  }
  std::vector<Function> take() { return std::move(functions_); }

 private:
  void statements(Body& body) {
    std::vector<Stm> before = std::move(body.stms), run;
    body.stms.clear();
    auto flush = [&] {
      if (!run.empty()) body.stms.push_back(part(std::move(run)));
      run.clear();
    };
    for (Stm& stm : before) {
      if (!hasMove(stm)) {
        run.push_back(std::move(stm));
        continue;
      }
      flush();
      core::visitBodies(stm.expr, [&](Body& nested) { statements(nested); });
      body.stms.push_back(std::move(stm));
    }
    flush();
  }

  // In the order of their numbers, so that text does not depend on sets.
  static std::vector<ValueId> sorted(const std::unordered_set<ValueId>& set) {
    std::vector<ValueId> values(set.begin(), set.end());
    std::sort(values.begin(), values.end());
    return values;
  }

  Stm part(std::vector<Stm> run) {
    Body body{std::move(run), {}};
    std::unordered_set<ValueId> free = core::freeValues(program_, body);
    for (ValueId value : sorted(free)) {
      for (const Operand& size : program_.type(value).shape) {
        if (!size.isConstant()) free.insert(size.value);
      }
    }
    const std::vector<ValueId> shares = sharesOf(body, free);
    for (ValueId share : shares) free.insert(wholes_.at(share));
    Function f;
    f.name = fmt::format("part_{}", functions_.size() + 1);
    f.is_entry = false;
    std::vector<ValueId> params = paramsFirstSizes(free, f);
    std::vector<ValueId> results = resultsOf(body, free, f);
    for (ValueId value : results) body.results.emplace_back(value);
    const std::unordered_set<ValueId> consumed = consumedIn(body);
    core::Substitution fresh;
    for (ValueId value : params) {
      f.params.push_back(rebound(value, fresh));
      f.consumed.push_back(consumed.contains(value));
    }
    for (ValueId share : shares) {
      f.shares.emplace_back(fresh.at(share).value, fresh.at(wholes_.at(share)).value);
    }
    f.body = core::freshCopy(program_, body, fresh);
    bindResults(f, results, fresh);
    Stm call{results, core::Call{f.name, {params.begin(), params.end()}}, false, {}};
    functions_.push_back(std::move(f));
    return call;
  }

  // Numbers of own rows, of arrays whose cells sum floats.
  std::vector<ValueId> sharesOf(const Body& body, const std::unordered_set<ValueId>& free) const {
    const bool sums = std::any_of(body.stms.begin(), body.stms.end(),
                                  [&](const Stm& stm) { return sumsInCells(program_, stm); });
    std::vector<ValueId> shares;
    if (!sums) return shares;
    for (ValueId value : sorted(free)) {
      if (wholes_.contains(value)) shares.push_back(value);
    }
    return shares;
  }

  // The sizes of array parameters, then all others.
  std::vector<ValueId> paramsFirstSizes(const std::unordered_set<ValueId>& free,
                                        Function& f) const {
    std::unordered_set<ValueId> sizes;
    for (ValueId value : free) {
      for (const Operand& size : program_.type(value).shape) {
        if (!size.isConstant()) sizes.insert(size.value);
      }
    }
    std::vector<ValueId> params = sorted(sizes);
    f.size_params = static_cast<int>(params.size());
    for (ValueId value : sorted(free)) {
      if (!sizes.contains(value)) params.push_back(value);
    }
    return params;
  }

  // Values that are used behind the run: first the sizes of arrays among it that the run makes.
  std::vector<ValueId> resultsOf(const Body& body, const std::unordered_set<ValueId>& free,
                                 Function& f) const {
    std::unordered_map<ValueId, int> inside = core::useCounts(program_, body);
    std::vector<ValueId> escaping, sizes;
    for (const Stm& stm : body.stms) {
      for (ValueId value : stm.results) {
        auto all = uses_.find(value);
        if (all != uses_.end() && all->second > inside[value]) escaping.push_back(value);
      }
    }
    for (ValueId value : escaping) {
      for (const Operand& size : program_.type(value).shape) {
        if (size.isConstant() || free.contains(size.value)) continue;
        if (std::find(sizes.begin(), sizes.end(), size.value) == sizes.end()) {
          sizes.push_back(size.value);
        }
      }
    }
    f.size_results = static_cast<int>(sizes.size());
    for (ValueId value : escaping) {
      if (std::find(sizes.begin(), sizes.end(), value) == sizes.end()) sizes.push_back(value);
    }
    return sizes;
  }

  std::unordered_set<ValueId> consumedIn(const Body& body) const {
    core::Aliases aliases(program_);
    std::unordered_set<ValueId> consumed;
    consume(body, aliases, consumed);
    return consumed;
  }
  void consume(const Body& body, core::Aliases& aliases,
               std::unordered_set<ValueId>& consumed) const {
    for (const Stm& stm : body.stms) {
      if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
        for (const core::Carried& carried : loop->carried) aliases.bindFresh(carried.param);
      }
      core::visitBodies(stm.expr, [&](const Body& nested) { consume(nested, aliases, consumed); });
      for (ValueId value : core::consumedBy(program_, stm.expr)) {
        for (ValueId root : aliases.of(value)) consumed.insert(root);
      }
      std::vector<core::Roots> roots = aliases.resultRoots(stm);
      for (size_t i = 0; i < stm.results.size(); ++i) aliases.bind(stm.results[i], roots[i]);
    }
  }

  // Binders with the types of the results, in terms of parameters and of each other.
  void bindResults(Function& f, const std::vector<ValueId>& results,
                   const core::Substitution& params) {
    core::Substitution sizes = params;
    for (ValueId value : results) {
      f.results.push_back(rebound(value, sizes));
    }
  }

  // A value of the same name and type, whose sizes are those that `fresh` has for the old ones.
  ValueId rebound(ValueId value, core::Substitution& fresh) {
    core::Type type = program_.type(value);
    for (Operand& size : type.shape) {
      if (!size.isConstant()) size = fresh.at(size.value);
    }
    const ValueId made = program_.add(std::string(program_.values[value].name), type);
    fresh[value] = made;
    return made;
  }

  Program& program_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, ValueId> wholes_;  // by the number of a rank's own rows
  std::vector<Function> functions_;
};

}  // namespace

core::Program parts(const core::Program& program) {
  Program result = program;
  std::vector<Function> all;
  for (Function& function : result.functions) {
    if (!function.is_entry) continue;
    Body body = function.body;
    Outliner outliner(result);
    outliner.entry(body);
    function.body = std::move(body);
    all = outliner.take();
  }
  for (Function& part : all) result.functions.push_back(std::move(part));
  return result;
}

core::Program partOf(const core::Program& program, const std::string& part) {
  Program result = program;
  std::erase_if(result.functions, [&](const Function& f) {
    return f.name != part && (f.is_entry || f.name.starts_with("part_"));
  });
  for (Function& function : result.functions) function.is_entry = function.name == part;
  return result;
}

}  // namespace halo::passes

// Which parameters each result of an operator depends on, from top to bottom; components that share
// any are one group.
#include "gpu/plan/nests/independent.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "gpu/plan/nests/nest.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

using Components = std::set<size_t>;

// By result of the operator: the components that it is computed from.
std::vector<Components> dependencies(const Program& program, const Lambda& op, size_t count) {
  std::map<ValueId, Components> from;
  for (size_t k = 0; k < op.params.size(); ++k) from[op.params[k]] = {k % count};
  for (const Stm& stm : op.body.stms) {
    Components all;
    for (ValueId value : freeValues(program, stm)) {
      auto found = from.find(value);
      if (found != from.end()) all.insert(found->second.begin(), found->second.end());
    }
    for (ValueId result : stm.results) from[result] = all;
  }
  std::vector<Components> results;
  for (const Operand& result : op.body.results) {
    auto found = result.isConstant() ? from.end() : from.find(result.value);
    results.push_back(found == from.end() ? Components{} : found->second);
  }
  return results;
}

// Where groups of neighbouring components begin, with the end of the last one.
std::vector<size_t> groupsOf(const Program& program, const Lambda& op, size_t count) {
  std::vector<Components> from = dependencies(program, op, count);
  std::vector<size_t> last(count);  // the last component that one at or before it goes with
  for (size_t k = 0; k < count; ++k) last[k] = k;
  for (size_t k = 0; k < count; ++k) {
    for (size_t other : from[k]) {
      size_t low = std::min(k, other), high = std::max(k, other);
      last[low] = std::max(last[low], high);
    }
  }
  std::vector<size_t> begins = {0};
  size_t end = 0;
  for (size_t k = 0; k < count; ++k) {
    end = std::max(end, last[k]);
    if (end == k) begins.push_back(k + 1);
  }
  return begins;
}

template <typename Combiner>
Combiner part(Program& program, const Combiner& whole, size_t begin, size_t end) {
  size_t count = whole.neutral.size();
  auto slice = [&](const auto& all, size_t from) {
    auto first = all.begin() + static_cast<std::ptrdiff_t>(from + begin);
    return std::vector(first, first + static_cast<std::ptrdiff_t>(end - begin));
  };
  Combiner made = whole;
  made.op.params = slice(whole.op.params, 0);
  auto elements = slice(whole.op.params, count);
  made.op.params.insert(made.op.params.end(), elements.begin(), elements.end());
  made.neutral = slice(whole.neutral, 0);
  made.op.body.results = slice(whole.op.body.results, 0);
  std::unordered_set<ValueId> wanted;
  for (const Operand& result : made.op.body.results) {
    if (!result.isConstant()) wanted.insert(result.value);
  }
  std::vector<Stm>& stms = made.op.body.stms;
  for (size_t i = stms.size(); i-- > 0;) {
    bool is_wanted = std::any_of(stms[i].results.begin(), stms[i].results.end(),
                                 [&](ValueId result) { return wanted.contains(result); });
    if (is_wanted) {
      wanted.merge(freeValues(program, stms[i]));
    } else {
      stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  made.op = freshCopy(program, made.op);
  return made;
}

template <typename Combiner, typename Accept>
void split(Program& program, std::vector<Combiner>& all, const Accept& accept) {
  std::vector<Combiner> made;
  for (Combiner& whole : all) {
    size_t count = whole.neutral.size();
    bool is_apart = count > 1 && !mayFail(whole.op) &&
                    std::all_of(whole.neutral.begin(), whole.neutral.end(),
                                [&](const Operand& o) { return program.type(o).isScalar(); });
    std::vector<size_t> begins =
        is_apart ? groupsOf(program, whole.op, count) : std::vector<size_t>{0, count};
    std::vector<Combiner> parts;
    for (size_t k = 0; k + 1 < begins.size() && begins.size() > 2; ++k) {
      parts.push_back(part(program, whole, begins[k], begins[k + 1]));
    }
    if (parts.empty() || !accept(parts)) {
      made.push_back(std::move(whole));
    } else {
      std::move(parts.begin(), parts.end(), std::back_inserter(made));
    }
  }
  all = std::move(made);
}

}  // namespace

void splitIndependent(Program& program, Body& body) {
  for (Stm& stm : body.stms) {
    visitBodies(stm.expr, [&](Body& inner) { splitIndependent(program, inner); });
    auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma == nullptr) continue;
    split(program, screma->scans, [](const std::vector<Scan>&) { return true; });
    split(program, screma->reductions, inAnyOrder);
  }
}

}  // namespace halo::gpu

// `if` and `match`: values and consumption of one branch or the other.
#include <unordered_map>
#include <unordered_set>

#include "lang/types/consume/walks.h"

namespace halo::types {

using namespace syntax;

// One branch may return a value that the other consumes: `if c then xs with [i] = v else xs`. The
// old name is gone for good, so the result is the only way to the memory. It gets a root of its
// own, which all parts of the result have that shared the old one.
Alias BranchWalk::joinBranches(std::vector<Alias> values, std::vector<ConsumedRoots> consumed) {
  std::unordered_set<int> gone;
  for (const ConsumedRoots& branch : consumed) {
    for (const auto& [root, what] : branch) gone.insert(root);
    putBack(branch);
  }
  Alias result;
  for (const Alias& value : values) result = join(result, value);
  if (gone.empty() || !result) return result;
  std::unordered_map<int, int> successors;
  auto replaceGone = [&](auto& self, const Alias& alias) -> Alias {
    if (!alias) return {};
    AliasNode left{{}, {}, alias->closure};
    std::vector<int> roots;
    for (int root : alias->roots) {
      if (gone.count(root) == 0) {
        roots.push_back(root);
        continue;
      }
      auto [place, is_new] = successors.try_emplace(root);
      const Root old = roots_[static_cast<size_t>(root)];
      if (is_new) place->second = newRoot(old.name, old.span);
      roots.push_back(place->second);
    }
    left.roots = Roots(std::move(roots));
    for (const Alias& part : alias->parts) left.parts.push_back(self(self, part));
    return std::make_shared<const AliasNode>(std::move(left));
  };
  return replaceGone(replaceGone, result);
}

Alias BranchWalk::evalIf(const If& node) {
  eval(node.condition);
  std::vector<Alias> values;
  std::vector<ConsumedRoots> consumed;
  for (ExprId branch : {node.then_branch, node.else_branch}) {
    size_t mark = consumed_order_.size();
    values.push_back(eval(branch));
    consumed.push_back(takeSince(mark));
  }
  return joinBranches(std::move(values), std::move(consumed));
}

Alias BranchWalk::evalMatch(const MatchExpr& node) {
  Alias scrutinee = eval(node.scrutinee);
  std::vector<Alias> values;
  std::vector<ConsumedRoots> consumed;
  for (const MatchCase& branch : node.cases) {
    size_t mark = consumed_order_.size();
    bind(branch.pattern, scrutinee);
    values.push_back(eval(branch.body));
    consumed.push_back(takeSince(mark));
  }
  return joinBranches(std::move(values), std::move(consumed));
}

}  // namespace halo::types

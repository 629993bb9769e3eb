// Which sums of a body belong to one map, then the nest that makes them all.
#include "lang/ad/sums/nest_sums.h"

#include <algorithm>

#include "lang/ad/rules.h"
#include "lang/ad/sums/nest_elements.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/hoist.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

constexpr size_t kLongRank = 2;  // of a row; of shorter ones it is known before hoist who is a nest

// The array whose rows the statement adds up.
std::optional<ValueId> summedBy(const Stm& stm) {
  const auto* node = std::get_if<core::Screma>(&stm.expr);
  const bool is_sum = node != nullptr && stm.results.size() == 1 && node->inputs.size() == 1 &&
                      node->reductions.size() == 1 && node->scans.empty() &&
                      !node->flattening.any() && node->map.body.stms.empty() &&
                      node->map.body.results == Operands{node->map.params[0]} &&
                      isSum(node->reductions[0].op);
  return is_sum ? std::optional(node->inputs[0]) : std::nullopt;
}

// The statements that add up results of one map, and their number among its results.
struct Sums {
  size_t map;
  std::vector<size_t> sums, results;
};

class NestSummer {
 public:
  explicit NestSummer(Program& program) : program_(program) {
    for (const core::Function& function : program.functions) {
      core::visitStms(function.body, [&](const Stm& stm) {
        const auto* rows = std::get_if<core::Replicate>(&stm.expr);
        if (rows != nullptr && Emitter::isZero(rows->value)) zeros_.insert(stm.results[0]);
      });
    }
  }

  bool isWanted(const Body& body) const { return nextSums(body, 0).has_value(); }

  void run(Body& body) {
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& nested) { run(nested); });
    }
    size_t from = 0;
    while (const auto found = nextSums(body, from)) {
      from = found->map + 1;
      rewrite(body, *found);
    }
  }

 private:
  std::optional<Sums> nextSums(const Body& body, size_t from) const {
    const std::vector<Stm>& stms = body.stms;
    for (size_t m = from; m < stms.size(); ++m) {
      const auto* map = std::get_if<core::Screma>(&stms[m].expr);
      if (map == nullptr || !core::isMap(*map) || map->flattening.any()) continue;
      Sums found{m, {}, {}};
      for (size_t s = m + 1; s < stms.size(); ++s) {
        const auto array = summedBy(stms[s]);
        const auto result =
            std::find(stms[m].results.begin(), stms[m].results.end(), array.value_or(ValueId{}));
        if (!array || result == stms[m].results.end()) continue;
        const auto i = static_cast<size_t>(result - stms[m].results.begin());
        if (!isWanted(body, stms[s], *array) || !isNest(stms[m], i)) continue;
        found.sums.push_back(s);
        found.results.push_back(i);
      }
      if (!found.sums.empty()) return found;
    }
    return std::nullopt;
  }

  bool isWanted(const Body& body, const Stm& sum, ValueId array) const {
    const auto& node = std::get<core::Screma>(sum.expr);
    return program_.type(sum.results[0]).rank() > 0 &&
           zeros_.contains(node.reductions[0].neutral[0].value) &&
           core::useCounts(program_, body).at(array) == 1;
  }

  // Whether elements of rows of one dimension are code of numbers and of elements of vectors.
  bool isNest(const Stm& map, size_t result) const {
    Operands shape = program_.type(map.results[result]).shape;
    shape.erase(shape.begin());
    if (shape.size() >= kLongRank) return true;
    Stm trial = map;
    return NestElements(program_, trial, widths(map, shape)).element(result).has_value();
  }

  // Sums of one shape by one nest.
  void rewrite(Body& body, const Sums& all) {
    std::vector<Stm> made;
    std::vector<bool> done(all.sums.size(), false);
    Stm map = body.stms[all.map];
    std::vector<size_t> replaced;
    for (size_t first = 0; first < all.sums.size(); ++first) {
      if (done[first]) continue;
      const Operands shape = program_.type(body.stms[all.sums[first]].results[0]).shape;
      Sums group{all.map, {}, {}};
      for (size_t i = first; i < all.sums.size(); ++i) {
        if (program_.type(body.stms[all.sums[i]].results[0]).shape != shape) continue;
        done[i] = true;
        Stm trial = map;
        if (!NestElements(program_, trial, widths(map, shape)).element(all.results[i])) continue;
        group.sums.push_back(all.sums[i]);
        group.results.push_back(all.results[i]);
      }
      if (group.sums.empty()) continue;
      for (Stm& stm : nest(body, group, map, shape)) made.push_back(std::move(stm));
      replaced.insert(replaced.end(), group.sums.begin(), group.sums.end());
    }
    if (replaced.empty()) return;
    std::sort(replaced.rbegin(), replaced.rend());
    for (const size_t sum : replaced) {
      body.stms.erase(body.stms.begin() + static_cast<ptrdiff_t>(sum));
    }
    body.stms[all.map] = std::move(map);
    const auto behind = body.stms.begin() + static_cast<ptrdiff_t>(all.map) + 1;
    body.stms.insert(behind, made.begin(), made.end());
  }

  static Operands widths(const Stm& map, const Operands& shape) {
    Operands all{std::get<core::Screma>(map.expr).width};
    all.insert(all.end(), shape.begin(), shape.end());
    return all;
  }

  // A leaf on its way through the levels of the nest.
  struct Input {
    ValueId array, element;
    std::vector<int> axes;
  };

  std::vector<Stm> nest(const Body& body, const Sums& group, Stm& map, const Operands& shape) {
    NestElements elements(program_, map, widths(map, shape));
    Operands terms;
    std::vector<ValueId> sums;
    for (size_t i = 0; i < group.sums.size(); ++i) {
      terms.push_back(*elements.element(group.results[i]));
      sums.push_back(body.stms[group.sums[i]].results[0]);
    }
    Emitter e(program_);
    std::vector<Input> inputs;
    for (const NestElements::Leaf& leaf : elements.leaves()) inputs.push_back(ordered(e, leaf));
    Lambda innermost;
    innermost.body = elements.code(terms);
    const source::Span span = map.span;
    level(e, widths(map, shape), 1, std::move(inputs), std::move(innermost), sums);
    std::vector<Stm> made = e.take({}).stms;
    for (Stm& stm : made) stm.span = span;
    return made;
  }

  // Axes in the order of the nest, the sum's last.
  Input ordered(Emitter& e, const NestElements::Leaf& leaf) {
    std::vector<int> order(leaf.axes.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    const auto axisAt = [&](int i) { return leaf.axes[static_cast<size_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return axisAt(b) == 0 ? axisAt(a) != 0 : axisAt(a) != 0 && axisAt(a) < axisAt(b);
    });
    Input input{leaf.array, leaf.element, {}};
    for (const int i : order) input.axes.push_back(axisAt(i));
    if (std::is_sorted(order.begin(), order.end())) return input;
    const Type old = e.type(leaf.array);
    Type type{old.scalar, {}};
    for (const int i : order) type.shape.push_back(old.shape[static_cast<size_t>(i)]);
    input.array = e.bind("columns", std::move(type), core::Rearrange{leaf.array, order});
    return input;
  }

  // The map of this axis, or the sum over axis 0, as last statement.
  void level(Emitter& e, const Operands& widths, size_t axis, std::vector<Input> inputs,
             Lambda innermost, std::vector<ValueId> results) {
    const bool is_sum = axis == widths.size();
    core::Screma node;
    node.width = widths[is_sum ? 0 : axis];
    for (Input& input : inputs) {
      if (input.axes.empty() || input.axes[0] != (is_sum ? 0 : static_cast<int>(axis))) continue;
      node.inputs.push_back(input.array);
      input.axes.erase(input.axes.begin());
      input.array =
          input.axes.empty() ? input.element : program_.add("row", rowOf(e.type(input.array)));
      node.map.params.push_back(input.array);
    }
    if (is_sum) {
      node.map.body = std::move(innermost.body);
      for (const Operand& term : node.map.body.results) {
        const Type type = e.type(term);
        node.reductions.push_back({e.adder(type), {e.zero(type)}, true});
      }
    } else {
      std::vector<ValueId> rows;
      for (const ValueId result : results) {
        rows.push_back(program_.add("sum", rowOf(e.type(result))));
      }
      Emitter inner(program_);
      level(inner, widths, axis + 1, std::move(inputs), std::move(innermost), rows);
      node.map.body = inner.take(Operands(rows.begin(), rows.end()));
    }
    e.append({std::move(results), std::move(node), false, {}});
  }

  Program& program_;
  std::set<ValueId> zeros_;
};

bool hasSums(const Program& program, const NestSummer& summer) {
  bool found = false;
  const std::function<void(const Body&)> look = [&](const Body& body) {
    found = found || summer.isWanted(body);
    for (const Stm& stm : body.stms) core::forEachBody(stm.expr, look);
  };
  for (const core::Function& function : program.functions) look(function.body);
  return found;
}

}  // namespace

// Hoisted first: code of a level stands in its body.
core::Program sumNests(core::Program program) {
  if (!hasSums(program, NestSummer(program))) return program;
  program = passes::hoist(program);
  NestSummer summer(program);
  for (core::Function& function : program.functions) summer.run(function.body);
  return passes::simplify(program);
}

}  // namespace halo::ad

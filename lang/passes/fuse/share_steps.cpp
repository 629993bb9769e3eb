// (1) Each element that does not depend on the row is made again, by row_code. (2) Dear ones that
// others use become arrays. (3) The node reads them, or computes as before. The same for nodes in
// loops and for nodes that stand further inside: these have no step.
#include "lang/passes/fuse/share_steps.h"

#include <algorithm>
#include <optional>

#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/row_costs.h"
#include "lang/passes/row_code.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;
using ValueSet = std::unordered_set<ValueId>;

constexpr int64_t kMaxTableSteps = 64, kMinRows = 16;
constexpr int64_t kLongest = int64_t{1} << 24;  // elements of a step
constexpr size_t kMaxStepCode = 2048;           // statements that are looked at

class StepRows {
 public:
  StepRows(Program& program, Screma& outer) : program_(program), outer_(outer) {
    bind(outer.map.params);
    addAll(outer.map.body);
  }

  bool share(std::vector<Stm>& out) {
    for (Stm& stm : outer_.map.body.stms) {
      auto* loop = std::get_if<core::Loop>(&stm.expr);
      auto* counted = loop == nullptr ? nullptr : std::get_if<core::ForLoop>(&loop->form);
      if (counted == nullptr || isBound(counted->bound)) continue;
      for (size_t at = 0; at < loop->body.stms.size(); ++at) {
        auto* node = std::get_if<Screma>(&loop->body.stms[at].expr);
        if (node == nullptr || isBound(node->width)) continue;
        if (node->map.body.stms.size() > kMaxStepCode || !mayBeDear(*node)) continue;
        if (shareOf(counted, *node, out)) {
          addPositions(loop->body, at);
          return true;
        }
      }
    }
    return false;
  }

  // Of a node anywhere inside of maps.
  bool shareInner(std::vector<Stm>& out) {
    rows_ = {outer_.width};
    return shareInner(outer_.map.body, out);
  }

 private:
  bool shareInner(Body& body, std::vector<Stm>& out) {
    for (size_t at = 0; at < body.stms.size(); ++at) {
      auto* node = std::get_if<Screma>(&body.stms[at].expr);
      if (node == nullptr || isBound(node->width)) continue;
      // Arrays from outside have sizes: share_rows and hoist deal with those.
      const bool has_own = std::any_of(node->inputs.begin(), node->inputs.end(),
                                       [&](ValueId input) { return bound_.contains(input); });
      const bool may_be = has_own && node->map.body.stms.size() <= kMaxStepCode && mayBeDear(*node);
      if (may_be && shareOf(nullptr, *node, out)) {
        addPositions(body, at);
        return true;
      }
      rows_.push_back(node->width);
      if (shareInner(node->map.body, out)) return true;
      rows_.pop_back();
    }
    return false;
  }

  // ---- bindings of the cell

  void bind(const std::vector<ValueId>& values) { bound_.insert(values.begin(), values.end()); }
  void addAll(const Body& body) {
    core::visitStms(body, [&](const Stm& stm) {
      bind(stm.results);
      definitions_.add(stm);
      core::visitBound(stm.expr, [&](ValueId value) { bound_.insert(value); });
    });
  }
  bool isBound(const Operand& operand) const {
    return !operand.isConstant() && bound_.contains(operand.value);
  }

  // ---- (1) and (2)

  static bool mayBeDear(const Screma& node) {
    CodeCost costs;
    size_t cost = 0;
    for (const Stm& stm : node.map.body.stms) cost += isTotalScalarCode(stm) ? costs.of(stm) : 0;
    return cost >= kDearStep;
  }

  // `loop`: the one that the node stands in; none if there is none.
  bool shareOf(const core::ForLoop* loop, Screma& node, std::vector<Stm>& out) {
    Builder code(program_);
    RowCode rows(code, bound_, definitions_);
    const ValueId i = program_.add("i", {ScalarType::kI64, {}});
    const ValueId j = program_.add("j", {ScalarType::kI64, {}});
    if (loop != nullptr) {
      const ScalarType counts = program_.type(loop->index).scalar;
      rows.know(loop->index, counts == ScalarType::kI64
                                 ? Operand(i)
                                 : code.convert(prim::ConvertKind::kValue, counts, i));
      rows.stays(i, loop->bound);
    }
    Screma row{node.width, {}, {}, {}, {}};
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const ValueId input = node.inputs[k], param = node.map.params[k];
      if (!bound_.contains(input) && program_.type(input).rank() == 1) {
        row.inputs.push_back(input);
        row.map.params.push_back(program_.add("x", program_.type(param)));
        rows.know(param, row.map.params.back());
      } else if (auto element = rows.element(input, j)) {
        rows.know(param, *element);
      }
    }
    findChosen(node, rows, code.body());
    if (chosen_.empty()) return false;
    row.map.params.push_back(j);
    row.map.body = needed(code.body());
    const Operand some = loop == nullptr ? guard(node, out) : guard(*loop, node, out);
    const std::vector<ValueId> arrays =
        makeArrays(std::move(row), loop == nullptr ? ValueId() : i, out);
    read(loop, node, arrays, some);
    return true;
  }

  void findChosen(const Screma& node, RowCode& rows, const Body& code) {
    chosen_.clear(), copies_.clear();
    const Body& body = node.map.body;
    ValueSet used;
    for (const Operand& result : body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<std::pair<ValueId, Operand>> made;
    for (const Stm& stm : body.stms) {
      bool is_row = isTotalScalarCode(stm);
      for (size_t k = 0; k < stm.results.size() && is_row; ++k) {
        auto copy = rows.make(stm.results[k]);
        is_row = copy.has_value();
        if (copy && !copy->isConstant()) made.emplace_back(stm.results[k], *copy);
      }
      if (!is_row) used.merge(core::freeValues(program_, stm));
    }
    for (const auto& [value, copy] : made) {
      if (chosen_.size() == kMaxArrays) break;
      if (!used.contains(value) || costOfSlice(code, copy) < kDearStep) continue;
      chosen_.push_back(value);
      copies_.push_back(copy);
    }
    keepTogether(body);
  }

  // All that uses one of them stands behind the last of them.
  void keepTogether(const Body& body) {
    while (!chosen_.empty()) {
      last_ = 0;
      size_t first_use = body.stms.size();
      for (size_t at = 0; at < body.stms.size(); ++at) {
        const Stm& stm = body.stms[at];
        for (ValueId value : chosen_) {
          const auto& results = stm.results;
          if (std::find(results.begin(), results.end(), value) != results.end()) last_ = at;
        }
        if (isTotalScalarCode(stm)) continue;
        const ValueSet used = core::freeValues(program_, stm);
        const bool uses = std::any_of(chosen_.begin(), chosen_.end(),
                                      [&](ValueId value) { return used.contains(value); });
        if (uses) first_use = std::min(first_use, at);
      }
      if (first_use > last_) return;
      chosen_.pop_back(), copies_.pop_back();
    }
  }

  // Statements of `code` that a value needs, but not those for the copies that are chosen already.
  std::vector<const Stm*> slice(const Body& code, const std::vector<Operand>& values,
                                const std::vector<Operand>& without) const {
    ValueSet open;
    for (const Operand& value : values) open.insert(value.value);
    for (const Operand& value : without) open.erase(value.value);
    std::vector<const Stm*> stms;
    for (size_t k = code.stms.size(); k-- > 0;) {
      const Stm& stm = code.stms[k];
      const bool is_needed = std::any_of(stm.results.begin(), stm.results.end(),
                                         [&](ValueId result) { return open.contains(result); });
      if (!is_needed) continue;
      stms.push_back(&stm);
      for (ValueId used : core::freeValues(program_, stm)) {
        const bool is_array =
            std::find(without.begin(), without.end(), Operand(used)) != without.end();
        if (!is_array) open.insert(used);
      }
    }
    std::reverse(stms.begin(), stms.end());
    return stms;
  }
  size_t costOfSlice(const Body& code, const Operand& value) const {
    CodeCost costs;
    size_t cost = 0;
    for (const Stm* stm : slice(code, {value}, copies_)) cost += costs.of(*stm);
    return cost;
  }
  Body needed(const Body& code) const {
    Body body;
    for (const Stm* stm : slice(code, copies_, {})) body.stms.push_back(*stm);
    body.results = core::Operands(copies_.begin(), copies_.end());
    return body;
  }

  // ---- arrays in front of the node

  Operand guard(const core::ForLoop& loop, const Screma& node, std::vector<Stm>& out) {
    Builder host(program_);
    auto compare = [&](Op op, const Operand& a, const Operand& b) {
      return host.prim(op, ScalarType::kI64, {a, b});
    };
    auto both = [&](const Operand& a, const Operand& b) {
      return host.prim(Op::kAnd, ScalarType::kBool, {a, b});
    };
    steps_ = loop.bound;
    if (program_.type(loop.bound).scalar != ScalarType::kI64) {
      steps_ = host.convert(prim::ConvertKind::kValue, ScalarType::kI64, loop.bound);
    }
    Operand some = both(compare(Op::kGt, steps_, Operand::ofI64(0)),
                        compare(Op::kLe, steps_, Operand::ofI64(kMaxTableSteps)));
    some = both(some, both(compare(Op::kLe, steps_, outer_.width),
                           compare(Op::kGe, outer_.width, Operand::ofI64(kMinRows))));
    some = both(some, both(compare(Op::kGe, node.width, Operand::ofI64(0)),
                           compare(Op::kLe, node.width, Operand::ofI64(kLongest))));
    steps_ = extent(host, some, steps_);
    length_ = extent(host, some, node.width);
    for (Stm& stm : host.take({}).stms) out.push_back(std::move(stm));
    return some;
  }
  // Without steps: enough rows in one of the maps around the node.
  Operand guard(const Screma& node, std::vector<Stm>& out) {
    Builder host(program_);
    auto compare = [&](Op op, const Operand& a, int64_t b) {
      return host.prim(op, ScalarType::kI64, {a, Operand::ofI64(b)});
    };
    auto join = [&](Op op, const Operand& a, const Operand& b) {
      return host.prim(op, ScalarType::kBool, {a, b});
    };
    Operand many = compare(Op::kGe, rows_[0], kMinRows);
    for (size_t k = 1; k < rows_.size(); ++k) {
      if (isBound(rows_[k])) continue;
      many = join(Op::kOr, many, compare(Op::kGe, rows_[k], kMinRows));
    }
    const Operand fits =
        join(Op::kAnd, compare(Op::kGe, node.width, 0), compare(Op::kLe, node.width, kLongest));
    const Operand some = join(Op::kAnd, many, fits);
    length_ = extent(host, some, node.width);
    for (Stm& stm : host.take({}).stms) out.push_back(std::move(stm));
    return some;
  }
  static Operand extent(Builder& host, const Operand& some, const Operand& size) {
    return host.bind("some", {ScalarType::kI64, {}}, core::Select{some, size, Operand::ofI64(0)});
  }

  // `i`: the step; invalid without steps.
  std::vector<ValueId> makeArrays(Screma row, ValueId i, std::vector<Stm>& out) {
    Builder host(program_);
    auto positions = [&](Builder& to, const Operand& count) {
      return to.bind("positions", {ScalarType::kI64, {count}},
                     core::Iota{ScalarType::kI64, count, Operand::ofI64(0), Operand::ofI64(1)});
    };
    // Arrays from outside are as long as the node is wide.
    if (row.inputs.empty()) row.width = length_;
    Builder step(program_);
    row.inputs.push_back(positions(step, row.width));
    std::vector<core::Type> rows, all;
    for (ValueId value : chosen_) {
      const ScalarType type = program_.type(value).scalar;
      rows.push_back({type, {row.width}});
      all.push_back({type, {steps_, row.width}});
    }
    const std::vector<ValueId> made = step.bindAll("row", rows, std::move(row));
    if (!i.valid()) {
      for (Stm& stm : step.take({}).stms) out.push_back(std::move(stm));
      return made;
    }
    Screma steps{steps_, {positions(host, steps_)}, {}, {}, {}};
    steps.map.params = {i};
    steps.map.body = step.take(core::Operands(made.begin(), made.end()));
    std::vector<ValueId> arrays = host.bindAll("steps", all, std::move(steps));
    for (Stm& stm : host.take({}).stms) out.push_back(std::move(stm));
    return arrays;
  }

  // ---- (3)

  void read(const core::ForLoop* loop, Screma& node, const std::vector<ValueId>& arrays,
            const Operand& some) {
    Body& body = node.map.body;
    position_ = program_.add("j", {ScalarType::kI64, {}});
    node.map.params.push_back(position_);
    core::Match match{some, {}, {}};
    Builder there(program_);
    core::Operands at;
    if (loop != nullptr) {
      at.push_back(loop->index);
      if (program_.type(loop->index).scalar != ScalarType::kI64) {
        at[0] = there.convert(prim::ConvertKind::kValue, ScalarType::kI64, at[0]);
      }
    }
    at.push_back(position_);
    core::Operands elements;
    for (size_t k = 0; k < arrays.size(); ++k) {
      elements.push_back(there.bind("e", program_.type(chosen_[k]), core::Index{arrays[k], at}));
    }
    match.cases.push_back({prim::Scalar::ofBool(true), there.take(elements)});
    match.otherwise = core::freshCopy(program_, asBefore(body));
    Stm choice;
    core::Substitution chosen;
    for (ValueId value : chosen_) {
      choice.results.push_back(program_.add(program_.values[value].name, program_.type(value)));
      chosen[value] = choice.results.back();
    }
    choice.expr = std::move(match);
    choice.span = body.stms[last_].span;
    Body behind;
    behind.stms.assign(body.stms.begin() + static_cast<std::ptrdiff_t>(last_) + 1, body.stms.end());
    behind.results = body.results;
    core::substitute(program_, behind, chosen);
    body.stms.resize(last_ + 1);
    body.stms.push_back(std::move(choice));
    for (Stm& stm : behind.stms) body.stms.push_back(std::move(stm));
    body.results = behind.results;
    dropUnused(body);
  }

  // Statements of the node that may go into the branch: checks stay in front of it.
  Body asBefore(const Body& body) const {
    ValueSet open(chosen_.begin(), chosen_.end());
    Body copy;
    for (size_t at = last_ + 1; at-- > 0;) {
      const Stm& stm = body.stms[at];
      const bool is_needed = std::any_of(stm.results.begin(), stm.results.end(),
                                         [&](ValueId result) { return open.contains(result); });
      if (!is_needed || !isTotalScalarCode(stm)) continue;
      open.merge(core::freeValues(program_, stm));
      copy.stms.push_back(stm);
    }
    std::reverse(copy.stms.begin(), copy.stms.end());
    copy.results = core::Operands(chosen_.begin(), chosen_.end());
    return copy;
  }

  void dropUnused(Body& body) const {
    ValueSet used;
    for (const Operand& result : body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<Stm> kept;
    for (size_t at = body.stms.size(); at-- > 0;) {
      Stm& stm = body.stms[at];
      const bool is_used = std::any_of(stm.results.begin(), stm.results.end(),
                                       [&](ValueId result) { return used.contains(result); });
      if (!is_used && isTotalScalarCode(stm)) continue;
      used.merge(core::freeValues(program_, stm));
      kept.push_back(std::move(stm));
    }
    std::reverse(kept.begin(), kept.end());
    body.stms = std::move(kept);
  }

  // The node's last input.
  void addPositions(Body& body, size_t at) {
    auto& node = std::get<Screma>(body.stms[at].expr);
    const ValueId positions = program_.add("positions", {ScalarType::kI64, {node.width}});
    node.inputs.push_back(positions);
    Stm stm;
    stm.results = {positions};
    stm.expr = core::Iota{ScalarType::kI64, node.width, Operand::ofI64(0), Operand::ofI64(1)};
    stm.span = body.stms[at].span;
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at), std::move(stm));
  }

  Program& program_;
  Screma& outer_;
  ValueSet bound_;
  core::Definitions definitions_;
  std::vector<ValueId> chosen_;  // values of the node
  std::vector<Operand> copies_;  // and their copies
  size_t last_ = 0;              // the statement of the node that makes the last of them
  Operand steps_, length_;       // extents of the arrays
  std::vector<Operand> rows_;    // of the maps around a node
  ValueId position_;
};

}  // namespace

namespace {
constexpr int kMaxNodes = 4;
}  // namespace

void shareInner(Program& program, Screma& outer, std::vector<Stm>& out) {
  for (int k = 0; k < kMaxNodes && StepRows(program, outer).shareInner(out); ++k) continue;
}

void shareSteps(Program& program, Screma& outer, std::vector<Stm>& out) {
  for (int k = 0; k < kMaxNodes && StepRows(program, outer).share(out); ++k) continue;
}

}  // namespace halo::passes

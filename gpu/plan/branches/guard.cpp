// Arm by arm: code that runs at once, and statements that wait until elements are wanted.
#include "gpu/plan/branches/guard.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "gpu/plan/branches/arm_elements.h"
#include "gpu/plan/branches/guarded_nodes.h"
#include "gpu/plan/branches/guarded_updates.h"
#include "gpu/plan/sizes/size_choices.h"
#include "lang/core/bound_values.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

// Launches that do nothing take less time together than a wait.
constexpr size_t kMaxLaunches = 8;

struct Arm {
  const Body& body;
  Taken taken;
  ArmElements elements;
  std::unordered_map<ValueId, int> uses;
};

class BranchGuard {
 public:
  BranchGuard(Program& program, const Stm& stm, DeviceScalars of_device)
      : program_(program),
        stm_(stm),
        match_(std::get<Match>(stm.expr)),
        of_device_(std::move(of_device)),
        cells_(program) {}

  std::optional<GuardedBranch> run() {
    const bool is_two = match_.cases.size() == 1 && !match_.scrutinee.isConstant() &&
                        program_.type(match_.scrutinee).scalar == ScalarType::kBool;
    if (!is_two || bindsSizes()) return std::nullopt;
    visitBodies(stm_.expr, [&](const Body& arm) {
      bind(arm);
      addDeviceScalars(program_, arm, of_device_);
    });
    const bool when = match_.cases[0].value.asBool();
    Arm first = arm(match_.cases[0].body, when), second = arm(match_.otherwise, !when);
    prepare(first);
    prepare(second);
    if (!fails_) chooseScalars(first, second);
    if (!fails_) chooseArrays(first, second);
    if (fails_ || launches_ > kMaxLaunches) return std::nullopt;
    return GuardedBranch{std::move(out_), cells_.take({all_cells_})};
  }

 private:
  Arm arm(const Body& body, bool when) {
    return {body, {match_.scrutinee, when}, ArmElements(program_), useCounts(program_, body)};
  }
  bool bindsSizes() const {
    return std::any_of(stm_.results.begin(), stm_.results.end(), [&](ValueId result) {
      const Operands& shape = program_.type(result).shape;
      return std::any_of(shape.begin(), shape.end(), [&](const Operand& size) {
        return std::find(stm_.results.begin(), stm_.results.end(), size.value) !=
               stm_.results.end();
      });
    });
  }
  void bind(const Body& body) {
    for (const Stm& stm : body.stms) {
      core::addBound(stm, inside_);
      visitBodies(stm.expr, [&](const Body& inner) { bind(inner); });
    }
  }

  // ---- the statements of an arm

  void prepare(Arm& arm) {
    for (const Stm& stm : arm.body.stms) {
      if (!fails_) prepare(arm, stm);
    }
  }
  void prepare(Arm& arm, const Stm& stm) {
    const std::unordered_set<ValueId> used = freeValues(program_, stm);
    const bool waits = std::any_of(used.begin(), used.end(), [&](ValueId value) {
      return arm.elements.holds(Operand(value));
    });
    const auto* op = std::get_if<PrimOp>(&stm.expr);
    if (!waits && (isTotal(stm) || (op != nullptr && op->type == ScalarType::kI64))) {
      fails_ = fails_ || stm.checked;
      return run(stm);
    }
    if (const auto* assert = std::get_if<Assert>(&stm.expr)) return check(arm, stm, *assert);
    if (stm.checked) fails_ = true;
    if (const auto update = guardedUpdate(program_, stm_, stm, arm.taken)) {
      return store(arm, *update);
    }
    if (ArmElements::canHold(program_, stm) && isUsedOnce(arm, stm)) return hold(arm, stm);
    const auto* node = std::get_if<Screma>(&stm.expr);
    if (node == nullptr) {
      fails_ = true;
    } else {
      keep(arm, stm, *node);
    }
  }
  void run(const Stm& stm) {
    const auto before = static_cast<std::ptrdiff_t>(out_.size());
    appendTotal(program_, stm, out_);
    total_.insert(total_.end(), out_.begin() + before, out_.end());
  }
  // Elements of a map are computed once: for a result of the arm, or for another element. Where
  // they may fail, all are wanted.
  bool isUsedOnce(const Arm& arm, const Stm& stm) const {
    const bool is_map = std::holds_alternative<Screma>(stm.expr);
    return std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
      const auto found = arm.uses.find(result);
      const int uses = found == arm.uses.end() ? 0 : found->second;
      const Operands& results = arm.body.results;
      const bool is_result = std::find(results.begin(), results.end(), result) != results.end();
      if (mayFail(stm) && !program_.type(result).isScalar()) return is_result && uses == 1;
      return !is_map || uses <= 1;
    });
  }
  void hold(Arm& arm, const Stm& stm) {
    makeRead(arm, stm);
    arm.elements.hold(stm);
    if (!mayFail(stm)) return;
    if (stm.results.empty()) fails_ = true;
    for (const ValueId result : stm.results) {
      if (program_.type(result).isScalar()) make(arm, result);
    }
  }
  // Arrays of which the statement reads more than the elements of its own.
  void makeRead(Arm& arm, const Stm& stm) {
    const auto* map = std::get_if<Screma>(&stm.expr);
    const auto* index = std::get_if<Index>(&stm.expr);
    const auto* slice = std::get_if<Slice>(&stm.expr);
    if (map != nullptr) {
      for (const ValueId used : freeValues(program_, map->map)) makeArray(arm, used);
    } else if (std::holds_alternative<Match>(stm.expr)) {
      for (const ValueId used : freeValues(program_, stm)) makeArray(arm, used);
    } else if (index != nullptr) {
      makeArray(arm, index->array);
    } else if (slice != nullptr) {
      makeArray(arm, slice->array);
    }
  }
  void makeArray(Arm& arm, ValueId value) {
    if (!arm.elements.holds(value) || program_.type(value).isScalar()) return;
    const Expr& expr = arm.elements.makerOf(value).expr;
    const bool is_stored =
        std::holds_alternative<Screma>(expr) || std::holds_alternative<Update>(expr) ||
        std::holds_alternative<Copy>(expr) || std::holds_alternative<Match>(expr);
    if (is_stored) make(arm, value);
  }

  // Holds also where the arm is not taken. Where the host knows that it does, no kernel checks it.
  void check(Arm& arm, const Stm& stm, const Assert& assert) {
    for (const ValueId used : freeValues(program_, stm)) make(arm, used);
    const Operand& own = assert.condition;
    const bool is_of_host = !own.isConstant() && !of_device_.contains(own.value);
    Builder code(program_);
    const Operand& c = arm.taken.condition;
    const Operand other = arm.taken.when ? code.prim(Op::kNot, ScalarType::kBool, {c}) : c;
    const Operand holds = is_of_host ? other : code.prim(Op::kOr, ScalarType::kBool, {own, other});
    code.append({{}, Assert{holds, assert.code, assert.operands}, stm.checked, stm.span});
    if (!is_of_host) return append(code);
    Match unless{own, {{Scalar::ofBool(true), {}}}, code.take({})};
    out_.push_back({{}, std::move(unless), false, stm.span});
  }
  void keep(Arm& arm, const Stm& stm, const Screma& node) {
    for (const ValueId used : freeValues(program_, stm)) make(arm, used);
    std::optional<Screma> guarded = guardedNode(program_, node, arm.taken);
    fails_ = fails_ || !guarded;
    if (fails_) return;
    count(widthsOf(node));
    out_.push_back({stm.results, std::move(*guarded), false, stm.span});
    launches_ += 2;
  }
  void store(Arm& arm, const GuardedUpdate& update) {
    for (const ValueId used : freeValues(program_, update.stm)) make(arm, used);
    stored_.insert(update.results.begin(), update.results.end());
    count({update.width});
    out_.push_back(update.stm);
    ++launches_;
  }
  // Of the node and of the widest of those in it.
  Operands widthsOf(const Screma& node) const {
    Operands widths;
    for (const Stm& stm : node.map.body.stms) {
      const auto* inner = std::get_if<Screma>(&stm.expr);
      if (inner == nullptr) continue;
      Operands own = widthsOf(*inner);
      if (own.size() > widths.size()) widths = std::move(own);
    }
    widths.push_back(node.width);
    return widths;
  }

  // The value as a statement of its own; zeros where the arm is not taken.
  void make(Arm& arm, ValueId value) {
    if (!arm.elements.holds(value)) return;
    if (std::holds_alternative<Iota>(arm.elements.makerOf(value).expr)) {
      const Stm positions = arm.elements.makerOf(value);  // kernels compute them
      arm.elements.release(value);
      for (const ValueId used : freeValues(program_, positions)) make(arm, used);
      return out_.push_back(positions);
    }
    const Type type = program_.type(value);
    Operands at;
    std::vector<ValueId> params;
    for (size_t k = 0; k < type.shape.size(); ++k) {
      params.push_back(program_.add("i", {ScalarType::kI64, {}}));
      at.emplace_back(params.back());
    }
    std::optional<Body> element = arm.elements.at({value}, at);
    fails_ = fails_ || !element;
    if (fails_) return;
    const Type one{type.scalar, {}};
    Builder code(program_);
    const Operand made = code.bind("y", one, arm.taken.branch(std::move(*element), zeros({one})));
    arm.elements.release(value);
    bindNest({value}, type.shape, params, code.take({made}));
  }

  // ---- the results

  void chooseScalars(Arm& first, Arm& second) {
    std::vector<ValueId> results;
    Operands of_first, of_second;
    for (size_t k = 0; k < stm_.results.size(); ++k) {
      if (!program_.type(stm_.results[k]).isScalar()) continue;
      const Operand &a = first.body.results[k], &b = second.body.results[k];
      if (first.elements.holds(a) || second.elements.holds(b)) {
        results.push_back(stm_.results[k]);
        of_first.push_back(a);
        of_second.push_back(b);
      } else {
        const bool when = first.taken.when;
        const Select select{match_.scrutinee, when ? a : b, when ? b : a};
        out_.push_back({{stm_.results[k]}, select, false, stm_.span});
      }
    }
    if (!results.empty()) choose(first, second, {results, of_first, of_second, {}});
  }
  struct Choice {
    std::vector<ValueId> results;
    Operands of_first, of_second, shape;
  };
  void chooseArrays(Arm& first, Arm& second) {
    std::vector<Choice> choices;
    for (size_t k = 0; k < stm_.results.size(); ++k) {
      const Operands& shape = program_.type(stm_.results[k]).shape;
      if (shape.empty() || stored_.contains(k)) continue;
      auto same = std::find_if(choices.begin(), choices.end(),
                               [&](const Choice& one) { return one.shape == shape; });
      if (same == choices.end()) same = choices.insert(same, Choice{{}, {}, {}, shape});
      same->results.push_back(stm_.results[k]);
      same->of_first.push_back(first.body.results[k]);
      same->of_second.push_back(second.body.results[k]);
    }
    for (const Choice& choice : choices) choose(first, second, choice);
  }
  void choose(Arm& first, Arm& second, const Choice& choice) {
    Operands at;
    std::vector<ValueId> params;
    for (size_t k = 0; k < choice.shape.size(); ++k) {
      params.push_back(program_.add("i", {ScalarType::kI64, {}}));
      at.emplace_back(params.back());
    }
    std::optional<Body> a = first.elements.at(choice.of_first, at);
    std::optional<Body> b = second.elements.at(choice.of_second, at);
    fails_ = fails_ || !a || !b;
    if (fails_) return;
    std::vector<Type> types;
    for (const ValueId result : choice.results) types.push_back({program_.type(result).scalar, {}});
    Builder code(program_);
    const std::vector<ValueId> made =
        code.bindAll("y", types, first.taken.branch(std::move(*a), std::move(*b)));
    bindNest(choice.results, choice.shape, params, code.take(Operands(made.begin(), made.end())));
  }

  // ---- nests

  // The results as maps over positions, one in another.
  void bindNest(const std::vector<ValueId>& results, const Operands& shape,
                const std::vector<ValueId>& params, Body cell) {
    count(shape);
    ++launches_;
    for (size_t k = shape.size(); k-- > 0;) cell = level(results, shape, {k, params[k]}, cell);
    if (shape.empty()) cell = freshCopy(program_, cell);
    Stm last = std::move(cell.stms.back());
    cell.stms.pop_back();
    last.results = results;
    last.span = stm_.span;
    std::move(cell.stms.begin(), cell.stms.end(), std::back_inserter(out_));
    out_.push_back(std::move(last));
  }
  struct Level {
    size_t axis;
    ValueId param;
  };
  Body level(const std::vector<ValueId>& results, const Operands& shape, Level at, Body cell) {
    const auto axis = static_cast<std::ptrdiff_t>(at.axis);
    Builder code(program_);
    Screma map;
    map.width = shape[at.axis];
    const Iota positions{ScalarType::kI64, map.width, kZero, kOne};
    map.inputs = {code.bind("is", {ScalarType::kI64, {map.width}}, positions)};
    map.map = {{at.param}, std::move(cell)};
    std::vector<Type> types;
    for (const ValueId result : results) {
      types.push_back({program_.type(result).scalar, {shape.begin() + axis, shape.end()}});
    }
    const std::vector<ValueId> made = code.bindAll("ys", types, std::move(map));
    return code.take(Operands(made.begin(), made.end()));
  }

  void append(Builder& code) {
    for (Stm& stm : code.take({}).stms) out_.push_back(std::move(stm));
  }
  // Cut off, so that products do not wrap.
  void count(const Operands& extents) {
    constexpr int64_t kMaxInvocations = int64_t{1} << 30;
    const auto atMost = [&](const Operand& number) {
      return cells_.prim(Op::kMin, ScalarType::kI64, {number, Operand::ofI64(kMaxInvocations)});
    };
    Operand product = kOne;
    for (const Operand& extent : extents) {
      const std::optional<Operand> known = knownBefore(extent);
      fails_ = fails_ || !known;
      if (fails_) return;
      product = atMost(cells_.mul(product, atMost(*known)));
    }
    all_cells_ = cells_.add(all_cells_, product);
  }

  // An extent in front of the branch: one that an arm computes is computed there once more.
  std::optional<Operand> knownBefore(const Operand& extent) {
    if (extent.isConstant() || !inside_.contains(extent.value)) return extent;
    if (of_device_.contains(extent.value)) return std::nullopt;
    Body body{{}, {extent}};
    std::unordered_set<ValueId> wanted = {extent.value};
    for (size_t i = total_.size(); i-- > 0;) {
      if (!wanted.contains(total_[i].results[0])) continue;
      const std::unordered_set<ValueId> used = freeValues(program_, total_[i]);
      wanted.insert(used.begin(), used.end());
      body.stms.insert(body.stms.begin(), total_[i]);
    }
    const std::unordered_set<ValueId> free = freeValues(program_, body);
    for (const ValueId value : free) {
      if (inside_.contains(value)) return std::nullopt;
    }
    const Body copy = freshCopy(program_, body);
    for (const Stm& stm : copy.stms) cells_.append(stm);
    return copy.results[0];
  }

  Program& program_;
  const Stm& stm_;
  const Match& match_;
  DeviceScalars of_device_;
  std::unordered_set<ValueId> inside_;  // bound by the arms
  std::vector<Stm> out_, total_;        // total_: scalar code of the arms among out_
  Builder cells_;
  Operand all_cells_ = kZero;
  std::unordered_set<size_t> stored_;  // results that updates of an arm bind
  size_t launches_ = 0;
  bool fails_ = false;
};

}  // namespace

std::optional<GuardedBranch> guardBranch(Program& program, const Stm& stm,
                                         DeviceScalars of_device) {
  return BranchGuard(program, stm, std::move(of_device)).run();
}

}  // namespace halo::gpu

// Inner branches first: their update then stands in the arm around.
#include "lang/passes/memory/sink_updates.h"

#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/index_forms.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Match;
using core::Stm;
using core::Update;
using core::ValueId;
using prim::Op;

class Sinker {
 public:
  Sinker(core::Program& program, const Body& whole)
      : program_(program), forms_(whole), uses_(core::useCounts(program, whole)) {
    core::visitStms(whole, [&](const Stm& stm) {
      const auto* loop = std::get_if<core::Loop>(&stm.expr);
      const auto* counted = loop == nullptr ? nullptr : std::get_if<core::ForLoop>(&loop->form);
      if (counted != nullptr) loop_indices_.insert(counted->index);
    });
  }

  void run(Body& body) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      core::visitBodies(stm.expr, [&](Body& inner) { run(inner); });
      std::vector<Stm> behind;
      if (std::holds_alternative<Match>(stm.expr)) behind = sunkOf(stm);
      body.stms.push_back(std::move(stm));
      for (Stm& update : behind) body.stms.push_back(std::move(update));
    }
  }

 private:
  std::vector<Stm> sunkOf(Stm& stm) {
    std::vector<Stm> behind;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      if (!program_.type(stm.results[k]).isScalar()) sink(stm, k, behind);
    }
    return behind;
  }

  void sink(Stm& stm, size_t k, std::vector<Stm>& behind) {
    auto& match = std::get<Match>(stm.expr);
    std::vector<size_t> places;  // of the update in each arm
    for (const Body* arm : core::armsOf(std::as_const(match))) {
      const auto at = updateOf(*arm, k);
      if (!at) return;
      places.push_back(*at);
    }
    const auto arms = core::armsOf(match);
    const ValueId array = updateAt(*arms[0], places[0]).array;
    for (size_t a = 0; a < arms.size(); ++a) {
      if (updateAt(*arms[a], places[a]).array != array || binds(*arms[a], array)) return;
    }
    if (program_.type(array) != program_.type(stm.results[k])) return;
    core::Builder b(program_);
    const auto indices = commonIndices(match, places, b);
    if (!indices) return;
    for (size_t a = 0; a < arms.size(); ++a) {
      arms[a]->results[k] = updateAt(*arms[a], places[a]).value;
      arms[a]->stms.erase(arms[a]->stms.begin() + static_cast<std::ptrdiff_t>(places[a]));
    }
    const ValueId result = stm.results[k];
    const ValueId value = program_.add("x", {program_.type(result).scalar, {}});
    stm.results[k] = value;
    for (Stm& made : b.body().stms) behind.push_back(std::move(made));
    behind.push_back({{result}, Update{array, *indices, {}, value}, false, stm.span});
  }

  // The proven update of one element that makes result `k` of the arm, and nothing else.
  std::optional<size_t> updateOf(const Body& arm, size_t k) const {
    const auto at = core::makerOf(arm.stms, arm.results[k]);
    if (!at || arm.stms[*at].checked) return std::nullopt;
    const auto* update = std::get_if<Update>(&arm.stms[*at].expr);
    const bool writes_element =
        update != nullptr && update->dims.empty() &&
        static_cast<int>(update->indices.size()) == program_.type(update->array).rank();
    const bool is_result = writes_element && uses_.at(arm.stms[*at].results[0]) == 1;
    return is_result ? at : std::nullopt;
  }
  static const Update& updateAt(const Body& arm, size_t at) {
    return std::get<Update>(arm.stms[at].expr);
  }

  static bool binds(const Body& body, ValueId value) {
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end();
    });
  }

  // The place that every arm writes, computed in front of the update. Where an arm knows the value
  // of an atom, it may have written that instead.
  std::optional<core::Operands> commonIndices(const Match& match, const std::vector<size_t>& places,
                                              core::Builder& b) {
    const auto arms = core::armsOf(match);
    for (size_t a = arms.size(); a-- > 0;) {
      const core::Operands& indices = updateAt(*arms[a], places[a]).indices;
      bool is_common = true;
      for (size_t other = 0; is_common && other < arms.size(); ++other) {
        is_common =
            isSame(forms_.of(indices), forms_.of(updateAt(*arms[other], places[other]).indices),
                   knownIn(match, other));
      }
      if (is_common) return before(*arms[a], indices, b);
    }
    return std::nullopt;
  }

  // The indices without the values that the arm binds.
  std::optional<core::Operands> before(const Body& arm, const core::Operands& indices,
                                       core::Builder& b) {
    const bool stands = std::none_of(indices.begin(), indices.end(), [&](const core::Operand& i) {
      return !i.isConstant() && binds(arm, i.value);
    });
    if (stands) return indices;
    std::unordered_set<ValueId> inside;
    for (const Stm& stm : arm.stms) inside.insert(stm.results.begin(), stm.results.end());
    const IndexForms::Form form = forms_.of(indices);
    return IndexForms::mentions(form, inside) ? std::nullopt : IndexForms::emit(b, form);
  }

  using Fact = std::pair<ValueId, int64_t>;  // a value and the number that it is
  static bool isSame(const IndexForms::Form& common, const IndexForms::Form& own,
                     const std::optional<Fact>& fact) {
    if (own == common || !fact) return own == common;
    const Polynomial value = Polynomial::constant(fact->second);
    const auto a = IndexForms::with(common, fact->first, value);
    return a && a == IndexForms::with(own, fact->first, value);
  }

  std::optional<Fact> knownIn(const Match& match, size_t arm) const {
    if (match.scrutinee.isConstant() || match.cases.size() != 1) return std::nullopt;
    const prim::Scalar value = match.cases[0].value;
    if (value.type != prim::ScalarType::kBool) return std::nullopt;
    const core::Expr* made = forms_.definition(match.scrutinee.value);
    const auto* op = made == nullptr ? nullptr : std::get_if<core::PrimOp>(made);
    if (op == nullptr || op->type != prim::ScalarType::kI64) return std::nullopt;
    return factOf(*op, (arm == 0) == value.asBool());
  }

  // Of a comparison with a constant. Indices of loops are 0 where they are below 1.
  std::optional<Fact> factOf(const core::PrimOp& op, bool holds) const {
    if (op.args.size() != 2 || op.args[0].isConstant() || !op.args[1].isConstant()) {
      return std::nullopt;
    }
    const Fact equal = {op.args[0].value, op.args[1].constant.asSigned()};
    if (op.op == (holds ? Op::kEq : Op::kNe)) return equal;
    const bool is_below_1 = (equal.second == 1 && op.op == (holds ? Op::kLt : Op::kGe)) ||
                            (equal.second == 0 && op.op == (holds ? Op::kLe : Op::kGt));
    if (is_below_1 && loop_indices_.contains(equal.first)) return Fact{equal.first, 0};
    return std::nullopt;
  }

  core::Program& program_;
  IndexForms forms_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_set<ValueId> loop_indices_;
};

}  // namespace

core::Program sinkUpdates(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Sinker(result, core::Body(body)).run(body);
  });
}

}  // namespace halo::passes

// Of each loop, the parameters that it overwrites; of those, their initial values.
#include "lang/passes/simplify/drop_fills.h"

#include <unordered_map>
#include <unordered_set>

#include "lang/core/bound_values.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/index_forms.h"

namespace halo::passes {
namespace {

using core::Body;
using core::ForLoop;
using core::Loop;
using core::Operand;
using core::Stm;
using core::ValueId;
using Form = IndexForms::Form;
using prim::ScalarType::kI64;

constexpr int kMaxLeft = 4;  // elements on either side of those that a loop writes

// Elements from `first` on, `count` of them if that is not negative.
struct Written {
  Form first;
  Operand count;
};

class Dropper {
 public:
  Dropper(core::Program& program, const Body& whole)
      : program_(program), forms_(whole), uses_(core::useCounts(program, whole)) {}

  // Whether a fill was dropped, whose source may have no other use now.
  bool run(Body& body, bool in_cell = false) {
    bool dropped = false;
    std::unordered_map<ValueId, Written> overwritten;
    for (Stm& stm : body.stms) {
      const bool is_lambda = !core::isControl(stm.expr);
      core::visitBodies(
          stm.expr, [&](Body& inner) { dropped = run(inner, in_cell || is_lambda) || dropped; });
      const auto* loop = std::get_if<Loop>(&stm.expr);
      for (size_t k = 0; loop != nullptr && k < loop->carried.size(); ++k) {
        if (auto written = overwrites(*loop, k)) {
          overwritten.emplace(loop->carried[k].initial.value, std::move(*written));
        }
      }
    }
    in_cell_ = in_cell;
    const Body before = std::move(body);
    body = {{}, before.results};
    for (size_t i = 0; i < before.stms.size(); ++i) {
      const Stm& stm = before.stms[i];
      const bool fills = std::holds_alternative<core::Replicate>(stm.expr) ||
                         std::holds_alternative<core::Copy>(stm.expr);
      auto written = fills ? overwritten.find(stm.results[0]) : overwritten.end();
      const bool drops = written != overwritten.end() && isKnown(written->second, before.stms, i) &&
                         fillRest(stm, written->second, body.stms);
      dropped = dropped || drops;
      if (!drops) body.stms.push_back(stm);
    }
    return dropped;
  }

 private:
  // The elements that the loop writes one after another, if that is all it does with the parameter.
  std::optional<Written> overwrites(const Loop& loop, size_t position) {
    const auto* counted = std::get_if<ForLoop>(&loop.form);
    const core::Carried& carried = loop.carried[position];
    const bool may = counted != nullptr && !carried.initial.isConstant() &&
                     program_.type(carried.param).rank() == 1 && countOf(carried.param) == 1 &&
                     countOf(carried.initial.value) == 1;
    if (!may) return std::nullopt;
    for (const Stm& stm : loop.body.stms) {
      const auto* update = std::get_if<core::Update>(&stm.expr);
      if (update == nullptr || update->array != carried.param) continue;
      const bool is_all = update->dims.empty() && countOf(stm.results[0]) == 1 &&
                          loop.body.results[position] == Operand(stm.results[0]);
      return is_all ? writtenBy(loop, forms_.of(update->indices)) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Written> writtenBy(const Loop& loop, const Form& place) {
    const auto& counted = std::get<ForLoop>(loop.form);
    const auto at = [&](const Polynomial& step) {
      return IndexForms::with(place, counted.index, step);
    };
    const Polynomial zero;
    const auto first = at(zero), second = at(Polynomial::constant(1));
    const auto step = first && second ? (*second)[0].plus((*first)[0], -1) : std::nullopt;
    if (step == Polynomial::constant(1)) return Written{*first, counted.bound};
    const auto end = forms_.of(counted.bound).plus(Polynomial::constant(1), -1);
    const auto last = end ? at(*end) : std::nullopt;
    if (step != Polynomial::constant(-1) || !last) return std::nullopt;
    return Written{*last, counted.bound};
  }

  // Whether statement `at` of the body can compute which elements are written.
  static bool isKnown(const Written& written, const std::vector<Stm>& stms, size_t at) {
    std::unordered_set<ValueId> later;
    const auto bind = [&](const Stm& stm) { core::addBound(stm, later); };
    for (size_t i = at; i < stms.size(); ++i) {
      bind(stms[i]);
      core::visitBodies(stms[i].expr, [&](const Body& body) { core::visitStms(body, bind); });
    }
    const bool counts = written.count.isConstant() || !later.contains(written.count.value);
    return counts && !IndexForms::mentions(written.first, later);
  }

  // In place of the fill, one of the elements in front of the written ones and behind them; whether
  // their places can be computed.
  bool fillRest(const Stm& fill, const Written& written, std::vector<Stm>& out) {
    const ValueId result = fill.results[0];
    const core::Type type = program_.type(result);
    const Operand size = type.shape[0];
    const core::Scratch scratch = {type.scalar, type.shape};
    if (written.first[0].terms().empty() && written.count == size) {
      out.push_back({{result}, scratch});
      return true;
    }
    if (!in_cell_ || !leavesFew(written, size)) return false;
    core::Builder b(program_);
    const auto first = IndexForms::emit(b, written.first);
    if (!first) return false;
    const auto bounded = [&](Operand value, Operand most) {
      value = b.prim(prim::Op::kMax, kI64, {value, core::kZero});
      return value == core::kZero ? value : b.prim(prim::Op::kMin, kI64, {value, most});
    };
    const Operand front = bounded((*first)[0], size);
    const Operand room = b.sub(size, front);
    const Operand behind = b.add(front, bounded(written.count, room));
    ValueId array = b.bind("rest", type, scratch);
    array = fillPart(fill, array, core::kZero, front, b);
    array = fillPart(fill, array, behind, b.sub(size, behind), b);
    for (Stm& stm : b.body().stms) out.push_back(std::move(stm));
    out.back().results[0] = result;
    return true;
  }

  // A fill may be a kernel of its own: what is left is for one invocation, but for few elements.
  bool leavesFew(const Written& written, const Operand& size) {
    const auto end = written.first[0].plus(forms_.of(written.count));
    const auto behind = end ? forms_.of(size).plus(*end, -1) : std::nullopt;
    const auto few = [](const std::optional<Polynomial::Coefficient>& count) {
      return count && *count >= 0 && *count <= kMaxLeft;
    };
    return behind && few(written.first[0].asConstant()) && few(behind->asConstant());
  }

  ValueId fillPart(const Stm& fill, ValueId array, Operand from, Operand count, core::Builder& b) {
    if (count == core::kZero) return array;
    const core::Type type = program_.type(array);
    const ValueId param = program_.add("rest", type), step = program_.add("i", {kI64, {}});
    core::Builder inner(program_);
    const Operand at = inner.add(from, step);
    Operand value;
    if (const auto* copy = std::get_if<core::Copy>(&fill.expr)) {
      value = inner.bind("x", {type.scalar, {}}, core::Index{copy->array, {at}});
    } else {
      value = std::get<core::Replicate>(fill.expr).value;
    }
    const ValueId next = inner.bind("rest", type, core::Update{param, {at}, {}, value});
    Loop loop = {{{param, array, true}}, ForLoop{step, count}, inner.take({next})};
    return b.bind("rest", type, std::move(loop));
  }
  int countOf(ValueId value) const {
    auto found = uses_.find(value);
    return found == uses_.end() ? 0 : found->second;
  }

  core::Program& program_;
  IndexForms forms_;
  std::unordered_map<ValueId, int> uses_;
  bool in_cell_ = false;
};

}  // namespace

core::Program dropFills(const core::Program& program) {
  core::Program result = program;
  for (core::Function& function : result.functions) {
    while (Dropper(result, core::Body(function.body)).run(function.body)) {
    }
  }
  return result;
}

}  // namespace halo::passes

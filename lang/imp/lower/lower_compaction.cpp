// A chunk of elements is pressed together in memory of its own, which stays in the first caches. In
// the ordered section it takes its place behind the chunks before, and is copied there.
#include "lang/imp/lower/lower_compaction.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

constexpr int64_t kCompactionChunk = 8192;

class Recogniser {
 public:
  Recogniser(const core::Program& program, const core::Loop& loop)
      : program_(program), loop_(loop), definitions_(core::Definitions::of(loop.body)) {}

  std::optional<Compaction> run() {
    const auto* form = std::get_if<core::ForLoop>(&loop_.form);
    if (form == nullptr) return std::nullopt;
    bound_ = form->bound;
    for (size_t k = 0; k < loop_.carried.size(); ++k) {
      const core::Type type = program_.type(loop_.carried[k].param);
      const bool fits = type.isScalar() ? isCounter(k) : isKept(k);
      if (!fits) return std::nullopt;
    }
    for (const auto& [at, counter] : places_) {
      if (!isPlace(at)) return std::nullopt;
    }
    if (found_.counters.empty() || found_.arrays.empty()) return std::nullopt;
    return standsAlone() ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  const core::PrimOp* prim(const core::Operand& operand, Op op) const {
    const auto* node = definitions_.node<core::PrimOp>(operand);
    return node != nullptr && node->op == op ? node : nullptr;
  }
  void recognise(const core::Operand& operand) { recognised_.insert(operand.value); }

  // The next value is this one and one more where the element is kept.
  bool isCounter(size_t k) {
    const core::Operand& next = loop_.body.results[k];
    const auto* sum = prim(next, Op::kAdd);
    if (sum == nullptr || sum->type != ScalarType::kI64) return false;
    const core::Operand self = loop_.carried[k].param;
    if (sum->args[0] != self && sum->args[1] != self) return false;
    const core::Operand& flag = sum->args[0] == self ? sum->args[1] : sum->args[0];
    const auto* select = definitions_.node<core::Select>(flag);
    if (select == nullptr || select->on_true != core::Operand::ofI64(1) ||
        select->on_false != core::Operand::ofI64(0)) {
      return false;
    }
    if (!found_.counters.empty() && flag != flag_) return false;
    flag_ = flag, kept_ = select->condition;
    recognise(next);
    found_.counters.push_back(k);
    return true;
  }

  // The next array is this one, or this one with a value where the counter says.
  bool isKept(size_t k) {
    const core::Operand& next = loop_.body.results[k];
    const auto* match = definitions_.node<core::Match>(next);
    if (match == nullptr || match->cases.size() != 1 || !match->otherwise.stms.empty())
      return false;
    const core::Stm& stm = *definitions_.find(next);
    auto position = static_cast<size_t>(
        std::find(stm.results.begin(), stm.results.end(), next.value) - stm.results.begin());
    const core::Operand self = loop_.carried[k].param;
    if (match->otherwise.results[position] != self) return false;
    const core::Body& arm = match->cases[0].body;
    const core::Update* update = nullptr;
    for (const core::Stm& inner : arm.stms) {
      const auto* found = std::get_if<core::Update>(&inner.expr);
      if (found == nullptr) return false;
      if (core::Operand(inner.results[0]) == arm.results[position]) update = found;
    }
    const bool fits = update != nullptr && core::Operand(update->array) == self &&
                      update->dims.empty() && update->indices.size() == 1 &&
                      program_.type(loop_.carried[k].param).shape == core::Operands{bound_} &&
                      match->cases[0].value.asBool() &&
                      isInside(match->scrutinee, update->indices[0]);
    if (!fits) return false;
    recognise(next);
    values_.push_back(update->value);
    places_.emplace_back(update->indices[0], k);
    found_.arrays.push_back(k);
    return true;
  }

  // 0 <= at && at < bound
  bool isInside(const core::Operand& condition, const core::Operand& at) {
    const auto* both = prim(condition, Op::kAnd);
    if (both == nullptr) return false;
    const auto* low = prim(both->args[0], Op::kLe);
    const auto* high = prim(both->args[1], Op::kLt);
    const bool fits = low != nullptr && high != nullptr &&
                      low->args == core::Operands{core::Operand::ofI64(0), at} &&
                      high->args == core::Operands{at, bound_};
    for (const core::Operand& part : {condition, both->args[0], both->args[1]}) recognise(part);
    return fits;
  }

  // kept ? counter after this element - 1 : -1, of a counter that began at 0
  bool isPlace(const core::Operand& at) {
    const auto* select = definitions_.node<core::Select>(at);
    if (select == nullptr || select->on_false != core::Operand::ofI64(-1)) return false;
    recognise(at);
    if (select->condition != kept_) {
      const auto* same = prim(select->condition, Op::kEq);
      if (same == nullptr || same->args != core::Operands{flag_, core::Operand::ofI64(1)})
        return false;
      recognise(select->condition);
    }
    const auto* before = prim(select->on_true, Op::kSub);
    if (before == nullptr || before->args[1] != core::Operand::ofI64(1)) return false;
    recognise(select->on_true);
    return std::any_of(found_.counters.begin(), found_.counters.end(), [&](size_t k) {
      return loop_.carried[k].initial == core::Operand::ofI64(0) &&
             loop_.body.results[k] == before->args[0];
    });
  }

  // Is the rest of the body independent of the carried values?
  bool standsAlone() {
    std::unordered_set<ValueId> hidden = recognised_;
    for (const core::Carried& carried : loop_.carried) hidden.insert(carried.param);
    for (const core::Stm& stm : loop_.body.stms) {
      const bool is_known =
          std::any_of(stm.results.begin(), stm.results.end(),
                      [&](ValueId result) { return recognised_.contains(result); });
      if (!is_known) found_.element.stms.push_back(stm);
    }
    found_.element.results = {kept_};
    found_.element.results.insert(found_.element.results.end(), values_.begin(), values_.end());
    for (ValueId used : core::freeValues(program_, found_.element)) {
      if (hidden.contains(used)) return false;
    }
    return true;
  }

  const core::Program& program_;
  const core::Loop& loop_;
  core::Definitions definitions_;
  std::unordered_set<ValueId> recognised_;  // lowered by the chunks' own code
  core::Operand bound_, flag_, kept_;
  core::Operands values_;
  std::vector<std::pair<core::Operand, size_t>> places_;
  Compaction found_;
};

}  // namespace

std::optional<Compaction> asCompaction(const core::Program& program, const core::Loop& loop) {
  return Recogniser(program, loop).run();
}

CompactionLowering::CompactionLowering(Lowering& lowering, const core::Stm& stm,
                                       const core::Loop& node, const Compaction& compaction)
    : low_(lowering),
      b_(lowering.b_),
      target_(lowering.target_),
      stm_(stm),
      node_(node),
      compaction_(compaction),
      form_(std::get<core::ForLoop>(node.form)) {}

// The elements first .. last - 1 that are kept, in `kept`; `next` is their number.
void CompactionLowering::compact(Operand first, Operand last, const std::vector<BufferId>& kept,
                                 VarId next) {
  VarId var = b_.program().addVar(low_.core_.values[form_.index].name, ScalarType::kI64);
  low_.in_lanes_ = true;
  Block made = b_.capture([&] {
    low_.set(form_.index, Operand(var));
    Results element = low_.body(compaction_.element);
    b_.append(Append{
        kept, next, element.scalars[0], {element.scalars.begin() + 1, element.scalars.end()}});
    low_.release(element.owned);
  });
  low_.in_lanes_ = false;
  const bool vector = canRunInLanes(b_.program(), made);
  b_.append(For{var, first, last, vector ? Schedule::kVector : Schedule::kSequential,
                vector ? kVectorWidth : 1, std::move(made)});
}

// Its place follows the elements of the chunks before.
void CompactionLowering::chunk(Operand first, Operand last) {
  std::vector<BufferId> buffers;
  std::vector<ArrayRef> kept;
  for (const ArrayRef& target : targets_) {
    kept.push_back(target_.allocate(b_, "kept", target.type,
                                    {Operand::ofI64(kCompactionChunk + kAppendRoom)}));
    buffers.push_back(kept.back().buffer);
  }
  const VarId next = b_.declare("next", ScalarType::kI64, kZero);
  compact(first, last, buffers, next);
  if (target_.parallel) b_.append(OrderedSection{true});
  const Operand place = loadElement(b_, count_, {kZero});
  storeElement(b_, count_, {kZero}, b_.add(place, next));
  if (target_.parallel) b_.append(OrderedSection{false});
  for (size_t k = 0; k < targets_.size(); ++k) {
    ArrayRef to = targets_[k], from = kept[k];
    to.offset = b_.add(to.offset, b_.mul(place, to.strides[0]));
    to.shape = from.shape = {Operand(next)};
    copyArray(b_, target_, to, from);
  }
  low_.release(buffers);
}

void CompactionLowering::run() {
  const Operand width = low_.scalar(form_.bound);
  const Operand size = Operand::ofI64(kCompactionChunk);
  const Operand rounded = b_.add(width, Operand::ofI64(kCompactionChunk - 1));
  const Operand chunks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  count_ = low_.fresh("count", ScalarType::kI64, {Operand::ofI64(1)});
  storeElement(b_, count_, {kZero}, kZero);
  for (size_t k : compaction_.arrays) {
    targets_.push_back(low_.real(low_.array(node_.carried[k].initial.value)));
  }
  low_.chunkLoop(chunks, [&](Operand number) {
    const Operand first = b_.mul(number, size);
    chunk(first, b_.min(b_.add(first, size), width));
  });
  const Operand all = loadElement(b_, count_, {kZero});
  for (size_t k : compaction_.counters) {
    low_.set(stm_.results[k], b_.add(low_.scalar(node_.carried[k].initial), all));
  }
  for (size_t k = 0; k < targets_.size(); ++k) {
    low_.set(stm_.results[compaction_.arrays[k]], targets_[k]);
  }
}

}  // namespace halo::imp

// Statements of a Core body in order: scalars, scopes, and the life of memory.
#include "lang/imp/lower_body.h"

#include <algorithm>
#include <utility>

#include "lang/base/check.h"
#include "lang/core/visit.h"
#include "lang/imp/across.h"
#include "lang/imp/lowering.h"
#include "lang/imp/turned_rows.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

template <typename Visit>
void visitUsedValues(const core::Expr& expr, Visit& visit) {
  auto use = [&](const auto& item) {
    if constexpr (std::is_same_v<std::decay_t<decltype(item)>, ValueId>) {
      visit(item);
    } else if (!item.isConstant()) {
      visit(item.value);
    }
  };
  core::visitUses(expr, use);
  core::visitBodies(expr, [&](const core::Body& body) {
    for (const core::Stm& stm : body.stms) visitUsedValues(stm.expr, visit);
    for (const core::Operand& result : body.results) use(result);
  });
}

// Does the statement write an array result where it is told to?
bool acceptsDestination(const core::Expr& expr) {
  return std::holds_alternative<core::Screma>(expr) ||
         std::holds_alternative<core::Stencil>(expr) || std::holds_alternative<core::Iota>(expr) ||
         std::holds_alternative<core::Replicate>(expr) ||
         std::holds_alternative<core::ArrayLiteral>(expr) ||
         std::holds_alternative<core::Scratch>(expr) ||
         std::holds_alternative<core::Concat>(expr) || std::holds_alternative<core::Copy>(expr) ||
         std::holds_alternative<core::Match>(expr) || std::holds_alternative<core::Pad>(expr);
}

// Of one type: an array that was made there in another shape has strides of its own.
bool isThere(const ArrayRef& array, const ArrayRef& destination) {
  bool begins = !array.isVirtual() && array.buffer == destination.buffer &&
                array.offset == destination.offset;
  return begins && (array.strides == destination.strides || (array.dense && destination.dense));
}

const core::Stm* definition(const core::Body& body, ValueId value) {
  for (const core::Stm& stm : body.stms) {
    if (std::find(stm.results.begin(), stm.results.end(), value) != stm.results.end()) return &stm;
  }
  return nullptr;
}

// What an array is made of in place, dense views of another shape included. A view that is not
// dense is copied where it gets another shape: that copy then.
ValueId reshapedRoot(const core::Program& core, const core::Body& body, ValueId value) {
  while (true) {
    value = inPlaceRoot(core, body, value);
    const core::Stm* made = definition(body, value);
    const auto* view = made == nullptr ? nullptr : std::get_if<core::Reshape>(&made->expr);
    if (view == nullptr) return value;
    ValueId inner = inPlaceRoot(core, body, view->array);
    const core::Stm* source = definition(body, inner);
    if (source != nullptr && std::holds_alternative<core::Rearrange>(source->expr)) return value;
    value = inner;
  }
}

bool bindsSizeOf(const core::Stm& stm, const core::Type& type) {
  return std::any_of(type.shape.begin(), type.shape.end(), [&](const core::Operand& size) {
    return !size.isConstant() &&
           std::find(stm.results.begin(), stm.results.end(), size.value) != stm.results.end();
  });
}

// Kernel calls of a GPU host program write where they are told to as well.
bool isIntercepted(const core::Expr& expr, const Place& place) {
  return place.intercept && std::holds_alternative<core::Call>(expr);
}

}  // namespace

bool sameMemory(const ArrayRef& a, const ArrayRef& b) {
  return !a.isVirtual() && !b.isVirtual() && a.buffer == b.buffer && a.offset == b.offset &&
         a.strides == b.strides;
}

Operand operandOf(const Environment& environment, const core::Operand& operand) {
  if (operand.isConstant()) return operand.constant;
  auto found = environment.scalars.find(operand.value);
  HALO_CHECK(found != environment.scalars.end(), "scalar without a value");
  return found->second;
}

Operands operandsOf(const Environment& environment, const core::Operands& operands) {
  Operands result;
  for (const core::Operand& operand : operands) result.push_back(operandOf(environment, operand));
  return result;
}

Results lowerBody(Builder& builder, const core::Program& core, const core::Body& body,
                  Environment& environment, const Place& place, const Destinations& destinations) {
  return Lowering(builder, core, environment, place).body(body, destinations);
}

// A mutable variable among the values may be overwritten before it is read: such values go through
// a temporary.
void assignAll(Builder& builder, const std::vector<VarId>& vars, const Operands& values) {
  Operands safe = values;
  for (size_t i = 0; i < values.size(); i++) {
    bool overwritten = std::find(vars.begin(), vars.begin() + static_cast<ptrdiff_t>(i),
                                 values[i].var) != vars.begin() + static_cast<ptrdiff_t>(i);
    if (values[i].isConstant() || !overwritten) continue;
    const VarInfo info = builder.program().vars[values[i].var];
    safe[i] = builder.declare(info.name, info.type, values[i]);
  }
  for (size_t i = 0; i < values.size(); i++) {
    if (safe[i] != Operand(vars[i])) builder.assign(vars[i], safe[i]);
  }
}

core::ValueId inPlaceRoot(const core::Program& core, const core::Body& body, ValueId value) {
  for (size_t s = body.stms.size(); s-- > 0;) {
    const core::Stm& stm = body.stms[s];
    auto at = std::find(stm.results.begin(), stm.results.end(), value);
    if (at == stm.results.end()) continue;
    size_t k = static_cast<size_t>(at - stm.results.begin());
    if (const auto* update = std::get_if<core::Update>(&stm.expr)) {
      value = update->array;
    } else if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
      value = scatter->destinations[k].array;
    } else if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) {
      std::vector<ValueId> destinations;
      for (const core::HistOp& operation : hist->operations) {
        destinations.insert(destinations.end(), operation.destinations.begin(),
                            operation.destinations.end());
      }
      value = destinations[k];
    } else if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      const core::Operand& next = loop->body.results[k];
      if (next.isConstant() || loop->carried[k].initial.isConstant()) return value;
      if (inPlaceRoot(core, loop->body, next.value) != loop->carried[k].param) return value;
      value = loop->carried[k].initial.value;
    } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      if (match->otherwise.results[k].isConstant()) return value;
      ValueId root = inPlaceRoot(core, match->otherwise, match->otherwise.results[k].value);
      bool outside = true;
      for (const core::Stm& inner : match->otherwise.stms) {
        outside = outside && std::find(inner.results.begin(), inner.results.end(), root) ==
                                 inner.results.end();
      }
      for (const core::Case& arm : match->cases) {
        outside = outside && !arm.body.results[k].isConstant() &&
                  inPlaceRoot(core, arm.body, arm.body.results[k].value) == root;
      }
      if (!outside) return value;
      value = root;
    } else if (const auto* call = std::get_if<core::Call>(&stm.expr)) {
      // Kernels work on the memory they are given; functions may get a dense copy.
      const core::Function* callee = core.find(call->function);
      if (callee == nullptr || callee->kernel.empty()) return value;
      std::optional<size_t> argument = inPlaceArgument(core, *callee, k);
      if (!argument) return value;
      value = call->args[*argument].value;
    } else {
      return value;
    }
  }
  return value;
}

const ArrayRef& Lowering::array(ValueId value) const {
  auto found = env_.arrays.find(value);
  HALO_CHECK(found != env_.arrays.end(), "array without a value");
  return found->second;
}

void Lowering::set(ValueId value, ArrayRef array) {
  array.stream = Operand::ofI64(0);
  env_.arrays[value] = std::move(array);
  scope_->live.push_back(value);
}

// The number of bytes must be an i64.
void Lowering::checkSize(ScalarType type, const Operands& shape) {
  Operand bytes = Operand::ofI64(prim::byteSize(type));
  for (const Operand& extent : shape) {
    int64_t known = 0;
    if (bytes.isConstant() && extent.isConstant() &&
        !__builtin_mul_overflow(bytes.constant.asSigned(), extent.constant.asSigned(), &known)) {
      bytes = Operand::ofI64(known);
      continue;
    }
    Operand product = b_.prim(Op::kMul, ScalarType::kI64, {bytes, extent});
    Operand high = b_.prim(Op::kMulHi, ScalarType::kI64, {bytes, extent});
    Operand sign = b_.prim(Op::kMachineShr, ScalarType::kI64, {product, Operand::ofI64(63)});
    Operand overflows = b_.prim(Op::kNe, ScalarType::kI64, {high, sign});
    b_.ifThenElse(overflows, [&] { b_.fail(diag::Code::size_overflow, span_, shape); });
    bytes = product;
  }
}

ArrayRef Lowering::fresh(const std::string& name, ScalarType type, Operands shape) {
  if (place_.check_sizes) checkSize(type, shape);
  ArrayRef array = place_.allocate(b_, name, type, shape);
  scope_->owned.push_back(array.buffer);
  return array;
}

ArrayRef Lowering::output(ValueId value) {
  ArrayRef array = mapOutput(value);
  array.stream = Operand::ofI64(0);
  return array;
}

ArrayRef Lowering::mapOutput(ValueId value) {
  ArrayRef array;
  if (hasDestination(value)) {
    array = *destination(value);
    destinations_.erase(value);
  } else {
    const core::Type& type = core_.type(value);
    array = fresh(core_.values[value].name, type.scalar, scalars(type.shape));
  }
  if (place_.vectorise && independent_ == 0) array.stream = elementCount(b_, array.shape);
  bool is_small = array.stream.isConstant() && array.stream.constant.asSigned() < kNeverStreamed;
  if (is_small) array.stream = Operand::ofI64(0);
  return array;
}

ArrayRef Lowering::real(const ArrayRef& array) {
  if (!array.isVirtual()) return array;
  ArrayRef copy = fresh("made", array.type, array.shape);
  (independent_ == 0 && !in_lanes_ ? copyAlone : copyArray)(b_, place_, copy, array);
  return copy;
}

ArrayRef Lowering::dense(const ArrayRef& array) {
  if (!array.isVirtual() && array.dense) return array;
  ArrayRef copy = fresh("dense", array.type, array.shape);
  (independent_ == 0 && !in_lanes_ ? copyAlone : copyArray)(b_, place_, copy, array);
  return copy;
}

ArrayRef Lowering::ownedDense(const ArrayRef& array, Results& from) {
  auto owner = std::find(from.owned.begin(), from.owned.end(), array.buffer);
  if (!array.isVirtual() && array.dense && array.offset == Operand::ofI64(0) &&
      owner != from.owned.end()) {
    from.owned.erase(owner);
    return array;
  }
  ArrayRef copy = place_.allocate(b_, "result", array.type, array.shape);
  (independent_ == 0 && !in_lanes_ ? copyAlone : copyArray)(b_, place_, copy, array);
  return copy;
}

// Where a value is wanted, if that was said; in the value's own shape.
std::optional<ArrayRef> Lowering::destination(ValueId value) {
  auto found = destinations_.find(value);
  if (found == destinations_.end()) return std::nullopt;
  ArrayRef target = found->second;
  if (reshaped_.contains(value)) {
    const core::Type& type = core_.type(value);
    target = denseArray(b_, target.buffer, target.offset, type.scalar, scalars(type.shape));
  }
  return target;
}

// The memory of a result's root goes where the result is wanted, if that root is made here and
// nothing else wants it. Where the result lies densely, the root may have another shape.
void Lowering::planDestinations(const core::Body& body, const Destinations& destinations) {
  std::unordered_map<ValueId, int> wanted;
  for (const core::Operand& result : body.results) {
    if (!result.isConstant() && !core_.type(result.value).isScalar()) {
      wanted[reshapedRoot(core_, body, result.value)]++;
    }
  }
  for (size_t k = 0; k < destinations.size(); k++) {
    if (!destinations[k]) continue;
    ValueId root = reshapedRoot(core_, body, body.results[k].value);
    if (wanted[root] != 1) continue;
    const core::Stm* stm = definition(body, root);
    if (stm == nullptr) continue;
    const bool is_view = std::holds_alternative<core::Reshape>(stm->expr);
    bool is_reshaped = core_.type(root).shape != core_.type(body.results[k]).shape;
    if ((is_view || is_reshaped) && !destinations[k]->dense) continue;
    if (is_reshaped && bindsSizeOf(*stm, core_.type(root))) continue;
    if (is_view || acceptsDestination(stm->expr) || isIntercepted(stm->expr, place_)) {
      destinations_[root] = *destinations[k];
      if (is_reshaped) reshaped_.insert(root);
    }
  }
}

bool Lowering::touches(BufferId from, BufferId buffer) const {
  if (from == buffer) return true;
  auto found = joined_.find(from);
  if (found == joined_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [&](BufferId other) { return touches(other, buffer); });
}

bool Lowering::isTouched(const Scope& scope, BufferId buffer) const {
  return std::any_of(scope.live.begin(), scope.live.end(), [&](ValueId value) {
    const ArrayRef& array = env_.arrays.at(value);
    return !array.isVirtual() && touches(array.buffer, buffer);
  });
}

// Nobody but this statement, and by this name only, reads the memory of the array from now on, and
// it belongs to the body at hand.
bool Lowering::isLastUse(ValueId value, const core::Stm& stm) const {
  const ArrayRef& whole = array(value);
  const std::vector<BufferId>& owned = scope_->owned;
  bool is_owned = !whole.isVirtual() && whole.dense && whole.offset == Operand::ofI64(0) &&
                  std::find(owned.begin(), owned.end(), whole.buffer) != owned.end();
  if (!is_owned) return false;
  std::unordered_set<ValueId> used;
  auto use = [&](ValueId one) { used.insert(one); };
  visitUsedValues(stm.expr, use);
  return std::all_of(
             scope_->live.begin(), scope_->live.end(),
             [&](ValueId other) {
               const ArrayRef& rest = array(other);
               if (other == value || rest.isVirtual() || !touches(rest.buffer, whole.buffer))
                 return true;
               auto last = scope_->last_use.find(other);
               bool is_over = last == scope_->last_use.end() || last->second <= scope_->position;
               return is_over && !used.contains(other);
             }) &&
         scope_->last_use.at(value) <= scope_->position;
}

void Lowering::release(const std::vector<BufferId>& buffers) {
  if (!place_.release) return;
  for (BufferId buffer : buffers) place_.release(b_, buffer);
}

// Values whose last use is behind us die, and with them what only they touched.
void Lowering::bury(Scope& scope, size_t position) {
  auto dead = [&](ValueId value) {
    auto found = scope.last_use.find(value);
    return found == scope.last_use.end() || found->second <= position;
  };
  size_t before = scope.live.size();
  std::erase_if(scope.live, dead);
  if (scope.live.size() == before) return;
  std::erase_if(scope.owned, [&](BufferId buffer) {
    if (isTouched(scope, buffer)) return false;
    release({buffer});
    return true;
  });
}

Results Lowering::body(const core::Body& body, const Destinations& destinations) {
  Scope scope{body, {}, {}, {}, scope_, 0};
  for (size_t i = 0; i < body.stms.size(); i++) {
    auto use = [&](ValueId value) { scope.last_use[value] = i; };
    visitUsedValues(body.stms[i].expr, use);
  }
  for (const core::Operand& result : body.results) {
    if (!result.isConstant()) scope.last_use[result.value] = body.stms.size();
  }
  scope_ = &scope;
  planDestinations(body, destinations);
  for (size_t i = 0; i < body.stms.size(); i++) {
    scope.position = i;
    stm(body.stms[i]);
    bury(scope, i);
  }
  Results results;
  for (size_t k = 0; k < body.results.size(); k++) {
    const core::Operand& result = body.results[k];
    bool is_array = !result.isConstant() && !core_.type(result.value).isScalar();
    results.scalars.push_back(is_array ? Operand() : scalar(result));
    results.arrays.push_back(is_array ? array(result.value) : ArrayRef());
    if (k >= destinations.size() || !destinations[k]) continue;
    if (!isThere(results.arrays[k], *destinations[k])) {
      copyArray(b_, place_, *destinations[k], results.arrays[k]);
    }
    results.arrays[k] = *destinations[k];
  }
  for (BufferId buffer : scope.owned) {
    bool kept = std::any_of(results.arrays.begin(), results.arrays.end(), [&](const ArrayRef& a) {
      return a.buffer.valid() && touches(a.buffer, buffer);
    });
    if (kept) {
      results.owned.push_back(buffer);
    } else {
      release({buffer});
    }
  }
  scope_ = scope.outer;
  return results;
}

bool Lowering::intercepted(const core::Stm& stm) {
  if (!place_.intercept) return false;
  Destinations wanted(stm.results.size());
  for (size_t k = 0; k < stm.results.size(); k++) {
    wanted[k] = destination(stm.results[k]);
  }
  std::optional<Results> done = place_.intercept(b_, stm, env_, wanted);
  if (!done) return false;
  for (size_t k = 0; k < stm.results.size(); k++) {
    if (core_.type(stm.results[k]).isScalar()) {
      set(stm.results[k], done->scalars[k]);
    } else {
      destinations_.erase(stm.results[k]);
      set(stm.results[k], done->arrays[k]);
    }
  }
  scope_->owned.insert(scope_->owned.end(), done->owned.begin(), done->owned.end());
  return true;
}

void Lowering::stm(const core::Stm& stm) {
  if (stm.span.file.valid()) span_ = stm.span;
  if (intercepted(stm)) return;
  std::visit([&](const auto& node) { lower(stm, node); }, stm.expr);
}

namespace {

bool isShort(const Operand& lo, const Operand& hi) {
  return lo.isConstant() && hi.isConstant() &&
         hi.constant.asSigned() - lo.constant.asSigned() <= kShortLoop;
}

TurnedRows stripMemory(const Place& place, bool parallel) {
  auto allocate = [&place](Builder& b, ScalarType type, Operand elements) {
    return place.allocate(b, "turned", type, {elements}).buffer;
  };
  return {allocate, place.release, parallel};
}

}  // namespace

void Lowering::loop(const std::string& name, Operand lo, Operand hi, bool independent,
                    const std::function<void(Operand)>& body) {
  bool is_worth = independent && !isShort(lo, hi);
  bool outermost = is_worth && independent_ == 0;
  VarId var = b_.program().addVar(name, ScalarType::kI64);
  auto block = [&] {
    independent_ += is_worth;
    Block made = b_.capture([&] { body(var); });
    independent_ -= is_worth;
    return made;
  };
  bool may_vector = independent && place_.vectorise && !in_lanes_;
  Block made = may_vector && hi != Operand::ofI64(kLanes) ? bodyInLanes(var, block) : block();
  bool vector = may_vector && (isStraight(made) || lanes_chosen_);
  const bool across = may_vector && !std::exchange(lanes_chosen_, false) &&
                      !readsAcross(b_.program(), made, var).empty();
  if (across) {
    return loopAcross(b_, var, lo, hi, std::move(made), outermost && place_.parallel);
  }
  const bool parallel = outermost && place_.parallel;
  For whole{var,
            lo,
            hi,
            vector ? Schedule::kVector : Schedule::kSequential,
            vector ? kVectorWidth : 1,
            std::move(made)};
  if (vector && appendInStrips(b_, whole, stripMemory(place_, parallel))) return;
  if (parallel) whole.schedule = Schedule::kParallel;
  b_.append(std::move(whole));
}

void Lowering::parallelLoop(const std::string& name, Operand lo, Operand hi,
                            const std::function<void(Operand)>& body) {
  VarId var = b_.program().addVar(name, ScalarType::kI64);
  bool is_worth = !isShort(lo, hi);
  bool outermost = is_worth && independent_ == 0;
  independent_ += is_worth;
  Block made = b_.capture([&] { body(var); });
  independent_ -= is_worth;
  Schedule schedule = outermost && place_.parallel ? Schedule::kParallel : Schedule::kSequential;
  b_.append(For{var, lo, hi, schedule, 1, std::move(made)});
}

void Lowering::chunkLoop(Operand chunks, const std::function<void(Operand)>& body) {
  VarId var = b_.program().addVar("chunk", ScalarType::kI64);
  bool threads = place_.parallel && independent_ == 0;
  independent_++;
  Block made = b_.capture([&] { body(var); });
  independent_--;
  Schedule schedule = threads ? Schedule::kParallel : Schedule::kSequential;
  b_.append(For{var, Operand::ofI64(0), chunks, schedule, 1, std::move(made)});
}

// The body of a loop over `var` for lanes, if that is cheaper than iterations one after the other
// with vectors inside of each.
Block Lowering::bodyInLanes(VarId var, const std::function<Block()>& body) {
  in_lanes_ = true;
  Block together = body();
  in_lanes_ = false;
  if (isStraight(together)) return together;
  Block alone = body();
  if (!readsAcross(b_.program(), alone, var).empty()) return alone;
  lanes_chosen_ = canRunInLanes(b_.program(), together) &&
                  costInLanes(together, var) < kWorthLanes * costAlone(alone);
  return lanes_chosen_ ? together : alone;
}

void Lowering::lower(const core::Stm& stm, const core::Literal& node) {
  set(stm.results[0], Operand(node.value));
}

void Lowering::lower(const core::Stm& stm, const core::PrimOp& node) {
  ValueId result = stm.results[0];
  bool may_fuse = place_.fuses_products && node.loose &&
                  (node.type == ScalarType::kF32 || node.type == ScalarType::kF64);
  if (may_fuse && node.op == Op::kMul) {
    products_[result] = scalars(node.args);  // emitted all the same: other uses may appear
  } else if (may_fuse && node.op == Op::kAdd) {
    for (size_t k = 2; k-- > 0;) {
      auto product = products_.find(node.args[k].value);
      if (node.args[k].isConstant() || product == products_.end()) continue;
      const Operands& factors = product->second;
      set(result, b_.let(core_.values[result].name, node.type,
                         Fma{node.type, factors[0], factors[1], scalar(node.args[1 - k])}));
      return;
    }
  }
  set(result, b_.let(core_.values[result].name, prim::resultType(node.op, node.type),
                     Prim{node.op, node.type, scalars(node.args)}));
}

void Lowering::lower(const core::Stm& stm, const core::Convert& node) {
  ValueId result = stm.results[0];
  set(result, b_.let(core_.values[result].name, node.to,
                     Convert{node.kind, node.from, node.to, scalar(node.arg)}));
}

void Lowering::lower(const core::Stm& stm, const core::Select& node) {
  ValueId result = stm.results[0];
  set(result, b_.let(core_.values[result].name, core_.type(result).scalar,
                     Select{scalar(node.condition), scalar(node.on_true), scalar(node.on_false)}));
}

void Lowering::lower(const core::Stm& stm, const core::Assert& node) {
  Operand condition = scalar(node.condition);
  Operand fails = b_.prim(Op::kNot, ScalarType::kBool, {condition});
  Operands operands = scalars(node.operands);
  b_.ifThenElse(fails, [&] { b_.fail(node.code, stm.span, operands); });
}

}  // namespace halo::imp

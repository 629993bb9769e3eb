#include "interp/function.h"

#include "interp/derivatives/active.h"

namespace halo::interp {

void Target::bind(Frame& frame, Datum value) const {
  if (kind == Kind::kSlot) {
    frame.slots[slot] = std::move(value);
    return;
  }
  const auto& fields = kind == Kind::kSum ? value.as<Sum>().payload : value.as<Record>().fields;
  for (size_t i = 0; i < parts.size(); ++i) parts[i].bind(frame, fields[i]);
  if (kind == Kind::kSum) frame.slots[slot] = std::move(value);
}

void Target::bindElement(Frame& frame, const Array& array, int64_t i) const {
  const bool apart = kind == Kind::kTuple && array.is_record && !array.isSum() && array.rank() == 1;
  if (!apart) return bind(frame, element(array, i));
  for (size_t k = 0; k < parts.size(); ++k) {
    parts[k].bindElement(frame, arrayOf(array.fields[k]), i);
  }
}

bool CasePattern::match(Frame& frame, const Datum& value) const {
  const std::vector<Datum>* items = nullptr;
  switch (kind) {
    case Kind::kAny:
      return true;
    case Kind::kSlot:
      frame.slots[slot] = value;
      return true;
    case Kind::kLiteral:
      return equal(literal, value);
    case Kind::kSum:
      if (value.as<Sum>().constructor != constructor) return false;
      items = &value.as<Sum>().payload;
      break;
    case Kind::kRecord:
      items = &value.as<Record>().fields;
      break;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].match(frame, (*items)[i])) return false;
  }
  return true;
}

Datum Target::unbind(Frame& frame) const {
  if (kind != Kind::kTuple) return std::move(frame.slots[slot]);
  std::vector<Datum> fields;
  fields.reserve(parts.size());
  for (const Target& part : parts) fields.push_back(part.unbind(frame));
  return makeRecord(std::move(fields));
}

namespace {

// The rest of a path in a constructor that the value does not have: its type knows.
int64_t sizeInType(const RuntimeType* type, std::span<const int> path) {
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const bool is_dimension = path[i] == SizeBinding::kDimension;
    const int part = is_dimension ? 0 : path[i] - (type->form == RuntimeType::Form::kSum ? 1 : 0);
    type = &type->parts[static_cast<size_t>(part)].as<RuntimeType>();
  }
  return type->size;
}

}  // namespace

int64_t sizeAt(const Datum& value, const std::vector<int>& path) {
  const Datum* at = &value;
  size_t dimension = 0;  // of the array around `at` that has been entered
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i] == SizeBinding::kDimension) {
      ++dimension;
      continue;
    }
    const auto field = static_cast<size_t>(path[i]);
    if (const auto* sum = at->asIf<Sum>()) {
      const auto& type = sum->type.as<RuntimeType>();
      const size_t first = 1 + type.starts[sum->constructor];
      if (field < first || field >= first + sum->payload.size()) {
        return sizeInType(&type, std::span(path).subspan(i));
      }
      at = &sum->payload[field - first];
      continue;
    }
    const auto* record = at->asIf<Record>();
    const auto& fields = record != nullptr ? record->fields : at->as<Array>().fields;
    at = &fields[field];
  }
  return at->as<Array>().extent(dimension);
}

void bindSizes(Frame& frame, const std::vector<SizeBinding>& sizes, const Datum& value) {
  for (const SizeBinding& size : sizes) {
    frame.slots[size.slot] = Datum::ofI64(sizeAt(value, size.path));
  }
}

void UserFunction::bindParameters(Frame& frame) const {
  for (const auto& [slot, target] : parts_.destructured) {
    if (!frame.slots[slot].isScalar()) target.bind(frame, std::move(frame.slots[slot]));
  }
}

const Target* UserFunction::patternOf(size_t argument) const {
  for (const auto& [slot, target] : parts_.destructured) {
    if (static_cast<size_t>(slot) == argument) return &target;
  }
  return nullptr;
}

Datum UserFunction::call(State& state, const Datum* env, Datum* args) const {
  if (state.differentiating > 0 && hasDerivative()) {
    if (derivative_.instead != nullptr) return derivative_.instead->call(state, env, args);
    return applyRule(state, *this, *derivative_.rule, args);
  }
  return callWithoutRule(state, env, args);
}

Datum UserFunction::callWithoutRule(State& state, const Datum* env, Datum* args) const {
  state.checkStack();
  state.poll();
  Slots slots(state, static_cast<size_t>(parts_.frame_slots));
  for (int i = 0; i < arity_; ++i) slots.get()[i] = std::move(args[i]);
  Frame frame{slots.get(), env, state};
  bindParameters(frame);
  const CallScope call(state);
  return parts_.body->eval(frame);
}

namespace {

// One argument more; runs the function when it was the last one.
Datum applyOne(State& state, Datum function, Datum* args, size_t count, size_t* used) {
  const Closure& closure = function.as<Closure>();
  const size_t have = closure.args.size();
  const size_t need = static_cast<size_t>(closure.function->arity()) - have;
  if (count < need) {
    auto* partial = new Closure(closure);
    Datum result(partial);
    for (size_t i = 0; i < count; ++i) partial->args.push_back(std::move(args[i]));
    *used = count;
    return result;
  }
  *used = need;
  if (have == 0) return closure.function->call(state, closure.env.data(), args);
  Slots all(state, have + need);
  std::copy(closure.args.begin(), closure.args.end(), all.get());
  std::move(args, args + need, all.get() + have);
  return closure.function->call(state, closure.env.data(), all.get());
}

}  // namespace

Datum apply(State& state, Datum function, Datum* args, size_t count) {
  while (count > 0) {
    size_t used = 0;
    function = applyOne(state, std::move(function), args, count, &used);
    args += used;
    count -= used;
  }
  return function;
}

namespace {

const UserFunction* bodyOf(const Function& function) {
  const auto* user = dynamic_cast<const UserFunction*>(&function);
  return user != nullptr && !user->hasDerivative() ? user : nullptr;
}

}  // namespace

Caller::Caller(State& state, const Datum& function, size_t count)
    : state_(state),
      function_(function),
      closure_(function.as<Closure>()),
      count_(count),
      user_(takesAll() ? bodyOf(*closure_.function) : nullptr),
      names_site_(closure_.function->inPrelude() && !closure_.site.in_prelude),
      slots_(state, user_ != nullptr ? static_cast<size_t>(user_->frameSlots()) : count),
      frame_{slots_.get(), closure_.env.data(), state} {
  state.checkStack();
}

template <typename Run>
auto Caller::inside(const Run& run) {
  state_.poll();
  if (!names_site_) return run();
  const UserSpanScope scope(state_, closure_.site);
  return run();
}

Datum Caller::callOther() {
  if (takesAll()) return closure_.function->call(state_, closure_.env.data(), frame_.slots);
  return apply(state_, function_, frame_.slots, count_);
}

Datum Caller::call() {
  return inside([this] {
    if (user_ == nullptr) return callOther();
    user_->bindParameters(frame_);
    return user_->body().eval(frame_);
  });
}

void Caller::callFields(Datum* out) {
  inside([this, out] {
    if (user_ == nullptr) {
      const Datum whole = callOther();
      const auto& fields = whole.as<Record>().fields;
      std::copy(fields.begin(), fields.end(), out);
      return;
    }
    user_->bindParameters(frame_);
    user_->body().evalFields(frame_, out);
  });
}

void Caller::setElement(size_t argument, const Array& array, int64_t i) {
  const Target* pattern = user_ != nullptr ? user_->patternOf(argument) : nullptr;
  if (pattern == nullptr) {
    frame_.slots[argument] = element(array, i);
  } else {
    frame_.slots[argument].reset();
    pattern->bindElement(frame_, array, i);
  }
}

uint64_t Caller::callBits() {
  return inside([this] {
    if (user_ == nullptr) return callOther().bits();
    user_->bindParameters(frame_);
    return user_->body().evalBits(frame_);
  });
}

}  // namespace halo::interp

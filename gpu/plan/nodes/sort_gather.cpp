// The maps that look at a sort's order become one. Then the sort and that map, as far as it
// gathers.
#include "gpu/plan/nodes/sort_gather.h"

#include <algorithm>

#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nodes/sort_maps.h"
#include "lang/core/rewrite.h"
#include "lang/passes/calls/sorts.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr int kMaxPayloadBytes = 8;  // beside a key: as long as the element's number

// Arrays that a map reads at one of its parameters, and nothing else of that parameter but checks.
struct Gathered {
  std::vector<ValueId> arrays;
  std::vector<ValueId> elements;  // their names in the map
  Body rest;                      // the map without reading them
};

bool mentions(const Program& program, const Stm& stm, const std::unordered_set<ValueId>& values) {
  Body user{{stm}, {}};
  const std::unordered_set<ValueId> free = freeValues(program, user);
  return std::any_of(free.begin(), free.end(), [&](ValueId v) { return values.contains(v); });
}

std::optional<Gathered> gathered(const Program& program, const Lambda& map, ValueId param,
                                 const Operand& width) {
  Gathered found;
  std::unordered_set<ValueId> numbers = {param};  // it, and values computed of it
  for (const Stm& stm : map.body.stms) {
    if (!mentions(program, stm, numbers)) {
      found.rest.stms.push_back(stm);
      continue;
    }
    const auto* index = std::get_if<Index>(&stm.expr);
    if (index != nullptr && index->indices == Operands{Operand(param)}) {
      const Type& type = program.type(index->array);
      if (type.rank() != 1 || type.shape[0] != width) return std::nullopt;
      found.arrays.push_back(index->array);
      found.elements.push_back(stm.results[0]);
      continue;
    }
    // The number is one of those below the width.
    const auto* check = std::get_if<Assert>(&stm.expr);
    if (check != nullptr && check->code == diag::Code::index_out_of_range &&
        check->operands == Operands{Operand(param), width}) {
      continue;
    }
    if (!std::holds_alternative<PrimOp>(stm.expr) || stm.checked) return std::nullopt;
    numbers.insert(stm.results[0]);
  }
  found.rest.results = map.body.results;
  std::unordered_set<ValueId> used = freeValues(program, found.rest);
  for (const Operand& result : found.rest.results) {
    if (!result.isConstant()) used.insert(result.value);
  }
  bool still =
      std::any_of(numbers.begin(), numbers.end(), [&](ValueId v) { return used.contains(v); });
  bool free = std::none_of(found.arrays.begin(), found.arrays.end(), [&](ValueId array) {
    const std::vector<ValueId>& params = map.params;
    return std::find(params.begin(), params.end(), array) != params.end();
  });
  return still || !free ? std::nullopt : std::optional(found);
}

bool isSortCall(const Program& program, const Stm& stm) {
  const auto* call = std::get_if<Call>(&stm.expr);
  const Function* callee = call == nullptr ? nullptr : program.find(call->function);
  return callee != nullptr && passes::isSort(*callee);
}

// Maps that only gather by the order of a sort: one of them for all.
class GatherJoin {
 public:
  GatherJoin(Program& program, Body& body, ValueId order)
      : program_(program), body_(body), order_(order) {}

  void run() {
    if (!find()) return;
    auto& first = std::get<Screma>(body_.stms[users_[0]].expr);
    for (size_t k = 1; k < users_.size(); ++k) {
      const Stm& user = body_.stms[users_[k]];
      const Lambda& map = std::get<Screma>(user.expr).map;
      const Body more =
          freshCopy(program_, map.body, {{map.params[0], Operand(first.map.params[0])}});
      append(first.map.body.stms, more.stms);
      append(first.map.body.results, more.results);
      append(body_.stms[users_[0]].results, user.results);
    }
    for (size_t k = users_.size(); k-- > 1;) {
      body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(users_[k]));
    }
  }

 private:
  template <class T>
  static void append(std::vector<T>& to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  // Whether there are several, and nothing else looks at the order.
  bool find() {
    for (size_t i = 0; i < body_.stms.size(); ++i) {
      if (!mentions(program_, body_.stms[i], {order_})) continue;
      if (!onlyGathers(body_.stms[i])) return false;
      users_.push_back(i);
    }
    const auto uses = static_cast<size_t>(useCounts(program_, body_)[order_]);
    return users_.size() > 1 && uses == users_.size() && readEarly();
  }
  bool onlyGathers(const Stm& stm) const {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma == nullptr || !isMap(*screma) || screma->inputs != std::vector<ValueId>{order_}) {
      return false;
    }
    const auto found = gathered(program_, screma->map, screma->map.params[0], screma->width);
    return found && std::none_of(found->rest.stms.begin(), found->rest.stms.end(),
                                 [](const Stm& rest) { return mayFail(rest); });
  }
  // Inputs of the others are known where the first one stands.
  bool readEarly() const {
    std::unordered_set<ValueId> later;
    for (size_t i = users_[0]; i < users_.back(); ++i) {
      later.insert(body_.stms[i].results.begin(), body_.stms[i].results.end());
    }
    return std::none_of(users_.begin() + 1, users_.end(),
                        [&](size_t user) { return mentions(program_, body_.stms[user], later); });
  }

  Program& program_;
  Body& body_;
  ValueId order_;
  std::vector<size_t> users_;  // where they stand
};

class SortGather {
 public:
  SortGather(Program& program, Body& body, const ArraysAround& arrays)
      : program_(program), body_(body), arrays_(arrays) {}

  // Whether the sort there is one of numbers with one gather.
  bool find(size_t sort) {
    sort_ = sort;
    const Stm& stm = body_.stms[sort];
    const auto* call = std::get_if<Call>(&stm.expr);
    if (stm.results.size() != 2) return false;
    const Operand& numbers = call->args.back();
    if (numbers.isConstant() || !arrays_.are_iota(numbers.value)) return false;
    const Operand& keys = call->args[call->args.size() - 2];
    if (keys.isConstant() || !isStored(keys.value)) return false;
    if (useCounts(program_, body_)[stm.results[1]] != 1) return false;
    for (gather_ = sort + 1; gather_ < body_.stms.size(); ++gather_) {
      const Stm& user = body_.stms[gather_];
      if (mentions(program_, user, {stm.results[1]})) return isGather(user);
      if (mentions(program_, user, {stm.results[0]}) || !consumed(program_, user).empty())
        return false;
    }
    return false;
  }

  // The kernel's statements and results; the gather is the rest of it, if any.
  SortGroup write() {
    Stm& user = body_.stms[gather_];
    auto& screma = std::get<Screma>(user.expr);
    Screma moved{screma.width, {order()}, {}, {}, {}};
    ValueId number = program_.add("i", {ScalarType::kI64, {}});
    moved.map.params.push_back(number);
    std::vector<ValueId> made;
    const bool is_all = isAll(screma);
    const std::optional<size_t> keys = gatheredKeys(is_all);
    Stm sort = body_.stms[sort_];
    if (keys && is_all) sort.results[0] = user.results[*keys];
    for (size_t k = 0; k < found_.arrays.size(); ++k) {
      if (k == keys) {
        made.push_back(sort.results[0]);
        continue;
      }
      Type type = program_.type(found_.arrays[k]);
      ValueId element = program_.add("x", {type.scalar, {}});
      moved.map.body.stms.push_back(
          {{element}, Index{found_.arrays[k], {Operand(number)}}, false, user.span});
      moved.map.body.results.emplace_back(element);
      made.push_back(is_all ? user.results[k] : program_.add("sorted", std::move(type)));
    }
    std::vector<ValueId> carried = made;
    if (keys) carried.erase(carried.begin() + static_cast<std::ptrdiff_t>(*keys));
    std::vector<ValueId> results = {sort.results[0]};
    results.insert(results.end(), carried.begin(), carried.end());
    std::vector<Stm> stms = {std::move(sort), {carried, std::move(moved), false, user.span}};
    if (is_all) {
      body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(gather_));
    } else {
      auto at = static_cast<std::ptrdiff_t>(position_);
      screma.inputs.erase(screma.inputs.begin() + at);
      screma.map.params.erase(screma.map.params.begin() + at);
      screma.inputs.insert(screma.inputs.end(), made.begin(), made.end());
      screma.map.params.insert(screma.map.params.end(), found_.elements.begin(),
                               found_.elements.end());
      screma.map.body = found_.rest;
    }
    return {std::move(stms), std::move(results), sort_, gather_ - 1};
  }

 private:
  ValueId order() const { return body_.stms[sort_].results[1]; }

  bool isGather(const Stm& user) {
    const auto* screma = std::get_if<Screma>(&user.expr);
    if (screma == nullptr) return false;
    auto at = std::find(screma->inputs.begin(), screma->inputs.end(), order());
    if (at == screma->inputs.end()) return false;
    position_ = static_cast<size_t>(at - screma->inputs.begin());
    auto found = gathered(program_, screma->map, screma->map.params[position_], screma->width);
    if (!found || found->arrays.empty()) return false;
    int bytes = 0;
    const auto& call = std::get<Call>(body_.stms[sort_].expr);
    for (ValueId array : found->arrays) {
      if (!isStored(array)) return false;
      if (Operand(array) == call.args[call.args.size() - 2]) continue;  // they move anyway
      bytes += prim::byteSize(program_.type(array).scalar);
    }
    found_ = std::move(*found);
    return bytes <= kMaxPayloadBytes;
  }

  bool isStored(ValueId array) const {
    return !arrays_.are_computed(array) && !isComputed(body_, array);
  }

  // Which of the gathered arrays are the keys: sorted keys are that already. If others are
  // gathered, too, and the result has a name to give.
  std::optional<size_t> gatheredKeys(bool is_all) {
    const auto& call = std::get<Call>(body_.stms[sort_].expr);
    const ValueId keys = call.args[call.args.size() - 2].value;
    auto at = std::find(found_.arrays.begin(), found_.arrays.end(), keys);
    if (at == found_.arrays.end() || found_.arrays.size() == 1) return std::nullopt;
    if (is_all && useCounts(program_, body_)[body_.stms[sort_].results[0]] != 0)
      return std::nullopt;
    return static_cast<size_t>(at - found_.arrays.begin());
  }

  // Whether the statement does nothing else: its results are the elements.
  bool isAll(const Screma& screma) const {
    return screma.inputs.size() == 1 && isMap(screma) && found_.rest.stms.empty() &&
           found_.rest.results == Operands(found_.elements.begin(), found_.elements.end());
  }

  Program& program_;
  Body& body_;
  const ArraysAround& arrays_;
  size_t sort_ = 0, gather_ = 0;
  size_t position_ = 0;  // of the order among the gather's inputs
  Gathered found_;
};

}  // namespace

void sortElements(Program& program, Body& body, const ArraysAround& arrays,
                  const std::function<Stm(std::vector<Stm>, std::vector<ValueId>)>& keep) {
  for (size_t i = 0; i < body.stms.size(); ++i) {
    if (!isSortCall(program, body.stms[i])) continue;
    if (body.stms[i].results.size() == 2) GatherJoin(program, body, body.stms[i].results[1]).run();
    SortGather both(program, body, arrays);
    SortGroup group =
        both.find(i) ? both.write() : SortGroup{{body.stms[i]}, body.stms[i].results, i, i};
    takeKeys(program, body, group, arrays.are_computed);
    if (group.stms.size() == 1) continue;
    // The kernel's call stands as late as the gather stood.
    auto at = [&](size_t k) { return body.stms.begin() + static_cast<std::ptrdiff_t>(k); };
    body.stms.erase(at(group.first));
    body.stms.insert(at(group.last), keep(std::move(group.stms), std::move(group.results)));
    i = group.first - 1;  // the next statement stands in the place of the sort
  }
}

}  // namespace halo::gpu

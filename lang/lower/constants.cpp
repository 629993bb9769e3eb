// Top-level constants: each is lowered when something first mentions it, into a body of its own
// that runs at the start of the entry. Other functions mention those values freely at first; at the
// end they get them as parameters.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "lang/core/derivative_name.h"
#include "lang/core/rewrite.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

StaticValue Lowering::constant(DefId id) {
  const auto known = constants_.find(id);
  if (known != constants_.end()) return known->second.value;
  const types::Def& def = source.defs[id];
  OpenFunction* const outer = open_;
  OpenFunction open;
  open_ = &open;
  const core::Flattening outside = std::exchange(flattening_, {});
  const int operators = std::exchange(differentiating_, 0);
  const bool is_reverse = std::exchange(in_reverse_, false);
  openBody();
  Frame& frame = newFrame(nullptr, def.is_prelude, def.span);
  const StaticValue value = lower(def.body, frame);
  constants_[id] = {value, closeBody({})};
  if (def.is_prelude) prelude_constants_.push_back(id);
  open_ = outer;
  flattening_ = outside;
  differentiating_ = operators;
  in_reverse_ = is_reverse;
  return value;
}

namespace {

using ValueSet = std::set<ValueId>;

void forEachCall(core::Body& body, const std::function<void(core::Call&)>& visit) {
  for (core::Stm& stm : body.stms) {
    if (auto* call = std::get_if<core::Call>(&stm.expr)) visit(*call);
    core::forEachBody(stm.expr, [&](core::Body& inner) { forEachCall(inner, visit); });
  }
}

// A value and the sizes of its type.
void addWithSizes(const core::Program& program, ValueId value, ValueSet& values) {
  if (!values.insert(value).second) return;
  for (const Operand& size : program.type(value).shape) {
    if (!size.isConstant()) addWithSizes(program, size.value, values);
  }
}

// The function that a call is of, or that it differentiates.
std::string calledBy(const core::Call& call) {
  const auto derivative = core::derivativeName(call.function);
  return derivative ? derivative->function : call.function;
}

// Which constants' values each function needs, itself or for those it calls.
class Needs {
 public:
  explicit Needs(core::Program& program) : program_(program) {
    for (core::Function& function : program.functions) {
      names_.insert(function.name);
      if (function.is_entry) continue;
      ValueSet& needed = of_[function.name];
      const std::set<ValueId> params(function.params.begin(), function.params.end());
      for (ValueId value : core::freeValues(program, function.body)) {
        if (params.count(value) == 0) addWithSizes(program, value, needed);
      }
    }
    while (propagate()) {
    }
  }
  const ValueSet& of(const std::string& function) { return of_[function]; }

 private:
  bool propagate() {
    bool changed = false;
    for (core::Function& function : program_.functions) {
      if (function.is_entry) continue;
      ValueSet& needed = of_[function.name];
      const size_t before = needed.size();
      forEachCall(function.body, [&](core::Call& call) {
        const ValueSet theirs = of_[calledBy(call)];
        needed.insert(theirs.begin(), theirs.end());
      });
      // A function and the function that differentiates it get the same.
      for (const std::string& rule :
           {core::partialsOf(function.name), core::adjointOf(function.name)}) {
        if (!names_.contains(rule)) continue;
        ValueSet& theirs = of_[rule];
        const size_t count = theirs.size();
        theirs.insert(needed.begin(), needed.end());
        needed.insert(theirs.begin(), theirs.end());
        changed = changed || theirs.size() != count;
      }
      changed = changed || needed.size() != before;
    }
    return changed;
  }

  core::Program& program_;
  std::unordered_set<std::string> names_;
  std::map<std::string, ValueSet> of_;
};

}  // namespace

// Sizes were made before the arrays that mention them, so the order of ids is a valid order.
void Lowering::passConstants() {
  Needs needs(out);
  for (core::Function& function : out.functions) {
    core::Substitution inside;
    std::vector<ValueId> params;
    if (!function.is_entry) {
      for (ValueId value : needs.of(function.name)) {
        core::Type type = out.type(value);
        for (Operand& size : type.shape) {
          if (!size.isConstant()) size = inside.at(size.value);
        }
        params.push_back(out.add(out.values[value].name, std::move(type)));
        function.consumed.push_back(false);
        inside.emplace(value, params.back());
      }
    }
    const bool in_front = constants_in_front_.count(function.name) > 0;
    function.params.insert(in_front ? function.params.begin() : function.params.end(),
                           params.begin(), params.end());
    forEachCall(function.body, [&](core::Call& call) {
      const std::string called = calledBy(call);
      const ValueSet& values = needs.of(called);
      call.args.insert(constants_in_front_.count(called) > 0 ? call.args.begin() : call.args.end(),
                       values.begin(), values.end());
    });
    if (!inside.empty()) core::substitute(out, function.body, inside);
  }
}

}  // namespace halo::lower

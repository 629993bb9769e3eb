// Which scalars are late: two sets of values of the entry, each a fixed point. Then parts with such
// parameters and results.
#include "lang/passes/late_scalars.h"

#include <algorithm>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/moves.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Function;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::Type;
using core::ValueId;
using prim::ScalarType;
using Values = std::unordered_set<ValueId>;

bool isNode(const Stm& stm) {
  return std::holds_alternative<core::Screma>(stm.expr) ||
         std::holds_alternative<core::Stencil>(stm.expr);
}

bool isLateType(const Type& type) {
  return type.isScalar() && (prim::isFloat(type.scalar) || type.scalar == ScalarType::kBool);
}

// Operations on scalars, and branches of such.
bool isScalarCode(const Program& program, const Stm& stm) {
  if (stm.checked || !std::all_of(stm.results.begin(), stm.results.end(), [&](ValueId result) {
        return program.type(result).isScalar();
      })) {
    return false;
  }
  if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
    bool all = true;
    const auto check = [&](const Body& body) {
      for (const Stm& inner : body.stms) all = all && isScalarCode(program, inner);
    };
    for (const core::Case& one : match->cases) check(one.body);
    check(match->otherwise);
    return all;
  }
  return std::holds_alternative<core::PrimOp>(stm.expr) ||
         std::holds_alternative<core::Convert>(stm.expr) ||
         std::holds_alternative<core::Select>(stm.expr);
}

// A sum of which each rank has all values: the value itself where there is only one (shard_sums).
bool isJoin(const Stm& stm) {
  const auto* match = std::get_if<core::Match>(&stm.expr);
  if (match == nullptr) return false;
  const auto joins = [](const Body& body) {
    return !body.stms.empty() &&
           std::all_of(body.stms.begin(), body.stms.end(), [](const Stm& one) {
             return isNode(one) || (std::holds_alternative<core::Index>(one.expr) && !one.checked);
           });
  };
  return joins(match->otherwise) &&
         std::all_of(match->cases.begin(), match->cases.end(),
                     [&](const core::Case& one) { return joins(one.body); });
}

// Scalars of a part that a device has: reduced values, late parameters, and `code` of these.
struct OnDevice {
  Values values, code;
  bool is_read = false;  // by the host
};

OnDevice onDevice(const Program& program, const Function& part, const Values& late_params) {
  OnDevice found{late_params, {}, false};
  const auto has = [&](const Operand& use) {
    return !use.isConstant() && found.values.contains(use.value);
  };
  for (const Stm& stm : part.body.stms) {
    const Values free = core::freeValues(program, stm);
    const bool depends = std::any_of(free.begin(), free.end(),
                                     [&](ValueId value) { return found.values.contains(value); });
    if (isNode(stm) || isJoin(stm)) {
      core::forEachOperand(stm.expr,
                           [&](const Operand& use) { found.is_read = found.is_read || has(use); });
      for (ValueId result : stm.results) {
        if (isLateType(program.type(result))) found.values.insert(result);
      }
    } else if (depends && isScalarCode(program, stm)) {
      found.values.insert(stm.results.begin(), stm.results.end());
      found.code.insert(stm.results.begin(), stm.results.end());
    } else {
      found.is_read = found.is_read || depends;
    }
  }
  return found;
}

Values valuesAt(const std::vector<ValueId>& params, const std::vector<bool>& chosen) {
  Values values;
  for (size_t i = 0; i < params.size(); ++i) {
    if (chosen[i]) values.insert(params[i]);
  }
  return values;
}

class Finder {
 public:
  Finder(const Program& program, const std::function<bool(const core::Loop&)>& may_wait)
      : program_(program), may_wait_(may_wait) {
    for (const Function& function : program.functions) {
      if (function.is_entry) entry_ = &function;
    }
  }

  // Values that the host reads are none; of others the largest set that parts agree on. A part that
  // reads one of its own on the host takes and gives none.
  std::map<std::string, LateScalars> run() {
    while (true) {
      late_.clear();
      readByHost();
      spread();
      std::map<std::string, LateScalars> all;
      const size_t before = refused_.size();
      core::visitStms(entry_->body, [&](const Stm& stm) { note(stm, all); });
      if (refused_.size() == before) return all;
    }
  }

 private:
  const Function* partOf(const Stm& stm) const {
    const auto* call = std::get_if<core::Call>(&stm.expr);
    return call == nullptr ? nullptr : program_.find(call->function);
  }

  void reads(const Operand& use) {
    if (!use.isConstant()) read_.insert(use.value);
  }

  void readByHost() {
    for (size_t before = read_.size() + 1; before != read_.size();) {
      before = read_.size();
      core::visitStms(entry_->body, [&](const Stm& stm) { readIn(stm); });
    }
  }

  // A value that the host reads in a step is read wherever it comes from.
  void readIn(const Stm& stm) {
    const auto passes = [&](ValueId to, const Operand& from) {
      if (read_.contains(to)) reads(from);
    };
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      const auto* counted = std::get_if<core::ForLoop>(&loop->form);
      if (counted != nullptr) reads(counted->bound);
      for (size_t k = 0; k < loop->carried.size(); ++k) {
        const auto* waits = std::get_if<core::WhileLoop>(&loop->form);
        const bool is_condition = waits != nullptr && static_cast<size_t>(waits->condition) == k;
        if (is_condition && !may_wait_(*loop)) read_.insert(loop->carried[k].param);
        passes(loop->carried[k].param, loop->body.results[k]);
        passes(loop->carried[k].param, loop->carried[k].initial);
      }
    } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      reads(match->scrutinee);
      for (size_t k = 0; k < stm.results.size(); ++k) {
        for (const core::Case& one : match->cases) passes(stm.results[k], one.body.results[k]);
        passes(stm.results[k], match->otherwise.results[k]);
      }
    } else if (partOf(stm) == nullptr) {
      core::forEachOperand(stm.expr, [&](const Operand& use) { reads(use); });
    }
  }

  bool isLate(const Operand& use) const { return !use.isConstant() && late_.contains(use.value); }
  void add(ValueId value) {
    if (isLateType(program_.type(value)) && !read_.contains(value)) late_.insert(value);
  }

  void spread() {
    for (size_t before = late_.size() + 1; before != late_.size();) {
      before = late_.size();
      core::visitStms(entry_->body, [&](const Stm& stm) { spreadOver(stm); });
    }
  }

  void spreadOver(const Stm& stm) {
    if (const auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      for (size_t k = 0; k < loop->carried.size(); ++k) {
        if (isLate(loop->body.results[k])) add(loop->carried[k].param), add(stm.results[k]);
      }
    } else if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      for (size_t k = 0; k < stm.results.size(); ++k) {
        const auto from = [&](const Body& arm) {
          if (isLate(arm.results[k])) add(stm.results[k]);
        };
        for (const core::Case& one : match->cases) from(one.body);
        from(match->otherwise);
      }
    } else if (const Function* part = partOf(stm); part != nullptr && !isRefused(*part)) {
      const OnDevice found = onDevice(program_, *part, valuesAt(part->params, lateArgs(stm)));
      if (waits(stm, *part, found)) return;
      for (size_t k = static_cast<size_t>(part->size_results); k < stm.results.size(); ++k) {
        const Operand& result = part->body.results[k];
        if (!result.isConstant() && found.values.contains(result.value)) add(stm.results[k]);
      }
    }
  }

  // It gives the host a value that the device has.
  bool waits(const Stm& stm, const Function& part, const OnDevice& found) const {
    for (size_t k = 0; k < stm.results.size(); ++k) {
      const Operand& result = part.body.results[k];
      const bool is_there = !result.isConstant() && found.values.contains(result.value);
      const ValueId value = stm.results[k];
      if (is_there && (read_.contains(value) || !isLateType(program_.type(value)))) return true;
    }
    return false;
  }

  bool isRefused(const Function& part) const { return refused_.contains(part.name); }

  std::vector<bool> lateArgs(const Stm& stm) const {
    std::vector<bool> late;
    for (const Operand& arg : std::get<core::Call>(stm.expr).args) late.push_back(isLate(arg));
    return late;
  }

  void note(const Stm& stm, std::map<std::string, LateScalars>& all) {
    const Function* part = partOf(stm);
    if (part == nullptr) return;
    LateScalars late{lateArgs(stm), {}};
    for (ValueId result : stm.results) late.results.push_back(late_.contains(result));
    const bool has_params =
        std::find(late.params.begin(), late.params.end(), true) != late.params.end();
    if (!has_params && !late.hasResults()) return;
    if (isRefused(*part) ||
        onDevice(program_, *part, valuesAt(part->params, late.params)).is_read) {
      if (!isRefused(*part)) refused_.insert(part->name);
      for (const Operand& arg : std::get<core::Call>(stm.expr).args) {
        if (isLate(arg)) reads(arg);
      }
      return;
    }
    all[part->name] = std::move(late);
  }

  const Program& program_;
  const std::function<bool(const core::Loop&)>& may_wait_;
  const Function* entry_ = nullptr;
  Values read_, late_;
  std::unordered_set<std::string> refused_;
};

// Writes one part.
class Writer {
 public:
  Writer(Program& program, Function& part, const LateScalars& late)
      : program_(program),
        part_(part),
        late_(late),
        found_(onDevice(program, part, valuesAt(part.params, late.params))),
        b_(program) {}

  void run() {
    for (size_t i = 0; i < part_.params.size(); ++i) {
      if (late_.params[i]) param(part_.params[i]);
    }
    const std::vector<Stm> stms = std::move(part_.body.stms);
    for (size_t i = 0; i < stms.size(); ++i) {
      const Stm& stm = stms[i];
      if (!stm.results.empty() && found_.code.contains(stm.results[0])) {
        code_.push_back(stm);
        continue;
      }
      if (readsCode(stm)) forNodes(stms, i);
      b_.append(stm);
    }
    results();
  }

 private:
  Type one(ValueId value) const { return {program_.type(value).scalar, {core::kOne}}; }

  void param(ValueId& param) {
    const ValueId array = program_.add("late", one(param));
    b_.append({{param}, core::Index{array, {core::kZero}}, false, {}});
    param = array;
  }

  bool readsCode(const Stm& stm) const {
    const Values free = core::freeValues(program_, stm);
    return std::any_of(code_.begin(), code_.end(), [&](const Stm& one) {
      return std::any_of(one.results.begin(), one.results.end(),
                         [&](ValueId result) { return free.contains(result); });
    });
  }

  // What has gathered so far, for statements from `first` on and for results.
  void forNodes(const std::vector<Stm>& stms, size_t first) {
    Values used;
    for (size_t i = first; i < stms.size(); ++i) used.merge(core::freeValues(program_, stms[i]));
    for (const Operand& result : part_.body.results) {
      if (!result.isConstant()) used.insert(result.value);
    }
    std::vector<ValueId> wanted;
    for (const Stm& stm : code_) {
      for (ValueId result : stm.results) {
        if (used.contains(result)) wanted.push_back(result);
      }
    }
    const std::vector<ValueId> arrays = cell(wanted);
    for (size_t i = 0; i < wanted.size(); ++i) {
      b_.append({{wanted[i]}, core::Index{arrays[i], {core::kZero}}, false, {}});
    }
  }

  // A map of one cell that makes these values.
  std::vector<ValueId> cell(const std::vector<ValueId>& values) {
    const ValueId place =
        b_.bind("place", {ScalarType::kI64, {core::kOne}},
                core::Iota{ScalarType::kI64, core::kOne, core::kZero, core::kOne});
    Body body{std::exchange(code_, {}), {values.begin(), values.end()}};
    std::vector<Type> types;
    for (ValueId value : values) types.push_back(one(value));
    core::Screma map{core::kOne, {place}, {}, {}, {}};
    map.map.params.push_back(program_.add("i", {ScalarType::kI64, {}}));
    map.map.body = core::freshCopy(program_, body);
    return b_.bindAll("late", std::move(types), std::move(map));
  }

  void results() {
    Operands all = part_.body.results;
    std::vector<ValueId> values;
    for (size_t k = 0; k < all.size(); ++k) {
      if (late_.results[k]) values.push_back(all[k].value);
    }
    if (values.empty() && !code_.empty()) forNodes({}, 0);
    std::vector<ValueId> arrays;
    if (!values.empty()) arrays = cell(values);
    for (size_t k = 0, next = 0; k < all.size(); ++k) {
      if (!late_.results[k]) continue;
      part_.results[k] = program_.add("late", one(values[next]));
      all[k] = Operand(arrays[next++]);
    }
    part_.body = b_.take(std::move(all));
  }

  Program& program_;
  Function& part_;
  const LateScalars& late_;
  OnDevice found_;
  Builder b_;
  std::vector<Stm> code_;  // not yet written
};

}  // namespace

bool LateScalars::hasResults() const {
  return std::find(results.begin(), results.end(), true) != results.end();
}

std::map<std::string, LateScalars> lateScalars(
    const Program& program, const std::function<bool(const core::Loop&)>& may_wait) {
  return Finder(program, may_wait).run();
}

Program withLate(Program part, const LateScalars& late) {
  for (Function& function : part.functions) {
    if (function.is_entry) Writer(part, function, late).run();
  }
  return part;
}

size_t callsAhead(const Program& program, const core::Loop& loop) {
  size_t count = 0;
  for (const Stm& stm : loop.body.stms) {
    const auto* call = std::get_if<core::Call>(&stm.expr);
    const Function* part = call == nullptr ? nullptr : program.find(call->function);
    if (part == nullptr) break;
    const bool fails = std::any_of(part->body.stms.begin(), part->body.stms.end(),
                                   [](const Stm& one) { return core::mayFail(one); });
    if (fails ||
        std::find(part->consumed.begin(), part->consumed.end(), true) != part->consumed.end()) {
      break;
    }
    ++count;
  }
  return count;
}

}  // namespace halo::passes

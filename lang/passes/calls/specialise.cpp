// Finding the sources of offsets (backwards through the statements that make them), and putting
// values in.
#include "lang/passes/calls/specialise.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Function;
using core::Operand;
using core::Operands;
using core::Program;
using core::Stm;
using core::ValueId;

void forEachDynamic(const Body& body, const std::function<void(ValueId offsets)>& visit) {
  core::visitStms(body, [&](const Stm& stm) {
    const auto* stencil = std::get_if<core::Stencil>(&stm.expr);
    if (stencil == nullptr) return;
    for (const core::Window& window : stencil->windows) {
      for (ValueId offsets : window.dynamic) visit(offsets);
    }
  });
}

class Sources {
 public:
  Sources(const Program& program, const Function& entry)
      : program_(program), entry_(entry), definitions_(core::Definitions::inside(entry.body)) {}

  std::vector<size_t> run() {
    forEachDynamic(entry_.body, [&](ValueId offsets) { follow(offsets); });
    if (!only_numbers_) return {};
    return {found_.begin(), found_.end()};
  }

 private:
  void follow(ValueId value) {
    if (!seen_.insert(value).second) return;
    if (const Stm* stm = definitions_.find(value)) {
      for (ValueId used : core::freeValues(program_, *stm)) follow(used);
      return;
    }
    auto param = std::find(entry_.params.begin(), entry_.params.end(), value);
    if (param == entry_.params.end()) {  // of a lambda or loop
      only_numbers_ = false;
      return;
    }
    auto position = static_cast<size_t>(param - entry_.params.begin());
    auto sizes = static_cast<size_t>(entry_.size_params);
    if (position < sizes) return sizeOf(value);
    const core::Type& type = program_.type(value);
    bool is_number = type.isScalar() && prim::isInteger(type.scalar);
    bool is_line = type.rank() == 1 && type.scalar == prim::ScalarType::kI64;
    only_numbers_ = only_numbers_ && (is_number || is_line);
    found_.insert(position - sizes);
  }

  // A size comes from a line of offsets, or from arrays whose size may be any.
  void sizeOf(ValueId size) {
    only_numbers_ = only_numbers_ &&
                    std::any_of(entry_.params.begin(), entry_.params.end(), [&](ValueId param) {
                      const core::Type& type = program_.type(param);
                      return type.rank() == 1 && type.scalar == prim::ScalarType::kI64 &&
                             type.shape[0] == Operand(size);
                    });
  }

  const Program& program_;
  const Function& entry_;
  core::Definitions definitions_;
  std::unordered_set<ValueId> seen_;
  std::set<size_t> found_;
  bool only_numbers_ = true;
};

bool mentions(const core::Type& type, const core::Substitution& sizes) {
  return std::any_of(type.shape.begin(), type.shape.end(), [&](const Operand& size) {
    return !size.isConstant() && sizes.contains(size.value);
  });
}

Operands replaced(const Operands& shape, const core::Substitution& sizes) {
  Operands result = shape;
  for (Operand& size : result) {
    auto found = size.isConstant() ? sizes.end() : sizes.find(size.value);
    if (found != sizes.end()) size = found->second;
  }
  return result;
}

class Inserter {
 public:
  Inserter(Program& program, Function& function) : program_(program), function_(function) {}

  void run(const std::vector<KnownParam>& known) {
    auto first = static_cast<size_t>(function_.size_params);
    core::Builder front(program_);
    for (const KnownParam& one : known) {
      ValueId param = function_.params[first + one.position];
      if (!one.is_array) {
        values_[param] = one.values[0];
        continue;
      }
      const core::Type type = program_.type(param);
      Operand count = Operand::ofI64(static_cast<int64_t>(one.values.size()));
      if (!type.shape[0].isConstant()) sizes_[type.shape[0].value] = count;
      core::ArrayLiteral literal{type.scalar, Operands(one.values.begin(), one.values.end())};
      values_[param] = front.bind("known", {type.scalar, {count}}, std::move(literal));
    }
    reshapeParams(front);
    for (const auto& [size, value] : sizes_) values_[size] = value;
    const Operands results = function_.body.results;
    core::substitute(program_, function_.body, values_);
    Body body = front.take({});
    for (Stm& stm : function_.body.stms) body.stms.push_back(std::move(stm));
    body.results = function_.body.results;
    function_.body = std::move(body);
    reshapeResults();
  }

 private:
  // Arrays of a size that is known now.
  void reshapeParams(core::Builder& front) {
    for (size_t k = static_cast<size_t>(function_.size_params); k < function_.params.size(); ++k) {
      ValueId param = function_.params[k];
      const core::Type type = program_.type(param);
      if (values_.contains(param) || !mentions(type, sizes_)) continue;
      Operands shape = replaced(type.shape, sizes_);
      values_[param] = front.bind("sized", {type.scalar, shape}, core::Reshape{param, shape});
    }
  }

  void reshapeResults() {
    core::Builder back(program_);
    for (size_t k = 0; k < function_.results.size(); ++k) {
      const core::Type type = program_.type(function_.results[k]);
      if (type.isScalar() || !mentions(type, values_)) continue;
      Operand& result = function_.body.results[k];
      result = back.bind("sized", type, core::Reshape{result.value, type.shape});
    }
    for (Stm& stm : back.take({}).stms) function_.body.stms.push_back(std::move(stm));
  }

  Program& program_;
  Function& function_;
  core::Substitution sizes_, values_;
};

}  // namespace

bool hasDynamicWindows(const Program& program) {
  bool found = false;
  for (const Function& function : program.functions) {
    forEachDynamic(function.body, [&](ValueId) { found = true; });
  }
  return found;
}

std::vector<size_t> decidingParams(const Program& program, const std::string& entry) {
  const Function* function = program.find(entry);
  return function == nullptr ? std::vector<size_t>{} : Sources(program, *function).run();
}

Program specialise(const Program& program, const std::string& entry,
                   const std::vector<KnownParam>& known) {
  Program result = program;
  for (Function& function : result.functions) {
    if (function.name == entry) Inserter(result, function).run(known);
  }
  return result;
}

}  // namespace halo::passes

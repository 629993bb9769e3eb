// Free values in, a call out.
#include "gpu/plan/outline.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "gpu/plan/nests/kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

using Visit = std::function<void(const Operand&)>;

void forEachMention(const Program& program, const Body& body, const Visit& visit) {
  for (const Stm& stm : body.stms) {
    forEachOperand(stm.expr, visit);
    forEachBody(stm.expr, [&](const Body& inner) { forEachMention(program, inner, visit); });
    for (ValueId result : stm.results) {
      for (const Operand& size : program.type(result).shape) visit(size);
    }
  }
  for (const Operand& result : body.results) visit(result);
}

// Values in the order in which the code mentions them: kernels of equal code have equal parameters,
// so that they share a shader.
class Mentioned {
 public:
  Mentioned(const Program& program, const Body& body) : program_(program) {
    free_ = freeValues(program, body);
    for (const Stm& stm : body.stms) {
      bound_.insert(stm.results.begin(), stm.results.end());
      for (ValueId result : stm.results) addSizes(result);
    }
    forEachMention(program, body, [&](const Operand& operand) {
      if (!operand.isConstant() && free_.contains(operand.value)) add(operand.value);
    });
    std::vector<ValueId> others(free_.begin(), free_.end());  // types of parameters inside
    std::sort(others.begin(), others.end());
    for (ValueId value : others) add(value);
    // Types of arrays mention sizes, which the kernel needs as well.
    for (size_t i = 0; i < ordered_.size(); ++i) addSizes(ordered_[i]);
  }
  std::vector<ValueId> take() { return std::move(ordered_); }

 private:
  void add(ValueId value) {
    if (!bound_.contains(value) && known_.insert(value).second) ordered_.push_back(value);
  }
  void addSizes(ValueId value) {
    for (const Operand& size : program_.type(value).shape) {
      if (!size.isConstant()) add(size.value);
    }
  }

  const Program& program_;
  std::unordered_set<ValueId> free_, bound_, known_;
  std::vector<ValueId> ordered_;
};

// Free values of statements, sizes in types included.
std::vector<ValueId> freeOf(const Program& program, const std::vector<Stm>& stms) {
  Body body;
  body.stms = stms;
  std::vector<ValueId> free = Mentioned(program, body).take();
  // Scalars (and so sizes) first, as types of array parameters mention them.
  std::stable_partition(free.begin(), free.end(),
                        [&](ValueId value) { return program.type(value).isScalar(); });
  return free;
}

bool consumes(const Program& program, const Stm& stm, ValueId value) {
  const std::vector<ValueId> arrays = consumed(program, stm);
  return std::find(arrays.begin(), arrays.end(), value) != arrays.end();
}

bool consumes(const Program& program, const std::vector<Stm>& stms, ValueId value) {
  return std::any_of(stms.begin(), stms.end(),
                     [&](const Stm& stm) { return consumes(program, stm, value); });
}

// Statements computed again inside come before those that want them.
void addRecomputed(const Program& program, std::vector<Stm>& stms,
                   const std::unordered_map<ValueId, Stm>& recompute) {
  for (bool more = true; more;) {
    more = false;
    for (ValueId value : freeOf(program, stms)) {
      auto found = recompute.find(value);
      if (found == recompute.end() || consumes(program, stms, value)) continue;
      stms.insert(stms.begin(), found->second);
      more = true;
      break;
    }
  }
}

void rename(Operands& sizes, const Substitution& renamed) {
  for (Operand& size : sizes) {
    auto found = size.isConstant() ? renamed.end() : renamed.find(size.value);
    if (found != renamed.end()) size = found->second;
  }
}

Type renamedType(Type type, const Substitution& renamed) {
  rename(type.shape, renamed);
  return type;
}

}  // namespace

Stm outline(Program& program, const Stm& stm, const std::string& name, KernelInfo info,
            const std::unordered_map<ValueId, Stm>& recompute) {
  Stm call = outlineAll(program, {stm}, stm.results, name, std::move(info), recompute);
  call.span = stm.span;
  return call;
}

Stm outlineAll(Program& program, std::vector<Stm> stms, const std::vector<ValueId>& results,
               const std::string& name, KernelInfo info,
               const std::unordered_map<ValueId, Stm>& recompute) {
  addRecomputed(program, stms, recompute);
  std::vector<ValueId> params = freeOf(program, stms);
  Function function;
  function.name = name;
  function.span = stms.back().span;
  Substitution renamed;
  for (ValueId param : params) {
    ValueId inner = program.add(program.values[param].name, program.type(param));
    function.params.push_back(inner);
    function.consumed.push_back(consumes(program, stms, param));
    renamed[param] = inner;
  }
  // Types of the new parameters mention the new sizes.
  for (ValueId param : function.params) {
    program.values[param].type = renamedType(program.type(param), renamed);
  }
  Body body;
  body.stms = stms;
  for (ValueId result : results) body.results.push_back(result);
  function.body = freshCopy(program, body, renamed);
  for (ValueId result : results) {
    function.results.push_back(program.add("r", renamedType(program.type(result), renamed)));
  }
  rename(info.space, renamed);
  function.kernel = {std::move(info)};
  program.functions.push_back(std::move(function));

  Operands args(params.begin(), params.end());
  return {results, Call{name, std::move(args)}, false, stms.back().span};
}

}  // namespace halo::gpu

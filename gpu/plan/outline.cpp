// Free values in, a call out.
#include "gpu/plan/outline.h"

#include <algorithm>

#include "gpu/plan/kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

// Free values of a statement in order of their ids, sizes in types included.
std::vector<ValueId> freeOf(const Program& program, const std::vector<Stm>& stms) {
  Body body;
  body.stms = stms;
  std::unordered_set<ValueId> free = freeValues(program, body);
  for (const Stm& stm : stms) {
    for (ValueId result : stm.results) {
      for (const Operand& size : program.type(result).shape) {
        if (!size.isConstant()) free.insert(size.value);
      }
    }
  }
  // Types of free arrays mention sizes, which the kernel needs as well.
  std::vector<ValueId> pending(free.begin(), free.end());
  while (!pending.empty()) {
    ValueId value = pending.back();
    pending.pop_back();
    for (const Operand& size : program.type(value).shape) {
      if (!size.isConstant() && free.insert(size.value).second) pending.push_back(size.value);
    }
  }
  for (const Stm& stm : stms) {
    for (ValueId result : stm.results) free.erase(result);
  }
  std::vector<ValueId> sorted(free.begin(), free.end());
  // Scalars (and so sizes) first, as types of array parameters mention them.
  std::sort(sorted.begin(), sorted.end(), [&](ValueId a, ValueId b) {
    bool a_array = !program.type(a).isScalar();
    bool b_array = !program.type(b).isScalar();
    return a_array != b_array ? b_array : a < b;
  });
  return sorted;
}

bool consumes(const Stm& stm, ValueId value) {
  const std::vector<ValueId> arrays = consumed(stm);
  return std::find(arrays.begin(), arrays.end(), value) != arrays.end();
}

bool consumes(const std::vector<Stm>& stms, ValueId value) {
  return std::any_of(stms.begin(), stms.end(),
                     [&](const Stm& stm) { return consumes(stm, value); });
}

// What is computed again inside comes before the statements that want it.
void addRecomputed(const Program& program, std::vector<Stm>& stms,
                   const std::unordered_map<ValueId, Stm>& recompute) {
  for (bool more = true; more;) {
    more = false;
    for (ValueId value : freeOf(program, stms)) {
      auto found = recompute.find(value);
      if (found == recompute.end() || consumes(stms, value)) continue;
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
    function.consumed.push_back(consumes(stms, param));
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

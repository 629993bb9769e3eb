// A core loop while it is made: its carried values, then its body, then `close`.
#pragma once

#include "lang/core/rewrite.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

struct OpenLoop {
  OpenLoop(Lowering& in, std::variant<core::ForLoop, core::WhileLoop> form)
      : lowering(in), loop{{}, form, {}} {}

  ValueId carry(const std::string& name, core::Type type, const Operand& initial) {
    loop.carried.push_back({lowering.out.add(name, std::move(type)), initial, false});
    return loop.carried.back().param;
  }
  void carryScratch(const std::string& name, const std::vector<core::Type>& types) {
    for (const core::Type& type : types) {
      carry(name, type, lowering.bind(type, core::Scratch{type.scalar, type.shape}));
    }
  }
  ValueId param(size_t k) const { return loop.carried[k].param; }
  std::vector<ValueId> params(size_t first) const {
    std::vector<ValueId> all;
    for (size_t k = first; k < loop.carried.size(); ++k) all.push_back(param(k));
    return all;
  }

  // Sizes that are carried are results in front of the arrays that have them.
  std::vector<ValueId> close() {
    loop.body = lowering.closeBody(std::move(next));
    std::vector<ValueId> results;
    core::Substitution now;
    for (const core::Carried& carried : loop.carried) {
      core::Type type = lowering.out.type(carried.param);
      for (Operand& size : type.shape) {
        const auto found = size.isConstant() ? now.end() : now.find(size.value);
        if (found != now.end()) size = found->second;
      }
      results.push_back(lowering.out.add(lowering.out.values[carried.param].name, type));
      now[carried.param] = results.back();
    }
    lowering.builder().append({results, std::move(loop), false, {}});
    return results;
  }

  Lowering& lowering;
  core::Loop loop;
  Operands next;  // values that the body returns
};

}  // namespace halo::lower

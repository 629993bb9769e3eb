// Scalars that a step computes from such a size, its condition among them, are computed again from
// what has been read.
#include "gpu/plan/sizes/step_sizes.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "gpu/plan/host_code.h"
#include "gpu/plan/sizes/counted_sizes.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class ReadSizes {
 public:
  ReadSizes(Program& program, Body& body) : program_(program), body_(body) {}

  void read(const std::vector<ValueId>& sizes, const std::function<std::string()>& next_name) {
    std::vector<Stm> reads;
    for (const ValueId size : sizes) {
      const ValueId known = program_.add(program_.values[size].name, program_.type(size));
      body_.stms.push_back(boxed(program_, size, next_name()));
      reads.push_back({{known}, Index{body_.stms.back().results[0], {kZero}}, false, {}});
      known_.emplace(size, known);
    }
    std::move(reads.begin(), reads.end(), std::back_inserter(body_.stms));
    for (Operand& result : body_.results) {
      if (result.isConstant()) continue;
      const bool is_scalar = program_.type(result).isScalar();
      result = is_scalar ? known(result.value) : ofKnownSize(result.value);
    }
  }

 private:
  // The scalar from those that have been read; itself, if it depends on none of that.
  ValueId known(ValueId scalar) {
    if (const auto found = known_.find(scalar); found != known_.end()) return found->second;
    const auto made = makerOf(body_.stms, scalar);
    if (!made || !isComputed(body_.stms[*made])) return scalar;
    Stm again = body_.stms[*made];
    bool differs = false;
    visitUses(again.expr, [&](auto& use) {
      if constexpr (std::is_same_v<std::decay_t<decltype(use)>, Operand>) {
        if (use.isConstant()) return;
        const ValueId operand = known(use.value);
        differs = differs || operand != use.value;
        use = operand;
      }
    });
    if (!differs) return scalar;
    again.results[0] = program_.add(program_.values[scalar].name, program_.type(scalar));
    known_.emplace(scalar, again.results[0]);
    body_.stms.push_back(std::move(again));
    return body_.stms.back().results[0];
  }
  ValueId ofKnownSize(ValueId array) {
    Type type = program_.type(array);
    if (type.rank() != 1 || type.shape[0].isConstant()) return array;
    const auto size = known_.find(type.shape[0].value);
    if (size == known_.end()) return array;
    type.shape[0] = size->second;
    const ValueId result = program_.add(program_.values[array].name, type);
    body_.stms.push_back({{result}, Slice{array, {{kZero, size->second, kOne}}}, false, {}});
    return result;
  }

  Program& program_;
  Body& body_;
  std::unordered_map<ValueId, ValueId> known_;  // of the device, to the host's at the end
};

// Whether the host wants the carried value for the sizes of carried arrays.
bool isSize(const Program& program, const Loop& loop, const Operand& param) {
  return std::any_of(loop.carried.begin(), loop.carried.end(), [&](const Carried& one) {
    const Operands& shape = program.type(one.param).shape;
    return std::find(shape.begin(), shape.end(), param) != shape.end();
  });
}

}  // namespace

void readAtEnd(Program& program, Loop& loop, const std::function<bool(ValueId)>& is_bounded,
               const std::function<std::string()>& next_name) {
  Body& body = loop.body;
  std::vector<ValueId> sizes;
  for (size_t k = 0; k < body.results.size(); ++k) {
    const Operand& result = body.results[k];
    if (result.isConstant() || !is_bounded(result.value) || !makerOf(body.stms, result)) continue;
    if (!isSize(program, loop, loop.carried[k].param)) continue;
    const bool is_new = std::find(sizes.begin(), sizes.end(), result.value) == sizes.end();
    if (is_new) sizes.push_back(result.value);
  }
  if (sizes.size() > 1) ReadSizes(program, body).read(sizes, next_name);
}

}  // namespace halo::gpu

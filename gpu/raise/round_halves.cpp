// NVIDIA's compiler (580.159) removes a conversion to f16 and back, also through divisions in f32,
// selections and an xor with bits that are always 0. So a half that is converted to another type is
// made of an f32 that is a half already, by integer arithmetic. Whether
// the pair of conversions is done makes no difference then.
#include <unordered_map>

#include "gpu/raise/halves.h"
#include "gpu/raise/raise.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;

namespace {

using enum prim::ScalarType;

const Convert* valueConversion(const Stm& stm) {
  const Convert* convert = boundAs<Convert>(stm);
  return convert != nullptr && convert->kind != ConvertKind::kBits ? convert : nullptr;
}
// May change the value; halves hold all integers of 8 bits.
bool narrows(const Convert& convert) {
  bool is_exact = convert.from == kF16 || prim::bitWidth(convert.from) <= 8;
  return convert.to == kF16 && !is_exact && !convert.arg.isConstant();
}
bool widens(const Convert& convert) { return convert.from == kF16 && convert.to != kF16; }

// The conversions to f16 whose results, by way of variables and memory, are converted again.
class Widened {
 public:
  explicit Widened(const Block& body) {
    forEachStm(body, [&](const Stm& stm) { addUses(stm); });
    while (!waiting_.empty()) {
      Place place = waiting_.back();
      waiting_.pop_back();
      for (const Place& source : sources_[place]) see(source);
    }
  }
  bool contains(VarId var) const { return seen_.contains(placeOf(var)); }

 private:
  using Place = uint64_t;  // a variable, or all elements of a buffer
  static Place placeOf(VarId var) { return var.index; }
  static Place placeOf(BufferId buffer) { return buffer.index | uint64_t{1} << 32; }

  void see(Place place) {
    if (seen_.insert(place).second) waiting_.push_back(place);
  }
  void flow(Place to, const Operand& from) {
    if (!from.isConstant()) sources_[to].push_back(placeOf(from.var));
  }

  void addUses(const Stm& stm) {
    if (const Convert* convert = valueConversion(stm)) {
      if (widens(*convert) && !convert->arg.isConstant()) see(placeOf(convert->arg.var));
      if (narrows(*convert)) return;
    }
    if (const auto* s = std::get_if<Let>(&stm.node)) {
      if (const auto* load = std::get_if<Load>(&s->expr)) {
        sources_[placeOf(s->var)].push_back(placeOf(load->buffer));
      } else {
        forEachOperand(stm, [&](const Operand& operand) { flow(placeOf(s->var), operand); });
      }
    } else if (const auto* s = std::get_if<Declare>(&stm.node)) {
      flow(placeOf(s->var), s->initial);
    } else if (const auto* s = std::get_if<Assign>(&stm.node)) {
      flow(placeOf(s->var), s->value);
    } else if (const auto* s = std::get_if<Store>(&stm.node)) {
      flow(placeOf(s->buffer), s->value);
    } else if (const auto* s = std::get_if<StoreVector>(&stm.node)) {
      for (const Operand& value : s->values) flow(placeOf(s->buffer), value);
    } else if (const auto* s = std::get_if<LoadVector>(&stm.node)) {
      for (VarId var : s->vars) sources_[placeOf(var)].push_back(placeOf(s->buffer));
    }
  }

  std::unordered_map<Place, std::vector<Place>> sources_;
  std::unordered_set<Place> seen_;
  std::vector<Place> waiting_;
};

// Whole numbers that f32 rounds are too large for f16.
Operand asFloat(Builder& code, const Convert& convert) {
  if (convert.from == kF32) return convert.arg;
  return code.let("whole", kF32, Convert{ConvertKind::kValue, convert.from, kF32, convert.arg});
}

}  // namespace

Function roundHalves(Program& program, const Function& kernel, const Target& target) {
  Function result = kernel;
  if (!target.float16 || !target.drops_roundings) return result;
  const Widened widened(kernel.body);
  result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
    const Convert* convert = valueConversion(stm);
    const Let* let = std::get_if<Let>(&stm.node);
    if (convert == nullptr || !narrows(*convert) || !widened.contains(let->var)) {
      out.push_back(std::move(stm));
      return;
    }
    Builder code(program);
    const Operand rounded = roundedToHalf(code, asFloat(code, *convert));
    code.append(Let{let->var, Convert{ConvertKind::kValue, kF32, kF16, rounded}});
    for (Stm& made : code.take()) out.push_back(std::move(made));
  });
  return result;
}

}  // namespace halo::gpu

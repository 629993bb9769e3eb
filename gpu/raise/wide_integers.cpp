// Variables of 64 bits become two variables each, elements in memory two words, the low half first.
// Arguments too: scalarParts says where their halves come from. Only the low half of an index
// counts, so that no buffer may have more elements than 32 bits count.
//
//   before: x : i64 = xs[i];         y : i64 = add x n;            if bad { fail 3 y }
//   after:  x, h = xs[2 i], [2 i + 1]; y = add x n; k = ..         if bad { fail 3 y k }
#include <unordered_map>

#include "gpu/raise/pairs.h"
#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

using enum prim::ScalarType;

bool isWideType(ScalarType type) { return type == ScalarType::kI64 || type == ScalarType::kU64; }

struct PairOfVars {
  VarId low, high;
};

class WideIntegers {
 public:
  explicit WideIntegers(Program& program) : program_(program) {}

  Function run(const Function& kernel) {
    Function result = kernel;
    for (BufferId& buffer : result.buffers) buffer = this->buffer(buffer);
    result.scalars.clear();
    for (VarId scalar : kernel.scalars) {
      if (!isWide(scalar)) {
        result.scalars.push_back(scalar);
        continue;
      }
      PairOfVars halves = vars(scalar);
      result.scalars.insert(result.scalars.end(), {halves.low, halves.high});
    }
    result.body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) {
      Builder code(program_);
      rewrite(code, std::move(stm));
      for (Stm& made : code.take()) out.push_back(std::move(made));
    });
    return result;
  }

 private:
  ScalarType typeOf(const Operand& operand) const {
    return operand.isConstant() ? operand.constant.type : program_.vars[operand.var].type;
  }
  bool isWide(VarId var) const { return isWideType(program_.vars[var].type); }
  bool isWide(const Operand& operand) const { return isWideType(typeOf(operand)); }

  PairOfVars vars(VarId var) {
    auto [found, is_new] = vars_.try_emplace(var);
    if (is_new) {
      std::string name = program_.vars[var].name;
      bool is_mutable = program_.vars[var].is_mutable;
      VarId low = program_.addVar(name, kU32, is_mutable);
      found->second = {low, program_.addVar(name, kU32, is_mutable)};
    }
    return found->second;
  }
  Pair pair(const Operand& operand) {
    if (operand.isConstant()) {
      return {u32(static_cast<uint32_t>(operand.constant.bits)),
              u32(static_cast<uint32_t>(operand.constant.bits >> 32))};
    }
    PairOfVars halves = vars(operand.var);
    return {halves.low, halves.high};
  }
  bool isSplit(BufferId buffer) const { return isWideType(program_.buffers[buffer].type); }
  BufferId buffer(BufferId buffer) {
    if (!isSplit(buffer)) return buffer;
    auto [found, is_new] = buffers_.try_emplace(buffer);
    if (is_new) {
      BufferInfo info = program_.buffers[buffer];
      info.type = kU32;
      info.constant_elements *= 2;
      found->second = program_.buffers.add(std::move(info));
    }
    return found->second;
  }

  // ---- memory

  Operand index(const Operand& given) {
    if (given.isConstant() || !isWide(given)) return given;
    return vars(given.var).low;
  }
  // Of the low half of an element.
  Operand firstWord(Builder& code, const Operand& given) {
    Operand at = index(given);
    if (at.isConstant()) return u32(static_cast<uint32_t>(at.constant.bits * 2));
    if (typeOf(at) != kU32) {
      at = code.let("t", kU32, Convert{ConvertKind::kValue, typeOf(at), kU32, at});
    }
    return code.prim(Op::kMachineShl, kU32, {at, u32(1)});
  }
  Operand nextWord(Builder& code, const Operand& word) {
    if (word.isConstant()) return u32(static_cast<uint32_t>(word.constant.bits + 1));
    return code.prim(Op::kOr, kU32, {word, u32(1)});
  }
  Pair load(Builder& code, const Load& e) {
    Operand word = firstWord(code, e.index);
    Operand next = nextWord(code, word);
    Operand low = code.let("t", kU32, Load{buffer(e.buffer), word});
    return {low, code.let("t", kU32, Load{buffer(e.buffer), next})};
  }
  void store(Builder& code, const Store& s) {
    if (!isSplit(s.buffer)) return code.append(Store{s.buffer, index(s.index), s.value});
    Pair value = pair(s.value);
    Operand word = firstWord(code, s.index);
    Operand next = nextWord(code, word);
    code.append(Store{buffer(s.buffer), word, value.low});
    code.append(Store{buffer(s.buffer), next, value.high});
  }
  void load(Builder& code, const LoadVector& s) {
    if (!isSplit(s.buffer)) return code.append(LoadVector{s.vars, s.buffer, index(s.index)});
    LoadVector words{{}, buffer(s.buffer), firstWord(code, s.index)};
    for (VarId var : s.vars) {
      PairOfVars halves = vars(var);
      words.vars.insert(words.vars.end(), {halves.low, halves.high});
    }
    code.append(std::move(words));
  }
  void store(Builder& code, const StoreVector& s) {
    if (!isSplit(s.buffer)) return code.append(StoreVector{s.buffer, index(s.index), s.values});
    StoreVector words{buffer(s.buffer), firstWord(code, s.index), {}};
    for (const Operand& operand : s.values) {
      Pair value = pair(operand);
      words.values.insert(words.values.end(), {value.low, value.high});
    }
    code.append(std::move(words));
  }

  // ---- values

  void bind(Builder& code, VarId name, const Pair& value) {
    PairOfVars halves = vars(name);
    code.append(Let{halves.low, Convert{ConvertKind::kValue, kU32, kU32, value.low}});
    code.append(Let{halves.high, Convert{ConvertKind::kValue, kU32, kU32, value.high}});
  }
  void bindWord(Builder& code, VarId name, Operand value) {
    ScalarType type = program_.vars[name].type;
    code.append(Let{name, Convert{ConvertKind::kValue, type, type, value}});
  }

  void rewriteLet(Builder& code, const Let& let) {
    PairCode pairs(code);
    base::match(
        let.expr, [&](const Prim& e) { primitive(code, pairs, let.var, e); },
        [&](const Convert& e) { conversion(code, pairs, let.var, e); },
        [&](const Select& e) {
          if (!isWide(let.var)) return code.append(let);
          bind(code, let.var, pairs.select(e.condition, pair(e.on_true), pair(e.on_false)));
        },
        [&](const Load& e) {
          if (isSplit(e.buffer)) return bind(code, let.var, load(code, e));
          code.append(Let{let.var, Load{e.buffer, index(e.index)}});
        },
        [&](const BuiltInValue&) { code.append(let); },
        [&](const Shuffle& e) {
          if (!isWide(let.var)) return code.append(let);
          Pair value = pair(e.value);
          PairOfVars halves = vars(let.var);
          code.append(Let{halves.low, Shuffle{e.kind, value.low, e.lane}});
          code.append(Let{halves.high, Shuffle{e.kind, value.high, e.lane}});
        },
        [&](const Fma&) { code.append(let); });
  }

  void primitive(Builder& code, PairCode& pairs, VarId name, const Prim& e) {
    if (!isWideType(e.type)) return code.append(Let{name, e});
    std::vector<Pair> args;
    for (const Operand& arg : e.args) args.push_back(pair(arg));
    if (isWide(name)) return bind(code, name, pairs.prim(e.op, prim::isSigned(e.type), args));
    bindWord(code, name, pairs.measure(e.op, prim::isSigned(e.type), args));
  }

  // Types below 32 bits, where the device has them, and halves by way of 32 bits.
  static ScalarType over(ScalarType type, bool is_signed) {
    if (prim::isFloat(type)) return ScalarType::kF32;
    if (type == ScalarType::kBool || prim::byteSize(type) == 4) return type;
    return is_signed ? ScalarType::kI32 : kU32;
  }
  void conversion(Builder& code, PairCode& pairs, VarId name, const Convert& e) {
    bool from_wide = isWideType(e.from);
    bool to_wide = isWideType(e.to);
    if (!from_wide && !to_wide) return code.append(Let{name, e});
    if (from_wide && to_wide) return bind(code, name, pair(e.arg));
    if (from_wide) {
      ScalarType type = over(e.to, prim::isSigned(e.to));
      Operand value = pairs.to(type, pair(e.arg), prim::isSigned(e.from));
      return code.append(Let{name, Convert{ConvertKind::kValue, type, e.to, value}});
    }
    ScalarType type = over(e.from, prim::isSigned(e.from));
    Operand value = e.arg;
    if (type != e.from)
      value = code.let("t", type, Convert{ConvertKind::kValue, e.from, type, value});
    bind(code, name, pairs.from(type, value, prim::isSigned(e.to)));
  }

  // ---- statements

  void rewrite(Builder& code, Stm stm) {
    if (auto* let = std::get_if<Let>(&stm.node)) return rewriteLet(code, *let);
    if (auto* store = std::get_if<Store>(&stm.node)) return this->store(code, *store);
    if (auto* vector = std::get_if<LoadVector>(&stm.node)) return load(code, *vector);
    if (auto* vector = std::get_if<StoreVector>(&stm.node)) return this->store(code, *vector);
    if (auto* atomic = std::get_if<Atomic>(&stm.node)) atomic->index = index(atomic->index);
    if (auto* fail = std::get_if<Fail>(&stm.node)) splitOperands(*fail);
    auto* declare = std::get_if<Declare>(&stm.node);
    if (declare != nullptr && isWide(declare->var)) return split(code, *declare);
    auto* assign = std::get_if<Assign>(&stm.node);
    if (assign != nullptr && isWide(assign->var)) return split(code, *assign);
    auto* loop = std::get_if<For>(&stm.node);
    if (loop != nullptr && isWide(loop->var)) return countInPairs(code, std::move(*loop));
    code.append(std::move(stm.node));
  }
  void splitOperands(Fail& fail) {
    Operands halves;
    for (const Operand& operand : fail.operands) {
      if (!isWide(operand) || operand.isConstant()) {
        halves.push_back(operand);
        continue;
      }
      Pair value = pair(operand);
      halves.insert(halves.end(), {value.low, value.high});
    }
    fail.operands = std::move(halves);
  }
  void split(Builder& code, const Declare& s) {
    PairOfVars halves = vars(s.var);
    Pair value = pair(s.initial);
    code.append(Declare{halves.low, value.low});
    code.append(Declare{halves.high, value.high});
  }
  void split(Builder& code, const Assign& s) {
    PairOfVars halves = vars(s.var);
    Pair value = pair(s.value);
    code.append(Assign{halves.low, value.low});
    code.append(Assign{halves.high, value.high});
  }

  // A loop in 64 bits counts in a variable of its own; its bound is read once.
  void countInPairs(Builder& code, For loop) {
    Pair from = pair(loop.lo);
    Pair until = pair(loop.hi);
    auto copied = [&](Operand half) {
      return code.let("end", kU32, Convert{ConvertKind::kValue, kU32, kU32, half});
    };
    Operand end_low = copied(until.low);
    Operand end_high = copied(until.high);
    VarId low = code.declare("low", kU32, from.low);
    VarId high = code.declare("high", kU32, from.high);
    bool is_signed = prim::isSigned(program_.vars[loop.var].type);
    auto before = [&] {
      return PairCode(code).measure(Op::kLt, is_signed, {{low, high}, {end_low, end_high}});
    };
    code.whileLoop(before, [&] {
      bind(code, loop.var, {low, high});
      for (Stm& stm : loop.body) code.append(std::move(stm.node));
      Pair next = PairCode(code).prim(Op::kAdd, is_signed, {{low, high}, {u32(1), u32(0)}});
      code.assign(low, next.low);
      code.assign(high, next.high);
    });
  }

  Program& program_;
  std::unordered_map<VarId, PairOfVars> vars_;
  std::unordered_map<BufferId, BufferId> buffers_;
};

}  // namespace

Function splitWideIntegers(Program& program, const Function& kernel, const Target& target) {
  return target.int64 ? kernel : WideIntegers(program).run(kernel);
}

std::vector<ScalarPart> scalarParts(const Program& program, const Function& source,
                                    const Function& raised) {
  std::vector<ScalarPart> parts;
  for (size_t i = 0; i < source.scalars.size(); ++i) {
    parts.push_back({i, 0});
    ScalarType made = program.vars[raised.scalars[parts.size() - 1]].type;
    bool is_split = isWideType(program.vars[source.scalars[i]].type) && made == kU32;
    if (is_split) parts.push_back({i, 4});
  }
  return parts;
}

}  // namespace halo::gpu

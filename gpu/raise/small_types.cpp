// Variables of 8 and 16 bits become variables of 32 bits that hold the same values, halves become
// floats. The bits of a result above the width are cut off, or rounded away, at once. In memory
// such elements share words of 32 bits. A load takes its part, a store clears and sets it by atomic
// operations, because another invocation may store into the rest of the word. Two that store
// different values into one element would mix them: gpu/kernels.h, mixedByScatter.
//
//   before: x : u8 = xs[i];          y : u8 = add x 1;            ys[i] := y
//   after:  w = xs[i >> 2];          t = add x 1;                 s = (i & 3) * 8
//           x = (w >> s) & 255       y = and t 255                and ys[i >> 2] ~(255 << s)
//                                                                 or ys[i >> 2] (y << s)
#include <unordered_map>

#include "gpu/raise/halves.h"
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

bool isHalf(ScalarType type) { return type == ScalarType::kF16; }

class SmallTypes {
 public:
  SmallTypes(Program& program, const Target& target) : program_(program), target_(target) {}

  Function run(const Function& kernel) {
    Function result = kernel;
    for (BufferId& buffer : result.buffers) buffer = this->buffer(buffer);
    Builder opening(program_);
    for (VarId& scalar : result.scalars) scalar = parameter(opening, scalar);
    result.body = opening.take();
    Block body = rewriteBlock(kernel.body, [&](Stm stm, Block& out) { rewrite(stm, out); });
    result.body.insert(result.body.end(), body.begin(), body.end());
    return result;
  }

 private:
  bool replaces(ScalarType type) const {
    int bytes = prim::byteSize(type);
    if (isHalf(type)) return !target_.float16;
    return type != kBool && ((bytes == 1 && !target_.int8) || (bytes == 2 && !target_.int16));
  }
  static ScalarType wide(ScalarType type) {
    if (isHalf(type)) return kF32;
    return prim::isSigned(type) ? kI32 : kU32;
  }
  ScalarType replaced(ScalarType type) const { return replaces(type) ? wide(type) : type; }

  VarId var(VarId var) {
    ScalarType type = program_.vars[var].type;
    if (!replaces(type)) return var;
    auto [found, is_new] = vars_.try_emplace(var);
    if (is_new) {
      const VarInfo& info = program_.vars[var];
      found->second = program_.addVar(info.name, wide(type), info.is_mutable);
    }
    return found->second;
  }
  Operand operand(const Operand& operand) {
    if (!operand.isConstant()) return var(operand.var);
    ScalarType type = operand.constant.type;
    if (!replaces(type)) return operand;
    if (isHalf(type)) return Scalar::ofFloat(kF32, operand.constant.asDouble());
    if (prim::isUnsigned(type)) return u32(static_cast<uint32_t>(operand.constant.bits));
    return Scalar::ofI32(static_cast<int32_t>(operand.constant.asSigned()));
  }
  bool isInMemory(BufferId buffer) const {
    Space space = program_.buffers[buffer].space;
    return space == Space::kDevice || space == Space::kHost;
  }
  bool isPacked(BufferId buffer) const {
    ScalarType type = program_.buffers[buffer].type;
    return isInMemory(buffer) && (replaces(type) || (type == kBool && !target_.int8));
  }
  BufferId buffer(BufferId buffer) {
    bool packed = isPacked(buffer);
    if (!packed && !replaces(program_.buffers[buffer].type)) return buffer;
    auto [found, is_new] = buffers_.try_emplace(buffer);
    if (is_new) {
      BufferInfo info = program_.buffers[buffer];
      info.type = packed ? kU32 : wide(info.type);
      found->second = program_.buffers.add(std::move(info));
    }
    return found->second;
  }

  // ---- values

  Operand convert(Builder& code, ScalarType from, ScalarType to, Operand value,
                  ConvertKind kind = ConvertKind::kValue) {
    if (from == to) return value;
    return code.let("t", to, Convert{kind, from, to, value});
  }
  // The low bits of a value of 32 bits as a value of `type`.
  Operand cut(Builder& code, ScalarType type, Operand value) {
    int width = prim::bitWidth(type);
    if (prim::isUnsigned(type)) {
      return code.prim(Op::kAnd, kU32, {value, u32((1u << width) - 1)});
    }
    Operand by = Scalar::ofI32(32 - width);
    Operand high = code.prim(Op::kMachineShl, kI32, {value, by});
    return code.prim(Op::kMachineShr, kI32, {high, by});
  }
  // A variable of 32 bits that holds a value of `type`, and the bits that it stands for.
  Operand bitsOf(Builder& code, ScalarType type, Operand value) {
    if (isHalf(type)) return halfBits(code, value);
    Operand bits = convert(code, wide(type), kU32, value);
    if (prim::isUnsigned(type)) return bits;
    return code.prim(Op::kAnd, kU32, {bits, u32((1u << prim::bitWidth(type)) - 1)});
  }
  Operand fromBits(Builder& code, ScalarType type, Operand bits) {
    if (isHalf(type)) return floatOfHalfBits(code, bits);
    return cut(code, type, convert(code, kU32, wide(type), bits));
  }

  // A scalar argument has its value's bits, and anything above them.
  VarId parameter(Builder& opening, VarId scalar) {
    ScalarType type = program_.vars[scalar].type;
    if (!replaces(type)) return scalar;
    VarId raw = program_.addVar(program_.vars[scalar].name, kU32);
    Operand low = raw;
    if (isHalf(type)) low = opening.prim(Op::kAnd, kU32, {raw, u32(0xffff)});
    bind(opening, scalar, fromBits(opening, type, low));
    return raw;
  }
  // The variable that stands for `name` is this value.
  void bind(Builder& code, VarId name, Operand value) {
    VarId to = var(name);
    ScalarType type = program_.vars[to].type;
    code.append(Let{to, Convert{ConvertKind::kValue, type, type, value}});
  }

  // ---- operations

  Operand primitive(Builder& code, const Prim& e) {
    ScalarType type = e.type;
    ScalarType as = wide(type);
    Operands args;
    for (const Operand& arg : e.args) args.push_back(operand(arg));
    if (isHalf(type)) {
      Operand result = code.prim(e.op, as, args);
      bool exact = prim::resultType(e.op, type) != type || e.op == Op::kNeg || e.op == Op::kAbs;
      return exact ? result : roundedToHalf(code, result);
    }
    uint32_t width = static_cast<uint32_t>(prim::bitWidth(type));
    switch (e.op) {
      case Op::kPopc:
        return code.prim(e.op, kU32, {bitsOf(code, type, args[0])});
      case Op::kClz: {
        Operand zeros = code.prim(e.op, kU32, {bitsOf(code, type, args[0])});
        return code.prim(Op::kSub, kI32, {zeros, Scalar::ofI32(static_cast<int>(32 - width))});
      }
      case Op::kCtz: {
        Operand bits = bitsOf(code, type, args[0]);
        Operand marked = code.prim(Op::kOr, kU32, {bits, u32(1u << width)});
        return code.prim(e.op, kU32, {marked});
      }
      case Op::kMachineLshr: {
        Operand bits = bitsOf(code, type, args[0]);
        Operand count = convert(code, as, kU32, args[1]);
        Operand shifted = code.prim(e.op, kU32, {bits, count});
        return fromBits(code, type, shifted);
      }
      case Op::kMulHi: {
        Operand product = code.prim(Op::kMul, as, args);
        Operand by = Scalar::ofSigned(as, width);
        return code.prim(Op::kMachineShr, as, {product, by});
      }
      default:
        break;
    }
    Operand result = code.prim(e.op, as, args);
    return prim::resultType(e.op, type) == type ? cut(code, type, result) : result;
  }

  Operand conversion(Builder& code, const Convert& e) {
    Operand value = operand(e.arg);
    ScalarType from = replaced(e.from);
    bool of_bits = e.kind == ConvertKind::kBits;
    if (of_bits && replaces(e.from) && replaces(e.to)) {
      return fromBits(code, e.to, bitsOf(code, e.from, value));
    }
    // Halves alone are replaced, or the integers of 16 bits alone.
    if (of_bits && replaces(e.from)) {
      Operand bits = bitsOf(code, e.from, value);
      if (!isHalf(e.to)) return convert(code, kU32, e.to, bits);
      Operand whole = convert(code, kU32, ScalarType::kU16, bits);
      return convert(code, ScalarType::kU16, e.to, whole, ConvertKind::kBits);
    }
    if (of_bits && replaces(e.to)) {
      Operand bits = value;
      ScalarType type = e.from;
      if (isHalf(e.from)) {
        bits = convert(code, e.from, ScalarType::kU16, value, ConvertKind::kBits);
        type = ScalarType::kU16;
      }
      bits = convert(code, type, kU32, bits);
      bits = code.prim(Op::kAnd, kU32, {bits, u32((1u << prim::bitWidth(e.to)) - 1)});
      return fromBits(code, e.to, bits);
    }
    Operand whole = convert(code, from, replaced(e.to), value, e.kind);
    if (!replaces(e.to)) return whole;
    if (isHalf(e.to)) return isHalf(e.from) ? whole : roundedToHalf(code, whole);
    bool exact = e.from == e.to || e.from == kBool;
    return exact ? whole : cut(code, e.to, whole);
  }

  // ---- memory

  // The word that holds the element with this index, and where in it the element begins.
  struct Part {
    Operand word, shift;
    uint32_t mask;  // of the element, at the low end
  };
  Part partOf(Builder& code, BufferId of, const Operand& index) {
    int bytes = prim::byteSize(program_.buffers[of].type);
    uint32_t mask = bytes == 1 ? 0xff : 0xffff;
    int64_t many = 4 / bytes;
    if (index.isConstant()) {
      int64_t at = index.constant.asSigned();
      return {Operand::ofI64(at / many), u32(static_cast<uint32_t>(at % many * bytes * 8)), mask};
    }
    ScalarType type = program_.vars[index.var].type;
    Operand word =
        code.prim(Op::kMachineShr, type, {index, Scalar::ofSigned(type, bytes == 1 ? 2 : 1)});
    Operand low = code.prim(Op::kAnd, type, {index, Scalar::ofSigned(type, many - 1)});
    Operand within = convert(code, type, kU32, low);
    Operand shift = code.prim(Op::kMul, kU32, {within, u32(static_cast<uint32_t>(bytes * 8))});
    return {word, shift, mask};
  }

  Operand load(Builder& code, const Load& e) {
    if (!isPacked(e.buffer)) return loadFrom(code, buffer(e.buffer), operand(e.index));
    ScalarType type = program_.buffers[e.buffer].type;
    Part part = partOf(code, e.buffer, operand(e.index));
    Operand word = loadFrom(code, buffer(e.buffer), part.word);
    return partOfWord(code, type, word, part);
  }
  Operand partOfWord(Builder& code, ScalarType type, Operand word, const Part& part) {
    Operand low = code.prim(Op::kMachineLshr, kU32, {word, part.shift});
    Operand bits = code.prim(Op::kAnd, kU32, {low, u32(part.mask)});
    if (type == kBool) return code.prim(Op::kNe, kU32, {bits, u32(0)});
    return prim::isUnsigned(type) ? bits : fromBits(code, type, bits);
  }
  // The bits of a value where they belong in their word.
  Operand placed(Builder& code, ScalarType type, Operand value, const Part& part) {
    Operand bits = type == kBool ? code.let("t", kU32, Select{value, u32(1), u32(0)})
                                 : bitsOf(code, type, value);
    return code.prim(Op::kMachineShl, kU32, {bits, part.shift});
  }
  Operand loadFrom(Builder& code, BufferId buffer, Operand index) {
    return code.let("t", program_.buffers[buffer].type, Load{buffer, index});
  }

  void store(Builder& code, const Store& s) {
    Operand value = operand(s.value);
    Operand index = operand(s.index);
    if (!isPacked(s.buffer)) return code.append(Store{buffer(s.buffer), index, value});
    ScalarType type = program_.buffers[s.buffer].type;
    Part part = partOf(code, s.buffer, index);
    Operand bits = placed(code, type, value, part);
    Operand mask = code.prim(Op::kMachineShl, kU32, {u32(part.mask), part.shift});
    Operand others = code.prim(Op::kNot, kU32, {mask});
    code.append(Atomic{AtomicOp::kAnd, buffer(s.buffer), part.word, others});
    code.append(Atomic{AtomicOp::kOr, buffer(s.buffer), part.word, bits});
  }

  // Whole words: no other invocation stores into them.
  void load(Builder& code, const LoadVector& s) {
    ScalarType type = program_.buffers[s.buffer].type;
    Part first = partOf(code, s.buffer, operand(s.index));
    LoadVector words{{}, buffer(s.buffer), first.word};
    for (int k = 0; k < 4; ++k) words.vars.push_back(program_.addVar("word", kU32));
    if (program_.vars[s.vars[0]].type == kU32) words.vars = s.vars;
    std::vector<VarId> made = words.vars;
    code.append(std::move(words));
    if (made == s.vars) return;
    for (size_t k = 0; k < s.vars.size(); ++k) {
      Part part = partOf(code, s.buffer, Operand::ofI64(static_cast<int64_t>(k)));
      VarId word = made[static_cast<size_t>(part.word.constant.asSigned())];
      bind(code, s.vars[k], partOfWord(code, type, word, part));
    }
  }
  void store(Builder& code, const StoreVector& s) {
    ScalarType type = program_.buffers[s.buffer].type;
    Part first = partOf(code, s.buffer, operand(s.index));
    Operands words(4, u32(0));
    for (size_t k = 0; k < s.values.size(); ++k) {
      Part part = partOf(code, s.buffer, Operand::ofI64(static_cast<int64_t>(k)));
      Operand& word = words[static_cast<size_t>(part.word.constant.asSigned())];
      Operand bits = placed(code, type, operand(s.values[k]), part);
      word = code.prim(Op::kOr, kU32, {word, bits});
    }
    code.append(StoreVector{buffer(s.buffer), first.word, std::move(words)});
  }

  // ---- statements

  void rewrite(Stm& stm, Block& out) {
    Builder code(program_);
    if (auto* let = std::get_if<Let>(&stm.node)) {
      rewriteLet(code, *let);
    } else if (auto* store = std::get_if<Store>(&stm.node)) {
      this->store(code, *store);
    } else if (auto* from = std::get_if<LoadVector>(&stm.node);
               from != nullptr && isPacked(from->buffer)) {
      load(code, *from);
    } else if (auto* to = std::get_if<StoreVector>(&stm.node);
               to != nullptr && isPacked(to->buffer)) {
      this->store(code, *to);
    } else {
      mapOperands(stm, [&](const Operand& o) { return operand(o); });
      if (auto* declare = std::get_if<Declare>(&stm.node)) declare->var = var(declare->var);
      if (auto* assign = std::get_if<Assign>(&stm.node)) assign->var = var(assign->var);
      // Its variable stays within its bounds: nothing is to be cut.
      if (auto* loop = std::get_if<For>(&stm.node)) loop->var = var(loop->var);
      code.append(std::move(stm.node));
    }
    for (Stm& made : code.take()) out.push_back(std::move(made));
  }

  void rewriteLet(Builder& code, Let& let) {
    auto* prim = std::get_if<Prim>(&let.expr);
    auto* convert = std::get_if<Convert>(&let.expr);
    auto* load = std::get_if<Load>(&let.expr);
    bool converts = convert != nullptr && (replaces(convert->from) || replaces(convert->to));
    if (prim != nullptr && replaces(prim->type)) {
      bind(code, let.var, primitive(code, *prim));
    } else if (converts) {
      bind(code, let.var, conversion(code, *convert));
    } else if (load != nullptr && isPacked(load->buffer)) {
      bind(code, let.var, this->load(code, *load));
    } else {
      Stm same{Let{var(let.var), let.expr}};
      mapOperands(same, [&](const Operand& o) { return operand(o); });
      if (load != nullptr)
        std::get<Load>(std::get<Let>(same.node).expr).buffer = buffer(load->buffer);
      code.append(std::move(same.node));
    }
  }

  Program& program_;
  const Target& target_;
  std::unordered_map<VarId, VarId> vars_;
  std::unordered_map<BufferId, BufferId> buffers_;
};

}  // namespace

Function widenSmallTypes(Program& program, const Function& kernel, const Target& target) {
  if (target.int8 && target.int16 && target.float16) return kernel;
  return SmallTypes(program, target).run(kernel);
}

}  // namespace halo::gpu

// Each lane keeps its share of a sum's elements in a private buffer: those whose number within the
// matrix is the lane's, modulo the lanes. Factors stay where they lie: a load only remembers the
// place, since nothing stores there before the products that take it.
#include <unordered_map>

#include "gpu/raise/raise.h"
#include "lang/base/check.h"
#include "lang/imp/builder.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ConvertKind;
using prim::Op;

namespace {

class PlainMatrices {
 public:
  PlainMatrices(Program& program, int64_t lanes) : program_(program), code_(program) {
    lanes_ = Operand::ofI64(lanes);
  }

  Block run(const Block& body) {
    const Operand lane = code_.let("lane", ScalarType::kU32, BuiltInValue{BuiltIn::kLane, 0});
    lane_ = converted(ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, lane);
    Block result = code_.take();
    Block rest = rewriteBlock(body, [&](Stm stm, Block& out) {
      const auto* op = std::get_if<MatrixOp>(&stm.node);
      if (op == nullptr) return out.push_back(std::move(stm));
      emit(*op);
      for (Stm& made : code_.take()) out.push_back(std::move(made));
    });
    for (Stm& stm : rest) result.push_back(std::move(stm));
    return result;
  }

 private:
  void emit(const MatrixOp& op) {
    switch (op.kind) {
      case MatrixOp::Kind::kClear:
        return forEachOwn(op.matrix, [&](const Operand& own, const Operand&, const Operand&) {
          code_.store(privateOf(op.matrix), own, prim::zero(program_.buffers[op.matrix].type));
        });
      case MatrixOp::Kind::kLoad:
        places_.insert_or_assign(op.matrix.index, op);
        return;
      case MatrixOp::Kind::kStore:
        return store(op);
      case MatrixOp::Kind::kMultiply:
        return multiply(op);
    }
  }

  using OnElement =
      std::function<void(const Operand& own, const Operand& row, const Operand& column)>;
  // `own`: the element's number in the lane's share.
  void forEachOwn(BufferId matrix, const OnElement& body) {
    const BufferInfo info = program_.buffers[matrix];
    const Operand columns = Operand::ofI64(info.constant_elements / info.matrix_rows);
    const int64_t share = info.constant_elements / lanes_.constant.asSigned();
    code_.forLoop("own", Operand::ofI64(0), Operand::ofI64(share), [&](const Operand& own) {
      const Operand element = code_.add(code_.mul(own, lanes_), lane_);
      const Operand row = code_.prim(Op::kMachineDiv, ScalarType::kI64, {element, columns});
      const Operand column = code_.prim(Op::kMachineRem, ScalarType::kI64, {element, columns});
      body(own, row, column);
    });
  }

  BufferId privateOf(BufferId matrix) {
    const auto found = privates_.find(matrix.index);
    if (found != privates_.end()) return found->second;
    const BufferInfo info = program_.buffers[matrix];
    const int64_t share = info.constant_elements / lanes_.constant.asSigned();
    const BufferId made = code_.buffer(info.name, info.type, Space::kPrivate, share);
    return privates_[matrix.index] = made;
  }

  void multiply(const MatrixOp& op) {
    const ScalarType type = program_.buffers[op.matrix].type;
    const BufferInfo a = program_.buffers[op.a];
    const Operand depth = Operand::ofI64(a.constant_elements / a.matrix_rows);
    const BufferId sums = privateOf(op.matrix);
    forEachOwn(op.matrix, [&](const Operand& own, const Operand& row, const Operand& column) {
      const VarId sum = code_.declare("sum", type, code_.load(sums, own));
      code_.forLoop("k", Operand::ofI64(0), depth, [&](const Operand& k) {
        const Operand x = factor(op.a, type, row, k), y = factor(op.b, type, k, column);
        code_.assign(sum, code_.prim(Op::kAdd, type, {sum, code_.prim(Op::kMul, type, {x, y})}));
      });
      code_.store(sums, own, sum);
    });
  }

  // An element of a matrix that was loaded, as a number of `type`.
  Operand factor(BufferId matrix, ScalarType type, const Operand& row, const Operand& column) {
    const auto place = places_.find(matrix.index);
    HALO_CHECK(place != places_.end(), "a matrix without a load");
    const MatrixOp& load = place->second;
    const ScalarType element = program_.buffers[matrix].type;
    const int64_t in_word =
        prim::byteSize(program_.buffers[load.memory].type) / prim::byteSize(element);
    const Operand outer = load.by_columns ? column : row, inner = load.by_columns ? row : column;
    const Operand count = Operand::ofI64(in_word);
    Operand word = code_.prim(Op::kMachineDiv, ScalarType::kI64, {inner, count});
    word = code_.add(code_.add(load.index, code_.mul(outer, load.pitch)), word);
    const Operand part = code_.prim(Op::kMachineRem, ScalarType::kI64, {inner, count});
    const Operand shift = converted(ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32,
                                    code_.mul(part, Operand::ofI64(prim::bitWidth(element))));
    const Operand bits =
        code_.prim(Op::kMachineShr, ScalarType::kU32, {code_.load(load.memory, word), shift});
    return converted(ConvertKind::kValue, element, type, elementOf(element, bits));
  }

  // The lowest bits of a word.
  Operand elementOf(ScalarType type, const Operand& bits) {
    if (type != ScalarType::kF16) {
      return converted(ConvertKind::kValue, ScalarType::kU32, type, bits);
    }
    const Operand low = converted(ConvertKind::kValue, ScalarType::kU32, ScalarType::kU16, bits);
    return converted(ConvertKind::kBits, ScalarType::kU16, type, low);
  }

  void store(const MatrixOp& op) {
    const ScalarType from = program_.buffers[op.matrix].type;
    const ScalarType to = program_.buffers[op.memory].type;
    forEachOwn(op.matrix, [&](const Operand& own, const Operand& row, const Operand& column) {
      const Operand outer = op.by_columns ? column : row, inner = op.by_columns ? row : column;
      const Operand at = code_.add(code_.add(op.index, code_.mul(outer, op.pitch)), inner);
      Operand value = code_.load(privateOf(op.matrix), own);
      if (from != to) value = converted(ConvertKind::kBits, from, to, value);
      code_.store(op.memory, at, value);
    });
  }

  Operand converted(ConvertKind kind, ScalarType from, ScalarType to, const Operand& value) {
    return code_.let("t", to, Convert{kind, from, to, value});
  }

  Program& program_;
  Builder code_;
  Operand lanes_, lane_;
  std::unordered_map<uint32_t, BufferId> privates_;
  std::unordered_map<uint32_t, MatrixOp> places_;
};

}  // namespace

Function plainMatrices(Program& program, const Function& kernel, const Target& target) {
  bool has_matrices = false;
  forEachStm(kernel.body, [&](const Stm& stm) {
    has_matrices = has_matrices || std::holds_alternative<MatrixOp>(stm.node);
  });
  Function result = kernel;
  if (has_matrices && !target.matrices) {
    result.body = PlainMatrices(program, target.lanes).run(kernel.body);
  }
  return result;
}

}  // namespace halo::gpu

// Keeping some elements of many. Scalar code stores each one where the next kept one belongs and
// goes on if it is to stay, so there is nothing to predict. Vector code presses the kept lanes
// together, stores the whole vector, and goes on by their number.
#include <llvm/IR/IntrinsicsX86.h>

#include "jit/emit/emit_value.h"
#include "jit/emit/emitter.h"
#include "jit/emit/lanes.h"

namespace halo::jit {

using imp::BufferId;
using llvm::Value;

namespace {

constexpr unsigned kVectorBits = 512;

Value* inMemory(llvm::IRBuilder<>& ir, Value* value) {
  if (!value->getType()->isIntOrIntVectorTy(1)) return value;
  return ir.CreateZExt(value, value->getType()->getWithNewBitWidth(8));
}

}  // namespace

// One thread comes to the sections in order anyway.
void FunctionEmitter::stm(const imp::OrderedSection& n) {
  if (chunk_ == nullptr) return;
  const char* name = n.begins ? "rt_ordered_begin" : "rt_ordered_end";
  leaveOn(callRuntime(name, ir_.getInt32Ty(), {run_context_, operand(chunk_->var)}));
}

void FunctionEmitter::stm(const imp::Append& n) {
  Value* at = operand(n.next);
  for (size_t k = 0; k < n.buffers.size(); ++k) {
    llvm::Type* type = memoryType(context_, info(n.buffers[k]).type);
    Value* place = ir_.CreateInBoundsGEP(type, pointer(n.buffers[k]), at);
    annotate(ir_.CreateStore(inMemory(ir_, operand(n.values[k])), place), n.buffers[k]);
  }
  Value* more = ir_.CreateZExt(operand(n.condition), ir_.getInt64Ty());
  ir_.CreateStore(ir_.CreateAdd(at, more), mutables_.at(n.next));
}

// ---- vectors

// One append of a loop in lanes; `mask`: the elements that stay.
class LaneLoop::Appending {
 public:
  Appending(LaneLoop& loop, const imp::Append& n, Value* mask, std::vector<Value*> values)
      : f_(loop.f_),
        ir_(loop.ir_),
        n_(n),
        lanes_(loop.lanes_),
        mask_(mask),
        values_(std::move(values)) {}

  // A register of the machine from lane `first` on.
  void vector(unsigned first) {
    std::vector<int> part;
    for (unsigned l = 0; l < lanes_; ++l) part.push_back(static_cast<int>(first + l));
    Value* kept = ir_.CreateShuffleVector(mask_, part);
    Value* at = f_.operand(n_.next);
    for (size_t k = 0; k < values_.size(); ++k) {
      Value* pressed = compress(ir_.CreateShuffleVector(values_[k], part), kept);
      llvm::Align align(pressed->getType()->getScalarSizeInBits() / 8);
      f_.annotate(ir_.CreateAlignedStore(pressed, place(n_.buffers[k], at), align), n_.buffers[k]);
    }
    Value* bits = ir_.CreateBitCast(kept, ir_.getIntNTy(lanes_));
    goOn(at, ir_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits));
  }

  void lane(unsigned lane) {
    Value* at = f_.operand(n_.next);
    for (size_t k = 0; k < values_.size(); ++k) {
      Value* value = ir_.CreateExtractElement(values_[k], lane);
      f_.annotate(ir_.CreateStore(value, place(n_.buffers[k], at)), n_.buffers[k]);
    }
    goOn(at, ir_.CreateExtractElement(mask_, lane));
  }

 private:
  // The lanes of `mask` to the front, through a vector of a whole register.
  Value* compress(Value* value, Value* mask) {
    llvm::Type* given = value->getType();
    llvm::Type* bits = given->getWithNewType(ir_.getIntNTy(given->getScalarSizeInBits()));
    llvm::Type* whole = given->getWithNewType(ir_.getIntNTy(kVectorBits / lanes_));
    Value* wide = ir_.CreateZExt(ir_.CreateBitCast(value, bits), whole);
    Value* pressed = ir_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {whole},
                                         {wide, llvm::Constant::getNullValue(whole), mask});
    return ir_.CreateBitCast(ir_.CreateTrunc(pressed, bits), given);
  }

  Value* place(BufferId buffer, Value* at) {
    llvm::Type* element = memoryType(f_.context_, f_.info(buffer).type);
    return ir_.CreateInBoundsGEP(element, f_.pointer(buffer), at);
  }

  void goOn(Value* at, Value* count) {
    ir_.CreateStore(ir_.CreateAdd(at, ir_.CreateZExt(count, ir_.getInt64Ty())),
                    f_.mutables_.at(n_.next));
  }

  FunctionEmitter& f_;
  llvm::IRBuilder<>& ir_;
  const imp::Append& n_;
  const unsigned lanes_;  // of one vector of the machine
  Value* mask_;
  std::vector<Value*> values_;
};

void LaneLoop::stm(const imp::Append& n) {
  Value* mask = lanes(n.condition);
  if (mask_ != nullptr) mask = ir_.CreateAnd(mask, mask_);
  std::vector<Value*> values;
  for (const imp::Operand& value : n.values) values.push_back(inMemory(ir_, lanes(value)));
  llvm::StringRef features = f_.target_->getFnAttribute("target-features").getValueAsString();
  const bool compresses = features.contains("+avx512f") && width_ % lanes_ == 0;
  Appending append(*this, n, mask, std::move(values));
  for (unsigned first = 0; first < width_; first += compresses ? lanes_ : 1) {
    compresses ? append.vector(first) : append.lane(first);
  }
}

}  // namespace halo::jit

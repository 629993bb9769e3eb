// The first operand that is a fit product is taken.
#include "jit/emit/fuse_products.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <vector>

namespace halo::jit {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

bool mayContract(const Instruction& instruction) {
  const auto* operation = llvm::dyn_cast<BinaryOperator>(&instruction);
  return operation != nullptr && operation->getType()->isFPOrFPVectorTy() &&
         !operation->getType()->getScalarType()->isHalfTy() && operation->hasAllowContract();
}

BinaryOperator* fitProduct(Value* value, const BinaryOperator& sum) {
  auto* product = llvm::dyn_cast<BinaryOperator>(value);
  bool fits = product != nullptr && product->getOpcode() == Instruction::FMul &&
              mayContract(*product) && product->hasOneUse() &&
              product->getParent() == sum.getParent();
  return fits ? product : nullptr;
}

void fuse(BinaryOperator& sum) {
  bool is_difference = sum.getOpcode() == Instruction::FSub;
  if (!is_difference && sum.getOpcode() != Instruction::FAdd) return;
  BinaryOperator* product = fitProduct(sum.getOperand(0), sum);
  bool is_first = product != nullptr;
  if (!is_first) product = fitProduct(sum.getOperand(1), sum);
  if (product == nullptr) return;
  llvm::IRBuilder<> ir(&sum);
  Value* factor = product->getOperand(0);
  Value* addend = sum.getOperand(is_first ? 1 : 0);
  if (is_difference && is_first) addend = ir.CreateFNeg(addend);
  if (is_difference && !is_first) factor = ir.CreateFNeg(factor);
  Value* fused = ir.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()},
                                    {factor, product->getOperand(1), addend});
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  product->eraseFromParent();
}

}  // namespace

void fuseProducts(llvm::Module& module, const llvm::TargetMachine& machine) {
  const bool has_fma = machine.getTargetFeatureString().contains("+fma,");
  for (llvm::Function& function : module) {
    std::vector<llvm::WeakTrackingVH> contracting;
    for (Instruction& instruction : llvm::instructions(function)) {
      if (mayContract(instruction)) contracting.emplace_back(&instruction);
    }
    // The handle of an operation that was fused no longer points to a BinaryOperator.
    for (Value* value : contracting) {
      auto* operation = llvm::dyn_cast_or_null<BinaryOperator>(value);
      if (operation != nullptr && has_fma) fuse(*operation);
    }
    for (Value* value : contracting) {
      auto* left = llvm::dyn_cast_or_null<BinaryOperator>(value);
      if (left != nullptr) left->setHasAllowContract(false);
    }
  }
}

}  // namespace halo::jit

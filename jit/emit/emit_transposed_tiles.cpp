// Blocks of tiles, so that pages are left rarely; the rest at the ends of either axis is done row
// by row.
#include "jit/emit/transposed_tiles.h"

#include <algorithm>
#include <functional>

#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"
#include "lang/base/check.h"
#include "lang/imp/operands.h"
#include "lang/imp/schedule/transposed_tiles.h"

namespace halo::jit {

using imp::Operand;
using imp::VarId;
using llvm::BasicBlock;
using llvm::Value;
using prim::ScalarType;

namespace {

constexpr uint64_t kLine = 64;  // bytes
constexpr unsigned kMaxRows = 16;

const imp::For& lastLoop(const imp::For& outer) {
  return std::get<imp::For>(outer.body.back().node);
}

}  // namespace

LaneLoop::TransposedTiles::TransposedTiles(FunctionEmitter& function, const imp::For& outer,
                                           std::vector<VarId> loads)
    : f_(function),
      ir_(function.ir_),
      outer_(outer),
      inner_(lastLoop(outer)),
      loads_(std::move(loads)) {
  for (VarId var : loads_) {
    const int size = prim::byteSize(f_.info(loadOf(var).buffer).type);
    side_ = std::min(side_, static_cast<unsigned>(kLine) / static_cast<unsigned>(size));
  }
}

const imp::Load& LaneLoop::TransposedTiles::loadOf(VarId var) const {
  for (const imp::Stm& stm : inner_.body) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    if (let != nullptr && let->var == var) return std::get<imp::Load>(let->expr);
  }
  HALO_UNREACHABLE("a load of another loop");
}

void LaneLoop::TransposedTiles::count(Value* lo, Value* hi, uint64_t step, bool polls,
                                      const std::function<void(Value*)>& body) {
  BasicBlock* before = ir_.GetInsertBlock();
  BasicBlock* loop = f_.newBlock("tiles");
  BasicBlock* after = f_.newBlock("done");
  ir_.CreateCondBr(ir_.CreateICmpSLT(lo, hi), loop, after);
  ir_.SetInsertPoint(loop);
  llvm::PHINode* i = ir_.CreatePHI(ir_.getInt64Ty(), 2, "i");
  i->addIncoming(lo, before);
  body(i);
  if (polls) f_.poll();
  Value* next = ir_.CreateAdd(i, ir_.getInt64(step), "next", true, true);
  i->addIncoming(next, ir_.GetInsertBlock());
  llvm::BranchInst* latch = ir_.CreateCondBr(ir_.CreateICmpSLT(next, hi), loop, after);
  latch->setMetadata(llvm::LLVMContext::MD_loop, f_.loopMetadata(false, 1));
  ir_.SetInsertPoint(after);
}

// lo plus a multiple of the side; lo if there is nothing.
Value* LaneLoop::TransposedTiles::endOfTiles(Value* lo, Value* hi) {
  Value* length =
      ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, ir_.CreateSub(hi, lo), ir_.getInt64(0));
  return ir_.CreateAdd(lo, ir_.CreateAnd(length, ~uint64_t{side_ - 1}));
}

void LaneLoop::TransposedTiles::chooseStreams() {
  constexpr uint64_t kStreamed = 12 << 20;  // bytes of one array from which on it pays
  for (const imp::Stm& stm : inner_.body) {
    const auto* store = std::get_if<imp::Store>(&stm.node);
    if (store == nullptr || store->stream == Operand::ofI64(0)) continue;
    const auto size = static_cast<uint64_t>(prim::byteSize(f_.info(store->buffer).type));
    if (size * side_ % kLine != 0) return;
    streams_ = ir_.CreateICmpSLE(ir_.getInt64(kStreamed / size), f_.operand(store->stream));
    return;
  }
}

void LaneLoop::TransposedTiles::run(Value* lo, Value* hi) {
  chooseStreams();
  Value* left = f_.operand(inner_.lo);
  Value* right = f_.operand(inner_.hi);
  Value* bottom = endOfTiles(lo, hi);
  Value* end = endOfTiles(left, right);
  count(left, end, imp::kTransposedBlock, true, [&](Value* block) {
    Value* block_end = ir_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, ir_.CreateAdd(block, ir_.getInt64(imp::kTransposedBlock)), end);
    count(lo, bottom, side_, false,
          [&](Value* i) { count(block, block_end, side_, false, [&](Value* j) { tile(i, j); }); });
  });
  rows(lo, bottom, end, right);
  rows(bottom, hi, left, right);
}

void LaneLoop::TransposedTiles::rows(Value* lo, Value* hi, Value* from, Value* to) {
  count(lo, hi, 1, true, [&](Value* i) {
    prefix(i);
    LaneLoop(f_, inner_).run(from, to);
  });
}

void LaneLoop::TransposedTiles::prefix(Value* i) {
  f_.values_[outer_.var] = i;
  for (size_t s = 0; s + 1 < outer_.body.size(); ++s) {
    f_.stm(std::get<imp::Let>(outer_.body[s].node));
  }
}

// The index in iteration j: the arithmetic that it needs, for one element.
Value* LaneLoop::TransposedTiles::indexAt(const imp::Load& load, Value* j) {
  std::unordered_set<VarId> needed{load.index.var};
  for (size_t s = inner_.body.size(); s-- > 0;) {
    const auto* let = std::get_if<imp::Let>(&inner_.body[s].node);
    if (let == nullptr || !needed.contains(let->var)) continue;
    for (const Operand& operand : imp::operandsOf(let->expr)) {
      if (!operand.isConstant()) needed.insert(operand.var);
    }
  }
  f_.values_[inner_.var] = j;
  for (const imp::Stm& stm : inner_.body) {
    const auto* let = std::get_if<imp::Let>(&stm.node);
    if (let != nullptr && needed.contains(let->var)) f_.stm(*let);
  }
  return f_.operand(load.index);
}

// Exchanges ever smaller squares on both sides of the diagonal.
LaneLoop::TransposedTiles::Rows LaneLoop::TransposedTiles::transposed(const imp::Load& load,
                                                                      Value* j) {
  const ScalarType scalar = f_.info(load.buffer).type;
  llvm::Type* element = memoryType(f_.context_, scalar);
  llvm::Type* line = llvm::FixedVectorType::get(element, side_);
  Value* first = indexAt(load, j);
  Value* step = ir_.CreateSub(indexAt(load, ir_.CreateAdd(j, ir_.getInt64(1))), first);
  Rows rows;
  for (uint64_t r = 0; r < side_; ++r) {
    Value* index = ir_.CreateAdd(first, ir_.CreateMul(step, ir_.getInt64(r)));
    Value* at = ir_.CreateInBoundsGEP(element, f_.pointer(load.buffer), index);
    const llvm::Align align(static_cast<uint64_t>(prim::byteSize(scalar)));
    llvm::LoadInst* loaded = ir_.CreateAlignedLoad(line, at, align);
    f_.annotate(loaded, load.buffer);
    rows.push_back(loaded);
  }
  for (unsigned half = side_ / 2; half > 0; half /= 2) {
    std::vector<int> upper, lower;
    for (unsigned l = 0; l < side_; ++l) {
      const bool is_right = (l & half) != 0;
      upper.push_back(static_cast<int>(is_right ? side_ + l - half : l));
      lower.push_back(static_cast<int>(is_right ? side_ + l : l + half));
    }
    for (unsigned r = 0; r < side_; ++r) {
      if ((r & half) != 0) continue;
      Value *a = rows[r], *b = rows[r + half];
      rows[r] = ir_.CreateShuffleVector(a, b, upper);
      rows[r + half] = ir_.CreateShuffleVector(a, b, lower);
    }
  }
  if (scalar != ScalarType::kBool) return rows;
  for (Value*& row : rows) row = ir_.CreateICmpNE(row, llvm::Constant::getNullValue(line));
  return rows;
}

void LaneLoop::TransposedTiles::tile(Value* i, Value* j) {
  prefix(i);
  Tile tile;
  for (VarId var : loads_) tile[var] = transposed(loadOf(var), j);
  for (uint64_t row = 0; row < side_; ++row) {
    prefix(ir_.CreateAdd(i, ir_.getInt64(row), "row", true, true));
    std::unordered_map<VarId, Value*> given;
    for (const auto& [var, rows] : tile) given[var] = rows[row];
    LaneLoop(f_, inner_).once(j, side_, given, streams_);
  }
}

}  // namespace halo::jit

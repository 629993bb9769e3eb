// Stores past the caches. A loop that writes more memory than they hold gains nothing from
// fetching the lines first, and would evict lines that are still in use. Such stores pay for whole
// lines only (cpu.md#rules): elements before the first aligned vector are done under a mask. Stores
// into the caches gain from whole lines as well.
//
//   x:   lo ..... aligned .................... hi
//        masked   vectors, past the caches     masked
//
// The masked vector in front begins at the beginning of its line, not at lo. One that reaches into
// the line behind it holds up the store past the caches there (four times slower on Zen 4).
#include "jit/emit/emit_value.h"
#include "jit/emit/lanes.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::jit {

using imp::Operand;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr uint64_t kLine = 64;            // bytes
constexpr uint64_t kStreamed = 12 << 20;  // bytes of one array from which on it pays
constexpr uint64_t kStreamedRow =
    2048;  // and of the loop: of shorter rows, whole lines are too small a part

// A vector that reaches into the next line takes two accesses. From so many bytes of the loop on,
// one more vector in front, under a mask, costs less. Long code hides the accesses.
constexpr uint64_t kAligned = 256;
constexpr size_t kLongCode = 128;  // statements

}  // namespace

const imp::Store* LaneLoop::firstStream() const {
  for (const imp::Stm& stm : loop_.body) {
    const auto* store = std::get_if<imp::Store>(&stm.node);
    if (store != nullptr && store->stream != Operand::ofI64(0)) return store;
  }
  return nullptr;
}

// Where iteration `lo` stores, if that is a sum that can be had before the loop.
Value* LaneLoop::streamAddress(const imp::Store& store, Value* lo) {
  std::unordered_set<imp::VarId> unknown;
  linear_[loop_.var] = {lo, 1};
  for (const imp::Stm& stm : loop_.body) {
    if (std::get_if<imp::Store>(&stm.node) == &store) break;
    if (const auto* variable = std::get_if<imp::Declare>(&stm.node)) unknown.insert(variable->var);
    const auto* let = std::get_if<imp::Let>(&stm.node);
    if (let == nullptr) continue;
    const auto* prim = std::get_if<imp::Prim>(&let->expr);
    imp::Operands operands = imp::operandsOf(let->expr);
    bool is_known = prim != nullptr && prim->type == prim::ScalarType::kI64 &&
                    std::none_of(operands.begin(), operands.end(), [&](const Operand& operand) {
                      return !operand.isConstant() && unknown.contains(operand.var);
                    });
    std::optional<Linear> line;
    if (is_known && varying_.contains(let->var)) line = linear(let->expr);
    if (line) {
      linear_[let->var] = *line;
    } else if (is_known && !varying_.contains(let->var) && !imp::mayTrap(let->expr)) {
      f_.stm(*let);  // the loop may have no iterations
    } else {
      unknown.insert(let->var);
    }
  }
  if (!store.index.isConstant() && unknown.contains(store.index.var)) return nullptr;
  std::optional<Linear> at = linear(store.index);
  if (!at || at->step != 1 || isLaneArray(store.buffer)) return nullptr;
  llvm::Type* element = memoryType(f_.context_, f_.info(store.buffer).type);
  return ir_.CreateInBoundsGEP(element, f_.pointer(store.buffer), at->first);
}

// Does the iterations up to the first that stores at the beginning of a line; returns that one.
// Loops of few iterations begin where they are.
Value* LaneLoop::alignedStart(Value* lo, Value* hi) {
  const imp::Store* store = firstStream();
  if (store == nullptr) return lo;
  auto size = static_cast<uint64_t>(prim::byteSize(f_.info(store->buffer).type));
  if (width_ * size % kLine != 0) return lo;
  Value* address = streamAddress(*store, lo);
  if (address == nullptr) return lo;
  Value* count = f_.operand(store->stream);
  Value* is_large = ir_.CreateICmpSLE(ir_.getInt64(kStreamed / size), count);
  Value* cells = ir_.CreateSub(hi, lo);
  streams_ = ir_.CreateAnd(is_large, ir_.CreateICmpSLE(ir_.getInt64(kStreamedRow / size), cells));
  Value* bits = ir_.CreatePtrToInt(address, ir_.getInt64Ty());
  Value* behind = ir_.CreateAnd(ir_.CreateNeg(bits), kLine - 1);
  Value* wanted = ir_.CreateAdd(lo, ir_.CreateUDiv(behind, ir_.getInt64(size)));
  const bool has_long_code = imp::countStms(loop_.body) > kLongCode;
  const uint64_t aligned = has_long_code ? kStreamedRow : kAligned;
  Value* is_long = ir_.CreateICmpSLE(ir_.getInt64(aligned / size), cells);
  Value* start =
      ir_.CreateSelect(is_long, ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, wanted, hi), lo);
  // An empty part does nothing, wherever it begins.
  Value* line = ir_.CreateSub(start, ir_.getInt64(kLine / size));
  partial(ir_.CreateSelect(ir_.CreateICmpSLT(lo, start), line, start), start, lo);
  return start;
}

void LaneLoop::streamStore(const imp::Store& n, Value* value, Value* at) {
  Value* bits = ir_.CreatePtrToInt(at, ir_.getInt64Ty());
  Value* is_line = ir_.CreateICmpEQ(ir_.CreateAnd(bits, kLine - 1), ir_.getInt64(0));
  BasicBlock* past = f_.newBlock("past_caches");
  BasicBlock* plain = f_.newBlock("plain");
  BasicBlock* after = f_.newBlock("stored");
  ir_.CreateCondBr(ir_.CreateAnd(streams_, is_line), past, plain);
  ir_.SetInsertPoint(past);
  llvm::StoreInst* streamed = ir_.CreateAlignedStore(value, at, llvm::Align(kLine));
  llvm::Metadata* one = llvm::ConstantAsMetadata::get(ir_.getInt32(1));
  streamed->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(f_.context_, {one}));
  f_.annotate(streamed, n.buffer);
  ir_.CreateBr(after);
  ir_.SetInsertPoint(plain);
  auto size = static_cast<uint64_t>(prim::byteSize(f_.info(n.buffer).type));
  f_.annotate(ir_.CreateAlignedStore(value, at, llvm::Align(size)), n.buffer);
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

// A load without uses: its lines come nearer, if the arrays are so large that they are not
// in the caches anyway.
void LaneLoop::fetch(const imp::Load& n) {
  const imp::Store* store = firstStream();
  auto line = linear(n.index);
  if (store == nullptr || mask_ != nullptr || !line || line->step != 1) return;
  const prim::ScalarType scalar = f_.info(n.buffer).type;
  const auto stored = static_cast<uint64_t>(prim::byteSize(f_.info(store->buffer).type));
  Value* is_large = ir_.CreateICmpSLE(ir_.getInt64(kStreamed / stored), f_.operand(store->stream));
  BasicBlock* near = f_.newBlock("fetch");
  BasicBlock* after = f_.newBlock("fetched");
  ir_.CreateCondBr(is_large, near, after);
  ir_.SetInsertPoint(near);
  Value* at = ir_.CreateGEP(memoryType(f_.context_, scalar), f_.pointer(n.buffer), line->first);
  const uint64_t bytes = width_ * static_cast<uint64_t>(prim::byteSize(scalar));
  Value *read = ir_.getInt32(0), *second_cache = ir_.getInt32(2), *data = ir_.getInt32(1);
  for (uint64_t byte = 0; byte < bytes; byte += kLine) {
    Value* place = ir_.CreateGEP(ir_.getInt8Ty(), at, ir_.getInt64(byte));
    ir_.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                        {place, read, second_cache, data});
  }
  ir_.CreateBr(after);
  ir_.SetInsertPoint(after);
}

}  // namespace halo::jit

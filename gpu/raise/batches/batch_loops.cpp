// The loop becomes three: iterations until its rows are at a multiple of 16 bytes, batches, and the
// rest. A batch first loads for all of its iterations; these follow in order, and their stores to
// rows come last.
#include <algorithm>
#include <iterator>

#include "gpu/raise/batches/batch_accesses.h"
#include "gpu/raise/raise.h"
#include "lang/imp/schedule/split_loops.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr size_t kMaxBatchedCode = 64;  // statements of a body, which stands six times then
constexpr size_t kMaxShortCode = 24;    // of one that stands nine times
constexpr int64_t kVectorBytes = 16;
constexpr int64_t kLongConstant = 32;  // iterations

Operand i64(int64_t value) { return Operand::ofI64(value); }

// Of one loop.
class Batches {
 public:
  Batches(Program& program, const IndexPolynomials& places, const For& loop, const EarlyCode& early,
          const BatchAccesses& accesses, int64_t iterations)
      : program_(program),
        places_(places),
        loop_(loop),
        early_(early),
        accesses_(accesses),
        iterations_(iterations),
        code_(program) {}

  Block run() {
    Operand begin = loop_.lo;
    if (accesses_.hasVectors()) {
      begin = firstAligned();
      piece(loop_.lo, begin);
    }
    // An end near the lowest number, less a begin, would wrap.
    const Operand count = code_.sub(code_.max(loop_.hi, begin), begin);
    const Operand trips = code_.prim(Op::kMachineDiv, ScalarType::kI64, {count, i64(iterations_)});
    For often = loop_;
    often.var = program_.addVar("batch", ScalarType::kI64);
    often.lo = i64(0), often.hi = trips;
    often.body =
        code_.capture([&] { batch(code_.add(begin, code_.mul(often.var, i64(iterations_)))); });
    code_.append(std::move(often));
    piece(code_.add(begin, code_.mul(trips, i64(iterations_))), loop_.hi);
    return code_.take();
  }

 private:
  void piece(const Operand& lo, const Operand& hi) {
    For part = loop_;
    part.var = program_.addVar(program_.vars[loop_.var].name, ScalarType::kI64);
    part.lo = lo, part.hi = hi;
    part.body = copyOf(program_, loop_.body, {{loop_.var, part.var}}, {});
    code_.append(std::move(part));
  }

  // Rows that go down are at the end of a vector first.
  Operand firstAligned() {
    Known known = {{loop_.var, loop_.lo}};
    const Operand place = early_.emit(code_, accesses_.firstVector().index, known);
    const Operand left = accesses_.step == 1 ? code_.sub(i64(0), place) : code_.add(place, i64(1));
    const Operand steps = code_.prim(Op::kAnd, ScalarType::kI64, {left, i64(kBatch - 1)});
    return code_.max(code_.min(code_.add(loop_.lo, steps), loop_.hi), loop_.lo);
  }

  void batch(const Operand& first) {
    known_.assign(static_cast<size_t>(iterations_), {});
    for (size_t k = 0; k < known_.size(); ++k) {
      known_[k][loop_.var] = code_.add(first, i64(static_cast<int64_t>(k)));
    }
    for (const Access& access : accesses_.loaded) load(access);
    for (const Access& access : accesses_.loads) {
      const VarId var = varOf(access);
      const bool is_once = !moves(places_, loop_, access);
      for (Known& known : known_) {
        if (is_once) known.insert_or_assign(var, early_.emit(code_, var, known_[0]));
        early_.emit(code_, var, known);
      }
    }
    std::vector<std::vector<VarId>> values;  // by stored vector and iteration
    for (const Access& access : accesses_.stored) values.push_back(declareValues(access));
    for (size_t k = 0; k < known_.size(); ++k) iteration(k, values);
    for (size_t n = 0; n < values.size(); ++n) store(accesses_.stored[n], values[n]);
  }

  VarId varOf(const Access& load) const { return std::get<Let>(loop_.body[load.at].node).var; }

  std::vector<VarId> declareValues(const Access& access) {
    std::vector<VarId> values;
    const ScalarType type = program_.buffers[access.buffer].type;
    for (size_t k = 0; k < known_.size(); ++k) {
      values.push_back(code_.declare("stored", type, prim::zero(type)));
    }
    return values;
  }

  void iteration(size_t k, const std::vector<std::vector<VarId>>& values) {
    Block body = loop_.body;
    for (size_t n = 0; n < values.size(); ++n) {
      const size_t at = accesses_.stored[n].at;
      body[at] = {Assign{values[n][k], std::get<Store>(loop_.body[at].node).value}};
    }
    for (Stm& stm : copyOf(program_, body, known_[k], {})) code_.append(std::move(stm.node));
  }

  // Calls `each` with a vector's first place and the iterations of its elements.
  void forVectors(const Access& access,
                  const std::function<void(const Operand&, const std::vector<size_t>&)>& each) {
    const auto bytes = static_cast<int64_t>(prim::byteSize(program_.buffers[access.buffer].type));
    const auto width = static_cast<size_t>(kVectorBytes / bytes);
    for (size_t k = 0; k < known_.size(); k += width) {
      std::vector<size_t> elements;
      for (size_t e = 0; e < width; ++e) elements.push_back(k + e);
      if (accesses_.step < 0) std::reverse(elements.begin(), elements.end());
      each(early_.emit(code_, access.index, known_[elements[0]]), elements);
    }
  }

  void load(const Access& access) {
    const VarId var = varOf(access);
    const VarInfo info = program_.vars[var];
    forVectors(access, [&](const Operand& index, const std::vector<size_t>& elements) {
      LoadVector vector{{}, access.buffer, index};
      for (const size_t k : elements) {
        const VarId own = program_.addVar(info.name, info.type);
        known_[k].insert_or_assign(var, own);
        vector.vars.push_back(own);
      }
      code_.append(std::move(vector));
    });
  }

  void store(const Access& access, const std::vector<VarId>& values) {
    forVectors(access, [&](const Operand& index, const std::vector<size_t>& elements) {
      StoreVector vector{access.buffer, index, {}};
      for (const size_t k : elements) vector.values.emplace_back(values[k]);
      code_.append(std::move(vector));
    });
  }

  Program& program_;
  const IndexPolynomials& places_;
  const For& loop_;
  const EarlyCode& early_;
  const BatchAccesses& accesses_;
  int64_t iterations_;
  Builder code_;
  std::vector<Known> known_;  // by iteration of the batch
};

// A driver unrolls shorter loops of constant bounds itself.
bool isLong(const For& loop) {
  if (!loop.lo.isConstant() || !loop.hi.isConstant()) return true;
  return loop.hi.constant.asSigned() - loop.lo.constant.asSigned() >= kLongConstant;
}

// Straight code of a number of iterations that is known when it starts.
bool mayBatch(const Program& program, const For& loop) {
  const auto stays = [&](const Operand& bound) {
    return bound.isConstant() || !program.vars[bound.var].is_mutable;
  };
  bool is_straight = true;
  forEachStm(loop.body, [&](const Stm& stm) {
    is_straight &= !std::holds_alternative<For>(stm.node) &&
                   !std::holds_alternative<While>(stm.node) &&
                   !std::holds_alternative<Fail>(stm.node);
  });
  return is_straight && isLong(loop) && stays(loop.lo) && stays(loop.hi) &&
         loop.schedule == Schedule::kSequential &&
         program.vars[loop.var].type == ScalarType::kI64 &&
         countStms(loop.body) <= kMaxBatchedCode && mayBeCopied(loop.body);
}

// Divisions and roots are long code (exact_division.cpp). Measured on an H200, by eight iterations
// and by four: a filter along 16,384 columns 64 us and 89, a Thomas solver 1,063 and 877.
bool isShort(const For& loop) {
  return countStms(loop.body) <= kMaxShortCode &&
         std::none_of(loop.body.begin(), loop.body.end(), [](const Stm& stm) {
           const auto* prim = boundAs<Prim>(stm);
           return prim != nullptr && prim::isFloat(prim->type) &&
                  (prim->op == Op::kDiv || prim->op == Op::kSqrt);
         });
}

// Kernels in which each invocation works alone. The templates of others order their own accesses.
bool isOfCells(const Program& program, const Function& kernel) {
  bool is_shared = false;
  forEachStm(kernel.body, [&](const Stm& stm) {
    is_shared |= std::holds_alternative<Barrier>(stm.node) ||
                 std::holds_alternative<LoadVector>(stm.node) ||
                 std::holds_alternative<StoreVector>(stm.node) ||
                 std::holds_alternative<Atomic>(stm.node) || boundAs<Shuffle>(stm) != nullptr;
    forEachBuffer(stm, [&](BufferId buffer) {
      const Space space = program.buffers[buffer].space;
      is_shared |= space == Space::kShared || space == Space::kMatrix;
    });
  });
  return !is_shared;
}

}  // namespace

Function batchLoops(Program& program, const Function& kernel) {
  Function result = kernel;
  if (!isOfCells(program, kernel)) return result;
  splitLoops(program, result, LoopsToSplit::kInnermost);
  const IndexPolynomials places(program, result);
  result.body = rewriteBlock(result.body, [&](Stm stm, Block& out) {
    const auto* loop = std::get_if<For>(&stm.node);
    if (loop == nullptr || !mayBatch(program, *loop)) return out.push_back(std::move(stm));
    for (const int64_t iterations : {kLongBatch, kBatch}) {
      if (iterations == kLongBatch && !isShort(*loop)) continue;
      const EarlyCode early(program, places, *loop, iterations);
      const auto accesses = batchAccesses(program, places, *loop, early);
      if (!accesses || (iterations == kLongBatch && accesses->hasVectors())) continue;
      Block made = Batches(program, places, *loop, early, *accesses, iterations).run();
      std::move(made.begin(), made.end(), std::back_inserter(out));
      return;
    }
    out.push_back(std::move(stm));
  });
  return result;
}

}  // namespace halo::gpu

// The rules of ir.h. Variables are defined before their uses and bound once, types fit
// (verify_scope.h). Buffers are used where their space can be reached, operations are total, calls
// fit their functions (verify_calls.cpp).
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/diag/failure_operands.h"
#include "lang/imp/schedule/transposed_tiles.h"
#include "lang/imp/schedule/vector_loops.h"
#include "lang/imp/text.h"
#include "lang/imp/verify_scope.h"

namespace halo::imp {
namespace {

class Verifier : VerifyScope {
 public:
  using VerifyScope::VerifyScope;

  std::string run() {
    verifyName(*this);
    data();
    for (VarId var : function().scalars) define(var);
    for (BufferId buffer : function().buffers) place(buffer);
    for (const Function::EntryParam& param : function().entry_params) {
      for (const Operand& extent : param.shape) use(extent, ScalarType::kI64);
    }
    for (const Stm& statement : function().body) stm(statement);
    for (const EntryResult& result : function().results) {
      if (const auto* scalar = std::get_if<Operand>(&result)) use(*scalar);
      if (const auto* array = std::get_if<ArrayResult>(&result)) {
        elementType(array->buffer);
        use(array->offset, ScalarType::kI64);
        for (const Operand& extent : array->shape) use(extent, ScalarType::kI64);
      }
    }
    for (VarId var : function().result_vars) use(var);
    need(!isKernel() || function().result_vars.size() + function().result_buffers.size() == 0,
         "a kernel with results");
    for (BufferId buffer : function().result_buffers) elementType(buffer);
    return problem();
  }

 private:
  void block(const Block& block) {
    const size_t before = mark();
    for (const Stm& stm : block) this->stm(stm);
    closeScope(before);
  }

  ScalarType expr(const Expr& e) {
    return base::match(
        e, [&](const Prim& n) { return primType(n); },
        [&](const Convert& n) { return convertType(n); },
        [&](const Select& n) {
          use(n.condition, ScalarType::kBool);
          use(n.on_true);
          use(n.on_false);
          ScalarType type = isFine() ? typeOf(n.on_true) : ScalarType::kI64;
          use(n.on_false, type);
          return type;
        },
        [&](const Load& n) {
          need(!n.transposed || may_transpose_, "a transposed load outside of a tile");
          useIndex(n.index);
          return elementType(n.buffer);
        },
        [&](const BuiltInValue& n) { return builtInType(n); },
        [&](const Shuffle& n) {
          need(isKernel() || in_lanes_,
               "a shuffle outside of a kernel and of lanes of as many iterations");
          use(n.value);
          use(n.lane, ScalarType::kU32);
          return isFine() ? typeOf(n.value) : ScalarType::kU32;
        },
        [&](const Fma& n) {
          need(isKernel(), "fma outside of a kernel");
          need(n.type == ScalarType::kF32 || n.type == ScalarType::kF64, "fma of another type");
          for (const Operand& o : {n.a, n.b, n.c}) use(o, n.type);
          return n.type;
        });
  }

  ScalarType convertType(const Convert& n) {
    use(n.arg, n.from);
    const bool same_size = prim::byteSize(n.from) == prim::byteSize(n.to);
    need(n.kind != prim::ConvertKind::kBits || same_size, "bits of another number of bytes");
    return n.to;
  }

  ScalarType builtInType(const BuiltInValue& n) {
    if (n.what == BuiltIn::kThreads) {
      need(!isKernel(), "threads in a kernel");
      return ScalarType::kI64;
    }
    need(isKernel(), "a kernel's value outside of a kernel");
    return ScalarType::kU32;
  }

  ScalarType primType(const Prim& n) {
    need(prim::existsAt(n.op, n.type), "an operation that its type does not have");
    need(n.args.size() == static_cast<size_t>(prim::info(n.op).arity),
         "wrong number of operands of an operation");
    need(!prim::canFail(n.op, n.type), "an operation that can fail");
    for (const Operand& arg : n.args) use(arg, n.type);
    return prim::resultType(n.op, n.type);
  }

  void check(const Atomic& n) {
    ScalarType type = elementType(n.buffer);
    need(isKernel(), "an atomic operation outside of a kernel");
    need(prim::isInteger(type) && prim::byteSize(type) >= 4, "atomics work on 4 and 8 bytes");
    useIndex(n.index);
    use(n.value, type);
    need(n.op != AtomicOp::kLoad || n.old.valid(), "an atomic load of nothing");
    if (!n.old.valid()) return;
    define(n.old);
    need(program().vars[n.old].type == type && prim::isUnsigned(type),
         "what an atomic operation found is of the buffer's unsigned type");
  }

  void stm(const Stm& s) {
    base::match(s.node, [&](const auto& node) { check(node); });
  }

  void check(const Let& n) {
    ScalarType type = expr(n.expr);
    define(n.var);
    if (isFine() && program().vars[n.var].type != type) {
      complain(fmt::format("`{}` has another type than its value", nameOf(n.var)));
    }
  }

  void check(const Declare& n) {
    use(n.initial, program().vars[n.var].type);
    define(n.var);
    need(program().vars[n.var].is_mutable, "`var` of an immutable variable");
  }

  void check(const Assign& n) {
    use(n.var);
    use(n.value, program().vars[n.var].type);
    need(program().vars[n.var].is_mutable, "assignment to an immutable variable");
  }

  void check(const Store& n) {
    useIndex(n.index);
    use(n.value, elementType(n.buffer));
    use(n.stream, ScalarType::kI64);
    if (!isFine()) return;
    need(program().buffers[n.buffer].contents.empty(), "a store into constant data");
  }

  void check(const For& n) {
    ScalarType type = program().vars[n.var].type;
    need(prim::isInteger(type), "a loop counts with a number that is no integer");
    use(n.lo, type), use(n.hi, type);
    const size_t before = mark();
    define(n.var);
    const bool outer = in_lanes_, outer_parallel = in_parallel_, outer_tile = may_transpose_;
    const bool outer_in_tile = in_tile_;
    const std::vector<VarId> transposed = markedTransposed(n);
    if (!transposed.empty()) {
      may_transpose_ = transposed == transposedLoads(program(), n.body, n.var);
    }
    if (transposed.empty() && !in_tile_) checkVectorCode(n);
    in_tile_ = !transposed.empty();
    in_lanes_ = n.lanes && n.lo == Operand::ofI64(0) && n.hi == Operand::ofI64(n.vector_width);
    in_parallel_ = n.schedule == Schedule::kParallel;
    block(n.body);
    in_lanes_ = outer, in_parallel_ = outer_parallel, may_transpose_ = outer_tile;
    in_tile_ = outer_in_tile;
    closeScope(before);
  }

  void checkVectorCode(const For& n) {
    need(!isKernel() || !n.lanes, "a loop marked `lanes` in a kernel");
    const VectorCode code = isKernel() ? VectorCode::kNone : markedVectorCode(n);
    if (code == VectorCode::kLanes) {
      need(mayRunInLanes(program(), n.body),
           "a loop marked `lanes` whose body cannot run in lanes");
    } else if (code == VectorCode::kVectoriser) {
      need(mayBeVectorised(program(), uses_, n.body),
           "a vector loop without `lanes` that LLVM cannot vectorise");
    }
  }

  void check(const OrderedSection&) {
    need(in_parallel_, "an ordered section outside of a parallel loop");
  }

  void check(const While& n) {
    const size_t before = mark();
    for (const Stm& one : n.before) stm(one);
    use(n.condition, ScalarType::kBool);
    block(n.body);
    closeScope(before);
  }

  void check(const If& n) {
    use(n.condition, ScalarType::kBool);
    block(n.then_block);
    block(n.else_block);
  }

  void check(const Alloc& n) {
    use(n.elements, ScalarType::kI64);
    place(n.buffer);
    needMovable(n.buffer);
    if (n.holds != Holds::kAnything) needDevice(n.buffer);
  }

  void check(const Free& n) { needMovable(n.buffer); }

  void check(const Rebind& n) {
    place(n.dst);
    needSameKind(n.dst, n.src);
  }

  void check(const Swap& n) { needSameKind(n.a, n.b); }

  void check(const Fail& n) {
    need(n.site >= 0 && static_cast<size_t>(n.site) < program().sites.size(), "unknown site");
    for (const Operand& o : n.operands) useOperandOfFailure(o);
    if (n.site < 0 || static_cast<size_t>(n.site) >= program().sites.size()) return;
    diag::Code code = program().sites[static_cast<size_t>(n.site)].code;
    // Code for a device asks for another engine: no version fits, or a loop would not finish.
    bool gives_up = code == diag::Code::engine_unsupported && n.operands.empty();
    auto halves = std::count_if(n.operands.begin(), n.operands.end(),
                                [&](const Operand& o) { return typeOf(o) == ScalarType::kU32; });
    size_t count = n.operands.size() - static_cast<size_t>(halves) / 2;
    need(gives_up || diag::isRunTimeFailure(code, count),
         "fail with a code and operands of no run-time failure");
  }

  void check(const Barrier&) { need(isKernel(), "a barrier outside of a kernel"); }

  void check(const Launch& n) {
    need(!isKernel(), "a launch in a kernel");
    need(n.groups.size() == 3, "a launch needs three group counts");
    for (const Operand& o : n.groups) use(o, ScalarType::kI64);
    for (const Operand& o : n.scalars) use(o);
    verifyLaunch(*this, n);
  }

  void check(const ExitFlag& n) {
    place(n.buffer);
    need(elementType(n.buffer) == ScalarType::kU32, "an exit flag that is no u32");
  }

  void check(const ReadScalar& n) {
    need(!isKernel(), "a read for the host in a kernel");
    useIndex(n.index);
    define(n.var);
    need(program().vars[n.var].type == elementType(n.buffer), "a read of another type");
  }

  void check(const Call& n) {
    for (const Operand& o : n.scalars) use(o);
    verifyCall(*this, n);
    for (VarId var : n.results) define(var);
  }

  void check(const LoadVector& n) {
    useIndex(n.index);
    ScalarType type = elementType(n.buffer);
    const bool is_device = isFine() && program().buffers[n.buffer].space == Space::kDevice;
    const bool as_words = is_device && prim::byteSize(type) < 4 && n.vars.size() == 4;
    if (as_words) type = ScalarType::kU32;
    for (VarId var : n.vars) {
      define(var);
      need(program().vars[var].type == type, "a vector of another type than its buffer");
    }
    vector(type, n.vars.size());
  }

  // The rows and columns of a matrix.
  std::pair<int64_t, int64_t> shape(BufferId buffer) {
    elementType(buffer);
    if (!isFine()) return {0, 0};
    const BufferInfo& info = program().buffers[buffer];
    const bool is_whole = info.space == Space::kMatrix && info.matrix_rows > 0 &&
                          info.constant_elements % info.matrix_rows == 0;
    need(is_whole, "a buffer that is no matrix");
    if (!isFine()) return {0, 0};
    return {info.matrix_rows, info.constant_elements / info.matrix_rows};
  }

  void check(const MatrixOp& n) {
    using Kind = MatrixOp::Kind;
    need(isKernel(), "a matrix outside of a kernel");
    const auto [rows, columns] = shape(n.matrix);
    if (n.kind == Kind::kMultiply) {
      const auto [a_rows, depth] = shape(n.a);
      const auto [b_rows, b_columns] = shape(n.b);
      need(a_rows == rows && b_columns == columns && depth == b_rows,
           "matrices whose extents do not agree");
      need(elementType(n.a) == elementType(n.b), "factors of two element types");
    } else if (n.kind != Kind::kClear) {
      elementType(n.memory);
      useIndex(n.index), useIndex(n.pitch);
      if (isFine()) {
        const Space space = program().buffers[n.memory].space;
        need(space == Space::kDevice || space == Space::kShared, "a matrix of no memory");
      }
    }
  }

  void check(const StoreVector& n) {
    useIndex(n.index);
    ScalarType type = elementType(n.buffer);
    for (const Operand& value : n.values) use(value, type);
    vector(type, n.values.size());
  }

  void check(const Append& n) {
    need(!isKernel(), "append in a kernel");
    need(n.next.valid() && !n.buffers.empty() && n.buffers.size() == n.values.size(),
         "append needs a place and a value for each buffer");
    if (!isFine()) return;
    use(n.next, ScalarType::kI64);
    need(program().vars[n.next].is_mutable, "assignment to an immutable variable");
    use(n.condition, ScalarType::kBool);
    for (size_t k = 0; k < n.values.size(); ++k) use(n.values[k], elementType(n.buffers[k]));
  }

  void vector(ScalarType type, size_t count) {
    need(isKernel(), "a vector outside of a kernel");
    bool fits = static_cast<size_t>(prim::byteSize(type)) * count == 16;
    need(fits, "a vector is 16 bytes");
  }

  void data() {
    for (const BufferInfo& info : program().buffers) {
      for (const Scalar& scalar : info.contents) {
        need(scalar.type == info.type, "constant data of another type than its buffer");
      }
    }
  }

  void check(const CopyBuffer& n) {
    need(elementType(n.dst) == elementType(n.src), "a copy between two element types");
    if (isFine()) {
      need(program().buffers[n.dst].contents.empty(), "a copy into constant data");
    }
    use(n.dst_offset, ScalarType::kI64);
    use(n.src_offset, ScalarType::kI64);
    use(n.count, ScalarType::kI64);
  }

  bool in_lanes_ = false;     // straight in lanes of as many iterations
  bool in_parallel_ = false;  // straight in a parallel loop
  bool in_tile_ = false;      // in a loop with transposed loads
  const BufferUses uses_ = bufferUses(function().body);
  bool may_transpose_ = false;  // in loops whose transposed loads are those that are marked
};

}  // namespace

diag::Result<std::monostate> verify(const Program& program) {
  for (const Function& function : program.functions) {
    std::string problem = Verifier(program, function).run();
    if (problem.empty()) continue;
    return diag::fail(diag::Code::invalid_imp, {},
                      fmt::format("in function `{}`: {}", function.name, problem),
                      {print(program, function)});
  }
  return std::monostate{};
}

void mustVerify(const Program& program) {
  auto verified = verify(program);
  if (verified) return;
  base::checkFailed("lang/imp/verify.cpp", __LINE__, "verify", verified.error().message.c_str());
}

}  // namespace halo::imp

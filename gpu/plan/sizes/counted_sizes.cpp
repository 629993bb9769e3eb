// The pattern that stands for a size with a bound, and the kernels that may take such sizes.
#include "gpu/plan/sizes/counted_sizes.h"

#include <algorithm>

#include "gpu/plan/code_behind.h"
#include "gpu/plan/host_code.h"
#include "gpu/plan/nests/in_order.h"
#include "gpu/plan/nests/lane_cells.h"
#include "gpu/plan/nodes/atomic_hist.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

// `index box[0]`, where `box` holds the value.
bool reads(const Program& program, const Body& arm, ValueId value) {
  if (arm.stms.size() != 2 || !isBox(kernelOf(program, arm.stms[0]))) return false;
  const auto* index = std::get_if<Index>(&arm.stms[1].expr);
  return std::get<Call>(arm.stms[0].expr).args == Operands{value} && index != nullptr &&
         index->array == arm.stms[0].results[0] && arm.results[0] == arm.stms[1].results[0];
}

// `i64.le size kMaxCounted`, or a lower limit
bool isSmallTest(const Stm* stm, const Operand& size) {
  const auto* test = stm == nullptr ? nullptr : std::get_if<PrimOp>(&stm->expr);
  return test != nullptr && test->op == Op::kLe && test->type == ScalarType::kI64 &&
         test->args[0] == size && isSmallSize(test->args[1]);
}

class Takes {
 public:
  Takes(const Program& program, ValueId size) : program_(program), size_(size) {}

  bool by(const Function& kernel) {
    const KernelInfo& info = kernel.kernel[0];
    const bool has_kind = info.kind == KernelKind::kMap || info.kind == KernelKind::kReduce ||
                          info.kind == KernelKind::kScan || info.kind == KernelKind::kScatter ||
                          info.kind == KernelKind::kHist;
    if (!has_kind) return false;
    if (info.space.empty()) return byOne(kernel);
    const bool is_alone = info.space == Operands{size_};
    if (!is_alone && isIn(info.space)) return false;
    for (const ValueId param : kernel.params) {
      if (!isOutermost(program_.type(param).shape)) return false;
    }
    for (const Operand& result : kernel.body.results) {
      const Operands& shape = program_.type(result).shape;
      if (isIn(shape) && (!isOutermost(shape) || shape.size() > 1)) return false;
    }
    const std::vector<Stm>& stms = kernel.body.stms;
    has_own_cells_ = haveOwnInvocations(kernel);
    const auto behind = stms.begin() + static_cast<std::ptrdiff_t>(countOwn(kernel));
    return std::all_of(stms.begin(), behind, [&](const Stm& stm) { return by(stm); }) &&
           !isSizeIn(program_, codeBehind(kernel), size_);
  }

 private:
  // One invocation reads elements of arrays of that length.
  bool byOne(const Function& kernel) const {
    const auto mentions = [&](const auto& value) { return isIn(program_.type(value).shape); };
    return std::all_of(kernel.params.begin(), kernel.params.end(),
                       [&](ValueId param) { return isOutermost(program_.type(param).shape); }) &&
           std::none_of(kernel.body.results.begin(), kernel.body.results.end(), mentions) &&
           !isSizeIn(program_, kernel.body, size_);
  }
  bool isIn(const Operands& operands) const {
    return std::find(operands.begin(), operands.end(), Operand(size_)) != operands.end();
  }
  // Strides of the other axes do not depend on it.
  bool isOutermost(const Operands& shape) const {
    return shape.empty() ||
           std::find(shape.begin() + 1, shape.end(), Operand(size_)) == shape.end();
  }
  // One of the kernel's own statements, whose cells are elements.
  bool by(const Stm& stm) const {
    const bool has_kind =
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr) ||
        std::holds_alternative<Copy>(stm.expr) || std::holds_alternative<Scratch>(stm.expr) ||
        std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Scatter>(stm.expr) ||
        std::holds_alternative<Concat>(stm.expr) || isUnordered(stm);
    if (!has_kind) return false;
    bool inside = true;
    visitBodies(stm.expr, [&](const Body& body) {
      inside = inside && !isSizeIn(program_, body, size_) && (has_own_cells_ || !hasNodes(body));
    });
    const auto* node = std::get_if<Screma>(&stm.expr);
    return inside && (node == nullptr || hasNoOrder(*node));
  }
  // Cells that reduce rows, each in its invocation: neither lanes nor a workgroup share one, and no
  // cell wants memory.
  bool haveOwnInvocations(const Function& kernel) const {
    const Stm& last = kernel.body.stms.back();
    const auto* nest = std::get_if<Screma>(&last.expr);
    if (kernel.kernel[0].kind != KernelKind::kMap || nest == nullptr) return false;
    if (nest->flattening.has(Flattening::kOnlyIntra) || asLaneCells(program_, kernel)) return false;
    bool are_scalars = true;
    visitStms(nest->map.body, [&](const Stm& stm) {
      const bool makes_array =
          !std::holds_alternative<Index>(stm.expr) && !std::holds_alternative<Iota>(stm.expr) &&
          !std::holds_alternative<Slice>(stm.expr) && !std::holds_alternative<Literal>(stm.expr);
      are_scalars = are_scalars && (!makes_array || haveScalars(stm.results));
    });
    return are_scalars;
  }
  bool haveScalars(const std::vector<ValueId>& results) const {
    return std::all_of(results.begin(), results.end(),
                       [&](ValueId result) { return program_.type(result).isScalar(); });
  }
  // Cells of several statements may be lanes of a subgroup, or a workgroup.
  static bool hasNodes(const Body& body) {
    return std::any_of(body.stms.begin(), body.stms.end(), [](const Stm& stm) {
      bool inside = false;
      visitBodies(stm.expr, [&](const Body& inner) { inside = inside || hasNodes(inner); });
      return inside || std::holds_alternative<Screma>(stm.expr);
    });
  }
  // A histogram of integers: in which order elements are combined does not show.
  bool isUnordered(const Stm& stm) const {
    const auto* hist = std::get_if<Hist>(&stm.expr);
    return hist != nullptr && std::all_of(hist->operations.begin(), hist->operations.end(),
                                          [&](const HistOp& operation) {
                                            return memoryAtomicOperator(program_, operation);
                                          });
  }
  // Chunks are parts of the room, whatever the size is.
  bool hasNoOrder(const Screma& node) const {
    const auto isScalar = [&](const Operand& neutral) { return program_.type(neutral).isScalar(); };
    const auto areScalars = [&](const auto& one) {
      return std::all_of(one.neutral.begin(), one.neutral.end(), isScalar);
    };
    return !hasOrder(program_, node) &&
           std::all_of(node.scans.begin(), node.scans.end(), areScalars) &&
           std::all_of(node.reductions.begin(), node.reductions.end(), areScalars);
  }

  const Program& program_;
  ValueId size_;
  bool has_own_cells_ = false;  // of the kernel asked for
};

}  // namespace

bool isBox(const Function* kernel) {
  if (kernel == nullptr || kernel->params.size() != 1 || kernel->body.stms.size() != 1)
    return false;
  const auto* literal = std::get_if<ArrayLiteral>(&kernel->body.stms[0].expr);
  return literal != nullptr && literal->elements == Operands{kernel->params[0]};
}

bool isSmallSize(const Operand& size) {
  return size.isConstant() && size.constant.asSigned() <= kMaxCounted;
}

std::optional<CountedSize> countedSize(const Program& program, const Stm& stm,
                                       const MakerOf& statement) {
  const auto* least = std::get_if<PrimOp>(&stm.expr);
  if (least == nullptr || least->op != Op::kMin || least->type != ScalarType::kI64) return {};
  if (least->args[0].isConstant()) return {};
  const ValueId own = least->args[0].value;
  const Operand most = least->args[1];
  if (isSmallSize(most)) return CountedSize{own, most};
  const Stm* made = most.isConstant() ? nullptr : statement(most.value);
  const auto* choice = made == nullptr ? nullptr : std::get_if<Match>(&made->expr);
  if (choice == nullptr || choice->cases.size() != 1) return {};
  const Case& small = choice->cases[0];
  // A constant is the test of a loop around (unswitch_reads.h).
  const bool is_tested = choice->scrutinee == Operand(Scalar::ofBool(true)) ||
                         (!choice->scrutinee.isConstant() &&
                          isSmallTest(statement(choice->scrutinee.value), small.body.results[0]));
  const bool is_bound = small.value == Scalar::ofBool(true) && small.body.stms.empty() &&
                        is_tested && reads(program, choice->otherwise, own);
  return is_bound ? std::optional(CountedSize{own, most}) : std::nullopt;
}

Stm boxed(Program& program, ValueId scalar, const std::string& name) {
  const Type type{program.type(scalar).scalar, {kOne}};
  Function function;
  function.name = name;
  function.kernel = {{KernelKind::kMap, {}}};
  function.params = {program.add(program.values[scalar].name, program.type(scalar))};
  function.consumed = {false};
  const ValueId held = program.add("held", type);
  function.body.stms.push_back(
      {{held}, ArrayLiteral{type.scalar, {function.params[0]}}, false, {}});
  function.body.results = {held};
  function.results = {program.add("r", type)};
  program.functions.push_back(std::move(function));
  return {{program.add("held", type)}, Call{name, {scalar}}, false, {}};
}

bool takesCounted(const Program& program, const Function& kernel, size_t param) {
  return Takes(program, kernel.params[param]).by(kernel);
}

}  // namespace halo::gpu

// Reductions, whole or of a nest's segments (docs/gpu.md#reductions): by the schedule of each
// version. The facts that guards ask for are those of one launch: which inputs lie in memory as a
// schedule reads them.
#include "gpu/schedule/reduce/segment_reads.h"
#include "gpu/templates/cells/row_cells.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/product/matrix_kernel.h"
#include "gpu/templates/product/product.h"
#include "gpu/templates/reduce/column_reduce.h"
#include "gpu/templates/reduce/column_vectors.h"
#include "gpu/templates/reduce/run_reduce.h"
#include "gpu/templates/reduce/subgroup_reduce.h"
#include "gpu/templates/reduce/tile_segments.h"
#include "gpu/templates/reduce/workgroup_reduce.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

// Whether neighbouring elements of a segment lie at a stride in memory, and those of neighbouring
// segments lie together: column sums.
bool hasStridedInput(const ReduceNest& nest) {
  if (nest.outer.empty()) return false;
  bool is_strided = false;
  nest.host.capture([&] {
    Environment environment = nest.call.arguments;
    LoweringTarget target;
    target.allocate = [&](Builder& builder, const std::string& name, ScalarType type,
                          const Operands& shape) {
      BufferId none = builder.buffer(name, type, Space::kDevice);
      return denseArray(builder, none, i64(0), type, shape);
    };
    const Operands first(nest.outer.extents().size(), i64(0));
    nest.outer.bind(nest.host, environment, target, first);
    for (core::ValueId input : nest.screma.inputs) {
      const ArrayRef& array = environment.arrays.at(input);
      is_strided = is_strided || (!array.isVirtual() && array.strides[0] != i64(1));
    }
  });
  return is_strided;
}

class ReduceTemplate {
 public:
  ReduceTemplate(Program& program, Builder& host, const KernelCall& call)
      : nest_(program, host, call),
        flat_(call, nest_.levels),
        rows_(program, host, call, nest_.levels) {}

  TemplateResult run() {
    // Several versions are emitted for segments alone, which have no scalar results.
    TemplateResult result;
    const QuantityOperand quantity = [&](Quantity which) { return operand(which); };
    emitVersions(nest_.host, nest_.call, quantity, [&](const Schedule& schedule) {
      const TemplateResult made = emit(schedule);
      result.supported = result.supported && made.supported;
      if (!made.scalars.empty()) result.scalars = made.scalars;
    });
    return result;
  }

 private:
  TemplateResult emit(const Schedule& schedule) {
    if (const auto* s = std::get_if<ProductSchedule>(&schedule)) {
      return emitProduct(nest_, *inputs(), *s);
    }
    if (const auto* s = std::get_if<MatrixProductSchedule>(&schedule)) {
      return emitMatrixProduct(nest_, *inputs(), *s);
    }
    if (const auto* s = std::get_if<SplitProductSchedule>(&schedule)) {
      return emitSplitProduct(nest_, *inputs(), *s);
    }
    if (const auto* s = std::get_if<SubgroupReduceSchedule>(&schedule)) {
      return emitSubgroups(nest_, flat_, *s);
    }
    if (const auto* s = std::get_if<WorkgroupReduceSchedule>(&schedule)) {
      return emitWorkgroups(nest_, flat_, *s);
    }
    if (const auto* s = std::get_if<RowCellsSchedule>(&schedule)) return rows_.emit(*s);
    if (const auto* s = std::get_if<ColumnReduceSchedule>(&schedule)) {
      return s->neighbours > 1 ? emitColumnVectors(nest_, *s) : emitColumns(nest_, *s);
    }
    return emitRuns(nest_, std::get<ReduceSchedule>(schedule));
  }

  Operand operand(Quantity which) {
    auto fact = [](bool value) { return Operand(prim::Scalar::ofBool(value)); };
    switch (which) {
      case Quantity::kSegment:
        return nest_.width();
      case Quantity::kSegments:
        return nest_.wholeSegments();
      case Quantity::kTiledSegments:
        return tiledSegments(nest_, tileOfCall());
      case Quantity::kIsSegmentAligned: {
        const Operand rest = nest_.host.prim(Op::kAnd, ScalarType::kI64, {nest_.width(), i64(3)});
        return nest_.host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
      }
      case Quantity::kIsFlat:
        return fact(flat_.any());
      case Quantity::kIsInputStrided:
        return fact(hasStridedInput(nest_) ||
                    segmentsReadNeighbours(nest_.call.function, nest_.levels));
      case Quantity::kAreRowsDense:
        return areRowsDense(nest_);
      case Quantity::kIsProduct:
        return fact(inputs().has_value());
      case Quantity::kHasLines:
        return fact(inputs().has_value() && hasMatrixLines(nest_, *inputs()));
      case Quantity::kShortRow:
      case Quantity::kOuterCells:
      case Quantity::kInnerElements:
      case Quantity::kIsBeginAligned:
        return *rows_.quantity(which);
      default:
        return productQuantity(nest_, which);
    }
  }

  // Of the version whose guard asks for it.
  std::vector<int64_t> tileOfCall() const {
    const ReduceSchedule* tiled = nullptr;
    for (const ScheduleVersion& version : nest_.call.versions) {
      const auto* reduce = std::get_if<ReduceSchedule>(&version.schedule);
      if (reduce != nullptr && !reduce->tile.levels.empty()) tiled = reduce;
    }
    std::vector<int64_t> tile;
    for (size_t level = 0; level + 1 < nest_.levels.size(); ++level) {
      tile.push_back(tiled == nullptr ? 1 : tiled->cells(level));
    }
    return tile;
  }

  const std::optional<ProductInputs>& inputs() {
    if (!knows_inputs_) inputs_ = productInputs(nest_);
    knows_inputs_ = true;
    return inputs_;
  }

  ReduceNest nest_;
  FlatInputs flat_;
  RowCells rows_;
  bool knows_inputs_ = false;
  std::optional<ProductInputs> inputs_;  // asked for by is_product alone
};

}  // namespace

TemplateResult emitReduce(Program& program, Builder& host, const KernelCall& call) {
  return ReduceTemplate(program, host, call).run();
}

}  // namespace halo::gpu

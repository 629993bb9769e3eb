// A workgroup computes a tile of cells. It loads lines of both inputs into shared memory, some
// elements at a time. Each subgroup reads matrices from there and adds their products to its own
// cells. With two copies of the lines, one is filled while the other is read. Elements of a cell
// are combined in the order of their matrices.
#include "gpu/templates/product/matrix_kernel.h"

#include "gpu/templates/product/matrix_cells.h"
#include "gpu/templates/product/matrix_staging.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

MatrixForm formOf(const ReduceNest& nest) {
  const std::optional<MatrixForm> form = matrixForm(nest.call.core, nest.screma);
  HALO_CHECK(form.has_value(), "a product that no matrices compute");
  return *form;
}

size_t inputOf(const ProductInputs& inputs, ProductInputs::Along along) {
  return inputs.along[0] == along ? 0 : 1;
}

ProductSchedule placedTile(const MatrixProductSchedule& s) {
  ProductSchedule tile{s.rows, s.columns, s.depth, 0, 0};
  tile.band = s.band;
  return tile;
}

class MatrixKernel {
 public:
  // `row_lines`, `column_lines`: of the host.
  MatrixKernel(const ReduceNest& nest, const MatrixProductSchedule& schedule,
               const std::string& name, const Lines& row_lines, const Lines& column_lines)
      : schedule_(schedule),
        form_(formOf(nest)),
        scope_(nest.program, nest.host, nest.call, name),
        code_(scope_.code()),
        place_(scope_, nest, placedTile(schedule), nullptr),
        words_(scope_.shared("staged", ScalarType::kU32, (matrixSharedBytes(schedule) - 64) / 4)),
        number_(scope_.builtIn(BuiltIn::kSubgroup, schedule.threads() / schedule.lanes)),
        first_row_(ownFirst(true)),
        first_column_(ownFirst(false)),
        row_staging_(staging(row_lines, true)),
        column_staging_(staging(column_lines, false)),
        cells_(
            {scope_, nest, schedule, place_, form_, first_row_, first_column_, words_, number_}) {
    row_staging_.beginAt(first_row_);
    column_staging_.beginAt(first_column_);
    for (int64_t r = 0; r < cells_.down(); ++r) {
      rows_.push_back(addMatrix(code_, "a", form_.element, kMatrixSide, schedule.matrix_depth));
    }
    for (int64_t c = 0; c < cells_.across(); ++c) {
      columns_.push_back(addMatrix(code_, "b", form_.element, schedule.matrix_depth, kMatrixSide));
    }
  }

  bool run() {
    const Operand filled = code_.add(place_.depth, i64(schedule_.depth - 1));
    const Operand steps =
        code_.prim(Op::kMachineDiv, ScalarType::kI64, {filled, i64(schedule_.depth)});
    const Operand whole =
        code_.prim(Op::kMachineDiv, ScalarType::kI64, {place_.depth, i64(schedule_.depth)});
    if (schedule_.copies == 2) {
      inTwoCopies(whole);
    } else {
      inOneCopy(whole);
    }
    // None or one.
    code_.forLoop("step", whole, steps, [&](const Operand& step) {
      const Operand first_k = code_.mul(step, i64(schedule_.depth));
      load(Step::kCut, first_k);
      store(Step::kCut, i64(0), first_k);
      code_.append(Barrier{});
      multiply(i64(0));
      code_.append(Barrier{});
    });
    cells_.store();
    const int workgroup[3] = {static_cast<int>(schedule_.threads()), 1, 1};
    scope_.launch(workgroup, {place_.workgroups(), i64(1), i64(1)});
    return !scope_.unsupported();
  }

 private:
  using Step = MatrixStaging::Step;

  // Of the subgroup's cells within the tile.
  Operand ownFirst(bool is_row) {
    const int64_t down = schedule_.rows / schedule_.own_rows;
    const Op op = is_row ? Op::kMachineRem : Op::kMachineDiv;
    const Operand block = code_.prim(op, ScalarType::kI64, {number_, i64(down)});
    return code_.mul(block, i64(is_row ? schedule_.own_rows : schedule_.own_columns));
  }

  // Lines of rows come first in shared memory.
  MatrixStaging staging(const Lines& host_lines, bool is_row) {
    const int64_t lines = is_row ? schedule_.rows : schedule_.columns;
    MatrixRegion region{words_};
    region.first = is_row ? 0 : schedule_.copies * matrixWords(schedule_, schedule_.rows);
    region.size = matrixWords(schedule_, lines);
    region.pitch = matrixPitch(schedule_, host_lines.along_depth ? schedule_.depth : lines);
    const MatrixStaging::Tile tile{lines,
                                   schedule_.depth,
                                   schedule_.threads(),
                                   place_.lid,
                                   is_row ? place_.first_row : place_.first_column,
                                   is_row ? place_.left_rows : place_.left_columns,
                                   place_.depth};
    return {code_, tile, host_lines.in(scope_, place_.batch), region};
  }

  void inTwoCopies(const Operand& steps) {
    load(Step::kCut, i64(0));
    store(Step::kCut, i64(0), i64(0));
    code_.append(Barrier{});
    code_.forLoop("step", i64(0), steps, [&](const Operand& step) {
      const Operand copy = code_.prim(Op::kAnd, ScalarType::kI64, {step, i64(1)});
      const Operand next = behind(step, steps);
      load(Step::kWhole, next);
      if (schedule_.prefetch) multiply(copy);
      store(Step::kWhole, code_.sub(i64(1), copy), next);
      if (!schedule_.prefetch) multiply(copy);
      code_.append(Barrier{});
    });
  }

  void inOneCopy(const Operand& steps) {
    if (schedule_.prefetch) load(Step::kCut, i64(0));
    code_.forLoop("step", i64(0), steps, [&](const Operand& step) {
      const Operand first_k = code_.mul(step, i64(schedule_.depth));
      if (!schedule_.prefetch) load(Step::kWhole, first_k);
      store(Step::kWhole, i64(0), first_k);
      code_.append(Barrier{});
      if (schedule_.prefetch) load(Step::kWhole, behind(step, steps));
      multiply(i64(0));
      code_.append(Barrier{});
    });
  }

  // Where the next step begins; the last one is brought twice.
  Operand behind(const Operand& step, const Operand& steps) {
    const Operand last = code_.max(code_.sub(steps, i64(1)), i64(0));
    return code_.mul(code_.min(code_.add(step, i64(1)), last), i64(schedule_.depth));
  }

  void load(Step step, const Operand& first_k) {
    row_staging_.load(step, first_k);
    column_staging_.load(step, first_k);
  }
  void store(Step step, const Operand& copy, const Operand& first_k) {
    row_staging_.store(step, copy, first_k);
    column_staging_.store(step, copy, first_k);
  }

  void multiply(const Operand& copy) {
    for (int64_t k = 0; k < schedule_.depth; k += schedule_.matrix_depth) {
      for (size_t r = 0; r < rows_.size(); ++r) {
        const int64_t offset = static_cast<int64_t>(r) * kMatrixSide;
        row_staging_.loadMatrix(rows_[r], copy, offset, k, true);
      }
      for (size_t c = 0; c < columns_.size(); ++c) {
        const int64_t offset = static_cast<int64_t>(c) * kMatrixSide;
        column_staging_.loadMatrix(columns_[c], copy, offset, k, false);
      }
      for (size_t r = 0; r < rows_.size(); ++r) {
        for (size_t c = 0; c < columns_.size(); ++c) {
          MatrixOp multiply{MatrixOp::Kind::kMultiply,
                            cells_.sum(static_cast<int64_t>(r), static_cast<int64_t>(c))};
          multiply.a = rows_[r], multiply.b = columns_[c];
          code_.append(multiply);
        }
      }
    }
  }

  const MatrixProductSchedule& schedule_;
  MatrixForm form_;
  KernelScope scope_;
  Builder& code_;
  TilePlace place_;
  BufferId words_;
  Operand number_, first_row_, first_column_;
  MatrixStaging row_staging_, column_staging_;
  MatrixCells cells_;
  std::vector<BufferId> rows_, columns_;
};

Lines wantedLines(const ReduceNest& nest, const ProductInputs& inputs, size_t input) {
  const int64_t bytes = prim::byteSize(formOf(nest).element);
  std::optional<Lines> lines = linesOf(nest, inputs, input, bytes);
  HALO_CHECK(lines.has_value(), "a product without lines");
  lines->is_padded = true;
  return *lines;
}

std::string kernelName(const KernelCall& call, const MatrixProductSchedule& schedule) {
  static constexpr const char* kNames[] = {"_matrix_tile", "_small_matrix_tile",
                                           "_smaller_matrix_tile"};
  return call.function.name + kNames[numberOf(call, schedule)];
}

}  // namespace

bool hasMatrixLines(const ReduceNest& nest, const ProductInputs& inputs) {
  const std::optional<MatrixForm> form = matrixForm(nest.call.core, nest.screma);
  if (!form || !inputs.is_affine || inputs.along.size() != 2) return false;
  bool has_lines = true;
  nest.host.capture([&] {
    for (size_t input = 0; input < 2; ++input) {
      const int64_t bytes = prim::byteSize(form->element);
      has_lines = has_lines && linesOf(nest, inputs, input, bytes).has_value();
    }
  });
  return has_lines;
}

TemplateResult emitMatrixProduct(const ReduceNest& nest, const ProductInputs& inputs,
                                 const MatrixProductSchedule& schedule) {
  const std::string name = kernelName(nest.call, schedule);
  const auto prepared = [&](ProductInputs::Along along) {
    const size_t input = inputOf(inputs, along);
    const bool is_row = along == ProductInputs::Along::kRows;
    return aligned(nest, wantedLines(nest, inputs, input), is_row,
                   name + (is_row ? "_rows" : "_columns"));
  };
  const AlignedLines rows = prepared(ProductInputs::Along::kRows);
  const AlignedLines columns = prepared(ProductInputs::Along::kColumns);
  const bool supported = MatrixKernel(nest, schedule, name, rows.lines, columns.lines).run();
  for (const BufferId copied : {rows.copied, columns.copied}) {
    if (copied.valid()) nest.host.append(Free{copied});
  }
  return {{}, supported};
}

}  // namespace halo::gpu

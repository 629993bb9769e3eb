// One step of a stencil: large arrays by rows in registers, small ones and unusual stencils cell by
// cell.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/templates/stencil/stencil_cell.h"
#include "gpu/templates/stencil/stencil_rows.h"
#include "gpu/templates/templates.h"
#include "lang/imp/lower/boundary.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class StencilCell {
 public:
  StencilCell(KernelScope& scope, const core::Stencil& stencil, Environment& environment,
              const Operands& indices)
      : scope_(scope), stencil_(stencil), environment_(environment), indices_(indices) {}

  void bind() {
    size_t param = 0;
    for (const core::Window& window : stencil_.windows) {
      if (window.dynamic.empty()) {
        for (const std::vector<int64_t>& offset : window.offsets) {
          bindStatic(window, offset, stencil_.map.params[param++]);
        }
      } else {
        bindDynamic(window, stencil_.map.params[param++]);
      }
    }
    for (core::ValueId input : stencil_.inputs) {
      ArrayRef array = environment_.arrays.at(input);
      bindElement(scope_.code(), scope_.core(), environment_, stencil_.map.params[param++], array,
                  indices_);
    }
  }

 private:
  void bindStatic(const core::Window& window, const std::vector<int64_t>& offset,
                  core::ValueId param) {
    ArrayRef array = environment_.arrays.at(window.array);
    std::vector<Neighbour> at;
    Operands inside;
    for (size_t axis = 0; axis < offset.size(); axis++) {
      at.push_back(offset[axis] == 0
                       ? Neighbour{indices_[axis], {}}
                       : neighbourAt(scope_.code(), window.boundary[axis], indices_[axis],
                                     Operand::ofI64(offset[axis]), array.shape[axis]));
      inside.push_back(at.back().index);
    }
    Operand value = loadElement(scope_.code(), array, inside);
    environment_.scalars[param] =
        orConstant(scope_.code(), environment_, window.boundary, at, value);
  }

  // The neighbourhood is an array that is never stored: element j is loaded where it is used.
  void bindDynamic(const core::Window& window, core::ValueId param) {
    ArrayRef array = environment_.arrays.at(window.array);
    std::vector<ArrayRef> offsets;
    for (core::ValueId axis : window.dynamic) offsets.push_back(environment_.arrays.at(axis));
    ArrayRef around;
    around.type = array.type;
    around.shape = {offsets[0].shape[0]};
    around.generate = [array, offsets, indices = indices_, boundary = window.boundary,
                       environment = &environment_](Builder& code, const Operands& which) {
      std::vector<Neighbour> at;
      Operands inside;
      for (size_t axis = 0; axis < offsets.size(); axis++) {
        Operand offset = loadElement(code, offsets[axis], {which[0]});
        at.push_back(neighbourAt(code, boundary[axis], indices[axis], offset, array.shape[axis]));
        inside.push_back(at.back().index);
      }
      return orConstant(code, *environment, boundary, at, loadElement(code, array, inside));
    };
    environment_.arrays[param] = std::move(around);
  }

  KernelScope& scope_;
  const core::Stencil& stencil_;
  Environment& environment_;
  const Operands& indices_;
};

// Rows in registers pay from this many cells on; with fewer, one more launch costs more.
constexpr int64_t kRowsCells = 2'000'000;
constexpr int64_t kMostSlants = 4;  // kernels for alignment offsets of rows

class StencilKernels {
 public:
  StencilKernels(Program& program, Builder& host, const KernelCall& call, const Variants& variants)
      : program_(program),
        host_(host),
        call_(call),
        variants_(ofOneStep(variants)),
        stencil_(std::get<core::Stencil>(lastStatement(call).expr)),
        extents_(operandsOf(call.arguments, stencil_.space)) {}

  TemplateResult run() {
    std::optional<RowsShape> scalars = rowsShape(call_, stencil_, false);
    std::optional<Block> by_rows;
    if (scalars && mayBeRows()) by_rows = inRows(*scalars);
    if (!by_rows) {
      explain("one invocation for each cell");
      return cells();
    }
    std::optional<RowsShape> vectors = rowsShape(call_, stencil_, true);
    Operand large = isLarge(*scalars, rowsInterior(host_, stencil_, extents_));
    if (vectors) {
      Operand also = isLarge(*vectors, rowsInterior(host_, stencil_, extents_));
      large = both(large, also);
      begin_ = beginAtVectors(host_, call_, stencil_, vectors->columns);
      by_rows = inVectors(*vectors, std::move(*by_rows));
    }
    explain(
        fmt::format("from {} cells on, {} rows of {} cells an invocation, {}{}", leastCells(),
                    vectors ? vectors->rows : scalars->rows, vectors ? vectors->columns : 1,
                    (vectors ? vectors : scalars)->clamps ? "boundary at loads" : "peeled boundary",
                    has_slanted_ ? "; unaligned rows have kernels of their own" : ""));
    TemplateResult result;
    Block few = host_.capture([&] { result = cells(); });
    host_.append(If{large, std::move(*by_rows), std::move(few)});
    return result;
  }

 private:
  // Step by step, but each step as the cost model has it.
  static Variants ofOneStep(Variants variants) {
    if (variants.forced == "single") variants.forced.clear();
    return variants;
  }

  bool mayBeRows() const { return variants_.allows("rows") || variants_.allows("slanted"); }
  int64_t leastCells() const { return variants_.forced.empty() ? kRowsCells : 1; }

  Operand both(const Operand& a, const Operand& b) {
    return host_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }
  Operand isMultiple(const Operand& number, int64_t of) {
    Operand rest = host_.prim(Op::kMachineRem, ScalarType::kI64, {number, i64(of)});
    return host_.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
  }

  // In space the ends of rows are so many that kernels of their own pay for boxes alone.
  bool maySlant(const RowsShape& vectors) const {
    bool pays =
        extents_.size() == 2 || mindsEnds(vectors) || isBox() || variants_.forced == "slanted";
    return pays && variants_.allows("slanted") && vectors.columns <= kMostSlants;
  }

  // Measured: in planes ends are few, and kernels of their own cost less than a test in every cell.
  // In space so it is for reaches of one and two.
  bool mindsEnds(const RowsShape& vectors) const {
    const bool by_rule = extents_.size() == 3 && reachAlong(stencil_, 2) <= 2;
    return mindsCells(stencil_, vectors.columns) &&
           variants_.number("slanted", 6, by_rule ? 2 : 1) == 2;
  }

  // Where a row has several pieces on each side, their ends are too much to handle at every load.
  // But in space they are too many.
  bool endsApart(const RowsShape& vectors) const {
    return extents_.size() == 2 && reachAlong(stencil_, extents_.size() - 1) > vectors.columns;
  }
  RowsShape leavingEnds(RowsShape shape, std::vector<int64_t> slant) const {
    shape.blocks = 1;
    shape.slant = std::move(slant);
    shape.ends = RowEnds::kByOthers;
    return shape;
  }
  std::optional<Block> apart(const RowsShape& shape,
                             const std::vector<std::vector<int64_t>>& slants) {
    bool made = false;
    Block block = host_.capture(
        [&] { made = emitApart(program_, host_, call_, stencil_, shape, slants, extents_); });
    return made ? std::optional(std::move(block)) : std::nullopt;
  }

  // Rows of whole vectors, and others.
  Block inVectors(const RowsShape& vectors, Block by_cells) {
    Block by_vectors = wholeVectors(vectors);
    Block otherwise = std::move(by_cells);
    if (maySlant(vectors)) otherwise = slanted(vectors, std::move(otherwise));
    return host_.capture([&] {
      Operand even = withBegin(isMultiple(extents_.back(), vectors.columns));
      host_.append(If{even, std::move(by_vectors), std::move(otherwise)});
    });
  }
  // Also whether arrays begin at whole vectors.
  Operand withBegin(const Operand& condition) {
    return begin_.isConstant() ? condition : both(begin_, condition);
  }

  // Host code.
  Block wholeVectors(const RowsShape& vectors) {
    Block minded = *inRows(vectors);
    if (!endsApart(vectors)) return minded;
    std::vector<int64_t> none(extents_.size() - 1, 0);
    RowsShape shape = leavingEnds(vectors, none);
    std::optional<Block> own = apart(shape, {none});
    if (!own) return minded;
    return host_.capture([&] {
      Operand fits = isLarge(shape, apartInterior(host_, stencil_, shape, extents_));
      host_.append(If{fits, std::move(*own), std::move(minded)});
    });
  }

  // Host code; `otherwise` where rows have other offsets.
  Block slanted(const RowsShape& vectors, Block otherwise) {
    std::vector<std::vector<int64_t>> slants = slantsOf(stencil_, vectors.columns);
    RowsShape shape = leavingEnds(vectors, slants[0]);
    if (mindsEnds(vectors)) shape.ends = RowEnds::kByCells;
    if (extents_.size() == 3) shape.rows = std::max(shape.rows, shape.columns);
    if (extents_.size() == 3) shape.lines = std::max<int64_t>(shape.lines, 2);
    if (extents_.size() == 3) shape.tall = std::min<int64_t>(shape.tall, 4);
    if (extents_.size() == 3 && variants_.number("slanted", 2, 0) == 0) shape.ahead = 1;
    std::optional<Block> own = apart(shape, slants);
    if (!own) return otherwise;
    has_slanted_ = true;
    return host_.capture([&] {
      Operand fits = withBegin(isLarge(shape, apartInterior(host_, stencil_, shape, extents_)));
      if (extents_.size() == 3) {
        Operand plane = host_.mul(extents_[1], extents_[2]);
        Operand is_odd = host_.prim(Op::kMachineRem, ScalarType::kI64, {plane, i64(2)});
        fits = both(fits, host_.prim(Op::kEq, ScalarType::kI64, {is_odd, i64(1)}));
      }
      if (shape.ends == RowEnds::kByCells && hasRowsAround(stencil_)) {
        Operand least = i64(kLeastAround * shape.columns);
        fits = both(fits, host_.prim(Op::kGe, ScalarType::kI64, {extents_.back(), least}));
      }
      host_.append(If{fits, std::move(*own), std::move(otherwise)});
    });
  }

  void explain(const std::string& how) const {
    variants_.say(fmt::format("{}: stencil: {}", call_.function.name, how));
  }

  Operand isLarge(const RowsShape& shape, const Box& interior) {
    Operand cells = i64(1);
    for (const Operand& extent : extents_) cells = host_.mul(cells, extent);
    Operand large = host_.prim(Op::kLe, ScalarType::kI64, {i64(leastCells()), cells});
    int64_t columns = std::max(shape.columns, reachAlong(stencil_, extents_.size() - 1));
    std::vector<int64_t> least = {shape.rows, shape.lines, columns};
    if (extents_.size() == 2) least.erase(least.begin() + 1);
    for (size_t axis = 0; axis < extents_.size(); axis++) {
      Operand fits = host_.prim(Op::kLe, ScalarType::kI64, {i64(least[axis]), interior.size[axis]});
      large = both(large, fits);
    }
    return large;
  }

  // Host code; nothing if the cells are not made for it.
  std::optional<Block> inRows(const RowsShape& shape) {
    bool made = false;
    Block block =
        host_.capture([&] { made = emitRows(program_, host_, call_, stencil_, shape, extents_); });
    if (!made) return std::nullopt;
    return block;
  }

  // More neighbours than the axes have.
  bool isBox() const {
    size_t points = 0, of_star = 1;
    for (const core::Window& window : stencil_.windows) points += window.offsets.size();
    for (size_t axis = 0; axis < extents_.size(); axis++) {
      of_star += 2 * static_cast<size_t>(reachAlong(stencil_, axis));
    }
    return points > of_star;
  }

  TemplateResult cells(const char* suffix = "") {
    KernelScope scope(program_, host_, call_, call_.function.name + suffix);
    Grid grid = forEachCell(scope, extents_, [&](const Operands& indices, const Place& place) {
      cell(scope, indices, place);
    });
    scope.launch(grid.workgroup, grid.groups);
    return {{}, !scope.unsupported()};
  }

  void cell(KernelScope& scope, const Operands& indices, const Place& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    StencilCell(scope, stencil_, environment, indices).bind();
    Results values = lowerBody(scope.code(), scope.core(), stencil_.map.body, environment, place,
                               cellDestinations(scope, stencil_.map.body, indices));
    storeScalars(scope, stencil_.map.body, values, indices);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const Variants variants_;
  const core::Stencil& stencil_;
  Operands extents_;
  Operand begin_ = prim::Scalar::ofBool(true);  // host: arrays begin at whole vectors
  bool has_slanted_ = false;
};

}  // namespace

void bindStencilCell(KernelScope& scope, const core::Stencil& stencil, Environment& environment,
                     const Operands& indices) {
  StencilCell(scope, stencil, environment, indices).bind();
}

TemplateResult emitStencil(Program& program, Builder& host, const KernelCall& call,
                           const Variants& variants) {
  return StencilKernels(program, host, call, variants).run();
}

}  // namespace halo::gpu

// The kernels of a stencil by rows: one for the interior and, beside it, those of the cells whose
// neighbours may be outside.
#include "gpu/templates/stencil/stencil_rows.h"

#include <algorithm>

#include "gpu/templates/stencil/stencil_rows_kernel.h"

namespace halo::gpu {

using namespace imp;

namespace {

constexpr int64_t kPlanesBeside = 4;  // of an invocation that does ends of rows

RowsShape thinner(const core::Stencil& stencil, const RowsShape& shape) {
  RowsShape thin = shape;
  thin.slab = 0;
  thin.rows = std::min(shape.rows, std::max<int64_t>(1, reachAlong(stencil, 0)));
  if (stencil.space.size() == 3) {
    // Long along rows: some boxes have few planes, others few lines.
    thin.lines = std::min(shape.lines, std::max<int64_t>(1, reachAlong(stencil, 1)));
    thin.lanes = 64;
    thin.tall = 1;
  }
  return thin;
}

}  // namespace

bool emitRows(Program& program, Builder& host, const KernelCall& call, const core::Stencil& stencil,
              RowsShape shape, const Operands& extents) {
  const RowsJob job{program, host, call, stencil, extents};
  const std::string name = shape.columns > 1 ? "_vectors" : "_rows";
  Box interior = shape.clamps ? wholeBox(extents) : rowsInterior(host, stencil, extents);
  std::vector<Box> edges;
  if (!shape.clamps) edges = boxesAround(host, interior, extents, 1);
  Block inside;
  for (RowsMade made = RowsMade::kTooLong; made != RowsMade::kYes;) {
    const RowsLaunch launch{shape, name, shape.clamps, !edges.empty()};
    inside = host.capture([&] { made = emitRowsKernel(job, launch, {interior}); });
    if (made == RowsMade::kNotArithmetic) return false;
    if (made == RowsMade::kTooLong) shape.rows /= 2;
  }
  // Edges first: few workgroups with long code, which are done long before the others.
  if (!edges.empty()) {
    const RowsShape thin = thinner(stencil, shape);
    const RowsLaunch launch{thin, name + "_edges", true, false};
    if (emitRowsKernel(job, launch, edges) != RowsMade::kYes) return false;
  }
  for (Stm& stm : inside) host.append(std::move(stm.node));
  return true;
}

namespace {

// One kernel for each alignment offset of rows.
class Apart {
 public:
  Apart(Program& program, Builder& host, const KernelCall& call, const core::Stencil& stencil,
        const RowsShape& shape, const std::vector<std::vector<int64_t>>& slants,
        const Operands& extents)
      : job_{program, host, call, stencil, extents},
        host_(host),
        stencil_(stencil),
        shape_(shape),
        extents_(extents),
        slants_(slants),
        name_(slants[0].back() == 0 ? "_apart" : "_slanted"),
        interior_(apartInterior(host, stencil, shape, extents)) {}

  bool run() {
    std::optional<Block> all = inside(0);
    if (!all) return false;
    Box covered = apartCover(host_, shape_, interior_, extents_);
    RowsShape thin = thinner(stencil_, shape_);
    thin.columns = thin.blocks = 1;
    thin.slant.clear();
    thin.ends = RowEnds::kByVectors;
    std::vector<Box> edges = boxesAround(host_, covered, extents_, 1);
    std::vector<Box> sides;
    if (shape_.ends == RowEnds::kByOthers) sides = boxesBesides(host_, covered, extents_);
    RowsShape narrow = thin;
    narrow.lanes = 8;
    narrow.tall = 32;
    narrow.rows = narrow.lines = 1;
    if (extents_.size() == 3) {  // as many planes as the interior is sure to have
      thin.rows = narrow.rows = std::min<int64_t>(shape_.rows, kPlanesBeside);
      thin.lines = 1;
      narrow.lines = shape_.lines;
      narrow.tall = 16;
    }
    if (!around(thin, "_edges", edges, false)) return false;
    if (!around(narrow, "_sides", sides, !edges.empty())) return false;
    for (Stm& stm : *all) host_.append(std::move(stm.node));
    return true;
  }

 private:
  // Host code for the alignment offsets from `which` on.
  std::optional<Block> inside(size_t which) {
    bool made = false;
    RowsShape shape = shape_;
    shape.slant = slants_[which];
    std::string name = name_;
    for (int64_t by : shape.slant) name += by == 0 ? "" : std::to_string(by);
    Block own = host_.capture([&] {
      made = emitRowsKernel(job_, {shape, name, false, true}, {interior_}) == RowsMade::kYes;
    });
    if (!made) return std::nullopt;
    if (which + 1 == slants_.size()) return own;
    std::optional<Block> others = inside(which + 1);
    if (!others) return std::nullopt;
    return host_.capture([&] {
      Operand is_own = hasSlant(host_, shape, extents_);
      host_.append(If{is_own, std::move(own), std::move(*others)});
    });
  }

  bool around(const RowsShape& thin, const std::string& name, const std::vector<Box>& boxes,
              bool beside) {
    if (boxes.empty()) return true;
    return emitRowsKernel(job_, {thin, name_ + name, true, beside}, boxes) == RowsMade::kYes;
  }

  RowsJob job_;
  Builder& host_;
  const core::Stencil& stencil_;
  RowsShape shape_;
  const Operands& extents_;
  std::vector<std::vector<int64_t>> slants_;
  std::string name_;
  Box interior_;
};

}  // namespace

bool emitApart(Program& program, Builder& host, const KernelCall& call,
               const core::Stencil& stencil, const RowsShape& shape,
               const std::vector<std::vector<int64_t>>& slants, const Operands& extents) {
  return Apart(program, host, call, stencil, shape, slants, extents).run();
}

}  // namespace halo::gpu

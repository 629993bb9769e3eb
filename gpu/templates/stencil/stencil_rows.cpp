// The kernels of a stencil by rows: one for the interior and, concurrently, those of the cells
// whose neighbours may be outside.
#include "gpu/templates/stencil/stencil_rows.h"

#include "gpu/schedule/stencil/reach.h"
#include "gpu/templates/stencil/stencil_rows_kernel.h"

namespace halo::gpu {

using namespace imp;

namespace {

// The kernel of whole rows of the boundary, or of the ends of rows.
RowsShape besideInterior(const RegisterTileSchedule& tile, const TilePart& part) {
  RowsShape shape{tile};
  shape.slab = 0;
  shape.rows = part.rows;
  shape.lines = part.lines;
  shape.lanes = part.lanes;
  shape.height = part.height;
  return shape;
}

void emitRows(const RowsJob& job, const RegisterTileSchedule& tile) {
  const std::string name = tile.columns > 1 ? "_vectors" : "_rows";
  const Box interior =
      tile.clamps_rows ? wholeBox(job.extents) : rowsInterior(job.host, job.stencil, job.extents);
  std::vector<Box> edges;
  if (!tile.clamps_rows) edges = boxesAround(job.host, interior, job.extents, 1);
  // Edges first: few workgroups with long code, which are done long before the others.
  if (!edges.empty()) {
    const RowsShape thin = besideInterior(tile, tile.edges);
    emitRowsKernel(job, {thin, name + "_edges", true, false}, edges);
  }
  const RowsShape whole{tile};
  emitRowsKernel(job, {whole, name, tile.clamps_rows, !edges.empty()}, {interior});
}

// One kernel for each alignment offset of rows.
class PeeledTile {
  using Offsets = std::vector<int64_t>;

 public:
  PeeledTile(const RowsJob& job, const RegisterTileSchedule& tile)
      : job_(job),
        host_(job.host),
        tile_(tile),
        extents_(job.extents),
        alignment_offsets_(
            tile.is_unaligned ? alignmentOffsets(extents_.size(), tile.columns)
                              : std::vector<std::vector<int64_t>>{Offsets(extents_.size() - 1, 0)}),
        name_(tile.is_unaligned ? "_unaligned" : "_apart"),
        interior_(peeledInterior(host_, job.stencil, tile, extents_)) {}

  void run() {
    const Box covered = peeledCover(host_, tile_, interior_, extents_);
    const std::vector<Box> edges = boxesAround(host_, covered, extents_, 1);
    std::vector<Box> sides;
    if (tile_.ends == RegisterTileSchedule::Ends::kPeeled) {
      sides = boxesBesides(host_, covered, extents_);
    }
    around(tile_.edges, "_edges", edges, false);
    around(tile_.sides, "_sides", sides, !edges.empty());
    inside(0);
  }

 private:
  // Host code for the alignment offsets from `which` on.
  void inside(size_t which) {
    RowsShape shape{tile_, alignment_offsets_[which]};
    std::string name = name_;
    for (int64_t by : shape.alignment_offset) name += by == 0 ? "" : std::to_string(by);
    auto own = [&] { emitRowsKernel(job_, {shape, name, false, true}, {interior_}); };
    if (which + 1 == alignment_offsets_.size()) return own();
    host_.ifThenElse(hasAlignmentOffset(host_, shape, extents_), own, [&] { inside(which + 1); });
  }

  // Cell by cell along rows.
  void around(const TilePart& part, const std::string& name, const std::vector<Box>& boxes,
              bool beside) {
    if (boxes.empty()) return;
    RowsShape shape = besideInterior(tile_, part);
    shape.columns = shape.blocks = 1;
    shape.ends = RegisterTileSchedule::Ends::kLoads;
    emitRowsKernel(job_, {shape, name_ + name, true, beside}, boxes);
  }

  const RowsJob& job_;
  Builder& host_;
  const RegisterTileSchedule& tile_;
  const Operands& extents_;
  const std::vector<Offsets> alignment_offsets_;
  const std::string name_;
  const Box interior_;
};

}  // namespace

void emitRegisterTile(Program& program, Builder& host, const KernelCall& call,
                      const core::Stencil& stencil, const RegisterTileSchedule& tile,
                      const Operands& extents) {
  const RowsJob job{program, host, call, stencil, extents};
  const bool is_peeled = tile.is_unaligned || tile.ends == RegisterTileSchedule::Ends::kPeeled;
  if (is_peeled) return PeeledTile(job, tile).run();
  emitRows(job, tile);
}

}  // namespace halo::gpu

// Measured (bench/stencil, docs/gpu.md#register-tile): bytes under way hide the latency, registers
// end.
#include "gpu/schedule/stencil/register_tile.h"

#include <algorithm>

#include "gpu/schedule/stencil/reach.h"

namespace halo::gpu {
namespace {

using Ends = RegisterTileSchedule::Ends;

constexpr int64_t kFarthest = 64;  // neighbours further away share no rows
constexpr int64_t kVectorBytes = 16;
constexpr int64_t kPlanesBeside = 4;  // of an invocation that does ends of rows

// The inputs of the cost model.
struct Facts {
  int64_t points = 0, bytes = 0;  // bytes of an element
  bool has_one_size = true;

  void note(prim::ScalarType type) {
    const int64_t size = prim::byteSize(type);
    has_one_size = has_one_size && (bytes == 0 || bytes == size);
    bytes = size;
  }
};

bool isNear(const core::Window& window) {
  return std::all_of(window.offsets.begin(), window.offsets.end(), [](const auto& offset) {
    return std::all_of(offset.begin(), offset.end(),
                       [](int64_t by) { return by <= kFarthest && by >= -kFarthest; });
  });
}

bool isStored(const core::Function& kernel, core::ValueId array) {
  return std::find(kernel.params.begin(), kernel.params.end(), array) != kernel.params.end();
}

std::optional<Facts> factsOf(const core::Program& program, const core::Function& kernel,
                             const core::Stencil& stencil) {
  Facts facts;
  for (const core::Window& window : stencil.windows) {
    if (isUniform(kernel, window.array) && isNear(window)) continue;
    if (!isStored(kernel, window.array) || !window.dynamic.empty() || !isNear(window)) {
      return std::nullopt;
    }
    facts.points += static_cast<int64_t>(window.offsets.size());
    facts.note(program.type(window.array).scalar);
  }
  for (const core::ValueId input : stencil.inputs) {
    if (!isStored(kernel, input)) return std::nullopt;
    if (program.type(input).shape.size() != stencil.space.size()) return std::nullopt;
    facts.note(program.type(input).scalar);
  }
  for (const core::Operand& result : stencil.map.body.results) {
    if (!program.type(result).isScalar()) return std::nullopt;
  }
  for (const core::ValueId result : kernel.body.stms.back().results) {
    facts.note(program.type(result).scalar);
  }
  if (facts.bytes == 0) return std::nullopt;  // no arrays at all: it may only fail
  return facts;
}

// Whether rows outside are others that exist, found by two comparisons.
bool isClamped(const core::Function& kernel, const core::Stencil& stencil) {
  return std::all_of(stencil.windows.begin(), stencil.windows.end(), [&](const auto& window) {
    if (isUniform(kernel, window.array)) return true;  // nothing is loaded
    return std::all_of(window.boundary.begin(), window.boundary.end() - 1,
                       [](const auto& axis) { return axis.kind == core::BoundaryKind::kClamp; });
  });
}

RegisterTileSchedule tileOfPlane(int64_t points, int64_t reach) {
  RegisterTileSchedule tile;
  if (reach <= 2) {
    tile.rows = points > 9 ? 4 : 2;
  } else if (reach <= 4) {
    tile.rows = points > 30 ? 8 : 4;
  } else {
    tile.rows = 8;
  }
  tile.prefetch = tile.rows == 4 ? 12 : 2;
  if (points > 30 && reach <= 4) tile.prefetch = 1;
  tile.height = points > 9 ? 4 : 8;
  if (reach > 12) {
    tile.prefetch = 4;
    tile.height = 2;
  }
  return tile;
}

// Cell by cell along rows.
RegisterTileSchedule narrowTileOfPlane(int64_t points, int64_t reach) {
  RegisterTileSchedule tile = tileOfPlane(points, reach);
  tile.rows = points > 9 ? 8 : std::max<int64_t>(tile.rows, 4);
  tile.prefetch = 12;
  tile.blocks = 2;
  return tile;
}

RegisterTileSchedule tileOfSpace(int64_t points, int64_t reach) {
  RegisterTileSchedule tile;
  tile.rows = 4;
  tile.lines = 2;
  tile.prefetch = 3;
  tile.height = 4;
  // Three planes and more on each side do not stay in the cache while others are walked.
  if (reach > 2) tile.slab = 32;
  if (reach > 12) {
    tile.prefetch = 2;
  } else if (reach > 4) {
    tile.lines = 4;
    tile.prefetch = 1;
  } else if (reach > 2) {
    tile.rows = tile.height = 8;
    tile.prefetch = 2;
  } else if (points > 13) {  // boxes
    tile.lines = 4;
    tile.prefetch = points > 20 ? 2 : 1;
    tile.height = 2;
  }
  return tile;
}

RegisterTileSchedule narrowTileOfSpace(int64_t reach) {
  RegisterTileSchedule tile;
  tile.rows = tile.height = 4;
  tile.lines = tile.prefetch = 2;
  if (reach > 2) tile.slab = 32;
  return tile;
}

// Where few rows are clamped, that costs less than a kernel for the edges; rows with far neighbours
// are cheaper to find if none is. Between them the many edges would cost more.
bool clampsInSpace(int64_t reach) { return reach <= 2 || (reach > 4 && reach <= 12); }

int64_t roundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

}  // namespace

std::optional<RegisterTileSchedule> registerTile(const core::Program& program,
                                                 const core::Function& kernel,
                                                 const Request& request, bool vectors) {
  const auto& stencil = std::get<core::Stencil>(kernel.body.stms.back().expr);
  const size_t rank = stencil.space.size();
  const std::optional<Facts> facts = rank < 2 ? std::nullopt : factsOf(program, kernel, stencil);
  if (!facts || (vectors && !facts->has_one_size)) return std::nullopt;
  const int64_t points = facts->points, reach = reachAlong(stencil, 0);
  RegisterTileSchedule tile;
  if (rank == 2) {
    tile = vectors ? tileOfPlane(points, reach) : narrowTileOfPlane(points, reach);
  } else {
    tile = vectors ? tileOfSpace(points, reach) : narrowTileOfSpace(reach);
  }
  if (vectors) tile.columns = kVectorBytes / facts->bytes;
  if (vectors) tile.sector = tile.columns;  // whole sectors of memory were no faster
  tile.clamps_rows = rank == 3 && isClamped(kernel, stencil) && (!vectors || clampsInSpace(reach));
  auto requested = [&](size_t which, int64_t otherwise) {
    return request.number("rows", which, request.number("unaligned", which, otherwise));
  };
  tile.rows = requested(0, tile.rows);
  if (rank == 3) tile.lines = requested(1, tile.lines);
  tile.prefetch = requested(2, tile.prefetch);
  tile.height = requested(3, tile.height);
  int64_t& fifth = rank == 3 ? tile.slab : tile.sector;
  fifth = requested(4, fifth);
  tile.clamps_rows = requested(5, tile.clamps_rows ? 2 : 1) == 2;
  return tile;
}

RegisterTileSchedule peeledTile(const RegisterTileSchedule& vectors) {
  RegisterTileSchedule tile = vectors;
  tile.blocks = 1;
  tile.ends = Ends::kPeeled;
  tile.clamps_rows = false;
  return tile;
}

// Measured: in planes ends are few, and kernels of their own cost less than a test in every cell.
// In space so it is for reaches of one and two.
RegisterTileSchedule unalignedTile(const core::Stencil& stencil,
                                   const RegisterTileSchedule& vectors, const Request& request) {
  RegisterTileSchedule tile = peeledTile(vectors);
  tile.is_unaligned = true;
  const bool is_space = stencil.space.size() == 3;
  const bool by_rule = is_space && reachAlong(stencil, 2) <= 2;
  if (hasEndsAtCells(stencil, tile.columns) &&
      request.number("unaligned", 6, by_rule ? 2 : 1) == 2) {
    tile.ends = Ends::kCells;
  }
  if (!is_space) return tile;
  tile.rows = std::max(tile.rows, tile.columns);
  tile.lines = std::max<int64_t>(tile.lines, 2);
  tile.height = std::min<int64_t>(tile.height, 4);
  if (request.number("unaligned", 2, 0) == 0) tile.prefetch = 1;
  return tile;
}

RegisterTileSchedule withEdges(const core::Stencil& stencil, RegisterTileSchedule tile) {
  const bool is_space = stencil.space.size() == 3;
  TilePart edges{std::min(tile.rows, std::max<int64_t>(1, reachAlong(stencil, 0))), tile.lines,
                 tile.lanes, tile.height};
  if (is_space) {
    // Long along rows: some boxes have few planes, others few lines.
    edges.lines = std::min(tile.lines, std::max<int64_t>(1, reachAlong(stencil, 1)));
    edges.lanes = 64;
    edges.height = 1;
  }
  TilePart sides{1, 1, 8, 32};
  const bool is_apart = tile.is_unaligned || tile.ends == Ends::kPeeled;
  if (is_apart && is_space) {  // as many planes as the interior is sure to have
    edges.rows = sides.rows = std::min(tile.rows, kPlanesBeside);
    edges.lines = 1;
    sides.lines = tile.lines;
    sides.height = 16;
  }
  if (!tile.clamps_rows) tile.edges = edges;
  if (tile.ends == Ends::kPeeled) tile.sides = sides;
  return tile;
}

int64_t columnsLost(const RegisterTileSchedule& tile) {
  return tile.is_unaligned ? tile.columns - 1 + tile.sector - 1 : 0;
}

int64_t peeledOrigin(const core::Stencil& stencil, const RegisterTileSchedule& tile) {
  return roundUp(columnsLost(tile) - spansOf(stencil).back().lo, tile.columns);
}

std::vector<int64_t> roomFor(const core::Stencil& stencil, const RegisterTileSchedule& tile) {
  const std::vector<Span> spans = spansOf(stencil);
  std::vector<int64_t> room = {tile.rows + spans[0].length()};
  if (spans.size() == 3) room.push_back(tile.lines + spans[1].length());
  const int64_t columns = std::max(tile.columns, reachAlong(stencil, spans.size() - 1));
  const int64_t whole = roundUp(columns, tile.columns);
  switch (tile.ends) {
    case Ends::kLoads:
      room.push_back(columns);
      break;
    case Ends::kPeeled:
      room.push_back(spans.back().hi + peeledOrigin(stencil, tile) + whole);
      break;
    case Ends::kCells: {
      const int64_t around = hasRowsAround(stencil) ? kVectorsAround * tile.columns : 1;
      room.push_back(std::max(whole - columnsLost(tile) - (tile.columns - 1), around));
      break;
    }
  }
  return room;
}

}  // namespace halo::gpu

// Which cells of a space an invocation of a stream has: columns of its lane, lines of its subgroup,
// planes of its chunk.
#pragma once

#include "gpu/templates/stencil/stencil_stream.h"

namespace halo::gpu {

struct SpaceGrid {
  // Emits the positions into the stream's kernel, and finds its chunk of planes.
  SpaceGrid(Stream& stream, const SpaceStreamSchedule& schedule);

  imp::Operands groups;  // strips of columns, tiles of lines, chunks of planes; host
  imp::Operand nz, ny, nx, plane, pitch;
  imp::Operand lane, subgroup;
  imp::Operand column;  // the lane's first one, in the array
  imp::Operands lines;  // of the lane, in the array
  imp::Operand is_first_column;
  imp::Operands is_last_column;                                     // by column of the lane
  imp::Operands line_at, is_first_line, is_last_line, stores_line;  // by line of the lane
};

}  // namespace halo::gpu

// How many iterations of a loop run at once in lanes: as many vectors of each value as registers
// hold. `vector_width` of a loop marked `lanes` is this number.
#pragma once

#include "lang/imp/private_arrays.h"
#include "lang/imp/schedule/lane_variance.h"

namespace halo::imp {

inline constexpr int kVectorBytes = 64;  // of a register
inline constexpr int kVectorLanes = 16;  // of numbers of 32 bits

// `uses`: of buffers by the function of the loop, whose body is in the order of use. A vector width
// above kVectorLanes is a request.
int laneCount(const Program& program, const BufferUses& uses, const For& loop);

// Lanes of one register, by the width of the numbers that most of the body computes with.
int lanesOfVector(const Program& program, const For& loop, const VaryingVars& varying);

// Do values change lanes? Then all iterations are one vector.
bool exchanges(const Block& body);

// The same statements, with arithmetic right before its first use: `a * b` of each neighbour where
// the sum takes it, not all in front.
Block inOrderOfUse(const Program& program, const Block& body);

}  // namespace halo::imp

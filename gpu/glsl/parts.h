// The parts of a shader, which printer.cpp puts together: extensions, buffers and arguments
// (interface), functions for repeated code, and `main` (body).
#pragma once

#include <string>

#include "gpu/glsl/names.h"
#include "gpu/glsl/printer.h"

namespace halo::gpu {

std::string printInterface(const imp::Program& program, const imp::Function& kernel,
                           const GlslOptions& options, Names& names);
// Code that the kernel repeats; the results are its last parameters.
std::string printFunction(const imp::Program& program, const imp::Function& function,
                          const GlslOptions& options, Names& names);
std::string printBody(const imp::Program& program, const imp::Function& kernel,
                      const GlslOptions& options, Names& names);

inline bool isWide(prim::ScalarType type) { return prim::byteSize(type) == 8; }

// The GLSL type that holds a scalar argument: nothing below 32 bits, so that push constants need
// no optional feature.
std::string argumentType(prim::ScalarType type);

}  // namespace halo::gpu

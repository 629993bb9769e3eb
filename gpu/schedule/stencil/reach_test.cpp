// Which stencils of unaligned rows read nothing before their array. The vector beside the first
// cell of a row lies there, if that row is the array's first one.
#include <doctest/doctest.h>

#include "gpu/schedule/stencil/reach.h"

namespace halo::gpu {
namespace {

bool hasRows(std::vector<std::vector<int64_t>> offsets) {
  core::Stencil stencil;
  stencil.space.resize(offsets[0].size());
  core::Window window;
  window.offsets = std::move(offsets);
  stencil.windows.push_back(std::move(window));
  return hasRowsAround(stencil);
}

TEST_CASE("stencil rows: stars in space have rows around them") {
  CHECK(hasRows({{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  CHECK(hasRows({{-1, 0, 0}, {1, 0, 0}, {0, 0, -2}, {0, -1, 1}, {0, 1, 0}}));
}

TEST_CASE("stencil rows: corners of boxes have none, nor do stars in planes") {
  CHECK_FALSE(hasRows({{-1, -1, -1}, {0, 0, 0}, {1, 1, 1}}));
  CHECK_FALSE(hasRows({{-1, -1, 0}, {1, 0, 0}, {0, 1, 0}}));
  CHECK_FALSE(hasRows({{-1, 0, 0}, {0, -1, 0}, {1, 1, 0}}));
  CHECK_FALSE(hasRows({{-1, 0}, {0, -1}, {0, 1}, {1, 0}}));
}

TEST_CASE("stencil rows: neighbours along one axis alone, or on one side") {
  CHECK_FALSE(hasRows({{-1, 0, 0}, {1, 0, 0}}));
  CHECK_FALSE(hasRows({{0, 0, -1}, {1, 0, 0}, {0, 1, 0}}));
  CHECK_FALSE(hasRows({{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}));
}

}  // namespace
}  // namespace halo::gpu

// Stencils: one invocation for each cell; neighbours outside are clamped to the edge.
#include <algorithm>

#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;

namespace {

// No array is longer; an offset beyond this makes no difference, and its sum cannot overflow.
constexpr int64_t kFarthest = int64_t{1} << 62;

// index + offset, clamped to [0, extent): a known offset can only leave on one side.
Operand neighbour(Builder& code, const Operand& index, int64_t offset, const Operand& extent) {
  if (offset == 0) return index;
  offset = std::clamp(offset, -kFarthest, kFarthest);
  Operand moved = code.add(index, Operand::ofI64(offset));
  if (offset < 0) return code.max(moved, Operand::ofI64(0));
  return code.min(moved, code.sub(extent, Operand::ofI64(1)));
}

// The same for an offset known at run time only. It may be anything: beyond the extent it makes no
// difference, and cut down to that it cannot overflow.
Operand clamped(Builder& code, const Operand& index, const Operand& offset, const Operand& extent) {
  Operand cut = code.max(code.min(offset, extent), code.sub(Operand::ofI64(0), extent));
  Operand moved = code.add(index, cut);
  return code.min(code.max(moved, Operand::ofI64(0)), code.sub(extent, Operand::ofI64(1)));
}

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
    Operands at;
    for (size_t axis = 0; axis < offset.size(); axis++) {
      at.push_back(neighbour(scope_.code(), indices_[axis], offset[axis], array.shape[axis]));
    }
    bindElement(scope_.code(), scope_.core(), environment_, param, array, at);
  }

  // The neighbourhood is an array that is never stored: element j is loaded where it is used.
  void bindDynamic(const core::Window& window, core::ValueId param) {
    ArrayRef array = environment_.arrays.at(window.array);
    std::vector<ArrayRef> offsets;
    for (core::ValueId axis : window.dynamic) offsets.push_back(environment_.arrays.at(axis));
    ArrayRef around;
    around.type = array.type;
    around.shape = {offsets[0].shape[0]};
    around.generate = [array, offsets, indices = indices_](Builder& code, const Operands& which) {
      Operands at;
      for (size_t axis = 0; axis < offsets.size(); axis++) {
        Operand offset = loadElement(code, offsets[axis], {which[0]});
        at.push_back(clamped(code, indices[axis], offset, array.shape[axis]));
      }
      return loadElement(code, array, at);
    };
    environment_.arrays[param] = std::move(around);
  }

  KernelScope& scope_;
  const core::Stencil& stencil_;
  Environment& environment_;
  const Operands& indices_;
};

}  // namespace

TemplateResult emitStencil(Program& program, Builder& host, const KernelCall& call) {
  const auto& stencil = std::get<core::Stencil>(lastStatement(call).expr);
  KernelScope scope(program, host, call, call.function.name);
  Operands space = operandsOf(call.arguments, stencil.space);
  Grid grid = forEachCell(scope, space, [&](const Operands& indices, const Place& place) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, place);
    StencilCell(scope, stencil, environment, indices).bind();
    Results values = lowerBody(scope.code(), scope.core(), stencil.map.body, environment, place,
                               cellDestinations(scope, stencil.map.body, indices));
    storeScalars(scope, stencil.map.body, values, indices);
  });
  scope.launch(grid.workgroup, grid.groups);
  return {{}, !scope.unsupported()};
}

}  // namespace halo::gpu

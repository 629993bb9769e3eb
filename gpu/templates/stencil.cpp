// Stencils: one invocation for each cell; neighbours outside follow the
// boundary of their axis.
#include "gpu/templates/templates.h"
#include "lang/imp/boundary.h"

namespace halo::gpu {

using namespace imp;

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

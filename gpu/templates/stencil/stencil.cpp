// One step of a stencil: register tiles, or cell by cell.
#include <algorithm>

#include "gpu/templates/cells/cells.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/stencil/stencil_cell.h"
#include "gpu/templates/stencil/stencil_rows.h"
#include "gpu/templates/templates.h"
#include "lang/base/check.h"
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
    for (size_t axis : stencil_.positions) {
      environment_.scalars[stencil_.map.params[param++]] = indices_[axis];
    }
  }

 private:
  void bindStatic(const core::Window& window, const std::vector<int64_t>& offset,
                  core::ValueId param) {
    ArrayRef array = environment_.arrays.at(window.array);
    std::vector<Neighbour> at;
    Operands inside;
    for (size_t axis = 0; axis < offset.size(); ++axis) {
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
      for (size_t axis = 0; axis < offsets.size(); ++axis) {
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

class StencilKernels {
 public:
  StencilKernels(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        stencil_(std::get<core::Stencil>(lastStatement(call).expr)),
        extents_(operandsOf(call.arguments, stencil_.space)),
        cells_(program, host, call, call.function.name, extents_,
               [this](KernelScope& scope, const Operands& indices, const LoweringTarget& target) {
                 cell(scope, indices, target);
               }) {}

  TemplateResult run() {
    TemplateResult result;
    const auto quantity = [&](Quantity which) {
      const std::optional<Operand> of_code = cells_.quantity(which);
      return of_code ? *of_code : ofLaunch(which);
    };
    emitVersions(host_, call_, quantity, [&](const Schedule& schedule) {
      if (const auto* tile = std::get_if<RegisterTileSchedule>(&schedule)) {
        emitRegisterTile(program_, host_, call_, stencil_, *tile, extents_);
      } else {
        result.supported = cells_.emit(schedule);
      }
    });
    return result;
  }

 private:
  Operand ofLaunch(Quantity which) {
    switch (which) {
      case Quantity::kElements:
        return elementCount(host_, extents_);
      case Quantity::kFirstExtent:
        return extents_.front();
      case Quantity::kMiddleExtent:
        return extents_[1];
      case Quantity::kLastExtent:
        return extents_.back();
      case Quantity::kIsRowMajor:
        return prim::Scalar::ofBool(isRowMajor(call_, stencil_));
      case Quantity::kIsBeginAligned:
        return beginAtVectors(host_, call_, stencil_, vectorColumns());
      case Quantity::kIsAligned: {
        const Operand begins = beginAtVectors(host_, call_, stencil_, vectorColumns());
        const Operand rest =
            host_.prim(Op::kMachineRem, ScalarType::kI64, {extents_.back(), i64(vectorColumns())});
        const Operand is_whole = host_.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
        if (begins.isConstant()) return is_whole;
        return host_.prim(Op::kAnd, ScalarType::kBool, {begins, is_whole});
      }
      case Quantity::kIsPlaneOdd: {
        const Operand plane = host_.mul(extents_[1], extents_[2]);
        const Operand rest = host_.prim(Op::kMachineRem, ScalarType::kI64, {plane, i64(2)});
        return host_.prim(Op::kEq, ScalarType::kI64, {rest, i64(1)});
      }
      default:
        HALO_UNREACHABLE("quantity of a stencil step");
    }
  }
  int64_t vectorColumns() const {
    int64_t columns = 1;
    for (const ScheduleVersion& version : call_.versions) {
      const auto* tile = std::get_if<RegisterTileSchedule>(&version.schedule);
      if (tile != nullptr) columns = std::max(columns, tile->columns);
    }
    return columns;
  }

  void cell(KernelScope& scope, const Operands& indices, const LoweringTarget& target) {
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, target);
    StencilCell(scope, stencil_, environment, indices).bind();
    Results values = lowerBody(scope.code(), scope.core(), stencil_.map.body, environment, target,
                               cellDestinations(scope, stencil_.map.body, indices));
    storeScalars(scope, stencil_.map.body, values, indices);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const core::Stencil& stencil_;
  Operands extents_;
  CallOfCells cells_;
};

}  // namespace

void bindStencilCell(KernelScope& scope, const core::Stencil& stencil, Environment& environment,
                     const Operands& indices) {
  StencilCell(scope, stencil, environment, indices).bind();
}

TemplateResult emitStencil(Program& program, Builder& host, const KernelCall& call) {
  return StencilKernels(program, host, call).run();
}

}  // namespace halo::gpu

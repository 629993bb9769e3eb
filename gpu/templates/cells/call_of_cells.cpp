// Spaces of any rank, and the versions of a call.
#include <algorithm>

#include "gpu/schedule/cells/per_element.h"
#include "gpu/templates/cells/cells.h"
#include "gpu/templates/host/versions.h"

namespace halo::gpu {

using namespace imp;

// A space of at most three axes, and its cells.
struct Folded {
  Operands space;
  CellBody body;
};

namespace {

constexpr size_t kGridRank = 3;
constexpr int64_t kLine = 32;  // invocations that read neighbouring elements

// How many of the last dimensions together fill a line, as far as constants say.
size_t dimensionsOfLine(const Operands& space) {
  int64_t known = 1;
  size_t count = 0;
  while (count + 2 < space.size() && known < kLine) {
    const Operand& extent = space[space.size() - 1 - count++];
    if (!extent.isConstant()) break;
    known *= std::max<int64_t>(extent.constant.asSigned(), 1);
  }
  return count;
}

// More axes than a grid has: the last ones that fill a line, the one before, all others.
Folded folded(KernelScope& scope, const Operands& host_space, const CellBody& body) {
  if (host_space.size() <= kGridRank) return {host_space, body};
  const size_t line = dimensionsOfLine(host_space);
  const size_t counts[kGridRank] = {host_space.size() - line - 1, 1, line};
  Operands space;
  std::vector<Operands> parts;  // extents in the kernel
  auto next = host_space.begin();
  for (const size_t count : counts) {
    const Operands part(next, next + static_cast<ptrdiff_t>(count));
    next += static_cast<ptrdiff_t>(count);
    space.push_back(elementCount(scope.host(), part));
    parts.emplace_back();
    for (const Operand& extent : part) parts.back().push_back(scope.scalar(extent));
  }
  const CellBody unfolded = [&scope, parts, body](const Operands& indices,
                                                  const LoweringTarget& target) {
    Operands all;
    for (size_t k = 0; k < kGridRank; ++k) {
      const Operands here = indicesOf(scope.code(), indices[k], parts[k]);
      all.insert(all.end(), here.begin(), here.end());
    }
    body(all, target);
  };
  return {space, unfolded};
}

// The version whose guard holds, of guards that ask for the code alone.
const Schedule& taken(const ScheduleVersions& versions, CellKernel& kernel) {
  const auto value = [&](Quantity which) {
    return static_cast<int64_t>(kernel.quantity(which)->constant.bits);
  };
  const auto found = std::find_if(
      versions.begin(), versions.end(),
      [&](const ScheduleVersion& version) { return evaluate(version.guard, value) != 0; });
  return found->schedule;
}

}  // namespace

Grid forEachCell(KernelScope& scope, const Operands& host_space, const CellBody& body) {
  const Variants& variants = scope.call().variants;
  const ScheduleVersions versions = perElement(host_space.size(), variants, variants);
  const Folded cells = folded(scope, host_space, body);
  CellKernel kernel(scope, cells.space, cells.body, versions);
  return kernel.carryOut(taken(versions, kernel));
}

// ---- a call

struct CallOfCells::Made {
  Made(Program& program, Builder& host, const KernelCall& call, const std::string& name,
       const Operands& host_space, const Cell& cell)
      : scope(program, host, call, name),
        cells(folded(scope, host_space,
                     [this, &cell](const Operands& indices, const LoweringTarget& target) {
                       cell(scope, indices, target);
                     })),
        kernel(scope, cells.space, cells.body, call.versions) {}

  KernelScope scope;
  Folded cells;
  CellKernel kernel;
};

CallOfCells::CallOfCells(Program& program, Builder& host, const KernelCall& call, std::string name,
                         Operands host_space, Cell cell)
    : program_(program),
      host_(host),
      call_(call),
      name_(std::move(name)),
      host_space_(std::move(host_space)),
      cell_(std::move(cell)) {}

CallOfCells::~CallOfCells() = default;

CallOfCells::Made& CallOfCells::made() {
  if (!made_) {
    made_ = std::make_unique<Made>(program_, host_, call_, name_, host_space_, cell_);
  }
  return *made_;
}

std::optional<Operand> CallOfCells::quantity(Quantity which) {
  switch (which) {
    case Quantity::kCode:
    case Quantity::kIsStraight:
    case Quantity::kAccessBytes:
    case Quantity::kHasMemory:
    case Quantity::kIsUnbounded:
    case Quantity::kTransposedReads:
    case Quantity::kTileExtent:
      return made().kernel.quantity(which);
    default:
      return std::nullopt;
  }
}

bool CallOfCells::emit(const Schedule& schedule) {
  if (const auto* staged = std::get_if<StagedCellsSchedule>(&schedule)) return emitStaged(*staged);
  const Grid grid = made().kernel.carryOut(schedule);
  made().scope.launch(grid.workgroup, grid.groups);
  return !made().scope.unsupported();
}

bool CallOfCells::emitStaged(const StagedCellsSchedule& schedule) {
  KernelScope scope(program_, host_, call_, name_ + "_staged");
  const CellBody cell = [&](const Operands& indices, const LoweringTarget& target) {
    cell_(scope, indices, target);
  };
  const Grid grid = stagedCells(scope, host_space_, cell, *made().kernel.transposed(), schedule);
  scope.launch(grid.workgroup, grid.groups);
  return !scope.unsupported();
}

TemplateResult CallOfCells::emitVersions() {
  bool supported = true;
  gpu::emitVersions(
      host_, call_, [&](Quantity which) { return *quantity(which); },
      [&](const Schedule& schedule) { supported = emit(schedule) && supported; });
  return {{}, supported};
}

}  // namespace halo::gpu

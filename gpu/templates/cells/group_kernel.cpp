// A kernel in which each cell of a nest has a workgroup: the cell's body in team form, then the
// passes of gpu/team. Arrays of the cell are in a pool: shared memory, or a part of a device
// buffer. Sizes decide at the launch whether they fit (gpu/schedule/cells/group.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nests/written_results.h"
#include "gpu/team/memory.h"
#include "gpu/templates/cells/cells.h"
#include "gpu/templates/cells/group.h"
#include "gpu/templates/cells/group_widths.h"
#include "gpu/templates/cells/nest_cell.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/kernel/lanes.h"
#include "lang/core/visit.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kGroupKernelBlock = 32;  // lanes that combine elements first, in all versions

class GroupKernel {
 public:
  // Of these lanes, which are no more than the schedule's.
  GroupKernel(Program& program, Builder& host, const KernelCall& call,
              const GroupSchedule& schedule, int64_t lanes, const std::string& name)
      : program_(program),
        host_(host),
        call_(call),
        has_runs_(schedule.has_runs),
        lanes_(lanes),
        levels_(mapNest(std::get<core::Screma>(lastStatement(call).expr),
                        call.function.kernel[0].space.size())),
        scope_(program, host, call, name) {
    for (const auto& [param, inner] : scope_.environment().scalars) {
      auto outer = call.arguments.scalars.find(param);
      const bool is_known = !inner.isConstant() && outer != call.arguments.scalars.end() &&
                            !call.on_device.contains(param);
      if (is_known) host_of_[inner.var] = outer->second;
    }
    for (const core::Screma* level : levels_) {
      space_.push_back(operandOf(call.arguments, level->width));
    }
    groups_ = Operands(3, i64(1));
    for (size_t k = 0; k < space_.size(); ++k) groups_[space_.size() - 1 - k] = space_[k];
    cells_ = elementCount(host_, space_);
  }

  // False: a workgroup cannot do it.
  bool make() {
    Block body = cell();
    bool supported = true;
    body = keepUniform(program_, expandCopies(program_, body), &supported);
    body = keepInRegisters(program_, body, lanes_, few_);
    memory_.emplace(program_, body, WordCode{wordsOf, toWords, fromWords});
    if (!supported || scope_.unsupported() || !placeSlots()) return false;
    body_ = placeBarriers(body, [this](BufferId buffer) { return memory_->memoryOf(buffer); });
    Block whole = prologue_;
    for (Stm& stm : shareLoops(program_, body_, lanes_, lid_)) whole.push_back(std::move(stm));
    return whyNotUniform(program_, whole).empty();
  }

  const Operand& words() const { return words_; }  // of the pool; host

  // It is launched where these widths, of the host, are at most the lanes.
  void knowFew(const Operands& widths) {
    for (const auto& [inner, outer] : host_of_) {
      if (std::find(widths.begin(), widths.end(), outer) != widths.end()) few_.insert(inner);
    }
  }

  void launchShared(int64_t most_words) {
    const int64_t words =
        words_.isConstant() ? std::max<int64_t>(words_.constant.asSigned(), 1) : most_words;
    BufferId pool = program_.buffers.add({"pool", ScalarType::kU32, Space::kShared, words, false});
    launch(pool, first_);
  }

  void launchSpilled() {
    BufferId whole =
        host_.alloc("pool", ScalarType::kU32, Space::kDevice, host_.mul(words_, cells_));
    BufferId pool = scope_.buffer(whole);
    Operands begins;
    Operand words = scope_.scalar(words_);
    Builder& code = scope_.code();
    Operand number = i64(0);
    for (int d = 2; d >= 0; d--) {
      number = code.add(code.mul(number, scope_.scalar(groups_[static_cast<size_t>(d)])),
                        scope_.groupId(d));
    }
    const Operand base = code.mul(number, words);
    for (const Operand& first : first_) begins.push_back(code.add(base, first));
    launch(pool, begins);
    host_.append(Free{whole});
  }

 private:
  // The code of one cell, in team form.
  Block cell() {
    Builder& code = scope_.code();
    const int subgroup = call_.variants.subgroup;
    const bool shuffles = subgroup > 1 && subgroup <= lanes_ && lanes_ % subgroup == 0;
    Operands at;
    for (size_t k = 0; k < space_.size(); ++k) {
      at.push_back(scope_.groupId(static_cast<int>(space_.size() - 1 - k)));
    }
    lid_ = shuffles ? code.add(code.mul(scope_.builtIn(BuiltIn::kSubgroup, lanes_ / subgroup),
                                        i64(subgroup)),
                               scope_.builtIn(BuiltIn::kLane, subgroup))
                    : scope_.builtIn(BuiltIn::kLocalId, lanes_);
    prologue_ = code.take();
    Operands extents;
    for (const Operand& extent : space_) extents.push_back(scope_.scalar(extent));
    LoweringTarget lane = scope_.place(host_.mul(cells_, i64(lanes_)), [this, at, extents] {
      Builder& here = scope_.code();
      return here.add(here.mul(positionOf(here, at, extents), i64(lanes_)), lid_);
    });
    GroupBody group(scope_, lanes_, lid_, shuffles ? subgroup : 0, lane, has_runs_);
    const LoweringTarget target = group.place();
    Environment environment = outside();
    bind(environment, target, at);
    const core::Body& body = levels_.back()->map.body;
    const Destinations ends = cellDestinations(scope_, body, at);
    Destinations places = ends;
    for (size_t k = 0; k < places.size(); ++k) {
      if (places[k] && isReadByLoops(scope_.core(), body, body.results[k])) places[k].reset();
    }
    Results values = lowerBody(code, scope_.core(), body, environment, target, places);
    for (size_t k = 0; k < places.size(); ++k) {
      if (ends[k] && !places[k]) copyArray(code, target, *ends[k], values.arrays[k]);
    }
    storeScalars(scope_, body, values, at);
    return code.take();
  }

  // Memory of the device is never taken for the team's own: no array begins where its buffer does.
  Environment outside() {
    Environment environment = scope_.environment();
    for (auto& [value, array] : environment.arrays) {
      if (array.isVirtual() || array.offset != i64(0)) continue;
      array.offset = scope_.code().let("first", ScalarType::kI64,
                                       Prim{Op::kAdd, ScalarType::kI64, {i64(0), i64(0)}});
    }
    return environment;
  }

  void bind(Environment& environment, const LoweringTarget& target, const Operands& at) {
    Builder& code = scope_.code();
    lowerPrefix(scope_, environment, target);
    for (size_t k = 0; k < levels_.size(); ++k) {
      const core::Lambda& map = levels_[k]->map;
      for (size_t p = 0; p < map.params.size(); ++p) {
        const ArrayRef input = environment.arrays.at(levels_[k]->inputs[p]);
        bindElement(code, scope_.core(), environment, map.params[p], input, {at[k]});
      }
      if (k + 1 == levels_.size()) break;
      core::Body between;
      between.stms.assign(map.body.stms.begin(), map.body.stms.end() - 1);
      lowerBody(code, scope_.core(), between, environment, target);
    }
  }

  // Where each slot of the pool begins, by the host; false: it cannot know.
  bool placeSlots() {
    const TeamMemory::Leaf leaf = [this](const Operand& operand) -> std::optional<Operand> {
      auto found = host_of_.find(operand.var);
      return found == host_of_.end() ? std::nullopt : std::optional(found->second);
    };
    const std::vector<Slot>& slots = memory_->slots();
    Operands ends;
    auto behind = [&](size_t number) {
      Operand end = i64(0);
      for (size_t before : memory_->slotsBefore(number)) {
        end = end == i64(0) ? ends[before] : host_.max(end, ends[before]);
      }
      return end;
    };
    for (size_t number = 0; number < slots.size(); ++number) {
      std::optional<Operand> elements = memory_->mostOnHost(host_, slots[number].elements, leaf);
      if (!elements) return false;
      const Operand begin = behind(number);
      first_.push_back(scope_.scalar(begin));
      ends.push_back(host_.add(begin, host_.mul(*elements, i64(slots[number].words))));
    }
    words_ = behind(slots.size());
    return true;
  }

  // Products of sizes are arguments, which the narrow kernel knows to be short (narrowIndices):
  // numbers of the elements of a matrix, for one.
  Block productsByHost(const Block& block) {
    std::unordered_map<VarId, Operand> known, host_of = host_of_;
    const auto here = [&](const Operand& operand) {
      const auto found = operand.isConstant() ? known.end() : known.find(operand.var);
      return found == known.end() ? operand : found->second;
    };
    const auto onHost = [&](const Operand& operand) -> std::optional<Operand> {
      if (operand.isConstant()) return operand;
      const auto found = host_of.find(operand.var);
      return found == host_of.end() ? std::nullopt : std::optional(found->second);
    };
    std::map<std::pair<VarId, VarId>, Operand> made;
    forEachStm(block, [&](const Stm& stm) {
      const auto* prim = boundAs<Prim>(stm);
      if (prim == nullptr || prim->op != Op::kMul || prim->type != ScalarType::kI64) return;
      const Operand a = here(prim->args[0]), b = here(prim->args[1]);
      const auto host_a = onHost(a), host_b = onHost(b);
      if (!host_a || !host_b || a.isConstant() || b.isConstant()) return;
      auto [product, is_new] = made.try_emplace({a.var, b.var});
      if (is_new) {
        const Operand host = host_.mul(*host_a, *host_b);
        product->second = scope_.scalar(host);
        if (!host.isConstant()) host_of[product->second.var] = host;
      }
      known[std::get<Let>(stm.node).var] = product->second;
    });
    return rewriteBlock(block, [&](Stm stm, Block& out) {
      const auto* let = std::get_if<Let>(&stm.node);
      if (let != nullptr && known.contains(let->var)) return;
      mapOperands(stm, here);
      out.push_back(std::move(stm));
    });
  }

  void launch(BufferId pool, const Operands& first) {
    Builder& code = scope_.code();
    Block begin = code.take();
    Block whole = prologue_;
    std::move(begin.begin(), begin.end(), std::back_inserter(whole));
    Block shared = shareLoops(program_, memory_->inPool(body_, pool, first), lanes_, lid_, few_);
    std::move(shared.begin(), shared.end(), std::back_inserter(whole));
    for (Stm& stm : productsByHost(whole)) code.append(std::move(stm.node));
    const int workgroup[3] = {static_cast<int>(lanes_), 1, 1};
    scope_.launch(workgroup, groups_);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  bool has_runs_;
  int64_t lanes_;
  std::vector<const core::Screma*> levels_;
  KernelScope scope_;
  Operands space_, groups_;  // host
  Operand cells_;            // host
  Operand lid_;
  Block prologue_, body_;
  std::optional<TeamMemory> memory_;
  std::unordered_map<VarId, Operand> host_of_;  // arguments
  std::set<VarId> few_;                         // of them, those that are at most the lanes
  Operands first_;                              // of the slots
  Operand words_;
};

class GroupTemplate {
 public:
  GroupTemplate(Program& program, Builder& host, const KernelCall& call)
      : program_(program),
        host_(host),
        call_(call),
        levels_(mapNest(std::get<core::Screma>(lastStatement(call).expr),
                        call.function.kernel[0].space.size())),
        cells_(program, host, call, call.function.name, spaceOf(call, levels_),
               [this](KernelScope& scope, const Operands& indices, const LoweringTarget& target) {
                 emitCell(scope, levels_, indices, target);
               }),
        widths_(widthsOf(host, call, levels_.back()->map.body)),
        kernels_(call.versions.size()) {
    for (const Operand& width : widths_.single) widest_ = host_.max(widest_, width);
    for (const Operand& width : widths_.nested) widest_ = host_.max(widest_, width);
  }

  TemplateResult run() {
    version(0);
    return {{}, supported_};
  }

 private:
  // This version, if its guard holds; else the next ones. A kernel is made where a guard asks for
  // its words, or where it is launched.
  void version(size_t number) {
    const ScheduleVersion& version = call_.versions[number];
    if (number + 1 == call_.versions.size()) return launch(number);
    const Operand holds = emitCondition(host_, version.guard,
                                        [&](Quantity which) { return quantity(number, which); });
    branch(
        host_, holds, [&] { launch(number); }, [&] { this->version(number + 1); });
  }

  void launch(size_t number) {
    const auto* group = std::get_if<GroupSchedule>(&call_.versions[number].schedule);
    if (group == nullptr) {
      supported_ = cells_.emit(call_.versions[number].schedule) && supported_;
      return;
    }
    GroupKernel* kernel = kernelOf(number);
    if (kernel == nullptr) return;
    if (group->pool == GroupSchedule::Pool::kDevice) return kernel->launchSpilled();
    kernel->launchShared(group->words);
  }

  Operand quantity(size_t number, Quantity which) {
    switch (which) {
      case Quantity::kIsUniform:
        return prim::Scalar::ofBool(kernelOf(firstGroup()) != nullptr);
      case Quantity::kWidth:
        return widest_;
      case Quantity::kKnowsWidths:
        return prim::Scalar::ofBool(widths_.are_all);
      case Quantity::kSegments:
        return elementCount(host_, spaceOf(call_, levels_));
      case Quantity::kPoolWords: {
        const GroupKernel* kernel = kernelOf(number);
        return kernel == nullptr ? i64(0) : kernel->words();
      }
      default:
        return *cells_.quantity(which);
    }
  }
  size_t firstGroup() const {
    size_t number = 0;
    while (!std::holds_alternative<GroupSchedule>(call_.versions[number].schedule)) ++number;
    return number;
  }

  // Null: a workgroup cannot do it.
  GroupKernel* kernelOf(size_t number) {
    std::optional<std::unique_ptr<GroupKernel>>& made = kernels_[number];
    if (made) return made->get();
    const auto& schedule = std::get<GroupSchedule>(call_.versions[number].schedule);
    const std::string name =
        call_.function.name + (number == firstGroup() ? "" : suffixOf(schedule));
    made = std::make_unique<GroupKernel>(program_, host_, call_, schedule,
                                         lanesOf(number, schedule), name);
    if (schedule.one_turn) (*made)->knowFew(widths_.single);
    if (!(*made)->make()) {
      made->reset();
      supported_ = supported_ && number == firstGroup();
    }
    return made->get();
  }

  static std::string suffixOf(const GroupSchedule& schedule) {
    if (schedule.pool == GroupSchedule::Pool::kDevice) return "_spilled";
    if (schedule.has_runs) return "_runs";
    const std::string lanes =
        schedule.one_turn ? "turn_of_" + std::to_string(schedule.lanes) : "group";
    const bool is_tall = schedule.pool == GroupSchedule::Pool::kWhole;
    return (is_tall ? "_tall_" : schedule.one_turn ? "_" : "_wide_") + lanes;
  }

  // No more than there is to do, if the launch knows that. The first version, which shows whether a
  // workgroup can share a cell, has all.
  int64_t lanesOf(size_t number, const GroupSchedule& schedule) const {
    const bool is_fixed = number == firstGroup() || schedule.one_turn || schedule.has_runs;
    if (is_fixed || !widths_.are_all || !widest_.isConstant()) return schedule.lanes;
    int64_t lanes = kGroupKernelBlock;
    while (lanes < std::min(widest_.constant.asSigned(), schedule.lanes)) lanes *= 2;
    return lanes;
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  std::vector<const core::Screma*> levels_;
  CallOfCells cells_;
  CellWidths widths_;
  Operand widest_ = i64(1);
  // By version; set and null: none could be made.
  std::vector<std::optional<std::unique_ptr<GroupKernel>>> kernels_;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitGroup(Program& program, Builder& host, const KernelCall& call) {
  return GroupTemplate(program, host, call).run();
}

}  // namespace halo::gpu

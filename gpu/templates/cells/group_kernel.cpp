// A kernel in which each cell of a nest has a workgroup: the cell's body in team form, then the
// passes of gpu/team. Arrays of the cell are in a pool of shared memory. Where sizes decide at the
// launch whether they fit, there are two forms of the kernel. In the other one the pool is a part
// of a device buffer.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>

#include "gpu/plan/nests/nest.h"
#include "gpu/plan/nests/written_results.h"
#include "gpu/team/memory.h"
#include "gpu/templates/cells/group.h"
#include "gpu/templates/kernel/lanes.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kWordBytes = 4;
constexpr int64_t kGroupKernelReserved = 64;  // bytes that the printer adds
constexpr int64_t kGroupKernelLanes = 256;    // of cells that are not narrow
constexpr int64_t kGroupKernelBlock = 32;     // lanes that combine elements first, in all forms

class GroupKernel {
 public:
  GroupKernel(Program& program, Builder& host, const KernelCall& call, int64_t lanes,
              const std::string& name, bool has_runs = false)
      : program_(program),
        host_(host),
        call_(call),
        has_runs_(has_runs),
        lanes_(std::min(lanes, call.variants.most_invocations)),
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
    for (size_t k = 0; k < space_.size(); k++) groups_[space_.size() - 1 - k] = space_[k];
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
  const Operand& cells() const { return cells_; }  // host

  int64_t lanes() const { return lanes_; }
  // It is launched where these widths, of the host, are at most the lanes.
  void knowFew(const Operands& widths) {
    for (const auto& [inner, outer] : host_of_) {
      if (std::find(widths.begin(), widths.end(), outer) != widths.end()) few_.insert(inner);
    }
  }

  void launchShared(int64_t words) {
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
    for (size_t k = 0; k < space_.size(); k++) {
      at.push_back(scope_.groupId(static_cast<int>(space_.size() - 1 - k)));
    }
    lid_ = shuffles ? code.add(code.mul(scope_.builtIn(BuiltIn::kSubgroup, lanes_ / subgroup),
                                        i64(subgroup)),
                               scope_.builtIn(BuiltIn::kLane, subgroup))
                    : scope_.builtIn(BuiltIn::kLocalId, lanes_);
    prologue_ = code.take();
    Operands extents;
    for (const Operand& extent : space_) extents.push_back(scope_.scalar(extent));
    Place lane = scope_.place(host_.mul(cells_, i64(lanes_)), [this, at, extents] {
      Builder& here = scope_.code();
      return here.add(here.mul(positionOf(here, at, extents), i64(lanes_)), lid_);
    });
    GroupBody group(scope_, lanes_, lid_, shuffles ? subgroup : 0, lane, has_runs_);
    const Place place = group.place();
    Environment environment = outside();
    bind(environment, place, at);
    const core::Body& body = levels_.back()->map.body;
    const Destinations ends = cellDestinations(scope_, body, at);
    Destinations places = ends;
    for (size_t k = 0; k < places.size(); k++) {
      if (places[k] && isReadByLoops(scope_.core(), body, body.results[k])) places[k].reset();
    }
    Results values = lowerBody(code, scope_.core(), body, environment, place, places);
    for (size_t k = 0; k < places.size(); k++) {
      if (ends[k] && !places[k]) copyArray(code, place, *ends[k], values.arrays[k]);
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

  void bind(Environment& environment, const Place& place, const Operands& at) {
    Builder& code = scope_.code();
    lowerPrefix(scope_, environment, place);
    for (size_t k = 0; k < levels_.size(); k++) {
      const core::Lambda& map = levels_[k]->map;
      for (size_t p = 0; p < map.params.size(); p++) {
        const ArrayRef input = environment.arrays.at(levels_[k]->inputs[p]);
        bindElement(code, scope_.core(), environment, map.params[p], input, {at[k]});
      }
      if (k + 1 == levels_.size()) break;
      core::Body between;
      between.stms.assign(map.body.stms.begin(), map.body.stms.end() - 1);
      lowerBody(code, scope_.core(), between, environment, place);
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
    for (size_t number = 0; number < slots.size(); number++) {
      std::optional<Operand> elements = memory_->mostOnHost(host_, slots[number].elements, leaf);
      if (!elements) return false;
      const Operand begin = behind(number);
      first_.push_back(scope_.scalar(begin));
      ends.push_back(host_.add(begin, host_.mul(*elements, i64(slots[number].words))));
    }
    words_ = behind(slots.size());
    return true;
  }

  void launch(BufferId pool, const Operands& first) {
    Builder& code = scope_.code();
    Block begin = code.take();
    auto append = [&](Block block) {
      for (Stm& stm : block) code.append(std::move(stm.node));
    };
    append(prologue_);
    append(std::move(begin));
    append(shareLoops(program_, memory_->inPool(body_, pool, first), lanes_, lid_, few_));
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

// Host values of extents that statements of a cell go through, where the call has them.
struct Widths {
  Operands single;  // of one level
  Operands nested;  // of nests of several levels: the products
};

void add(Operands& widths, const Operand& width) {
  if (std::find(widths.begin(), widths.end(), width) == widths.end()) widths.push_back(width);
}

void addWidths(Builder& host, const KernelCall& call, const core::Body& body, Widths& widths) {
  auto known = [&](const core::Operand& operand) -> std::optional<Operand> {
    if (operand.isConstant()) return Operand(operand.constant);
    auto found = call.arguments.scalars.find(operand.value);
    const bool is_there =
        found != call.arguments.scalars.end() && !call.on_device.contains(operand.value);
    return is_there ? std::optional(found->second) : std::nullopt;
  };
  auto addNest = [&](const core::Screma& node) {
    const auto levels = mapNest(node, kMaxLevels);
    if (levels.size() < 2) {
      if (auto width = known(node.width)) add(widths.single, *width);
      return;
    }
    Operand product = i64(1);
    for (const core::Screma* level : levels) {
      const std::optional<Operand> width = known(level->width);
      if (!width) return;
      product = host.mul(product, *width);
    }
    add(widths.nested, product);
  };
  for (const core::Stm& stm : body.stms) {
    if (const auto* node = std::get_if<core::Screma>(&stm.expr)) addNest(*node);
    if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
      if (auto width = known(node->width)) add(widths.single, *width);
    }
    const bool goes_in = std::holds_alternative<core::Loop>(stm.expr) ||
                         std::holds_alternative<core::Match>(stm.expr);
    if (!goes_in) continue;
    core::visitBodies(stm.expr,
                      [&](const core::Body& inner) { addWidths(host, call, inner, widths); });
  }
}

// Whether a statement of the cell sums or scans.
bool hasFolds(const core::Body& body) {
  bool found = false;
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* node = std::get_if<core::Screma>(&stm.expr);
    found = found || (node != nullptr && !isMap(*node));
  });
  return found;
}

// Forms of the kernel for cells of few elements and for others. Each has as much shared memory as
// such cells usually need, so that many are under way. Where there are no runs, all of them combine
// elements in one order. A run of a lane is one element as long as there are lanes. Many cells with
// sums or scans keep the device busy by one block of lanes each. It combines runs in a third of the
// steps for single elements, and waits for no other block.
struct Form {
  const char* suffix;
  int64_t lanes;
  int64_t most_width;       // of the widest statement; 0: any
  int64_t words;            // of the pool; 0: all that the device has
  int64_t least_cells = 0;  // not 0: lanes have runs
};
constexpr Form kUsualForms[] = {
    {"", kGroupKernelBlock, 32, 1536},
    {"_runs", kGroupKernelBlock, 9 * kGroupKernelBlock, 1792, 1024},
    {"_pair", 64, 64, 5 * 1024},
    {"_wide_group", kGroupKernelLanes, 0, 4 * 1024 + 512},
    {"_tall_pair", 64, 64, 0},
    {"_tall_group", kGroupKernelLanes, 0, 0},
};
// The only cell has a multiprocessor for itself: as many lanes as a workgroup may have. Other forms
// would save little, and each takes time to compile.
constexpr int64_t kOnlyCellLanes = 1024;
constexpr Form kOnlyCellForms[] = {
    {"", kOnlyCellLanes, 0, 0},
};

class GroupTemplate {
 public:
  GroupTemplate(Program& program, Builder& host, const KernelCall& call)
      : program_(program), host_(host), call_(call) {}

  TemplateResult run() {
    const core::Screma& outer = std::get<core::Screma>(lastStatement(call_).expr);
    const core::Operands& space = call_.function.kernel[0].space;
    const auto levels = mapNest(outer, space.size());
    const bool is_only = space == core::Operands{core::Operand::ofI64(1)};
    if (is_only) forms_ = kOnlyCellForms;
    most_lanes_ = is_only ? kOnlyCellLanes : kGroupKernelLanes;
    addWidths(host_, call_, levels.back()->map.body, widths_);
    has_folds_ = hasFolds(levels.back()->map.body);
    for (const Operand& width : widths_.single) widest_ = host_.max(widest_, width);
    for (const Operand& width : widths_.nested) widest_ = host_.max(widest_, width);
    GroupKernel plain(program_, host_, call_, forms_[0].lanes, call_.function.name);
    knowFew(0, plain);
    if (!plain.make()) return emitMap(program_, host_, call_);
    form(0, plain);
    return {{}, supported_};
  }

 private:
  // This form, if sizes suit it; else the next one.
  void form(size_t number, GroupKernel& kernel) {
    const Form& form = forms_[number];
    const int64_t most = (call_.variants.shared_bytes - kGroupKernelReserved) / kWordBytes;
    const Operand words = kernel.words();
    const int64_t pool = form.words == 0 ? most : std::min(form.words, most);
    auto launch = [&] {
      const bool is_known = words.isConstant();
      kernel.launchShared(is_known ? std::max<int64_t>(words.constant.asSigned(), 1) : pool);
    };
    Operand suits = isUpTo(words, pool);
    if (form.most_width != 0) suits = both(suits, isUpTo(widest_, form.most_width));
    if (form.least_cells != 0) suits = both(suits, isFrom(kernel.cells(), form.least_cells));
    branch(host_, suits, launch, [&] { others(number + 1); });
  }
  Operand isUpTo(const Operand& count, int64_t most) {
    if (count.isConstant()) return Scalar::ofBool(count.constant.asSigned() <= most);
    return host_.prim(Op::kLe, ScalarType::kI64, {count, i64(most)});
  }
  Operand isFrom(const Operand& count, int64_t least) {
    if (count.isConstant()) return Scalar::ofBool(count.constant.asSigned() >= least);
    return host_.prim(Op::kLe, ScalarType::kI64, {i64(least), count});
  }
  Operand both(const Operand& a, const Operand& b) {
    if (a.isConstant()) return a.constant.asBool() ? b : a;
    if (b.isConstant()) return b.constant.asBool() ? a : b;
    return host_.prim(Op::kAnd, ScalarType::kBool, {a, b});
  }

  void others(size_t number) {
    if (number < forms_.size() && forms_[number].least_cells != 0 && !mayHaveRuns()) {
      return others(number + 1);
    }
    const bool is_last = number == forms_.size();
    const char* suffix = is_last ? "_spilled" : forms_[number].suffix;
    const bool is_wide = is_last || forms_[number].most_width == 0;
    GroupKernel next(program_, host_, call_, is_wide ? wideLanes() : forms_[number].lanes,
                     call_.function.name + suffix, !is_last && forms_[number].least_cells != 0);
    if (!is_last) knowFew(number, next);
    supported_ = next.make() && supported_;
    if (!supported_) return;
    if (is_last) return next.launchSpilled();
    form(number, next);
  }

  void knowFew(size_t number, GroupKernel& kernel) {
    if (forms_[number].most_width == kernel.lanes()) kernel.knowFew(widths_.single);
  }

  bool mayHaveRuns() const {
    const bool is_narrow = widest_.isConstant() && widest_.constant.asSigned() <= kGroupKernelBlock;
    return has_folds_ && !is_narrow;
  }
  // No more than there is to do.
  int64_t wideLanes() const {
    if (!widest_.isConstant()) return most_lanes_;
    int64_t lanes = kGroupKernelBlock;
    while (lanes < std::min(widest_.constant.asSigned(), most_lanes_)) lanes *= 2;
    return lanes;
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  std::span<const Form> forms_ = kUsualForms;
  int64_t most_lanes_ = kGroupKernelLanes;
  Widths widths_;
  Operand widest_ = i64(1);
  bool has_folds_ = false;
  bool supported_ = true;
};

}  // namespace

bool isGroup(const core::Stm& stm) {
  const auto* nest = std::get_if<core::Screma>(&stm.expr);
  return nest != nullptr && nest->flattening.has(core::Flattening::kOnlyIntra) && isMap(*nest);
}

// Where a workgroup cannot do it, an invocation does each cell.
TemplateResult emitGroup(Program& program, Builder& host, const KernelCall& call) {
  return GroupTemplate(program, host, call).run();
}

}  // namespace halo::gpu

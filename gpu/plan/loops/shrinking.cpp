// One loop after another, inner ones first; each on a copy of the program until it has shown that
// the host waits less.
#include "gpu/plan/loops/shrinking.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/loops/unswitch_reads.h"
#include "gpu/plan/outline.h"
#include "gpu/plan/placement.h"
#include "gpu/plan/sizes/bound_sizes.h"
#include "gpu/plan/sizes/carried_limits.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {

using NextName = std::function<std::string()>;

// A carried size, and the carried arrays of so many elements.
struct Group {
  size_t size;
  std::vector<size_t> arrays;
  Operands limits;
};

bool isOfSize(const Operands& shape, ValueId size) {
  return std::find(shape.begin(), shape.end(), Operand(size)) != shape.end();
}

std::optional<Group> groupOf(const Program& program, const Loop& loop, size_t size) {
  Group group{size, {}, {}};
  const ValueId param = loop.carried[size].param;
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    const Carried& one = loop.carried[k];
    const Operands& shape = program.type(one.param).shape;
    if (!isOfSize(shape, param)) continue;
    if (shape.size() != 1 || one.consumed) return std::nullopt;
    group.arrays.push_back(k);
  }
  if (group.arrays.empty()) return std::nullopt;
  const std::optional<Operands> limits = carriedLimits(program, loop, size);
  if (!limits) return std::nullopt;
  group.limits = *limits;
  return group;
}

// The loop's sizes; none, if one of them may grow.
std::vector<Group> groupsOf(const Program& program, const Loop& loop) {
  std::vector<Group> groups;
  for (size_t k = 0; k < loop.carried.size(); ++k) {
    const ValueId param = loop.carried[k].param;
    const bool is_size = std::any_of(
        loop.carried.begin(), loop.carried.end(),
        [&](const Carried& one) { return isOfSize(program.type(one.param).shape, param); });
    if (!is_size) continue;
    std::optional<Group> group = groupOf(program, loop, k);
    if (!group) return {};
    groups.push_back(std::move(*group));
  }
  return groups;
}

class Rooms {
 public:
  // `uses`: of values of the body that has the loop.
  Rooms(Program& program, const NextName& next_name, std::unordered_map<ValueId, int> uses)
      : program_(program), next_name_(next_name), uses_(std::move(uses)) {}

  // The statements for a loop.
  std::vector<Stm> run(Stm stm, const std::vector<Group>& groups) {
    auto& loop = std::get<Loop>(stm.expr);
    for (const Group& group : groups) rewrite(stm, loop, group);
    before_.push_back(std::move(stm));
    std::move(behind_.begin(), behind_.end(), std::back_inserter(before_));
    return std::move(before_);
  }

 private:
  static Stm front(ValueId result, ValueId array, ValueId size) {
    return {{result}, Slice{array, {{kZero, size, kOne}}}, false, {}};
  }
  ValueId another(ValueId like) {
    return program_.add(program_.values[like].name, program_.type(like));
  }
  ValueId withShape(ValueId like, const Operand& size) {
    return program_.add(program_.values[like].name, {program_.type(like).scalar, {size}});
  }
  Operand roomOf(const Operand& initial, const Operands& limits) {
    Builder code(program_);
    Operand room = initial;
    for (const Operand& limit : limits) {
      if (limit != kZero) room = code.prim(Op::kMax, ScalarType::kI64, {room, limit});
    }
    for (Stm& made : code.take({}).stms) before_.push_back(std::move(made));
    return room;
  }

  void rewrite(Stm& stm, Loop& loop, const Group& group) {
    Carried& size = loop.carried[group.size];
    const Operand room = roomOf(size.initial, group.limits);
    rewriteStart(loop, group, room);
    rewriteEnd(loop, group, room);
    const ValueId last = std::exchange(stm.results[group.size], another(size.param));
    const PrimOp least{Op::kMin, ScalarType::kI64, {stm.results[group.size], room}};
    behind_.push_back({{last}, least, false, stm.span});
    for (const size_t k : group.arrays) {
      const ValueId array = std::exchange(stm.results[k], withShape(stm.results[k], room));
      if (uses_[array] == 0) continue;
      const ValueId part = withShape(array, last);
      behind_.push_back(front(part, stm.results[k], last));
      KernelInfo info{KernelKind::kMap, {last}};
      const Stm copy{{array}, Copy{part}, false, stm.span};
      behind_.push_back(outline(program_, copy, next_name_(), std::move(info), {}));
    }
  }
  void rewriteStart(Loop& loop, const Group& group, const Operand& room) {
    Carried& size = loop.carried[group.size];
    const ValueId now = std::exchange(size.param, another(size.param));
    std::vector<Stm> starts = {
        {{now}, PrimOp{Op::kMin, ScalarType::kI64, {size.param, room}}, false, {}}};
    std::vector<ValueId> stored;
    for (const size_t k : group.arrays) {
      Carried& one = loop.carried[k];
      const ValueId array = std::exchange(one.param, withShape(one.param, room));
      starts.push_back(front(array, one.param, now));
      stored.push_back(one.initial.value);
    }
    loop.body.stms.insert(loop.body.stms.begin(), starts.begin(), starts.end());
    if (room == size.initial) return;
    stored = store(stored, size.initial, room, before_);
    for (size_t i = 0; i < stored.size(); ++i) loop.carried[group.arrays[i]].initial = stored[i];
  }
  // Arrays of the room for the next step.
  void rewriteEnd(Loop& loop, const Group& group, const Operand& room) {
    std::vector<size_t> others;
    std::vector<ValueId> stored;
    for (const size_t k : group.arrays) {
      Operand& result = loop.body.results[k];
      if (const auto whole = widened(loop.body, result.value, room)) {
        result = *whole;
      } else {
        others.push_back(k);
        stored.push_back(result.value);
      }
    }
    if (others.empty()) return;
    stored = store(stored, loop.body.results[group.size], room, loop.body.stms);
    for (size_t i = 0; i < others.size(); ++i) loop.body.results[others[i]] = stored[i];
  }

  // ---- arrays of the room

  // Where the array is the front of a scratch that a kernel fills: that scratch, of the room.
  std::optional<ValueId> widened(Body& body, ValueId array, const Operand& room) {
    const auto view = makerOf(body.stms, array);
    const auto* slice = view ? std::get_if<Slice>(&body.stms[*view].expr) : nullptr;
    const bool is_front =
        slice != nullptr && slice->dims[0].start == kZero && slice->dims[0].stride == kOne;
    const auto made = is_front ? makerOf(body.stms, slice->array) : std::nullopt;
    const Function* kernel = made ? kernelOf(program_, body.stms[*made]) : nullptr;
    if (kernel == nullptr || std::get_if<Scatter>(&kernel->body.stms.back().expr) == nullptr) {
      return std::nullopt;
    }
    const ValueId whole = slice->array;
    Stm& call = body.stms[*made];
    const auto k = static_cast<size_t>(std::find(call.results.begin(), call.results.end(), whole) -
                                       call.results.begin());
    const auto target = targetOf(*kernel, kernel->body.results[k]);
    if (!target) return std::nullopt;
    auto& args = std::get<Call>(call.expr).args;
    const auto scratch = makerOf(body.stms, args[*target]);
    const Function* maker = scratch ? kernelOf(program_, body.stms[*scratch]) : nullptr;
    const bool is_scratch = maker != nullptr && maker->body.stms.size() == 1 &&
                            std::holds_alternative<Scratch>(maker->body.stms[0].expr) &&
                            useCounts(program_, body)[args[*target].value] == 1;
    if (!is_scratch) return std::nullopt;
    const auto at = body.stms.begin() + static_cast<std::ptrdiff_t>(*view);
    if (useCounts(program_, body)[array] == 1) body.stms.erase(at);  // behind the others
    body.stms[*scratch] = scratchOf(args[*target].value, room);
    program_.values[whole].type.shape = {room};
    widen(call, k, *target, room);
    return whole;
  }
  // The parameter in whose memory the kernel's scatter leaves this result.
  static std::optional<size_t> targetOf(const Function& kernel, const Operand& result) {
    const Stm& last = kernel.body.stms.back();
    const auto at = std::find(last.results.begin(), last.results.end(), result.value);
    if (at == last.results.end()) return std::nullopt;
    const auto& to =
        std::get<Scatter>(last.expr).destinations[static_cast<size_t>(at - last.results.begin())];
    const auto param = std::find(kernel.params.begin(), kernel.params.end(), to.array);
    if (param == kernel.params.end()) return std::nullopt;
    return static_cast<size_t>(param - kernel.params.begin());
  }
  void widen(Stm& stm, size_t result, size_t target, const Operand& room) {
    auto& call = std::get<Call>(stm.expr);
    Function& kernel =
        *std::find_if(program_.functions.begin(), program_.functions.end(),
                      [&](const Function& one) { return one.name == call.function; });
    Operand inner = room;
    if (!room.isConstant()) {
      const auto known = std::find(call.args.begin(), call.args.end(), room);
      if (known != call.args.end()) {
        inner = kernel.params[static_cast<size_t>(known - call.args.begin())];
      } else {
        inner = another(room.value);
        kernel.params.insert(kernel.params.begin(), inner.value);
        kernel.consumed.insert(kernel.consumed.begin(), false);
        call.args.insert(call.args.begin(), room);
        ++target;
      }
    }
    const ValueId values[] = {kernel.params[target], kernel.body.results[result].value,
                              kernel.results[result]};
    for (const ValueId value : values) program_.values[value].type.shape = {inner};
  }
  Stm scratchOf(ValueId& value, const Operand& room) {
    program_.values[value].type.shape = {room};
    const Stm scratch{{value}, Scratch{program_.type(value).scalar, {room}}, false, {}};
    return outline(program_, scratch, next_name_(), {KernelKind::kMap, {room}}, {});
  }
  // Copies of arrays of `size` elements at the front of arrays of the room.
  std::vector<ValueId> store(const std::vector<ValueId>& arrays, const Operand& size,
                             const Operand& room, std::vector<Stm>& out) {
    const Type position{ScalarType::kI64, {}};
    Builder code(program_);
    Scatter scatter;
    scatter.width = size;
    scatter.inputs = {
        code.bind("is", {ScalarType::kI64, {size}}, Iota{ScalarType::kI64, size, kZero, kOne})};
    scatter.map.params = {program_.add("i", position)};
    std::vector<ValueId> stored;
    for (const ValueId array : arrays) {
      ValueId scratch = withShape(array, room);
      out.push_back(scratchOf(scratch, room));
      scatter.inputs.push_back(array);
      scatter.map.params.push_back(program_.add("x", {program_.type(array).scalar, {}}));
      scatter.map.body.results.emplace_back(scatter.map.params[0]);
      scatter.map.body.results.emplace_back(scatter.map.params.back());
      scatter.destinations.push_back({scratch, 1});
      stored.push_back(withShape(array, room));
    }
    code.append({stored, std::move(scatter), false, {}});
    KernelInfo info{KernelKind::kScatter, {size}};
    out.push_back(outlineAll(program_, code.take({}).stms, stored, next_name_(), info, {}));
    return stored;
  }

  Program& program_;
  const NextName& next_name_;
  std::unordered_map<ValueId, int> uses_;
  std::vector<Stm> before_, behind_;
};

// Whether the host waits in fewer loops where this one is rewritten.
class Trials {
 public:
  Trials(Program& program, Function& host, const NextName& next_name)
      : program_(program), host_(host), next_name_(next_name) {}

  void run() { visit(host_.body); }

 private:
  void visit(Body& body) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      visitBodies(body.stms[i].expr, [&](Body& inner) { visit(inner); });
      const auto* loop = std::get_if<Loop>(&body.stms[i].expr);
      const std::vector<Group> groups =
          loop == nullptr ? std::vector<Group>() : groupsOf(program_, *loop);
      if (!groups.empty()) i += tryAt(body, i, groups);
    }
  }
  // The number of statements that came in.
  size_t tryAt(Body& body, size_t at, const std::vector<Group>& groups) {
    const Program before = program_;
    const std::vector<Stm> stms = body.stms;
    const size_t guarded = guardedLoops();
    const bool is_counted = std::holds_alternative<ForLoop>(std::get<Loop>(stms[at].expr).form);
    std::vector<Stm> made =
        Rooms(program_, next_name_, useCounts(program_, body)).run(stms[at], groups);
    const auto place = body.stms.begin() + static_cast<std::ptrdiff_t>(at);
    const auto loop = std::find_if(made.begin(), made.end(), [](const Stm& stm) {
      return std::holds_alternative<Loop>(stm.expr);
    });
    const ValueId own = std::get<Loop>(loop->expr).carried[groups[0].size].param;
    const size_t more = made.size() - 1;
    body.stms.erase(place);
    body.stms.insert(body.stms.begin() + static_cast<std::ptrdiff_t>(at),
                     std::move_iterator(made.begin()), std::move_iterator(made.end()));
    const bool gains = is_counted ? staysOnDevice(own) : guardedLoops() > guarded;
    if (gains) return more;
    program_ = before;
    body.stms = stms;
    return 0;
  }
  struct Trial {
    Program program;
    Function host;
  };
  Trial bounded() const {
    Trial trial{program_, host_};
    int names = 0;
    boundSizes(trial.program, trial.host,
               [&] { return host_.name + "_trial_" + std::to_string(++names); });
    return trial;
  }
  size_t guardedLoops() const {
    Trial trial = bounded();
    unswitchReads(trial.program, trial.host.body);
    return placeScalars(trial.program, trial.host).guarded.size();
  }
  bool staysOnDevice(ValueId value) const {
    const Trial trial = bounded();
    return placeScalars(trial.program, trial.host).staying.contains(value);
  }

  Program& program_;
  Function& host_;
  const NextName& next_name_;
};

}  // namespace

void keepShrinking(Program& program, Function& host, const NextName& next_name) {
  Trials(program, host, next_name).run();
}

}  // namespace halo::gpu

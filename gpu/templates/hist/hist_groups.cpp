// Merging takes one invocation for each bin where there are few workgroups, else a workgroup.
#include "gpu/templates/hist/hist_groups.h"

#include <algorithm>

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMerging = 256;   // invocations that combine a bin of all workgroups
constexpr int64_t kFewGroups = 32;  // for which an invocation does as well

}  // namespace

GroupHist::GroupHist(Program& program, Builder& host, const KernelCall& call, std::string prefix)
    : program_(program),
      host_(host),
      call_(call),
      hist_(std::get<core::Hist>(lastStatement(call).expr)),
      node_(hist_.operations[0]),
      prefix_(std::move(prefix)),
      bins_(elementCount(host, call.results[0].shape)),
      width_(operandOf(call.arguments, hist_.width)) {}

std::string GroupHist::kernelName(const std::string& what) const {
  return call_.function.name + "_" + prefix_ + "_" + what;
}

void GroupHist::launch(KernelScope& scope, int64_t group, const Operand& groups) {
  const int workgroup[3] = {static_cast<int>(group), 1, 1};
  scope.launch(workgroup, {groups, i64(1), i64(1)});
  supported_ = supported_ && !scope.unsupported();
}

void GroupHist::allocatePartial(const Operand& groups) {
  groups_ = groups;
  for (const ArrayRef& result : call_.results) {
    partial_.push_back(
        host_.alloc("partial", result.type, Space::kDevice, host_.mul(bins_, groups_)));
  }
}

void GroupHist::storePartial(KernelScope& scope, const Operand& bin, const Operands& total) {
  Builder& code = scope.code();
  Operand at = code.add(code.mul(bin, scope.scalar(groups_)), scope.groupId());
  for (size_t k = 0; k < partial_.size(); ++k) {
    code.store(scope.buffer(partial_[k]), at, total[k]);
  }
}

Operands GroupHist::combined(KernelScope& scope, const Operands& left, const Operands& right) {
  Environment environment = scope.environment();
  size_t arity = left.size();
  for (size_t k = 0; k < arity; ++k) {
    environment.scalars[node_.op.params[k]] = left[k];
    environment.scalars[node_.op.params[arity + k]] = right[k];
  }
  LoweringTarget place = scope.place(i64(1), [] { return i64(0); });
  return lowerBody(scope.code(), call_.core, node_.op.body, environment, place).scalars;
}

Operands GroupHist::neutral(KernelScope& scope) {
  Operands values;
  for (const core::Operand& value : node_.neutral) {
    values.push_back(operandOf(scope.environment(), value));
  }
  return values;
}

std::vector<BufferId> GroupHist::shared(KernelScope& scope, int64_t elements) {
  std::vector<BufferId> buffers;
  for (const ArrayRef& result : call_.results) {
    buffers.push_back(scope.shared("bins", result.type, elements));
  }
  return buffers;
}

Operands GroupHist::load(Builder& code, const std::vector<BufferId>& buffers, const Operand& at) {
  Operands values;
  for (BufferId buffer : buffers) values.push_back(code.load(buffer, at));
  return values;
}

void GroupHist::store(Builder& code, const std::vector<BufferId>& buffers, const Operand& at,
                      const Operands& values) {
  for (size_t k = 0; k < buffers.size(); ++k) code.store(buffers[k], at, values[k]);
}

void GroupHist::eachOf(Builder& code, const Operand& lid, int64_t size, const Operand& count,
                       const std::function<void(const Operand&)>& visit) {
  Operand left = code.max(code.sub(count, lid), i64(0));
  code.forLoop("k", i64(0), divideUp(code, left, i64(size)),
               [&](const Operand& k) { visit(code.add(lid, code.mul(k, i64(size)))); });
}

GroupHist::Update GroupHist::update(KernelScope& scope, const Environment& known,
                                    const LoweringTarget& place, const Operand& i,
                                    const Operand& exists) {
  Builder& code = scope.code();
  Environment environment = known;
  Results values = mapElement(scope, hist_.inputs, hist_.map, environment, place, i);
  ArrayRef target = scope.array(call_.results[0]);
  auto rank = static_cast<std::ptrdiff_t>(node_.index_rank);
  Operands indices(values.scalars.begin(), values.scalars.begin() + rank);
  Update result;
  Operand inside = isInside(code, indices, target);
  result.counts = code.prim(Op::kAnd, ScalarType::kBool, {exists, inside});
  result.bin = positionOf(code, indices, target.shape);
  result.values = Operands(values.scalars.begin() + rank, values.scalars.end());
  return result;
}

void GroupHist::forEachElement(KernelScope& scope, int64_t group, int64_t together,
                               const std::function<void(const std::vector<Update>&)>& use) {
  Builder& code = scope.code();
  Operand first = code.add(code.mul(scope.groupId(), i64(group)), scope.localId());
  Operand stride = code.mul(scope.scalar(groups_), i64(group));
  Operand width = scope.scalar(width_);
  Operand last = code.sub(width, i64(1));
  Operand rounds = divideUp(code, width, code.mul(stride, i64(together)));
  LoweringTarget place = scope.place(width_, [first] { return first; });
  Environment environment = scope.environment();
  lowerPrefix(scope, environment, place);
  code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
    std::vector<Update> all;
    for (int64_t t = 0; t < together; ++t) {
      Operand turn = code.add(code.mul(round, i64(together)), i64(t));
      Operand i = code.add(first, code.mul(turn, stride));
      Operand exists = code.prim(Op::kLt, ScalarType::kI64, {i, width});
      all.push_back(update(scope, environment, place, code.min(i, last), exists));
    }
    use(all);
  });
}

void GroupHist::addToDestination(KernelScope& scope, const Operand& bin, const Operands& total) {
  Builder& code = scope.code();
  std::vector<ArrayRef> targets;
  Operands old;
  Operands indices = indicesOf(code, bin, scope.array(call_.results[0]).shape);
  for (const ArrayRef& result : call_.results) {
    targets.push_back(scope.array(result));
    old.push_back(loadElement(code, targets.back(), indices));
  }
  Operands sum = combined(scope, old, total);
  for (size_t k = 0; k < targets.size(); ++k) storeElement(code, targets[k], indices, sum[k]);
}

void GroupHist::merge() {
  Operand few = host_.prim(Op::kLe, ScalarType::kI64, {groups_, i64(kFewGroups)});
  host_.ifThenElse(
      few, [&] { mergeFew(); }, [&] { mergeMany(); });
  for (BufferId buffer : partial_) host_.append(Free{buffer});
}

// One invocation for each bin.
void GroupHist::mergeFew() {
  KernelScope scope(program_, host_, call_, kernelName("merge_few"));
  Builder& code = scope.code();
  Operand bin = scope.globalId(0);
  code.ifThenElse(code.prim(Op::kLt, ScalarType::kI64, {bin, scope.scalar(bins_)}), [&] {
    Operand groups = scope.scalar(groups_);
    Operand row = code.mul(bin, groups);
    std::vector<BufferId> partial;
    for (BufferId buffer : partial_) partial.push_back(scope.buffer(buffer));
    std::vector<VarId> sum;
    Operands first = load(code, partial, row);
    for (size_t k = 0; k < first.size(); ++k) {
      sum.push_back(code.declare("sum", call_.results[k].type, first[k]));
    }
    code.forLoop("group", i64(1), groups, [&](const Operand& group) {
      Operands so_far(sum.begin(), sum.end());
      Operands more = load(code, partial, code.add(row, group));
      Operands next = combined(scope, so_far, more);
      for (size_t k = 0; k < sum.size(); ++k) code.assign(sum[k], next[k]);
    });
    addToDestination(scope, bin, Operands(sum.begin(), sum.end()));
  });
  launch(scope, kMerging, groupsFor(host_, bins_, kMerging));
}

// One workgroup for each bin.
void GroupHist::mergeMany() {
  KernelScope scope(program_, host_, call_, kernelName("merge"));
  Builder& code = scope.code();
  Operand lid = scope.localId(), bin = scope.groupId();
  Operand groups = scope.scalar(groups_);
  Operand row = code.mul(bin, groups);
  std::vector<BufferId> parts = shared(scope, kMerging), partial;
  for (BufferId buffer : partial_) partial.push_back(scope.buffer(buffer));
  store(code, parts, lid, neutral(scope));
  eachOf(code, lid, kMerging, groups, [&](const Operand& group) {
    Operands more = load(code, partial, code.add(row, group));
    store(code, parts, lid, combined(scope, load(code, parts, lid), more));
  });
  code.append(Barrier{});
  for (int64_t d = kMerging / 2; d >= 1; d /= 2) {
    Operand takes = code.prim(Op::kLt, ScalarType::kI64, {lid, i64(d)});
    code.ifThenElse(takes, [&] {
      Operands far = load(code, parts, code.add(lid, i64(d)));
      store(code, parts, lid, combined(scope, load(code, parts, lid), far));
    });
    code.append(Barrier{});
  }
  code.ifThenElse(code.prim(Op::kEq, ScalarType::kI64, {lid, i64(0)}),
                  [&] { addToDestination(scope, bin, load(code, parts, i64(0))); });
  launch(scope, kMerging, bins_);
}

}  // namespace halo::gpu

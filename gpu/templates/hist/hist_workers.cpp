// Histograms without atomic operations, so that float sums have the same bits on every run. There
// are many workers, each with histograms of its own. Element i belongs to worker i mod workers.
// Then two rounds of merging, one invocation for each bin: groups of workers, and all groups into
// the destinations. How many workers there are depends on the extents alone.
#include "gpu/templates/hist/hist_workers.h"

#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kHistMerged = 128;  // workers of a group

// One operation of the node: its destinations, and as host arrays [workers][bins][row] and
// [groups][bins][row] their partial copies.
struct Operation {
  const core::HistOp* node;
  Operand bins;  // host
  std::vector<ArrayRef> destinations, workers, groups;
};

class WorkerHist {
 public:
  WorkerHist(Program& program, Builder& host, const KernelCall& call,
             const OrderedHistSchedule& schedule)
      : program_(program),
        host_(host),
        call_(call),
        schedule_(schedule),
        hist_(std::get<core::Hist>(lastStatement(call).expr)) {}

  TemplateResult run() {
    width_ = operandOf(call_.arguments, hist_.width);
    findOperations();
    spread();
    for (Operation& operation : operations_) {
      allocate(operation, operation.workers, workers_, "own");
      allocate(operation, operation.groups, groups_, "merged");
    }
    for (Operation& operation : operations_) {
      for (size_t k = 0; k < operation.workers.size(); ++k) {
        clear(operation, k, operation.workers[k]);
        clear(operation, k, operation.groups[k]);
      }
    }
    count();
    for (Operation& operation : operations_) {
      mergeWorkers(operation);
      mergeGroups(operation);
    }
    for (BufferId buffer : buffers_) host_.append(Free{buffer});
    return {{}, supported_};
  }

 private:
  void findOperations() {
    size_t result = 0;
    for (const core::HistOp& node : hist_.operations) {
      Operation operation{&node, i64(1), {}, {}, {}};
      for (size_t k = 0; k < node.destinations.size(); ++k) {
        operation.destinations.push_back(call_.results[result++]);
      }
      for (int k = 0; k < node.index_rank; ++k) {
        operation.bins = host_.mul(operation.bins, operation.destinations[0].shape[k]);
      }
      operations_.push_back(std::move(operation));
    }
  }

  void spread() {
    Operand elements = i64(0);
    for (const Operation& operation : operations_) {
      for (const ArrayRef& destination : operation.destinations) {
        elements = host_.add(elements, elementCount(host_, destination.shape));
      }
    }
    Operand room = host_.prim(Op::kMachineDiv, ScalarType::kI64,
                              {i64(schedule_.part_bins), host_.max(elements, i64(1))});
    Operand wanted = groupsFor(host_, width_, schedule_.elements);
    workers_ = host_.max(host_.min(host_.min(room, wanted), i64(schedule_.parts)), i64(1));
    groups_ = groupsFor(host_, workers_, kHistMerged);
  }

  // [count][bins][row] for each destination [bins][row].
  void allocate(const Operation& operation, std::vector<ArrayRef>& arrays, const Operand& count,
                const std::string& name) {
    for (const ArrayRef& destination : operation.destinations) {
      Operands shape = {count, operation.bins};
      shape.insert(shape.end(), destination.shape.begin() + operation.node->index_rank,
                   destination.shape.end());
      BufferId buffer =
          host_.alloc(name, destination.type, Space::kDevice, saturatingCount(host_, shape));
      buffers_.push_back(buffer);
      arrays.push_back(denseArray(host_, buffer, i64(0), destination.type, shape));
    }
  }

  std::string kernelName(const char* what) {
    return call_.function.name + "_" + what + std::to_string(kernels_++);
  }
  void launch(KernelScope& scope, const Grid& grid) {
    scope.launch(grid.workgroup, grid.groups);
    supported_ = supported_ && !scope.unsupported();
  }

  // All elements of `array` := the neutral element.
  void clear(const Operation& operation, size_t k, const ArrayRef& array) {
    KernelScope scope(program_, host_, call_, kernelName("clear"));
    Operands space = {elementCount(host_, array.shape)};
    Grid grid = forEachCell(scope, space, [&](const Operands& at, const LoweringTarget& target) {
      Builder& code = scope.code();
      Environment environment = scope.environment();
      lowerPrefix(scope, environment, target);
      const core::Operand& neutral = operation.node->neutral[k];
      Operand value;
      if (call_.core.type(neutral).isScalar()) {
        value = operandOf(environment, neutral);
      } else {
        const ArrayRef& row = environment.arrays.at(neutral.value);
        Operand within_row =
            code.prim(Op::kMachineRem, ScalarType::kI64, {at[0], elementCount(code, row.shape)});
        value = loadElement(code, row, indicesOf(code, within_row, row.shape));
      }
      code.store(scope.buffer(array.buffer), at[0], value);
    });
    launch(scope, grid);
  }

  // targets[at] := op(targets[at], elements); elements are scalars, or arrays for rows.
  void combine(KernelScope& scope, const Operation& operation, const Environment& known,
               const LoweringTarget& target, const std::vector<ArrayRef>& targets,
               const Operands& at, const Operands& scalars, const std::vector<ArrayRef>& rows) {
    Builder& code = scope.code();
    const core::Lambda& op = operation.node->op;
    size_t count = targets.size();
    Environment environment = known;
    Destinations destinations(count);
    for (size_t k = 0; k < count; ++k) {
      if (at.size() == targets[k].shape.size()) {
        environment.scalars[op.params[k]] = loadElement(code, targets[k], at);
        environment.scalars[op.params[count + k]] = scalars[k];
      } else {
        destinations[k] = prefixView(code, targets[k], at);
        environment.arrays[op.params[k]] = *destinations[k];
        environment.arrays[op.params[count + k]] = rows[k];
      }
    }
    Results values = lowerBody(code, call_.core, op.body, environment, target, destinations);
    for (size_t k = 0; k < count; ++k) {
      if (!destinations[k]) storeElement(code, targets[k], at, values.scalars[k]);
    }
  }

  std::vector<ArrayRef> inside(KernelScope& scope, const std::vector<ArrayRef>& arrays) {
    std::vector<ArrayRef> result;
    for (const ArrayRef& array : arrays) result.push_back(scope.array(array));
    return result;
  }

  void count() {
    KernelScope scope(program_, host_, call_, call_.function.name);
    Grid grid =
        forEachCell(scope, {workers_}, [&](const Operands& at, const LoweringTarget& target) {
          Builder& code = scope.code();
          Environment environment = scope.environment();
          lowerPrefix(scope, environment, target);
          Operand width = scope.scalar(width_);
          Operand workers = scope.scalar(workers_);
          Operand left = code.max(code.sub(width, at[0]), i64(0));
          Operand steps = divideUp(code, left, workers);
          code.forLoop("t", i64(0), steps, [&](const Operand& t) {
            Operand i = code.add(at[0], code.mul(t, workers));
            Environment inner = environment;
            Results values = mapElement(scope, hist_.inputs, hist_.map, inner, target, i);
            size_t next = 0;
            for (const Operation& operation : operations_) {
              next = countOne(scope, operation, inner, target, at[0], values, next);
            }
          });
        });
    launch(scope, grid);
  }

  // Returns the position behind the operation's values.
  size_t countOne(KernelScope& scope, const Operation& operation, const Environment& environment,
                  const LoweringTarget& target, const Operand& worker, const Results& values,
                  size_t next) {
    Builder& code = scope.code();
    Operands indices;
    for (int k = 0; k < operation.node->index_rank; ++k) {
      indices.push_back(values.scalars[next++]);
    }
    ArrayRef first = scope.array(operation.destinations[0]);
    size_t count = operation.destinations.size();
    code.ifThenElse(isInside(code, indices, first), [&] {
      Operand bin = positionOf(code, indices, first.shape);
      auto begin = static_cast<std::ptrdiff_t>(next),
           end = begin + static_cast<std::ptrdiff_t>(count);
      Operands scalars(values.scalars.begin() + begin, values.scalars.begin() + end);
      std::vector<ArrayRef> rows(values.arrays.begin() + begin, values.arrays.begin() + end);
      combine(scope, operation, environment, target, inside(scope, operation.workers),
              {worker, bin}, scalars, rows);
    });
    return next + count;
  }

  // groups[g][bin] := op over the group's workers[w][bin].
  void mergeWorkers(const Operation& operation) {
    KernelScope scope(program_, host_, call_, kernelName("merge"));
    Operands space = {groups_, operation.bins};
    Grid grid = forEachCell(scope, space, [&](const Operands& at, const LoweringTarget& target) {
      Builder& code = scope.code();
      Operand first = code.mul(at[0], i64(kHistMerged));
      Operand workers = scope.scalar(workers_);
      Operand last = code.min(code.add(first, i64(kHistMerged)), workers);
      fold(scope, operation, target, operation.workers, first, last, at[1],
           inside(scope, operation.groups), at);
    });
    launch(scope, grid);
  }

  // destinations[bin] := op(destinations[bin], all groups[g][bin]).
  void mergeGroups(const Operation& operation) {
    KernelScope scope(program_, host_, call_, kernelName("merge"));
    Grid grid =
        forEachCell(scope, {operation.bins}, [&](const Operands& at, const LoweringTarget& target) {
          Builder& code = scope.code();
          std::vector<ArrayRef> targets = inside(scope, operation.destinations);
          Operands extents(targets[0].shape.begin(),
                           targets[0].shape.begin() + operation.node->index_rank);
          Operands indices = indicesOf(code, at[0], extents);
          fold(scope, operation, target, operation.groups, i64(0), scope.scalar(groups_), at[0],
               targets, indices);
        });
    launch(scope, grid);
  }

  void fold(KernelScope& scope, const Operation& operation, const LoweringTarget& target,
            const std::vector<ArrayRef>& host_sources, const Operand& first, const Operand& last,
            const Operand& bin, const std::vector<ArrayRef>& targets, const Operands& at) {
    Builder& code = scope.code();
    Environment environment = scope.environment();
    lowerPrefix(scope, environment, target);
    std::vector<ArrayRef> sources = inside(scope, host_sources);
    code.forLoop("w", first, last, [&](const Operand& w) {
      Operands scalars(sources.size());
      std::vector<ArrayRef> rows(sources.size());
      for (size_t k = 0; k < sources.size(); ++k) {
        if (sources[k].shape.size() == 2) {
          scalars[k] = loadElement(code, sources[k], {w, bin});
        } else {
          rows[k] = prefixView(code, sources[k], {w, bin});
        }
      }
      const auto merge = [&] {
        combine(scope, operation, environment, target, targets, at, scalars, rows);
      };
      if (!core::mayFail(operation.node->op)) return merge();
      code.ifThenElse(isUsed(scope, operation, environment, scalars, rows), merge);
    });
  }

  // Whether a bin is more than the neutral element, on which the operator may fail.
  Operand isUsed(KernelScope& scope, const Operation& operation, const Environment& environment,
                 const Operands& scalars, const std::vector<ArrayRef>& rows) {
    Builder& code = scope.code();
    VarId used = code.declare("used", ScalarType::kBool, prim::Scalar::ofBool(false));
    const auto compare = [&](ScalarType type, const Operand& value, const Operand& neutral) {
      code.ifThenElse(code.prim(Op::kNe, type, {value, neutral}),
                      [&] { code.assign(used, prim::Scalar::ofBool(true)); });
    };
    for (size_t k = 0; k < scalars.size(); ++k) {
      const core::Operand& neutral = operation.node->neutral[k];
      const ScalarType type = operation.destinations[k].type;
      if (call_.core.type(neutral).isScalar()) {
        compare(type, scalars[k], operandOf(environment, neutral));
        continue;
      }
      const ArrayRef& row = environment.arrays.at(neutral.value);
      code.forLoop("e", i64(0), elementCount(code, row.shape), [&](const Operand& e) {
        Operands at = indicesOf(code, e, row.shape);
        compare(type, loadElement(code, rows[k], at), loadElement(code, row, at));
      });
    }
    return used;
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  const OrderedHistSchedule& schedule_;
  const core::Hist& hist_;
  Operand width_, workers_, groups_;  // host
  std::vector<Operation> operations_;
  std::vector<BufferId> buffers_;
  int kernels_ = 0;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitWorkerHist(Program& program, Builder& host, const KernelCall& call,
                              const OrderedHistSchedule& schedule) {
  return WorkerHist(program, host, call, schedule).run();
}

}  // namespace halo::gpu

// (1) A workgroup is several teams, each with a table of its own in shared memory and as many lanes
// as the longest row has elements. A team takes every n-th element of the workgroup's chunk, in
// order. Each lane combines one element of its row, and alone changes that column of the table:
//
//   lanes    | team 0: column 0 1 2 .. | team 1: column 0 1 2 .. |
//   elements | 0, n, 2n ..             | 1, n + 1, ..            |      n teams
//
// so nothing waits and neighbours read neighbours. The teams' tables are combined in order. (2) A
// tree combines the tables of all workgroups, and the destination. How many teams and
// workgroups there are depends on extents alone, and so do the bits of float sums.
#include "gpu/templates/hist/hist_tables.h"

#include <algorithm>

#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

Operand op64(Builder& code, Op op, const Operand& a, const Operand& b) {
  return code.prim(op, ScalarType::kI64, {a, b});
}

bool isScalar(const KernelCall& call, const core::Operand& value) {
  return call.core.type(value).isScalar();
}

}  // namespace

TableHist::TableHist(Program& program, Builder& host, const KernelCall& call,
                     const TableHistSchedule& schedule)
    : program_(program),
      host_(host),
      call_(call),
      hist_(std::get<core::Hist>(lastStatement(call).expr)),
      schedule_(schedule),
      width_(operandOf(call.arguments, hist_.width)) {
  size_t result = 0;
  for (const core::HistOp& node : hist_.operations) {
    Counted counted{&node, *rowOperator(call_.core, node.op), {}, i64(1), i64(1), {}, {}, 0, {}};
    for (size_t k = 0; k < node.destinations.size(); ++k) {
      counted.destinations.push_back(call_.results[result++]);
      counted.words += static_cast<int64_t>(wordsOf(counted.destinations.back().type));
    }
    all_.push_back(std::move(counted));
  }
  shape();
}

void TableHist::shape() {
  words_ = i64(0);
  longest_ = i64(1);
  for (Counted& counted : all_) {
    const Operands& shape = counted.destinations[0].shape;
    for (size_t d = 0; d < shape.size(); ++d) {
      bool is_bin = d < static_cast<size_t>(counted.node->index_rank);
      Operand& extent = is_bin ? counted.bins : counted.row;
      extent = host_.mul(extent, shape[d]);
    }
    counted.cells = host_.mul(counted.bins, counted.row);
    counted.base = words_;
    words_ = host_.add(words_, host_.mul(counted.cells, i64(counted.words)));
    longest_ = host_.max(longest_, counted.row);
  }
  lanes_ = host_.min(longest_, i64(schedule_.workgroup));
  Operand room = op64(host_, Op::kMachineDiv, i64(schedule_.words), host_.max(words_, i64(1)));
  teams_ = host_.min(op64(host_, Op::kMachineDiv, i64(schedule_.workgroup), lanes_), room);
  teams_ = host_.max(teams_, i64(1));
  Operand least = host_.mul(teams_, i64(schedule_.least_elements));
  chunk_ = host_.max(groupsFor(host_, width_, schedule_.workgroups), least);
  groups_ = host_.max(divideUp(host_, width_, chunk_), i64(1));
}

TemplateResult TableHist::run() {
  for (Counted& counted : all_) {
    for (const ArrayRef& destination : counted.destinations) {
      Operand count = host_.mul(groups_, counted.cells);
      counted.partial.push_back(host_.alloc("partial", destination.type, Space::kDevice, count));
    }
  }
  count();
  merge();
  for (const Counted& counted : all_) {
    for (BufferId buffer : counted.partial) host_.append(Free{buffer});
  }
  return {{}, supported_};
}

// ---- tables

void TableHist::count() {
  Kernel kernel(program_, host_, call_, call_.function.name + "_tables");
  KernelScope& scope = kernel.scope;
  Builder& code = kernel.code;
  kernel.table = scope.shared("tables", ScalarType::kU32, schedule_.words);
  kernel.environment = scope.environment();
  lowerPrefix(scope, kernel.environment, scope.place(i64(1), [] { return i64(0); }));
  Operand lanes = scope.scalar(lanes_);
  kernel.team = op64(code, Op::kMachineDiv, kernel.lid, lanes);
  kernel.lane = code.sub(kernel.lid, code.mul(kernel.team, lanes));
  kernel.start = code.mul(scope.groupId(), scope.scalar(chunk_));
  kernel.end = code.min(code.add(kernel.start, scope.scalar(chunk_)), scope.scalar(width_));
  clearTables(kernel);
  code.append(Barrier{});
  code.ifThenElse(op64(code, Op::kLt, kernel.team, scope.scalar(teams_)),
                  [&] { takeElements(kernel); });
  code.append(Barrier{});
  storePartials(kernel);
  const int workgroup[3] = {static_cast<int>(schedule_.workgroup), 1, 1};
  scope.launch(workgroup, {groups_, i64(1), i64(1)});
  supported_ = supported_ && !scope.unsupported();
}

namespace {

// lid, lid + workgroup, .. below `count`.
void eachOf(Builder& code, const Operand& lid, int64_t workgroup, const Operand& count,
            const std::function<void(const Operand&)>& visit) {
  Operand left = code.max(code.sub(count, lid), i64(0));
  code.forLoop("k", i64(0), divideUp(code, left, i64(workgroup)),
               [&](const Operand& k) { visit(code.add(lid, code.mul(k, i64(workgroup)))); });
}

}  // namespace

void TableHist::clearTables(Kernel& kernel) {
  Builder& code = kernel.code;
  KernelScope& scope = kernel.scope;
  for (const Counted& counted : all_) {
    Operand cells = scope.scalar(counted.cells), words = scope.scalar(words_);
    Operand all = code.mul(scope.scalar(teams_), cells);
    eachOf(code, kernel.lid, schedule_.workgroup, all, [&](const Operand& at) {
      Operand team = op64(code, Op::kMachineDiv, at, cells);
      Operand cell = code.sub(at, code.mul(team, cells));
      Operand column = op64(code, Op::kMachineRem, cell, scope.scalar(counted.row));
      Operand where = code.add(code.mul(team, words), code.mul(cell, i64(counted.words)));
      store(kernel, counted, where, neutral(kernel, counted, column));
    });
  }
}

Operands TableHist::neutral(Kernel& kernel, const Counted& counted, const Operand& column) {
  Operands values;
  for (const core::Operand& value : counted.node->neutral) {
    if (isScalar(call_, value)) {
      values.push_back(operandOf(kernel.environment, value));
      continue;
    }
    const ArrayRef& row = kernel.environment.arrays.at(value.value);
    values.push_back(loadElement(kernel.code, row, indicesOf(kernel.code, column, row.shape)));
  }
  return values;
}

// `at`: words from the beginning of the operation's cells in the first table.
Operands TableHist::load(Kernel& kernel, const Counted& counted, Operand at) {
  Builder& code = kernel.code;
  at = code.add(at, kernel.scope.scalar(counted.base));
  Operands values;
  for (const ArrayRef& destination : counted.destinations) {
    Operands words;
    for (size_t w = 0; w < wordsOf(destination.type); ++w) {
      words.push_back(code.load(kernel.table, at));
      at = code.add(at, i64(1));
    }
    values.push_back(fromWords(code, destination.type, words));
  }
  return values;
}

void TableHist::store(Kernel& kernel, const Counted& counted, Operand at, const Operands& values) {
  Builder& code = kernel.code;
  at = code.add(at, kernel.scope.scalar(counted.base));
  for (size_t k = 0; k < values.size(); ++k) {
    for (const Operand& word : toWords(code, counted.destinations[k].type, values[k])) {
      code.store(kernel.table, at, word);
      at = code.add(at, i64(1));
    }
  }
}

// ---- elements

void TableHist::takeElements(Kernel& kernel) {
  Builder& code = kernel.code;
  KernelScope& scope = kernel.scope;
  const int64_t together = schedule_.elements;
  Operand teams = scope.scalar(teams_);
  Operand first = code.add(kernel.start, kernel.team);
  Operand left = code.max(code.sub(kernel.end, first), i64(0));
  Operand rounds = divideUp(code, left, code.mul(teams, i64(together)));
  Operand last = code.sub(scope.scalar(width_), i64(1));
  Operand turns = scope.scalar(divideUp(host_, longest_, lanes_));
  code.forLoop("round", i64(0), rounds, [&](const Operand& round) {
    std::vector<std::vector<Update>> updates;
    for (int64_t t = 0; t < together; ++t) {
      Operand turn = code.add(code.mul(round, i64(together)), i64(t));
      Operand i = code.add(first, code.mul(turn, teams));
      Operand exists = op64(code, Op::kLt, i, kernel.end);
      updates.push_back(updatesOf(kernel, code.min(i, last), exists));
    }
    code.forLoop("turn", i64(0), turns, [&](const Operand& turn) {
      Operand column = code.add(kernel.lane, code.mul(turn, scope.scalar(lanes_)));
      takeColumn(kernel, updates, column);
    });
  });
}

std::vector<TableHist::Update> TableHist::updatesOf(Kernel& kernel, const Operand& i,
                                                    const Operand& exists) {
  Builder& code = kernel.code;
  Environment inner = kernel.environment;
  LoweringTarget place = kernel.scope.place(width_, [i] { return i; });
  Results values = mapElement(kernel.scope, hist_.inputs, hist_.map, inner, place, i);
  std::vector<Update> updates;
  size_t next = 0;
  for (const Counted& counted : all_) {
    Operands indices;
    for (int d = 0; d < counted.node->index_rank; ++d) indices.push_back(values.scalars[next++]);
    ArrayRef target = kernel.scope.array(counted.destinations[0]);
    Update update;
    update.counts =
        code.prim(Op::kAnd, ScalarType::kBool, {exists, isInside(code, indices, target)});
    update.bin = positionOf(code, indices, target.shape);
    for (size_t k = 0; k < counted.destinations.size(); ++k, ++next) {
      update.scalars.push_back(values.scalars[next]);
      update.rows.push_back(values.arrays[next]);
    }
    updates.push_back(std::move(update));
  }
  return updates;
}

// All loads first.
void TableHist::takeColumn(Kernel& kernel, const std::vector<std::vector<Update>>& updates,
                           const Operand& column) {
  Builder& code = kernel.code;
  Operand table = code.mul(kernel.team, kernel.scope.scalar(words_));
  for (size_t o = 0; o < all_.size(); ++o) {
    const Counted& counted = all_[o];
    Operand row = kernel.scope.scalar(counted.row);
    code.ifThenElse(op64(code, Op::kLt, column, row), [&] {
      std::vector<Operands> elements;
      for (const std::vector<Update>& update : updates) {
        Operands values = update[o].scalars;
        for (size_t k = 0; k < values.size(); ++k) {
          const ArrayRef& whole = update[o].rows[k];
          if (whole.shape.empty()) continue;
          values[k] = loadElement(code, whole, indicesOf(code, column, whole.shape));
        }
        elements.push_back(std::move(values));
      }
      for (size_t t = 0; t < updates.size(); ++t) {
        const Update& update = updates[t][o];
        code.ifThenElse(update.counts, [&] {
          Operand cell = code.add(code.mul(update.bin, row), column);
          Operand at = code.add(table, code.mul(cell, i64(counted.words)));
          Operands values = load(kernel, counted, at);
          values.insert(values.end(), elements[t].begin(), elements[t].end());
          store(kernel, counted, at,
                applyToElements(kernel.scope, counted.op, kernel.environment, values));
        });
      }
    });
  }
}

// ---- tables of workgroups

void TableHist::storePartials(Kernel& kernel) {
  Builder& code = kernel.code;
  KernelScope& scope = kernel.scope;
  for (const Counted& counted : all_) {
    Operand cells = scope.scalar(counted.cells), words = scope.scalar(words_);
    eachOf(code, kernel.lid, schedule_.workgroup, cells, [&](const Operand& cell) {
      Operand at = code.mul(cell, i64(counted.words));
      std::vector<VarId> sum;
      Operands first = load(kernel, counted, at);
      for (size_t k = 0; k < first.size(); ++k) {
        sum.push_back(code.declare("sum", counted.destinations[k].type, first[k]));
      }
      code.forLoop("team", i64(1), scope.scalar(teams_), [&](const Operand& team) {
        Operands values(sum.begin(), sum.end());
        Operands more = load(kernel, counted, code.add(at, code.mul(team, words)));
        values.insert(values.end(), more.begin(), more.end());
        Operands next = applyToElements(scope, counted.op, kernel.environment, values);
        for (size_t k = 0; k < sum.size(); ++k) code.assign(sum[k], next[k]);
      });
      Operand to = code.add(code.mul(scope.groupId(), cells), cell);
      for (size_t k = 0; k < sum.size(); ++k) {
        code.store(scope.buffer(counted.partial[k]), to, sum[k]);
      }
    });
  }
}

Operands TableHist::destinationIndices(Builder& code, const Counted& counted,
                                       const ArrayRef& target, const Operand& bin,
                                       const Operand& column) {
  auto rank = static_cast<std::ptrdiff_t>(counted.node->index_rank);
  Operands bins(target.shape.begin(), target.shape.begin() + rank);
  Operands row(target.shape.begin() + rank, target.shape.end());
  Operands indices = indicesOf(code, bin, bins);
  if (row.empty()) return indices;
  Operands within = indicesOf(code, column, row);
  indices.insert(indices.end(), within.begin(), within.end());
  return indices;
}

Operand tableWords(Builder& host, const KernelCall& call) {
  Operand words = i64(0);
  for (const ArrayRef& result : call.results) {
    const auto of_element = static_cast<int64_t>(wordsOf(result.type));
    words = host.add(words, host.mul(elementCount(host, result.shape), i64(of_element)));
  }
  return words;
}

}  // namespace halo::gpu

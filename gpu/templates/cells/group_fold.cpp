// Reductions and scans by a workgroup. Each lane has a run of consecutive elements, which it folds
// from left to right. Then lanes are combined in blocks of 32, in a block by distances 1, 2, .. 16
// (Hillis and Steele), and blocks from left to right. So the order depends on the extent and on the
// number of lanes, which the number of cells decides (group_kernel.cpp). It does not depend on the
// exchange between lanes: by shuffles as far as they reach, else through shared memory.
#include "gpu/plan/nests/nest.h"
#include "gpu/templates/cells/group.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {
constexpr int64_t kGroupFoldBlock = 32;
constexpr int64_t kMaxWrittenOut = 64;  // statements that combine blocks
}  // namespace

std::vector<GroupBody::Operator> GroupBody::operatorsOf(const core::Stm& stm,
                                                        const core::Screma& node,
                                                        const Environment& environment,
                                                        const Destinations& wanted,
                                                        Results& results) {
  std::vector<Operator> operators;
  auto add = [&](const core::Lambda& op, const core::Operands& neutral, bool is_scan) {
    Operator made{&op, operandsOf(environment, neutral), {}, {}, {}, is_scan, {}};
    for (const core::Operand& value : neutral) {
      const size_t k = results.arrays.size();
      made.types.push_back(scope_.core().type(value).scalar);
      made.folded.push_back(sharedArray("folded", made.types.back(), {i64(lanes_)}).buffer);
      made.parts.push_back(sharedArray("part", made.types.back(), {i64(lanes_)}).buffer);
      results.arrays.emplace_back();
      if (!is_scan) continue;
      results.arrays.back() = output(stm.results[k], environment, wanted[k], results);
      made.scanned.push_back(results.arrays.back());
    }
    operators.push_back(std::move(made));
  };
  for (const core::Reduction& reduction : node.reductions) {
    add(reduction.op, reduction.neutral, false);
  }
  for (const core::Scan& scan : node.scans) add(scan.op, scan.neutral, true);
  return operators;
}

Operands GroupBody::apply(const Operator& op, const Environment& environment, const Operands& left,
                          const Operands& right) {
  Environment inside = environment;
  for (size_t k = 0; k < left.size(); ++k) {
    inside.scalars[op.op->params[k]] = left[k];
    inside.scalars[op.op->params[left.size() + k]] = right[k];
  }
  return lowerBody(code_, scope_.core(), op.op->body, inside, lane_).scalars;
}

Results GroupBody::fold(const core::Stm& stm, const core::Screma& node, Environment& environment,
                        const Destinations& wanted) {
  Results results;
  results.scalars.resize(stm.results.size());
  std::vector<Operator> operators = operatorsOf(stm, node, environment, wanted, results);
  std::vector<ArrayRef> mapped;
  for (size_t k = results.arrays.size(); k < stm.results.size(); ++k) {
    mapped.push_back(output(stm.results[k], environment, wanted[k], results));
    results.arrays.push_back(mapped.back());
  }
  own(node, operators, mapped, environment);
  size_t next = 0;
  for (const Operator& op : operators) {
    if (op.is_scan) {
      scanLanes(op, operandOf(environment, node.width), environment);
      next += op.parts.size();
      continue;
    }
    reduceLanes(op, environment);
    const Operand width = operandOf(environment, node.width);
    for (const Operand& total : totals(op, width, environment)) results.scalars[next++] = total;
  }
  return results;
}

// Elements of a lane. An odd number of them lie in different banks of shared memory, whose number
// is even, so that lanes walk along their runs without conflicts.
Operand GroupBody::runOf(const Operand& width) {
  const Operand run = divideUp(code_, width, i64(lanes_));
  return has_runs_ ? code_.prim(Op::kOr, ScalarType::kI64, {run, i64(1)}) : run;
}

// Element i of the inputs, folded into the lane's values; what the map leaves besides is stored.
void GroupBody::foldElement(const core::Screma& node, const std::vector<Operator>& operators,
                            const std::vector<ArrayRef>& mapped, Environment inside,
                            const Element& element) {
  const Operand& i = element.number;
  Destinations rows(node.map.body.results.size());
  const size_t first_mapped = rows.size() - mapped.size();
  for (size_t k = 0; k < mapped.size(); ++k) {
    if (mapped[k].rank() > 1) rows[first_mapped + k] = prefixView(code_, mapped[k], {i});
  }
  for (size_t p = 0; p < node.map.params.size(); ++p) {
    const ArrayRef input = inside.arrays.at(node.inputs[p]);
    bindElement(code_, scope_.core(), inside, node.map.params[p], input, {i});
  }
  Results values = lowerBody(code_, scope_.core(), node.map.body, inside, lane_, rows);
  size_t next = 0;
  for (size_t o = 0; o < operators.size(); ++o) {
    const Vars& sums = element.sums[o];
    const Operands left(sums.begin(), sums.end());
    Operands right;
    for (size_t k = 0; k < left.size(); ++k) right.push_back(values.scalars[next++]);
    assignAll(code_, sums, apply(operators[o], inside, left, right));
    for (size_t k = 0; k < operators[o].scanned.size(); ++k) {
      storeElement(code_, operators[o].scanned[k], {i}, sums[k]);
    }
  }
  for (size_t k = 0; k < mapped.size(); ++k, ++next) {
    if (!rows[next]) storeElement(code_, mapped[k], {i}, values.scalars[next]);
  }
}

// Each lane folds its own elements; scans leave their running values.
void GroupBody::own(const core::Screma& node, std::vector<Operator>& operators,
                    const std::vector<ArrayRef>& mapped, const Environment& environment) {
  const Operand width = operandOf(environment, node.width);
  const Operand run = runOf(width);
  parallel(i64(lanes_), [&](const Operand& lane) {
    std::vector<Vars> sums;
    for (const Operator& op : operators) {
      sums.emplace_back();
      for (size_t k = 0; k < op.types.size(); ++k) {
        sums.back().push_back(code_.declare("acc", op.types[k], op.neutral[k]));
      }
    }
    const Operand first = code_.min(code_.mul(lane, run), width);
    const Operand last = code_.min(code_.add(first, run), width);
    code_.forLoop("i", first, last, [&](const Operand& i) {
      foldElement(node, operators, mapped, environment, {i, sums});
    });
    for (size_t o = 0; o < operators.size(); ++o) {
      for (size_t k = 0; k < sums[o].size(); ++k) {
        code_.store(operators[o].folded[k], lane, sums[o][k]);
      }
    }
  });
}

// Values of the lane `distance` below or above; anything where there is none in the block.
Operands GroupBody::neighbours(const Operator& op, const Vars& vars, const Operand& lane,
                               int64_t distance, bool is_below) {
  Operands far;
  // Pairs of a tree are within a subgroup; a scan looks across its beginning, but for whole blocks.
  if (is_below ? subgroup_ >= kGroupFoldBlock : 2 * distance <= subgroup_) {
    const ShuffleKind kind = is_below ? ShuffleKind::kUp : ShuffleKind::kDown;
    for (size_t k = 0; k < vars.size(); ++k) {
      far.push_back(
          shuffled(code_, op.types[k], kind, vars[k], u32(static_cast<uint32_t>(distance))));
    }
    return far;
  }
  code_.append(Barrier{});
  for (size_t k = 0; k < vars.size(); ++k) code_.store(op.parts[k], lane, vars[k]);
  code_.append(Barrier{});
  Operand at = is_below ? code_.max(code_.sub(lane, i64(distance)), i64(0))
                        : code_.min(code_.add(lane, i64(distance)), i64(lanes_ - 1));
  for (size_t k = 0; k < vars.size(); ++k) far.push_back(code_.load(op.parts[k], at));
  return far;
}

// Lanes that read parts of others (neighbours) have read them.
void GroupBody::waitForNeighbours() {
  if (subgroup_ < kGroupFoldBlock) code_.append(Barrier{});
}

// The first lane of each block has the block's total.
void GroupBody::reduceLanes(const Operator& op, const Environment& environment) {
  parallel(i64(lanes_), [&](const Operand& lane) {
    Vars vars;
    for (size_t k = 0; k < op.types.size(); ++k) {
      vars.push_back(code_.declare("sum", op.types[k], code_.load(op.folded[k], lane)));
    }
    for (int64_t distance = 1; distance < kGroupFoldBlock; distance *= 2) {
      const Operands right = neighbours(op, vars, lane, distance, false);
      Operand low = code_.prim(Op::kAnd, ScalarType::kI64, {lane, i64(2 * distance - 1)});
      Operand mine = code_.prim(Op::kEq, ScalarType::kI64, {low, i64(0)});
      code_.ifThenElse(mine, [&] {
        const Operands left(vars.begin(), vars.end());
        assignAll(code_, vars, apply(op, environment, left, right));
      });
    }
    waitForNeighbours();
    Operand low = code_.prim(Op::kAnd, ScalarType::kI64, {lane, i64(kGroupFoldBlock - 1)});
    Operand mine = code_.prim(Op::kEq, ScalarType::kI64, {low, i64(0)});
    code_.ifThenElse(mine, [&] {
      for (size_t k = 0; k < vars.size(); ++k) code_.store(op.parts[k], lane, vars[k]);
    });
  });
}

// Of all blocks that have elements, in every lane: the number of lanes shows in no bit.
Operands GroupBody::totals(const Operator& op, const Operand& width,
                           const Environment& environment) {
  Vars sums;
  for (size_t k = 0; k < op.types.size(); ++k) {
    sums.push_back(code_.declare("total", op.types[k], code_.load(op.parts[k], i64(0))));
  }
  if (lanes_ > kGroupFoldBlock) {
    // Block b has elements where 32 b runs do not reach the end. A quotient of `width` and `run` in
    // each step of a loop around would cost more than all other statements.
    const Operand of_block = code_.mul(runOf(width), i64(kGroupFoldBlock));
    const auto isUsed = [&](const Operand& block) {
      return code_.prim(Op::kLt, ScalarType::kI64, {code_.mul(block, of_block), width});
    };
    const auto load = [&](const Operand& block) {
      Operands right;
      for (BufferId part : op.parts)
        right.push_back(code_.load(part, code_.mul(block, i64(kGroupFoldBlock))));
      return right;
    };
    const auto combine = [&](const Operands& right) {
      const Operands left(sums.begin(), sums.end());
      assignAll(code_, sums, apply(op, environment, left, right));
    };
    const int64_t blocks = lanes_ / kGroupFoldBlock;
    if (blocks * static_cast<int64_t>(op.op->body.stms.size()) > kMaxWrittenOut) {
      code_.forLoop("block", i64(1), i64(blocks), [&](const Operand& block) {
        code_.ifThenElse(isUsed(block), [&] { combine(load(block)); });
      });
      return {sums.begin(), sums.end()};
    }
    std::vector<Operands> loaded;  // all loads are under way together
    for (int64_t block = 1; block < blocks; ++block) loaded.push_back(load(i64(block)));
    for (int64_t block = 1; block < blocks; ++block) {
      code_.ifThenElse(isUsed(i64(block)),
                       [&] { combine(loaded[static_cast<size_t>(block - 1)]); });
    }
  }
  return {sums.begin(), sums.end()};
}

// vars := those of the block's lanes up to this one.
void GroupBody::scanBlock(const Operator& op, const Vars& vars, const Operand& lane,
                          const Environment& environment) {
  const Operand within = code_.prim(Op::kAnd, ScalarType::kI64, {lane, i64(kGroupFoldBlock - 1)});
  for (int64_t distance = 1; distance < kGroupFoldBlock; distance *= 2) {
    const Operands left = neighbours(op, vars, lane, distance, true);
    Operand has_left = code_.prim(Op::kLe, ScalarType::kI64, {i64(distance), within});
    code_.ifThenElse(has_left, [&] {
      const Operands right(vars.begin(), vars.end());
      assignAll(code_, vars, apply(op, environment, left, right));
    });
  }
}

// The sum before a lane's own elements goes to each of them.
void GroupBody::scanLanes(const Operator& op, const Operand& width,
                          const Environment& environment) {
  const Operand run = runOf(width);
  parallel(i64(lanes_), [&](const Operand& lane) {
    Vars vars;
    for (size_t k = 0; k < op.types.size(); ++k) {
      vars.push_back(code_.declare("sum", op.types[k], code_.load(op.folded[k], lane)));
    }
    scanBlock(op, vars, lane, environment);
    waitForNeighbours();
    for (size_t k = 0; k < vars.size(); ++k) code_.store(op.parts[k], lane, vars[k]);
    code_.append(Barrier{});
    // Up to the lane before, from the blocks before its own on.
    const Operand before = code_.sub(lane, i64(1));
    Operand block = code_.prim(Op::kMachineShr, ScalarType::kI64, {before, i64(5)});
    const Operand has_before = code_.prim(Op::kLt, ScalarType::kI64, {i64(0), lane});
    code_.ifThenElse(has_before, [&] {
      Vars sums;
      for (size_t k = 0; k < vars.size(); ++k) {
        const Operand at = code_.min(before, i64(kGroupFoldBlock - 1));
        sums.push_back(code_.declare("before", op.types[k], code_.load(op.parts[k], at)));
      }
      code_.forLoop("block", i64(1), code_.add(block, i64(1)), [&](const Operand& b) {
        const Operand end = code_.add(code_.mul(b, i64(kGroupFoldBlock)), i64(kGroupFoldBlock - 1));
        Operands right;
        for (BufferId part : op.parts) right.push_back(code_.load(part, code_.min(before, end)));
        const Operands left(sums.begin(), sums.end());
        assignAll(code_, sums, apply(op, environment, left, right));
      });
      const Operand first = code_.min(code_.mul(lane, run), width);
      const Operand last = code_.min(code_.add(first, run), width);
      code_.forLoop("i", first, last, [&](const Operand& i) {
        Operands right;
        for (const ArrayRef& scanned : op.scanned) {
          right.push_back(loadElement(code_, scanned, {i}));
        }
        const Operands left(sums.begin(), sums.end());
        const Operands values = apply(op, environment, left, right);
        for (size_t k = 0; k < values.size(); ++k) {
          storeElement(code_, op.scanned[k], {i}, values[k]);
        }
      });
    });
  });
}

}  // namespace halo::gpu

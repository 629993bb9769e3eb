// Screma as loops. A map writes its rows where they belong; reductions are sequential,
// or in lanes where their order is free.
#include <algorithm>

#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/core/shorthand.h"
#include "lang/core/visit.h"
#include "lang/imp/in_place.h"
#include "lang/imp/lane_reduction.h"
#include "lang/imp/lower_scan.h"

namespace halo::imp {

using core::ValueId;
using prim::Op;

namespace {

const Operand kZero = Operand::ofI64(0);

bool isCommutative(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kMin || op == Op::kMax || op == Op::kAnd ||
         op == Op::kOr || op == Op::kXor;
}

size_t accumulatorCount(const core::Screma& node) {
  size_t count = 0;
  for (const core::Reduction& reduction : node.reductions) count += reduction.neutral.size();
  for (const core::Scan& scan : node.scans) count += scan.neutral.size();
  return count;
}

bool isStraightStm(const Stm& stm) {
  if (const auto* branch = std::get_if<If>(&stm.node)) {
    return isStraight(branch->then_block) && isStraight(branch->else_block);
  }
  return std::holds_alternative<Let>(stm.node) || std::holds_alternative<Declare>(stm.node) ||
         std::holds_alternative<Assign>(stm.node) || std::holds_alternative<Store>(stm.node);
}

}  // namespace

bool isSimple(const core::Program& core, const core::Body& body) {
  return std::all_of(body.stms.begin(), body.stms.end(), [&](const core::Stm& stm) {
    if (const auto* match = std::get_if<core::Match>(&stm.expr)) {
      bool simple = isSimple(core, match->otherwise);
      for (const core::Case& arm : match->cases) simple = simple && isSimple(core, arm.body);
      for (ValueId result : stm.results) simple = simple && core.type(result).isScalar();
      return simple;
    }
    return std::holds_alternative<core::Literal>(stm.expr) ||
           std::holds_alternative<core::PrimOp>(stm.expr) ||
           std::holds_alternative<core::Convert>(stm.expr) ||
           std::holds_alternative<core::Select>(stm.expr) ||
           std::holds_alternative<core::Index>(stm.expr);
  });
}

bool isStraight(const Block& block) {
  return std::all_of(block.begin(), block.end(), isStraightStm);
}

bool isElementwise(const core::Program& core, const core::Lambda& op) {
  if (op.body.stms.size() != 1) return false;
  const core::Stm& stm = op.body.stms[0];
  const auto* screma = std::get_if<core::Screma>(&stm.expr);
  if (screma == nullptr || !screma->reductions.empty() || !screma->scans.empty()) return false;
  for (ValueId param : screma->map.params) {
    if (!core.type(param).isScalar()) return false;
  }
  for (const core::Operand& result : screma->map.body.results) {
    if (!core.type(result).isScalar()) return false;
  }
  for (const core::Operand& result : op.body.results) {
    if (result.isConstant() || core.type(result).shape.size() != 1) return false;
    if (std::count(stm.results.begin(), stm.results.end(), result.value) != 1) return false;
    if (std::count(op.body.results.begin(), op.body.results.end(), result) != 1) return false;
  }
  std::unordered_set<ValueId> inside = core::freeValues(core, screma->map);
  return std::none_of(op.params.begin(), op.params.end(),
                      [&](ValueId param) { return inside.contains(param); });
}

namespace {

// Is each result a commutative primitive of its own pair of parameters?
bool isCommutativeTuple(const core::Lambda& op) {
  size_t count = op.body.results.size();
  if (op.body.stms.size() != count) return false;
  for (size_t k = 0; k < count; k++) {
    const auto* prim = std::get_if<core::PrimOp>(&op.body.stms[k].expr);
    if (prim == nullptr || !isCommutative(prim->op) || prim->args.size() != 2) return false;
    core::Operand left = op.params[k], right = op.params[count + k];
    bool own = (prim->args[0] == left && prim->args[1] == right) ||
               (prim->args[0] == right && prim->args[1] == left);
    if (!own || op.body.results[k] != core::Operand(op.body.stms[k].results[0])) return false;
  }
  return true;
}

}  // namespace

bool Lowering::canUseLanes(const std::vector<core::Reduction>& reductions,
                           const core::Lambda& map) const {
  if (!place_.vectorise || in_lanes_ || reductions.empty() || !isSimple(core_, map.body)) {
    return false;
  }
  return std::all_of(reductions.begin(), reductions.end(), [&](const core::Reduction& reduction) {
    for (ValueId param : reduction.op.params) {
      const core::Type& type = core_.type(param);
      if (!type.isScalar() || (place_.strict_floats && prim::isFloat(type.scalar))) return false;
    }
    if (!isSimple(core_, reduction.op.body)) return false;
    return reduction.commutative || isCommutativeTuple(reduction.op);
  });
}

// ---- accumulators

std::vector<Lowering::Accumulator> Lowering::startAccumulators(const core::Operands& neutral,
                                                               const core::Stm& stm,
                                                               size_t first_result,
                                                               bool into_results, bool in_place) {
  std::vector<Accumulator> accumulators;
  for (size_t k = 0; k < neutral.size(); k++) {
    Accumulator accumulator;
    accumulator.result = stm.results[first_result + k];
    const core::Type type = core_.type(neutral[k]);
    accumulator.type = type.scalar;
    accumulator.is_array = !type.isScalar();
    if (accumulator.is_array) {
      const ArrayRef& initial = array(neutral[k].value);
      accumulator.array =
          into_results ? output(accumulator.result) : fresh("acc", type.scalar, initial.shape);
      copyArray(b_, place_, accumulator.array, initial);
      accumulator.next = in_place ? accumulator.array : fresh("next", type.scalar, initial.shape);
    } else {
      accumulator.var = b_.declare("acc", type.scalar, scalar(neutral[k]));
    }
    accumulators.push_back(std::move(accumulator));
  }
  return accumulators;
}

void Lowering::combine(const core::Lambda& op, std::vector<Accumulator>& accumulators,
                       const Results& values, size_t first_value) {
  size_t count = accumulators.size();
  Destinations destinations(count);
  for (size_t k = 0; k < count; k++) {
    if (accumulators[k].is_array) {
      env_.arrays[op.params[k]] = accumulators[k].array;
      env_.arrays[op.params[count + k]] = values.arrays[first_value + k];
      destinations[k] = accumulators[k].next;
    } else {
      env_.scalars[op.params[k]] = accumulators[k].var;
      env_.scalars[op.params[count + k]] = values.scalars[first_value + k];
    }
  }
  Results results = body(op.body, destinations);
  std::vector<VarId> vars;
  Operands next;
  for (size_t k = 0; k < count; k++) {
    if (accumulators[k].is_array) {
      if (accumulators[k].next.buffer != accumulators[k].array.buffer) {
        copyArray(b_, place_, accumulators[k].array, accumulators[k].next);
      }
    } else {
      vars.push_back(accumulators[k].var);
      next.push_back(results.scalars[k]);
    }
  }
  assignAll(b_, vars, next);
}

void Lowering::finish(const std::vector<Accumulator>& accumulators) {
  for (const Accumulator& accumulator : accumulators) {
    if (accumulator.is_array) {
      set(accumulator.result, accumulator.array);
    } else {
      set(accumulator.result, Operand(accumulator.var));
    }
  }
}

// ---- screma

Results Lowering::cellBody(const core::Body& cell_body, const Operands& cell,
                           const std::vector<ArrayRef>& outputs, size_t first_output,
                           const Destinations& rows) {
  Destinations destinations(cell_body.results.size());
  for (size_t k = 0; k < outputs.size(); k++) {
    if (k < rows.size() && rows[k]) {
      destinations[first_output + k] = rows[k];
    } else if (outputs[k].shape.size() > cell.size()) {
      destinations[first_output + k] = prefixView(b_, outputs[k], cell);
    }
  }
  Results results = body(cell_body, destinations);
  for (size_t k = 0; k < outputs.size(); k++) {
    if (destinations[first_output + k]) continue;
    storeElement(b_, outputs[k], cell, results.scalars[first_output + k]);
  }
  return results;
}

Results Lowering::element(const std::vector<ValueId>& inputs, const core::Lambda& map, Operand i,
                          const std::vector<ArrayRef>& outputs, size_t first_output) {
  Destinations rows(outputs.size());
  for (size_t k = 0; k < inputs.size(); k++) {
    bindElement(b_, core_, env_, map.params[k], array(inputs[k]), {i});
    for (size_t j = 0; j < outputs.size(); j++) {
      bool is_row = outputs[j].shape.size() > 1 && sameMemory(array(inputs[k]), outputs[j]);
      if (is_row) rows[j] = array(map.params[k]);
    }
  }
  return cellBody(map.body, {i}, outputs, first_output, rows);
}

// A result may have the memory of an input that nobody needs any more.
void Lowering::planOverwriting(const core::Stm& stm, const core::Screma& node, size_t result,
                               const std::vector<ArrayRef>& outputs) {
  const core::Type& type = core_.type(stm.results[result]);
  if (hasDestination(stm.results[result])) return;
  for (ValueId input : node.inputs) {
    bool may = core_.type(input) == type && isLastUse(input, stm) &&
               mayOverwrite(core_, node, result, {input});
    for (const ArrayRef& other : outputs) may = may && !sameMemory(other, array(input));
    if (!may) continue;
    destinations_[stm.results[result]] = array(input);
    return;
  }
}

// Is an output where an input is? Then what else is read of that array is copied first.
bool Lowering::overwritesInput(const core::Stm& stm, const core::Screma& node,
                               std::vector<ArrayRef>& outputs) {
  ValueSet used = core::freeValues(core_, stm);
  bool overwrites = false;
  for (ArrayRef& output : outputs) {
    bool is_input = std::any_of(node.inputs.begin(), node.inputs.end(),
                                [&](ValueId input) { return sameMemory(array(input), output); });
    if (!is_input) continue;
    overwrites = true;
    output.stream = kZero;
    for (ValueId value : used) {
      if (core_.type(value).isScalar() || array(value).isVirtual()) continue;
      ArrayRef part = array(value);
      if (sameMemory(part, output) || !touches(part.buffer, output.buffer)) continue;
      ArrayRef copy = fresh("part", part.type, part.shape);
      copyArray(b_, place_, copy, part);
      set(value, copy);
    }
  }
  return overwrites;
}

// Bounds are cut to what the index may be before 1 is added to them. Lanes run to the same bounds.
std::pair<Operand, Operand> Lowering::changingRange(const core::Screma& node,
                                                    const std::vector<ArrayRef>& outputs) {
  Operand first = kZero, last = scalar(node.width), one = Operand::ofI64(1);
  ValueSet overwritten;
  for (ValueId input : node.inputs) {
    if (outputs.size() == 1 && sameMemory(array(input), outputs[0])) overwritten.insert(input);
  }
  if (overwritten.empty() || in_lanes_) return {first, last};
  auto isIndex = [&](ValueId value) { return indices_.contains(value); };
  for (const Kept& kept : keptWhere(node, overwritten, isIndex)) {
    Operand bound = b_.min(b_.max(scalar(kept.bound), Operand::ofI64(-1)), scalar(node.width));
    if (kept.op == Op::kLe || kept.op == Op::kGt) bound = b_.add(bound, one);
    if (kept.op == Op::kLt || kept.op == Op::kLe) {
      first = b_.max(first, bound);
    } else {
      last = b_.min(last, bound);
    }
  }
  return {first, last};
}

void Lowering::lower(const core::Stm& stm, const core::Screma& node) {
  std::vector<ArrayRef> outputs;
  size_t first = accumulatorCount(node);
  for (size_t k = first; k < stm.results.size(); k++) {
    planOverwriting(stm, node, k, outputs);
    outputs.push_back(mapOutput(stm.results[k]));
  }
  std::optional<Product> product = asProduct(node);
  if (overwritesInput(stm, node, outputs)) product.reset();
  if (product) {
    Operand done = lowerTiles(*product, outputs);
    loop("i", done, scalar(node.width), true,
         [&](Operand i) { element(node.inputs, node.map, i, outputs, 0); });
  } else if (node.scans.empty() && canUseLanes(node.reductions, node.map)) {
    scremaLanes(stm, node, outputs);
  } else if (!in_lanes_ && canScanLine(core_, place_, node)) {
    LineScan(*this, stm, node, outputs).run();
  } else {
    scremaSequential(stm, node, outputs);
  }
  for (size_t k = 0; k < outputs.size(); k++) set(stm.results[first + k], outputs[k]);
}

void Lowering::scremaSequential(const core::Stm& stm, const core::Screma& node,
                                const std::vector<ArrayRef>& outputs) {
  std::vector<std::vector<Accumulator>> reductions, scans;
  std::vector<std::vector<ArrayRef>> scanned;
  size_t position = 0;
  for (const core::Reduction& reduction : node.reductions) {
    reductions.push_back(startAccumulators(reduction.neutral, stm, position, true,
                                           isElementwise(core_, reduction.op)));
    position += reduction.neutral.size();
  }
  for (const core::Scan& scan : node.scans) {
    scanned.emplace_back();
    for (size_t k = 0; k < scan.neutral.size(); k++) {
      scanned.back().push_back(output(stm.results[position + k]));
    }
    scans.push_back(
        startAccumulators(scan.neutral, stm, position, false, isElementwise(core_, scan.op)));
    position += scan.neutral.size();
  }
  auto [first, last] = changingRange(node, outputs);
  loop("i", first, last, position == 0, [&](Operand i) {
    Results values = element(node.inputs, node.map, i, outputs, position);
    size_t at = 0;
    for (size_t r = 0; r < reductions.size(); r++) {
      combine(node.reductions[r].op, reductions[r], values, at);
      at += reductions[r].size();
    }
    for (size_t s = 0; s < scans.size(); s++) {
      combine(node.scans[s].op, scans[s], values, at);
      at += scans[s].size();
      for (size_t k = 0; k < scans[s].size(); k++) {
        if (scans[s][k].is_array) {
          copyArray(b_, place_, prefixView(b_, scanned[s][k], {i}), scans[s][k].array);
        } else {
          storeElement(b_, scanned[s][k], {i}, scans[s][k].var);
        }
      }
    }
    release(values.owned);
  });
  for (const auto& accumulators : reductions) finish(accumulators);
  for (size_t s = 0; s < scans.size(); s++) {
    for (size_t k = 0; k < scans[s].size(); k++) set(scans[s][k].result, scanned[s][k]);
  }
}

void Lowering::laneBlocks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                          LaneReduction& reduction, Operand first, Operand last) {
  Operand lanes = Operand::ofI64(kLanes);
  reduction.start();
  b_.forLoop("block", first, last, [&](Operand block) {
    Operand base = b_.mul(block, lanes);
    loop("lane", kZero, lanes, true, [&](Operand l) {
      reduction.lane(l,
                     element(node.inputs, node.map, b_.add(base, l), outputs, reduction.count()));
    });
  });
}

// An outermost reduction is cut into chunks whose results are combined in order, so that threads
// may have one each; with one thread the order is the same.
void Lowering::laneChunks(const core::Screma& node, const std::vector<ArrayRef>& outputs,
                          LaneReduction& reduction, Operand blocks) {
  Operand size = Operand::ofI64(kChunkBlocks);
  Operand rounded = b_.add(blocks, Operand::ofI64(kChunkBlocks - 1));
  Operand chunks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {rounded, size});
  auto chunkBlocks = [&](Operand chunk) {
    Operand first = b_.mul(chunk, size);
    laneBlocks(node, outputs, reduction, first, b_.min(b_.add(first, size), blocks));
  };
  if (!place_.parallel) {
    b_.forLoop("chunk", kZero, chunks, [&](Operand chunk) {
      chunkBlocks(chunk);
      reduction.fold();
    });
    return;
  }
  std::vector<ArrayRef> partial;
  for (size_t k = 0; k < reduction.count(); k++) {
    partial.push_back(fresh("partial", reduction.type(k), {chunks}));
  }
  chunkLoop(chunks, [&](Operand chunk) {
    chunkBlocks(chunk);
    size_t k = 0;
    for (size_t r = 0; r < node.reductions.size(); r++) {
      for (Operand value : reduction.tree(r)) storeElement(b_, partial[k++], {chunk}, value);
    }
  });
  b_.forLoop("chunk", kZero, chunks, [&](Operand chunk) {
    size_t k = 0;
    for (size_t r = 0; r < node.reductions.size(); r++) {
      Operands values;
      while (values.size() < node.reductions[r].neutral.size()) {
        values.push_back(loadElement(b_, partial[k++], {chunk}));
      }
      reduction.add(r, values);
    }
  });
}

// Whole blocks of kLanes elements in lanes, the rest behind them from left to right.
void Lowering::scremaLanes(const core::Stm& stm, const core::Screma& node,
                           const std::vector<ArrayRef>& outputs) {
  LaneReduction reduction(*this, node.reductions);
  size_t first = reduction.count();
  Operand width = scalar(node.width);
  Operand lanes = Operand::ofI64(kLanes);
  Operand blocks = b_.prim(Op::kMachineDiv, ScalarType::kI64, {width, lanes});
  bool is_short = width.isConstant() && width.constant.asSigned() <= kLanes * kChunkBlocks;
  if (independent_ == 0 && !is_short) {
    laneChunks(node, outputs, reduction, blocks);
  } else {
    Operand some = b_.prim(Op::kLt, ScalarType::kI64, {kZero, blocks});
    b_.ifThenElse(some, [&] {
      laneBlocks(node, outputs, reduction, kZero, blocks);
      reduction.fold();
    });
  }
  b_.forLoop("i", b_.mul(blocks, lanes), width, [&](Operand i) {
    reduction.sequential(element(node.inputs, node.map, i, outputs, first));
  });
  for (size_t k = 0; k < first; k++) set(stm.results[k], reduction.result(k));
}

// ---- lanes

LaneReduction::LaneReduction(Lowering& lowering, const std::vector<core::Reduction>& reductions)
    : low_(lowering), reductions_(reductions) {
  for (const core::Reduction& reduction : reductions) {
    for (size_t c = 0; c < reduction.neutral.size(); c++) {
      ScalarType type = low_.core_.type(reduction.op.params[c]).scalar;
      lanes_.push_back(low_.b_.buffer("lanes", type, Space::kPrivate, kLanes));
      zeros_.push_back(zeroOf(reduction, type));
      vars_.push_back(low_.b_.declare("acc", type, low_.scalar(reduction.neutral[c])));
    }
  }
}

namespace {

// What passes/semantics_float.cpp made of a minimum or maximum of the two parameters.
class ExtremumMatch {
 public:
  explicit ExtremumMatch(const core::Lambda& op) : op_(op) {}

  std::optional<Op> run() const {
    if (op_.params.size() != 2 || op_.body.results.size() != 1) return std::nullopt;
    const core::Operand x = op_.params[0], y = op_.params[1];
    const auto* whole = made<core::Select>(op_.body.results[0]);
    if (whole == nullptr || whole->on_true != x) return std::nullopt;
    const bool is_max = isPrim(whole->condition, Op::kGt, x, y);
    if (!is_max && !isPrim(whole->condition, Op::kLt, x, y)) return std::nullopt;
    const auto* rest = made<core::Select>(whole->on_false);
    const bool tells_equal = rest != nullptr && isEither(rest->condition, Op::kEq, x, y);
    const auto* number = tells_equal ? made<core::Select>(rest->on_false) : nullptr;
    const auto* same = tells_equal ? bits(rest->on_true) : nullptr;
    if (number == nullptr || same == nullptr) return std::nullopt;
    const auto* nan = made<core::PrimOp>(number->condition);
    const bool drops_nan = nan != nullptr && nan->op == Op::kIsNan && nan->args[0] == y &&
                           number->on_true == x && number->on_false == y;
    const auto* zero = made<core::PrimOp>(same->arg);
    if (!drops_nan || zero == nullptr || zero->op != (is_max ? Op::kAnd : Op::kOr))
      return std::nullopt;
    const auto *a = bits(zero->args[0]), *b = bits(zero->args[1]);
    const bool of_both = a != nullptr && b != nullptr &&
                         ((a->arg == x && b->arg == y) || (a->arg == y && b->arg == x));
    return of_both ? std::optional(is_max ? Op::kMax : Op::kMin) : std::nullopt;
  }

 private:
  template <typename Node>
  const Node* made(const core::Operand& operand) const {
    for (const core::Stm& stm : op_.body.stms) {
      if (!operand.isConstant() && stm.results[0] == operand.value)
        return std::get_if<Node>(&stm.expr);
    }
    return nullptr;
  }
  const core::Convert* bits(const core::Operand& operand) const {
    const auto* convert = made<core::Convert>(operand);
    return convert != nullptr && convert->kind == prim::ConvertKind::kBits ? convert : nullptr;
  }
  bool isPrim(const core::Operand& operand, Op op, core::Operand a, core::Operand b) const {
    const auto* prim = made<core::PrimOp>(operand);
    return prim != nullptr && prim->op == op && prim->args == core::Operands{a, b};
  }
  bool isEither(const core::Operand& operand, Op op, core::Operand a, core::Operand b) const {
    return isPrim(operand, op, a, b) || isPrim(operand, op, b, a);
  }

  const core::Lambda& op_;
};

}  // namespace

// A maximum of floats compares only, as machines do: a NaN loses, but of two zeros it takes any.
// The smallest bits beside it tell whether there was a positive one, which are no bits at all. For
// a minimum the negative zero, the least of all signed numbers.
std::optional<LaneReduction::Zero> LaneReduction::zeroOf(const core::Reduction& reduction,
                                                         ScalarType type) {
  const bool is_float = type == ScalarType::kF32 || type == ScalarType::kF64;
  const std::optional<Op> extremum = is_float ? ExtremumMatch(reduction.op).run() : std::nullopt;
  if (!extremum) return std::nullopt;
  const bool is_max = *extremum == Op::kMax;
  Zero zero;
  zero.wins = is_max ? Op::kGt : Op::kLt;
  const bool is_small = type == ScalarType::kF32;
  zero.bits_type = is_max ? (is_small ? ScalarType::kU32 : ScalarType::kU64)
                          : (is_small ? ScalarType::kI32 : ScalarType::kI64);
  const uint64_t sign = is_small ? uint64_t{1} << 31 : uint64_t{1} << 63;
  zero.bits = is_max ? 0 : sign;
  zero.none = is_max ? ~uint64_t{0} : sign - 1;
  zero.lanes = low_.b_.buffer("zeros", zero.bits_type, Space::kPrivate, kLanes);
  return zero;
}

Operand LaneReduction::leastBits(const Zero& zero, Operand a, Operand b) {
  return low_.b_.prim(Op::kMin, zero.bits_type, {a, b});
}

// The value into lane l of an extremum.
void LaneReduction::compare(size_t k, Operand l, Operand value) {
  Builder& b = low_.b_;
  const Zero& zero = *zeros_[k];
  Operand old = b.load(lanes_[k], l);
  Operand wins = b.prim(zero.wins, type(k), {value, old});
  b.store(lanes_[k], l, b.let("best", type(k), Select{wins, value, old}));
  Operand bits = b.let("bits", zero.bits_type,
                       Convert{prim::ConvertKind::kBits, type(k), zero.bits_type, value});
  b.store(zero.lanes, l, leastBits(zero, b.load(zero.lanes, l), bits));
}

// What the lanes found, with the zero that wins if it was among the values.
Operand LaneReduction::withZero(size_t k, Operand best) {
  Builder& b = low_.b_;
  const Zero& zero = *zeros_[k];
  BufferId least = b.buffer("least", zero.bits_type, Space::kPrivate, 16);
  low_.loop("lane", kZero, Operand::ofI64(16), true, [&](Operand l) {
    Operand all = b.load(zero.lanes, l);
    for (int64_t block = 16; block < kLanes; block += 16) {
      all = leastBits(zero, all, b.load(zero.lanes, b.add(l, Operand::ofI64(block))));
    }
    b.store(least, l, all);
  });
  Operand all = b.load(least, kZero);
  for (int64_t l = 1; l < 16; l++) all = leastBits(zero, all, b.load(least, Operand::ofI64(l)));
  const Operand bits = prim::Scalar::fromBits(zero.bits_type, zero.bits);
  Operand seen = b.prim(Op::kEq, zero.bits_type, {all, bits});
  Operand is_zero = b.prim(Op::kEq, type(k), {best, Operand(prim::zero(type(k)))});
  Operand wins = b.prim(Op::kAnd, ScalarType::kBool, {seen, is_zero});
  const Operand winner = prim::Scalar::fromBits(type(k), zero.bits);
  return b.let("best", type(k), Select{wins, winner, best});
}

ScalarType LaneReduction::type(size_t k) const { return low_.b_.program().vars[vars_[k]].type; }

size_t LaneReduction::first(size_t r) const {
  size_t k = 0;
  for (size_t before = 0; before < r; before++) k += width(before);
  return k;
}

Operands LaneReduction::apply(size_t r, const Operands& a, const Operands& b) {
  const core::Lambda& op = reductions_[r].op;
  for (size_t c = 0; c < width(r); c++) {
    low_.env_.scalars[op.params[c]] = a[c];
    low_.env_.scalars[op.params[width(r) + c]] = b[c];
  }
  return low_.body(op.body).scalars;
}

void LaneReduction::start() {
  low_.loop("lane", kZero, Operand::ofI64(kLanes), true, [&](Operand l) {
    size_t k = 0;
    for (const core::Reduction& reduction : reductions_) {
      for (const core::Operand& neutral : reduction.neutral) {
        low_.b_.store(lanes_[k], l, low_.scalar(neutral));
        if (zeros_[k]) {
          const Zero& zero = *zeros_[k];
          low_.b_.store(zero.lanes, l, prim::Scalar::fromBits(zero.bits_type, zero.none));
        }
        k++;
      }
    }
  });
}

void LaneReduction::lane(Operand l, const Results& values) {
  for (size_t r = 0; r < reductions_.size(); r++) {
    if (zeros_[first(r)]) {
      compare(first(r), l, values.scalars[first(r)]);
      continue;
    }
    Operands old, more;
    for (size_t k = first(r); k < first(r) + width(r); k++) {
      old.push_back(low_.b_.load(lanes_[k], l));
      more.push_back(values.scalars[k]);
    }
    Operands sums = apply(r, old, more);
    for (size_t c = 0; c < width(r); c++) low_.b_.store(lanes_[first(r) + c], l, sums[c]);
  }
}

void LaneReduction::fold() {
  for (size_t r = 0; r < reductions_.size(); r++) add(r, tree(r));
}

void LaneReduction::add(size_t r, const Operands& values) {
  Operands old;
  for (size_t c = 0; c < width(r); c++) old.push_back(vars_[first(r) + c]);
  Operands sums = apply(r, values, old);
  for (size_t c = 0; c < width(r); c++) low_.b_.assign(vars_[first(r) + c], sums[c]);
}

Operands LaneReduction::tree(size_t r) {
  Builder& b = low_.b_;
  std::vector<BufferId> sums;
  for (size_t c = 0; c < width(r); c++) {
    sums.push_back(b.buffer("sums", type(first(r) + c), Space::kPrivate, 16));
  }
  low_.loop("lane", kZero, Operand::ofI64(16), true, [&](Operand l) {
    std::vector<Operands> part(4);
    for (int64_t block = 0; block < 4; block++) {
      Operand at = b.add(l, Operand::ofI64(16 * block));
      for (size_t c = 0; c < width(r); c++) {
        part[static_cast<size_t>(block)].push_back(b.load(lanes_[first(r) + c], at));
      }
    }
    Operands even = apply(r, part[0], part[2]);
    Operands odd = apply(r, part[1], part[3]);
    Operands all = apply(r, even, odd);
    for (size_t c = 0; c < width(r); c++) b.store(sums[c], l, all[c]);
  });
  std::vector<Operands> tree(16);
  for (int64_t l = 0; l < 16; l++) {
    for (size_t c = 0; c < width(r); c++) {
      tree[static_cast<size_t>(l)].push_back(b.load(sums[c], Operand::ofI64(l)));
    }
  }
  for (size_t half = 8; half >= 1; half /= 2) {
    for (size_t l = 0; l < half; l++) tree[l] = apply(r, tree[l], tree[l + half]);
  }
  if (zeros_[first(r)]) tree[0][0] = withZero(first(r), tree[0][0]);
  return tree[0];
}

// All reductions see the accumulators before any of them changes.
void LaneReduction::sequential(const Results& values) {
  Operands next;
  for (size_t r = 0; r < reductions_.size(); r++) {
    Operands old, more;
    for (size_t k = first(r); k < first(r) + width(r); k++) {
      old.push_back(vars_[k]);
      more.push_back(values.scalars[k]);
    }
    Operands sums = apply(r, old, more);
    next.insert(next.end(), sums.begin(), sums.end());
  }
  assignAll(low_.b_, vars_, next);
}

}  // namespace halo::imp

// Forms that statements must have; why one has not, in a sentence.
#include "lang/passes/ranks/plan/shard_forms.h"

#include <algorithm>

#include "lang/core/lane_sums.h"
#include "lang/core/moves.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/tile_sums.h"
#include "lang/core/visit.h"
#include "lang/passes/calls/sorts.h"
#include "lang/prim/prim.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Loop;
using core::Operand;
using core::Program;
using core::Reduction;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::ValueId;
using prim::Op;

// ---- operators whose result has the same bits in any order of the elements

bool isOrderIndependent(const Program& program, const core::Lambda& op) {
  const bool has_float = std::any_of(op.params.begin(), op.params.end(), [&](ValueId param) {
    return prim::isFloat(program.type(param).scalar);
  });
  bool is_independent = true;
  core::visitStms(op.body, [&](const Stm& stm) {
    if (core::mayFail(stm)) is_independent = false;
    const auto* prim = std::get_if<core::PrimOp>(&stm.expr);
    const bool extremum = prim != nullptr && (prim->op == Op::kMin || prim->op == Op::kMax);
    const bool rows = std::holds_alternative<Screma>(stm.expr);  // of an operator on arrays
    if (has_float && !extremum && !rows) is_independent = false;
  });
  // Of a tuple with floats, each must be on its own.
  if (has_float && op.params.size() != 2) return false;
  return is_independent;
}
bool areScalars(const Program& program, const core::Lambda& op) {
  return std::all_of(op.params.begin(), op.params.end(),
                     [&](ValueId param) { return program.type(param).isScalar(); });
}

// Of integers.
bool isWrittenOut(const core::PrimOp& op, Divisors divisors) {
  if (op.op == Op::kPow) return true;
  const bool divides =
      op.op == Op::kDiv || op.op == Op::kMod || op.op == Op::kQuot || op.op == Op::kRem;
  if (!divides) return false;
  const Operand& by = op.args[1];
  return divisors == Divisors::kNone || !by.isConstant() || by.constant.asSigned() <= 0;
}

}  // namespace

bool areExact(const Program& program, const std::vector<Reduction>& reductions) {
  return std::all_of(reductions.begin(), reductions.end(), [&](const Reduction& reduction) {
    return isOrderIndependent(program, reduction.op);
  });
}

bool areExact(const Program& program, const std::vector<core::Scan>& scans) {
  return std::all_of(scans.begin(), scans.end(),
                     [&](const core::Scan& scan) { return isOrderIndependent(program, scan.op); });
}

bool isPlain(const Program& program, const Body& body, Divisors divisors) {
  bool is_plain = core::isSimple(program, body);
  core::visitStms(body, [&](const Stm& stm) {
    if (stm.checked) is_plain = false;
    const auto* op = std::get_if<core::PrimOp>(&stm.expr);
    if (op != nullptr && prim::isInteger(op->type) && isWrittenOut(*op, divisors)) is_plain = false;
  });
  return is_plain;
}

bool hasLoops(const core::Lambda& map) {
  bool found = false;
  core::visitStms(map.body, [&](const Stm& stm) {
    found = found || std::holds_alternative<Loop>(stm.expr) ||
            std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr);
  });
  return found;
}

namespace {

// Words of 32 bits that an engine keeps of a whole reduction in chunks.
constexpr int kMaxWords = 6;

// Whether a reduction has its chunks whatever lies where.
bool hasChunks(const Program& program, const Screma& node) {
  int words = 0;
  for (const Reduction& reduction : node.reductions) {
    if (!isPlain(program, reduction.op.body, Divisors::kPositive)) return false;
    for (const Operand& neutral : reduction.neutral) {
      words += std::max(1, prim::byteSize(program.type(neutral).scalar) / 4);
    }
  }
  return words <= kMaxWords && isPlain(program, node.map.body, Divisors::kPositive);
}

}  // namespace

bool readsRows(const Screma& level, const Screma& inner) {
  const std::vector<ValueId>& rows = level.map.params;
  return std::any_of(inner.inputs.begin(), inner.inputs.end(), [&](ValueId input) {
    return std::find(rows.begin(), rows.end(), input) != rows.end();
  });
}

namespace {

// A reduction of scalars that has its chunks whatever lies where, and returns nothing else.
bool isSumInChunks(const Program& program, const Stm& stm) {
  const auto* sum = std::get_if<Screma>(&stm.expr);
  return sum != nullptr && !stm.checked && !sum->width.isConstant() && sum->scans.empty() &&
         sum->map.body.results.size() == stm.results.size() && hasChunks(program, *sum) &&
         std::all_of(sum->reductions.begin(), sum->reductions.end(),
                     [&](const Reduction& one) { return areScalars(program, one.op); });
}

bool isPlainRun(const Program& program, std::vector<Stm>::const_iterator begin,
                std::vector<Stm>::const_iterator end) {
  return isPlain(program, Body{{begin, end}, {}}, Divisors::kPositive);
}

bool hasMatches(const core::Lambda& map) {
  bool found = false;
  core::visitStms(map.body, [&](const Stm& stm) { found = found || core::isControl(stm.expr); });
  return found;
}

}  // namespace

bool sumsRows(const Program& program, const Screma& node) {
  const Body& cell = node.map.body;
  if (node.width.isConstant() || !node.scans.empty() || cell.stms.empty()) return false;
  const Stm& row = cell.stms.back();
  const bool is_alone =
      std::all_of(cell.results.begin(), cell.results.end(), [&](const Operand& o) {
        return !o.isConstant() &&
               std::find(row.results.begin(), row.results.end(), o.value) != row.results.end();
      });
  return is_alone && isSumInChunks(program, row) && readsRows(node, std::get<Screma>(row.expr)) &&
         isPlainRun(program, cell.stms.begin(), cell.stms.end() - 1);
}

SumsOnce sumsOnce(const Program& program, const Screma& node) {
  const std::vector<Stm>& cell = node.map.body.stms;
  const bool only_maps = node.scans.empty() && node.reductions.empty();
  const auto sum = std::find_if(cell.begin(), cell.end(), [](const Stm& stm) {
    return std::holds_alternative<Screma>(stm.expr);
  });
  if (node.width.isConstant() || !only_maps || sum == cell.end()) return SumsOnce::kNo;
  if (!isSumInChunks(program, *sum)) return SumsOnce::kNo;
  const auto& row = std::get<Screma>(sum->expr);
  const bool is_pairs = row.width == node.width;
  auto end = cell.end();
  while (is_pairs && std::holds_alternative<core::ArrayLiteral>((end - 1)->expr)) --end;
  if (!isPlainRun(program, cell.begin(), sum) || !isPlainRun(program, sum + 1, end)) {
    return SumsOnce::kNo;
  }
  if (is_pairs) return SumsOnce::kPairs;
  return readsRows(node, row) && !hasMatches(node.map) ? SumsOnce::kRows : SumsOnce::kNo;
}

namespace {

// Reductions of scalars over elements of simple code are reduced alike, whatever that code.
const char* whyNotSums(const Program& program, const Screma& node, ShardOptions::Order order) {
  if (areExact(program, node.reductions)) return nullptr;
  if (order == ShardOptions::Order::kOfEngine) return "its reduction has an order";
  for (const Reduction& reduction : node.reductions) {
    if (!areScalars(program, reduction.op)) return "its reduction of rows has an order";
  }
  if (order == ShardOptions::Order::kChunks) {
    if (sumsRows(program, node)) return nullptr;
    return hasChunks(program, node) ? nullptr : "the order of its sum depends on its elements";
  }
  if (!hasLoops(node.map) && !isPlain(program, node.map.body)) {
    return "the order of its sum depends on its elements";
  }
  return nullptr;
}

}  // namespace

// Lanes of a line begin where its interior does, which a line that wraps has on one rank alone.
// Cells with checks are reduced one behind the other: later passes write these out.
bool sumsInTiles(const Program& program, const Stencil& stencil, ShardOptions::Order order) {
  if (stencil.reductions.empty() || !core::reducesInTiles(program, stencil)) return false;
  if (order == ShardOptions::Order::kChunks) return true;
  return order == ShardOptions::Order::kLanes && isPlain(program, stencil.map.body) &&
         core::reducesInLanes(program, stencil.map, stencil.reductions) &&
         !(stencil.space.size() == 1 && wrapsRows(stencil));
}

namespace {

// ---- forms

constexpr int64_t kFewRows = 64;  // of an extent that is a number: not worth a message

bool isFew(const Operand& extent) {
  return extent.isConstant() && extent.constant.asSigned() < kFewRows;
}

}  // namespace

bool sumsInCells(const Program& program, const Stm& stm) {
  bool sums = false;
  auto look = [&](const Stm& nested) {
    if (!std::holds_alternative<Screma>(nested.expr) &&
        !std::holds_alternative<Stencil>(nested.expr) &&
        !std::holds_alternative<core::Hist>(nested.expr)) {
      return;
    }
    auto has = [&](const auto& list) {
      for (const auto& one : list) {
        for (const Operand& neutral : one.neutral) {
          sums = sums || prim::isFloat(program.type(neutral).scalar);
        }
      }
    };
    auto hasSums = [&](const std::vector<Reduction>& reductions) {
      for (const Reduction& reduction : reductions)
        sums = sums || !isOrderIndependent(program, reduction.op);
    };
    if (const auto* node = std::get_if<Screma>(&nested.expr)) {
      hasSums(node->reductions);
      has(node->scans);
    }
    if (const auto* node = std::get_if<Stencil>(&nested.expr)) hasSums(node->reductions);
    if (const auto* node = std::get_if<core::Hist>(&nested.expr)) has(node->operations);
  };
  core::visitBodies(stm.expr, [&](const Body& body) { core::visitStms(body, look); });
  return sums;
}

namespace {

const char* whyNotScans(const Program& program, const Screma& node, ShardOptions::Order order) {
  for (const core::Scan& scan : node.scans) {
    if (!areScalars(program, scan.op)) return "it scans rows";
    const bool has_chunks = order == ShardOptions::Order::kLanes && node.reductions.empty();
    if (!isOrderIndependent(program, scan.op) && !has_chunks) return "its scan has an order";
  }
  return node.scans.empty() || areExact(program, node.reductions) ? nullptr
                                                                  : "its reduction has an order";
}

// Tables of one dimension, whose order of additions does not matter.
const char* whyNotTables(const Program& program, const core::Hist& node) {
  if (isFew(node.width)) return "it has few rows";
  for (const core::HistOp& one : node.operations) {
    if (!isOrderIndependent(program, one.op)) return "its additions have an order";
    if (program.type(one.destinations[0]).rank() != 1) return "its table is no row of scalars";
  }
  return nullptr;
}

}  // namespace

const char* whyNot(const Program& program, const Stm& stm, ShardOptions::Order order) {
  if (core::mayNotEnd(stm)) return "a cell of it may not end";
  if (const auto* screma = std::get_if<Screma>(&stm.expr)) {
    if (isFew(screma->width)) return "it has few rows";
    if (const char* why = whyNotScans(program, *screma, order)) return why;
    return whyNotSums(program, *screma, order);
  }
  if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) {
    if (isFew(stencil->space[0])) return "it has few rows";
    bool wraps = false, ends = false;
    for (const core::Window& window : stencil->windows) {
      if (!window.dynamic.empty()) return "only the run tells its offsets";
      (window.boundary[0].kind == core::BoundaryKind::kWrap ? wraps : ends) = true;
    }
    if (wraps && ends) return "it wraps one array and ends another";
    const bool is_sum = sumsInTiles(program, *stencil, order);
    return is_sum || areExact(program, stencil->reductions) ? nullptr
                                                            : "its reduction has an order";
  }
  if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) return whyNotTables(program, *hist);
  return "rows of it are not apart";
}

bool routes(const Program& program, const Stm& stm) {
  if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) {
    return !isFew(scatter->width) && !sumsInCells(program, stm) && !core::mayNotEnd(stm);
  }
  if (const auto* view = std::get_if<core::Slice>(&stm.expr)) {
    return !stm.checked && view->dims[0].stride == core::kOne && !isFew(view->dims[0].length);
  }
  if (const auto* joined = std::get_if<core::Concat>(&stm.expr)) return !isFew(joined->size);
  const std::optional<Sort> sort = sortIn(program, stm);
  return sort && !sort->size.isConstant();  // its kernel takes any number of keys
}

std::vector<ValueId> routedFrom(const Program& program, const Stm& stm) {
  if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) return scatter->inputs;
  if (const auto* view = std::get_if<core::Slice>(&stm.expr)) return {view->array};
  if (const auto* joined = std::get_if<core::Concat>(&stm.expr)) return joined->arrays;
  std::vector<ValueId> arrays;
  if (const std::optional<Sort> sort = sortIn(program, stm)) {
    arrays = sort->beside;
    arrays.insert(arrays.begin(), sort->keys);
  }
  return arrays;
}

bool computes(const Stm& stm) {
  return std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr) ||
         std::holds_alternative<core::Hist>(stm.expr);
}

std::optional<ValueId> passedOn(const Program& program, const Stm& stm) {
  if (const auto* copy = std::get_if<core::Copy>(&stm.expr)) return copy->array;
  if (const auto* view = std::get_if<core::Rearrange>(&stm.expr)) {
    if (view->permutation[0] == 0) return view->array;
  }
  if (const auto* view = std::get_if<core::Reshape>(&stm.expr)) {
    if (!view->shape.empty() && view->shape[0] == program.type(view->array).shape[0]) {
      return view->array;
    }
  }
  if (const auto* view = std::get_if<core::Slice>(&stm.expr)) {
    const core::SliceDim whole{Operand::ofI64(0), program.type(view->array).shape[0],
                               Operand::ofI64(1)};
    if (!stm.checked && view->dims[0] == whole) return view->array;
  }
  return std::nullopt;
}

bool isMade(const Stm& stm) {
  if (std::holds_alternative<core::Scratch>(stm.expr)) return true;
  if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) return prim::isInteger(iota->type);
  return std::holds_alternative<core::Replicate>(stm.expr);
}

}  // namespace halo::passes

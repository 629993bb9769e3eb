// Measures of a loop's body, the order of its statements, then the counts.
#include "lang/imp/schedule/lane_size.h"

#include <algorithm>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::imp {

using prim::Op;

namespace {

constexpr int kNarrowBytes = 4;
constexpr size_t kMaxReordered = 4096;    // a chain of them is that deep a recursion
constexpr size_t kTinyLoop = 10;          // columns of sums: longer pieces of each row
constexpr size_t kFewStatements = 40;     // four vectors of each value stay in registers
constexpr size_t kSomeStatements = 90;    // two do
constexpr size_t kManyStatements = 1500;  // more cost too much time to compile
constexpr size_t kRegisters = 28;         // vectors that bodies without loops may keep

struct BodySize {
  size_t statements = 0;
  int widest = 1;  // bytes of the widest scalar that it loads, stores or carries
  bool has_loops = false;
};

void measure(const Program& program, const Block& block, BodySize& size) {
  auto wide = [&](ScalarType type) { size.widest = std::max(size.widest, prim::byteSize(type)); };
  for (const Stm& stm : block) {
    ++size.statements;
    base::match(
        stm.node,
        [&](const Let& n) {
          if (const auto* load = std::get_if<Load>(&n.expr)) {
            wide(program.buffers[load->buffer].type);
          } else if (prim::isFloat(program.vars[n.var].type)) {
            wide(program.vars[n.var].type);
          }
        },
        [&](const Declare& n) { wide(program.vars[n.var].type); },
        [&](const Store& n) { wide(program.buffers[n.buffer].type); },
        [&](const Append& n) {
          for (BufferId buffer : n.buffers) wide(program.buffers[buffer].type);
        },
        [&](const For& n) {
          size.has_loops = true;
          measure(program, n.body, size);
        },
        [&](const While& n) {
          size.has_loops = true;
          measure(program, n.before, size), measure(program, n.body, size);
        },
        [&](const If& n) {
          measure(program, n.then_block, size), measure(program, n.else_block, size);
        },
        base::otherwise([](const auto&) {}));
  }
}

BodySize sizeOf(const Program& program, const Block& body) {
  BodySize size;
  measure(program, body, size);
  return size;
}

// Values of a straight body that differ between lanes: where they are made and last used. A value
// from memory is made where it is first used, sums that are only indices are no vectors.
class LiveRanges {
 public:
  LiveRanges(const Program& program, const VaryingVars& varying)
      : program_(program), varying_(varying) {}

  void walk(const Block& block) {
    for (const Stm& stm : block) {
      ++position_;
      base::match(
          stm.node, [&](const Let& n) { let(n); },
          [&](const Declare& n) { define(n.var), value(n.initial); },
          [&](const Assign& n) { value(n.value), value(n.var); },
          [&](const Store& n) { value(n.value); },
          [&](const Append& n) {
            value(n.condition);
            for (const Operand& operand : n.values) value(operand);
          },
          [&](const If& n) { value(n.condition), walk(n.then_block), walk(n.else_block); },
          base::otherwise([](const auto&) {}));
    }
  }

  size_t most() const {
    std::vector<int> change(position_ + 2);
    for (const auto& [var, range] : ranges_) {
      if (range.last == 0) continue;
      ++change[range.first], change[range.last]--;
    }
    int live = 0, most = 0;
    for (int by : change) most = std::max(most, live += by);
    return static_cast<size_t>(most);
  }

 private:
  struct Range {
    size_t first = 0, last = 0;
    bool is_load = false;
  };

  void define(VarId var, bool is_load = false) {
    if (varying_.contains(var)) ranges_[var] = {position_, 0, is_load};
  }

  void value(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = ranges_.find(operand.var);
    if (found == ranges_.end()) return;
    if (found->second.is_load && found->second.last == 0) found->second.first = position_;
    found->second.last = std::max(position_, found->second.first + 1);
  }

  void let(const Let& n) {
    const auto* prim = std::get_if<Prim>(&n.expr);
    const bool is_index = prim != nullptr && program_.vars[n.var].type == ScalarType::kI64 &&
                          (prim->op == Op::kAdd || prim->op == Op::kSub || prim->op == Op::kMul);
    if (is_index) return;
    const bool is_load = std::holds_alternative<Load>(n.expr);
    if (!is_load) {
      for (const Operand& operand : operandsOf(n.expr)) value(operand);
    }
    define(n.var, is_load);
  }

  const Program& program_;
  const VaryingVars& varying_;
  size_t position_ = 0;
  std::unordered_map<VarId, Range> ranges_;
};

// The most values of varying variables that are needed at one time.
size_t liveVectors(const Program& program, const Block& body, const VaryingVars& varying) {
  LiveRanges ranges(program, varying);
  ranges.walk(body);
  return ranges.most();
}

// Loads and whatever depends on mutable variables stays where it is.
class UseOrder {
 public:
  UseOrder(const Program& program, const Block& body) : program_(program), body_(body) {}

  Block run() {
    for (size_t i = 0; i < body_.size(); ++i) {
      if (const auto* let = std::get_if<Let>(&body_[i].node); let && isFree(*let)) {
        waiting_[let->var] = i;
      } else {
        demandAll(body_[i]);
        done_.push_back(body_[i]);
      }
    }
    return std::move(done_);
  }

 private:
  bool isFree(const Let& n) const {
    if (std::holds_alternative<Load>(n.expr)) return false;
    const Operands operands = operandsOf(n.expr);
    return std::none_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return !operand.isConstant() && program_.vars[operand.var].is_mutable;
    });
  }

  void demand(const Operand& operand) {
    if (operand.isConstant()) return;
    auto found = waiting_.find(operand.var);
    if (found == waiting_.end()) return;
    const Stm& stm = body_[found->second];
    waiting_.erase(found);
    demandAll(stm);
    done_.push_back(stm);
  }

  void demandAll(const Stm& stm) {
    auto all = [&](const Block& block) {
      for (const Stm& inner : block) demandAll(inner);
    };
    base::match(
        stm.node,
        [&](const Let& n) {
          for (const Operand& operand : operandsOf(n.expr)) demand(operand);
        },
        [&](const Declare& n) { demand(n.initial); }, [&](const Assign& n) { demand(n.value); },
        [&](const Store& n) { demand(n.index), demand(n.value), demand(n.stream); },
        [&](const Append& n) {
          demand(n.condition);
          for (const Operand& operand : n.values) demand(operand);
        },
        [&](const For& n) { demand(n.lo), demand(n.hi), all(n.body); },
        [&](const While& n) { all(n.before), demand(n.condition), all(n.body); },
        [&](const If& n) { demand(n.condition), all(n.then_block), all(n.else_block); },
        [&](const Fail& n) {
          for (const Operand& operand : n.operands) demand(operand);
        },
        base::otherwise([](const auto&) {}));
  }

  const Program& program_;
  const Block& body_;
  std::unordered_map<VarId, size_t> waiting_;  // statements of body_
  Block done_;
};

size_t vectorsInRegisters(const Program& program, const Block& body, const VaryingVars& varying) {
  const BodySize size = sizeOf(program, body);
  if (size.has_loops && size.statements <= kTinyLoop) return 8;
  if (size.statements <= kFewStatements) return 4;
  const size_t fit = kRegisters / std::max<size_t>(liveVectors(program, body, varying), 1);
  if (!size.has_loops && size.statements <= kManyStatements && fit >= 2) {
    return fit >= 4 ? 4 : 2;
  }
  return size.statements <= kSomeStatements ? 2 : 1;
}

// Four vectors of each value hide the latency of one, if there are registers for that. Stores past
// the caches are best when eight lines are written alternately: four rows at once write two each.
size_t vectorsAtOnce(const Program& program, const Block& body, const VaryingVars& varying) {
  constexpr size_t kLines = 8;
  const auto streams =
      static_cast<size_t>(std::count_if(body.begin(), body.end(), [](const Stm& stm) {
        const auto* store = std::get_if<Store>(&stm.node);
        return store != nullptr && store->stream != Operand::ofI64(0);
      }));
  const size_t most = vectorsInRegisters(program, body, varying);
  return streams == 0 ? most : std::min(most, std::max<size_t>(kLines / streams, 1));
}

// Has the body a few numbers of 64 bits, such as indices, among many of 32? The latter fill the
// registers.
bool isMostlyNarrow(const Program& program, const Block& body, const VaryingVars& varying) {
  size_t narrow = 0, wide = 0;
  bool appends = false;  // compresses whole registers
  forEachStm(body, [&](const Stm& stm) { appends |= std::holds_alternative<Append>(stm.node); });
  if (appends) return false;
  for (const Stm& stm : body) {
    const auto* let = std::get_if<Let>(&stm.node);
    if (let == nullptr || !varying.contains(let->var)) continue;
    const auto* prim = std::get_if<Prim>(&let->expr);
    const bool is_sum =
        prim != nullptr && (prim->op == Op::kAdd || prim->op == Op::kSub || prim->op == Op::kMul);
    const ScalarType type = program.vars[let->var].type;
    if (type == ScalarType::kI64 && is_sum) continue;
    wide += prim::byteSize(type) == 8 ? 1 : 0;
    narrow += prim::byteSize(type) == 4 ? 1 : 0;
  }
  return narrow > 4 * wide;
}

}  // namespace

Block inOrderOfUse(const Program& program, const Block& body) {
  return body.size() > kMaxReordered ? body : UseOrder(program, body).run();
}

bool exchanges(const Block& body) {
  return std::any_of(body.begin(), body.end(),
                     [](const Stm& stm) { return boundAs<Shuffle>(stm) != nullptr; });
}

int lanesOfVector(const Program& program, const For& loop, const VaryingVars& varying) {
  const int widest = isMostlyNarrow(program, loop.body, varying)
                         ? kNarrowBytes
                         : sizeOf(program, loop.body).widest;
  return kVectorBytes / std::max(widest, kNarrowBytes);
}

int laneCount(const Program& program, const BufferUses& uses, const For& loop) {
  if (exchanges(loop.body)) return static_cast<int>(loop.hi.constant.asSigned());
  if (loop.vector_width > kVectorLanes) return loop.vector_width;
  const VaryingVars varying = varyingInLanes(loop, privateArraysOf(program, uses, loop.body));
  const int lanes = lanesOfVector(program, loop, varying);
  int count = lanes * static_cast<int>(vectorsAtOnce(program, loop.body, varying));
  if (!loop.lo.isConstant() || !loop.hi.isConstant()) return count;
  const int64_t trips =
      std::max<int64_t>(loop.hi.constant.asSigned() - loop.lo.constant.asSigned(), 1);
  while (count > lanes && count > trips) count /= 2;
  return count;
}

}  // namespace halo::imp

// One walk over both bodies, which knows of each index how it depends on the two axes.
#include "lang/imp/schedule/transposed_tiles.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/imp/lower/lowering.h"
#include "lang/imp/operands.h"
#include "lang/imp/schedule/lanes.h"

namespace halo::imp {
namespace {

using prim::Op;

constexpr size_t kMaxTileStatements = 24;  // they are written out for every row of a tile

// c + outer * i + step * j. `step` is 0, 1 or something else that does not change.
struct Form {
  int64_t outer = 0;
  int64_t step = 0;
  static constexpr int64_t kOther = 2;
};

class TransposedLoops {
 public:
  TransposedLoops(const Program& program, VarId outer) : program_(program), made_{outer} {
    forms_[outer] = Form{1, 0};
  }

  bool admits(const Block& body) {
    for (const Stm& stm : body) {
      if (&stm == &body.back()) return inner(stm);
      const auto* let = std::get_if<Let>(&stm.node);
      if (let == nullptr || !define(*let)) return false;
    }
    return false;
  }
  std::vector<VarId> loads;

 private:
  bool inner(const Stm& stm) {
    const auto* loop = std::get_if<For>(&stm.node);
    const bool is_plain = loop != nullptr && loop->schedule == Schedule::kVector &&
                          loop->body.size() <= kMaxTileStatements && isOutside(loop->lo) &&
                          isOutside(loop->hi);
    if (!is_plain || !canRunInLanes(program_, loop->body)) return false;
    forms_[loop->var] = Form{0, 1};
    for (const Stm& inner : loop->body) {
      if (const auto* let = std::get_if<Let>(&inner.node)) {
        if (!define(*let)) return false;
      } else if (const auto* store = std::get_if<Store>(&inner.node)) {
        std::optional<Form> at = formOf(store->index);
        if (!at || at->step != 1) return false;
        written_.insert(store->buffer);
      } else {
        return false;
      }
    }
    return !loads.empty() && std::none_of(read_.begin(), read_.end(), [&](BufferId buffer) {
      return written_.contains(buffer);
    });
  }

  // Known before the loops.
  bool isOutside(const Operand& operand) const {
    return operand.isConstant() || !made_.contains(operand.var);
  }

  // Does not depend on either axis.
  bool isFixed(const Operand& operand) const {
    return operand.isConstant() ||
           (!forms_.contains(operand.var) && !varying_.contains(operand.var));
  }

  std::optional<Form> formOf(const Operand& operand) const {
    if (isFixed(operand)) return Form{};
    auto found = forms_.find(operand.var);
    return found == forms_.end() ? std::nullopt : std::optional(found->second);
  }

  // Every index has a form, or the loops are not for tiles.
  bool define(const Let& let) {
    made_.insert(let.var);
    if (const auto* load = std::get_if<Load>(&let.expr)) {
      std::optional<Form> at = formOf(load->index);
      if (!at || (at->step == Form::kOther && at->outer != 1)) return false;
      if (at->step == Form::kOther) {
        loads.push_back(let.var);
        read_.insert(load->buffer);
      }
      varying_.insert(let.var);
      return true;
    }
    const Operands operands = operandsOf(let.expr);
    if (std::all_of(operands.begin(), operands.end(),
                    [&](const Operand& o) { return isFixed(o); })) {
      return true;
    }
    if (std::optional<Form> sum = arithmetic(let.expr)) {
      forms_[let.var] = *sum;
    } else {
      varying_.insert(let.var);
    }
    return true;
  }

  std::optional<Form> arithmetic(const Expr& expr) const {
    const auto* prim = std::get_if<Prim>(&expr);
    if (prim == nullptr || prim->type != ScalarType::kI64 || prim->args.size() != 2) return {};
    std::optional<Form> a = formOf(prim->args[0]), b = formOf(prim->args[1]);
    if (!a || !b) return {};
    if (prim->op == Op::kAdd) return Form{a->outer + b->outer, joined(a->step, b->step)};
    if (prim->op == Op::kSub) {
      return Form{a->outer - b->outer, b->step == 0 ? a->step : Form::kOther};
    }
    if (prim->op != Op::kMul) return {};
    const bool first_fixed = isFixed(prim->args[0]);
    if (!first_fixed && !isFixed(prim->args[1])) return {};
    const Form& form = first_fixed ? *b : *a;
    return Form{form.outer == 0 ? 0 : kManyRows, form.step == 0 ? 0 : Form::kOther};
  }
  static int64_t joined(int64_t a, int64_t b) { return a == 0 || b == 0 ? a + b : Form::kOther; }

  static constexpr int64_t kManyRows = int64_t{1} << 32;  // more than one

  const Program& program_;
  std::unordered_map<VarId, Form> forms_;
  std::unordered_set<VarId> made_;  // by either body
  std::unordered_set<VarId> varying_;
  std::unordered_set<BufferId> read_, written_;  // read: transposed
};

}  // namespace

std::vector<VarId> transposedLoads(const Program& program, const Block& body, VarId outer) {
  TransposedLoops loops(program, outer);
  return loops.admits(body) ? std::move(loops.loads) : std::vector<VarId>();
}

namespace {

// Of the vector loop that ends the body, if there is one.
template <typename Loop, typename Visit>
void visitLoads(Loop& outer, const Visit& visit) {
  if (outer.schedule != Schedule::kVector || outer.body.empty()) return;
  auto* inner = std::get_if<For>(&outer.body.back().node);
  if (inner == nullptr) return;
  for (auto& stm : inner->body) {
    auto* let = std::get_if<Let>(&stm.node);
    auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
    if (load != nullptr) visit(let->var, *load);
  }
}

}  // namespace

std::vector<VarId> markedTransposed(const For& loop) {
  std::vector<VarId> found;
  visitLoads(loop, [&](VarId var, const Load& load) {
    if (load.transposed) found.push_back(var);
  });
  return found;
}

void appendTransposedTiles(Builder& b, For loop, const std::vector<VarId>& loads, bool parallel) {
  const VarId block = b.program().addVar("block", ScalarType::kI64);
  const Operand step = Operand::ofI64(kTransposedBlock);
  const Operand rows = b.sub(loop.hi, loop.lo);
  const Operand sixth = Operand::ofI64(6);
  static_assert(kTransposedBlock == 1 << 6);
  const Operand blocks = b.prim(Op::kMachineShr, ScalarType::kI64,
                                {b.add(rows, Operand::ofI64(kTransposedBlock - 1)), sixth});
  Block inside = b.capture([&] {
    const Operand first = b.add(loop.lo, b.mul(block, step));
    const Operand last = b.min(b.add(first, step), loop.hi);
    loop.lo = first;
    loop.hi = last;
    loop.schedule = Schedule::kVector;
    loop.vector_width = kVectorWidth;
    visitLoads(loop, [&](VarId var, Load& load) {
      load.transposed = std::find(loads.begin(), loads.end(), var) != loads.end();
    });
    b.append(std::move(loop));
  });
  b.append(For{block, Operand::ofI64(0), blocks,
               parallel ? Schedule::kParallel : Schedule::kSequential, 1, std::move(inside)});
}

}  // namespace halo::imp

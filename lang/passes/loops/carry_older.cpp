// First which result of a node is the negative of an input, then the loop's new form.
#include "lang/passes/loops/carry_older.h"

#include <algorithm>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Lambda;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Stm;
using core::ValueId;

// The plain inputs of a node with cells, the parameters for their elements.
struct Inputs {
  const std::vector<ValueId>* arrays = nullptr;
  const Lambda* map = nullptr;
  size_t first_param = 0, first_result = 0;
};

std::optional<Inputs> inputsOf(const Stm& stm) {
  const auto combined = [](const auto& list) {
    size_t count = 0;
    for (const auto& one : list) count += one.neutral.size();
    return count;
  };
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) {
    return Inputs{&node->inputs, &node->map, 0, combined(node->reductions) + combined(node->scans)};
  }
  if (const auto* node = std::get_if<core::Stencil>(&stm.expr)) {
    return Inputs{&node->inputs, &node->map, core::windowParams(*node), combined(node->reductions)};
  }
  return std::nullopt;
}

// The value of which this one is the negative, element by element; its statement is in the list.
std::optional<ValueId> negated(const std::vector<Stm>& stms, const Operand& value) {
  const std::optional<size_t> at = core::makerOf(stms, value);
  if (!at) return std::nullopt;
  const Stm& stm = stms[*at];
  if (const auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
    if (op->op != prim::Op::kNeg || op->args[0].isConstant()) return std::nullopt;
    return op->args[0].value;
  }
  const std::optional<Inputs> node = inputsOf(stm);
  if (!node || stm.checked) return std::nullopt;
  const auto result = std::find(stm.results.begin(), stm.results.end(), value.value);
  const auto position = static_cast<size_t>(result - stm.results.begin());
  if (position < node->first_result) return std::nullopt;
  const auto element = negated(node->map->body.stms, node->map->body.results[position]);
  const std::vector<ValueId>& params = node->map->params;
  for (size_t i = 0; element && i < node->arrays->size(); ++i) {
    if (params[node->first_param + i] == *element) return (*node->arrays)[i];
  }
  return std::nullopt;
}

bool isReadAsInputAlone(const core::Program& program, const Body& body, ValueId array) {
  ptrdiff_t as_input = 0;
  for (const Stm& stm : body.stms) {
    const std::optional<Inputs> node = inputsOf(stm);
    if (node) as_input += std::count(node->arrays->begin(), node->arrays->end(), array);
  }
  const auto uses = core::useCounts(program, body);
  const auto all = uses.find(array);
  return as_input > 0 && all != uses.end() && all->second == as_input;
}

ValueId negative(core::Builder& b, ValueId value, const std::string& name) {
  const core::Type type = b.program().type(value);
  if (type.isScalar()) {
    return b.bind(name, type, core::PrimOp{prim::Op::kNeg, type.scalar, {value}});
  }
  core::Type row = type;
  row.shape.erase(row.shape.begin());
  core::Builder cell(b.program());
  const ValueId element = b.program().add("x", row);
  const ValueId result = negative(cell, element, "y");
  Lambda map{{element}, cell.take({result})};
  return b.bind(name, type, core::Screma{type.shape[0], {value}, std::move(map), {}, {}});
}

class OlderCarrier {
 public:
  explicit OlderCarrier(core::Program& program) : program_(program) {}

  void body(Body& b) {
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      if (core::isControl(stm.expr)) {
        core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      }
      core::Builder behind(program_);
      if (auto* loop = std::get_if<Loop>(&stm.expr)) {
        for (size_t k = 0; k < loop->carried.size(); ++k) carry(stm, *loop, k, out, behind);
      }
      out.push_back(std::move(stm));
      for (Stm& made : behind.take({}).stms) out.push_back(std::move(made));
    }
    b.stms = std::move(out);
  }

 private:
  // Which array's older value the next one of carried array `k` is the negative of.
  std::optional<ValueId> other(const Stm& stm, const Loop& loop, size_t k) const {
    const core::Carried& own = loop.carried[k];
    const core::Type& type = program_.type(own.param);
    if (type.isScalar() || own.consumed || program_.type(stm.results[k]) != type) {
      return std::nullopt;
    }
    const std::optional<ValueId> found = negated(loop.body.stms, loop.body.results[k]);
    if (!found || *found == own.param) return std::nullopt;
    const bool is_carried =
        std::any_of(loop.carried.begin(), loop.carried.end(), [&](const core::Carried& one) {
          return one.param == *found && !one.consumed && program_.type(one.param) == type;
        });
    if (!is_carried || !isReadAsInputAlone(program_, loop.body, own.param)) return std::nullopt;
    return found;
  }

  void carry(Stm& stm, Loop& loop, size_t k, std::vector<Stm>& out, core::Builder& behind) {
    const std::optional<ValueId> from = other(stm, loop, k);
    if (!from) return;
    core::Carried& own = loop.carried[k];
    const core::Type type = program_.type(own.param);
    core::Builder before(program_);
    const ValueId initial = negative(before, own.initial.value, "older");
    for (Stm& made : before.take({}).stms) out.push_back(std::move(made));
    const ValueId older = program_.add("older", type), last = program_.add("older", type);
    define(behind, stm.results[k], last);
    stm.results[k] = last;
    negateUses(loop.body, own.param, older);
    own = {older, initial, false};
    loop.body.results[k] = *from;
  }

  // `value` becomes the negative of `older` in this body.
  void negateUses(Body& body, ValueId value, ValueId older) {
    for (Stm& stm : body.stms) {
      if (auto* op = std::get_if<core::PrimOp>(&stm.expr)) {
        negateOperand(*op, value, older);
      } else if (auto* screma = std::get_if<core::Screma>(&stm.expr)) {
        negateInputs(screma->inputs, screma->map, 0, {value, older});
      } else if (auto* stencil = std::get_if<core::Stencil>(&stm.expr)) {
        negateInputs(stencil->inputs, stencil->map, core::windowParams(*stencil), {value, older});
      }
    }
    if (!core::useCounts(program_, body).contains(value)) return;
    core::Builder front(program_);
    define(front, value, older);
    std::vector<Stm> stms = front.take({}).stms;
    stms.insert(stms.end(), body.stms.begin(), body.stms.end());
    body.stms = std::move(stms);
  }

  // -x + y is y - x, and y - -x is y + x, to the bit.
  static void negateOperand(core::PrimOp& op, ValueId value, ValueId older) {
    if (op.loose) return;
    const auto is = [&](size_t k) { return op.args[k] == Operand(value); };
    if (op.op == prim::Op::kAdd && is(0) != is(1)) {
      op.op = prim::Op::kSub;
      op.args = {is(0) ? op.args[1] : op.args[0], older};
    } else if (op.op == prim::Op::kSub && is(1) && !is(0)) {
      op.op = prim::Op::kAdd;
      op.args[1] = older;
    }
  }

  struct Renamed {
    ValueId value, older;
  };
  void negateInputs(std::vector<ValueId>& arrays, Lambda& map, size_t first, Renamed renamed) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i] != renamed.value) continue;
      arrays[i] = renamed.older;
      const ValueId element = map.params[first + i];
      map.params[first + i] = program_.add("older", program_.type(element));
      negateUses(map.body, element, map.params[first + i]);
    }
  }

  // Binds `value` to the negative of `older`.
  void define(core::Builder& b, ValueId value, ValueId older) {
    negative(b, older, "t");
    b.body().stms.back().results = {value};
  }

  core::Program& program_;
};

}  // namespace

core::Program carryOlder(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    OlderCarrier(result).body(body);
  });
}

}  // namespace halo::passes

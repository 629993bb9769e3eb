// Scatters and histograms, whose nodes pass on indices and values only (normal_form.h).
#include "lang/ad/operators/products.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/rules.h"
#include "lang/base/check.h"

namespace halo::ad {

namespace {

std::vector<ValueId> firstOf(const std::vector<ValueId>& values, int count) {
  return {values.begin(), values.begin() + count};
}

}  // namespace

void Reverse::scatter(Scope& s, const core::Scatter& node, const Operand& c) {
  Emitter& e = s.back;
  const core::ScatterDest& destination = node.destinations[0];
  const std::vector<ValueId> indices = firstOf(node.inputs, destination.index_rank);
  const ValueId values = node.inputs.back();
  if (varies(values)) add(s, values, gathered(e, node.width, indices, c.value));
  if (!varies(destination.array)) return;
  core::Scatter none = node;
  none.inputs.back() = e.zero(program_.type(values)).value;
  std::vector<Type> types;
  for (const ValueId param : node.map.params) types.push_back(program_.type(param));
  none.map = e.identity(types);
  none.destinations[0].array = e.copy(c.value);
  add(s, destination.array, e.bind("t", e.type(c), std::move(none)));
}

void Reverse::hist(Scope& s, size_t at, const core::Hist& node, const Cotangents& cs) {
  const core::HistOp& operation = node.operations[0];
  if (!isSum(operation.op)) {
    // The return sweep needs the destination's earlier elements: it works on a copy.
    for (size_t i = 0; i < operation.destinations.size(); ++i) {
      auto& forward = std::get<core::Hist>(s.forward[at].expr).operations[0];
      ValueId& own = forward.destinations[i];
      const ValueId kept = own;
      own = program_.add("copy", program_.type(kept));
      const Stm copy{{own}, core::Copy{kept}, false, {}};
      s.forward.insert(s.forward.begin() + static_cast<ptrdiff_t>(at++), copy);
    }
    if (isFloatProduct(program_, operation.op)) {
      return histProduct(s, node, s.forward[at].results[0], *cs[0]);
    }
    const auto op = extremum(operation.op);
    HALO_CHECK(op, "a histogram without a rule is in another form (normal_form.h)");
    return histExtreme(s, node, *op, *cs[0]);
  }
  const std::vector<ValueId> indices = firstOf(node.inputs, operation.index_rank);
  for (size_t i = 0; i < cs.size(); ++i) {
    if (!cs[i]) continue;
    add(s, operation.destinations[i], *cs[i]);
    const ValueId values = node.inputs[indices.size() + i];
    if (varies(values)) add(s, values, gathered(s.back, node.width, indices, cs[i]->value));
  }
}

void Reverse::histProduct(Scope& s, const core::Hist& node, ValueId ys, const Operand& c) {
  Emitter& e = s.back;
  const core::HistOp& operation = node.operations[0];
  const ScalarType type = e.type(c).scalar;
  const BinFactors others = otherFactors(e, node, ys, is_differentiated_);
  const auto weighted = [type](Emitter& at, const Operands& both) {
    return at.weighted(both[0], both[1], type);
  };
  if (varies(operation.destinations[0])) {
    add(s, operation.destinations[0], e.zip({others.of_bins, c}, weighted));
  }
  const ValueId values = node.inputs.back();
  if (!varies(values)) return;
  const ValueId seeds =
      gathered(e, node.width, firstOf(node.inputs, operation.index_rank), c.value);
  add(s, values, e.zip({others.of_elements, seeds}, weighted));
}

// The first extreme element of a bin counts, what was there before all others.
void Reverse::histExtreme(Scope& s, const core::Hist& node, Op op, const Operand& c) {
  Emitter& e = s.back;
  const core::HistOp& operation = node.operations[0];
  const std::vector<ValueId> indices = firstOf(node.inputs, operation.index_rank);
  const Type type = rowOf(program_.type(node.inputs.back()));
  const Type whole = e.type(c);
  const Type positions{ScalarType::kI64, whole.shape};
  const Operand before = Operand::ofI64(-1);
  core::Hist find;
  find.width = node.width;
  find.inputs = node.inputs;
  find.inputs.push_back(e.iota(node.width));
  std::vector<Type> types(indices.size(), Type{});
  types.push_back(type);
  types.push_back(Type{});
  find.map = e.identity(types);
  core::HistOp first;
  first.index_rank = operation.index_rank;
  first.op = firstExtreme(e, op, {type, Type{}});
  first.neutral = {operation.neutral[0], before};
  first.destinations = {e.copy(operation.destinations[0]),
                        e.bind("before", positions, core::Replicate{whole.shape, before})};
  find.operations.push_back(std::move(first));
  const ValueId winners = e.bindAll("first", {whole, positions}, std::move(find))[1];
  const ValueId values = node.inputs.back();
  if (varies(values)) {
    std::vector<ValueId> inputs = indices;
    inputs.push_back(e.iota(node.width));
    add(s, values, e.map(node.width, inputs, [&](Emitter& at, const Operands& cell) -> Operands {
      const Operands place(cell.begin(), cell.end() - 1);
      return {at.branch(
          isInside(at, place, whole.shape), {type},
          [&](Emitter& yes) -> Operands {
            const Operand won = yes.compare(Op::kEq, yes.index(winners, place), cell.back());
            return {yes.select(won, yes.index(c.value, place), prim::zero(type.scalar))};
          },
          [&](Emitter&) -> Operands { return {prim::zero(type.scalar)}; })[0]};
    })[0]);
  }
  if (!varies(operation.destinations[0])) return;
  add(s, operation.destinations[0], e.zip({winners, c}, [&](Emitter& at, const Operands& cell) {
    const Operand stays = at.compare(Op::kEq, cell[0], before);
    return at.select(stays, cell[1], prim::zero(type.scalar));
  }));
}

}  // namespace halo::ad

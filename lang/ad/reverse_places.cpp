// Scatters and histograms, whose nodes pass on indices and values only (normal_form.h).
#include "lang/ad/reverse.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

std::vector<ValueId> firstOf(const std::vector<ValueId>& values, int count) {
  return {values.begin(), values.begin() + count};
}

}  // namespace

// from[indices[i]] for each i; 0 where that is outside.
ValueId Reverse::gathered(Emitter& e, const Operand& width, const std::vector<ValueId>& indices,
                          ValueId from) {
  const Type whole = program_.type(from);
  const Type part = rowOf(whole, indices.size());
  return e.map(width, indices, [&](Emitter& at, const Operands& place) -> Operands {
    return {at.branch(
        isInside(at, place, whole.shape), {part},
        [&](Emitter& yes) -> Operands { return {yes.index(from, place)}; },
        [&](Emitter& no) -> Operands { return {no.zero(part)}; })[0]};
  })[0];
}

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
    // What was there before is asked for again.
    for (size_t i = 0; i < operation.destinations.size(); ++i) {
      auto& forward = std::get<core::Hist>(s.forward[at].expr).operations[0];
      ValueId& own = forward.destinations[i];
      const ValueId kept = own;
      own = program_.add("copy", program_.type(kept));
      const Stm copy{{own}, core::Copy{kept}, false, {}};
      s.forward.insert(s.forward.begin() + static_cast<ptrdiff_t>(at++), copy);
    }
    const Stm stm = s.forward[at];
    if (const auto op = extremum(operation.op)) return histExtreme(s, node, *op, *cs[0]);
    return histAny(s, stm, node, cs);
  }
  const std::vector<ValueId> indices = firstOf(node.inputs, operation.index_rank);
  for (size_t i = 0; i < cs.size(); ++i) {
    if (!cs[i]) continue;
    add(s, operation.destinations[i], *cs[i]);
    const ValueId values = node.inputs[indices.size() + i];
    if (varies(values)) add(s, values, gathered(s.back, node.width, indices, cs[i]->value));
  }
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

// One element after the other: a first loop keeps what each bin had before, the second one goes
// backwards.
void Reverse::histAny(Scope& s, const Stm& stm, const core::Hist& node, const Cotangents& cs) {
  Emitter& e = s.back;
  const core::HistOp& operation = node.operations[0];
  const size_t k = operation.destinations.size();
  const std::vector<ValueId> indices = firstOf(node.inputs, operation.index_rank);
  const std::vector<ValueId> values(node.inputs.begin() + operation.index_rank, node.inputs.end());
  const Operands space(program_.type(stm.results[0]).shape.begin(),
                       program_.type(stm.results[0]).shape.begin() + operation.index_rank);
  // Forward again: bins, and by position what a bin had.
  core::Loop forward;
  std::vector<Type> types;
  Emitter at(program_);
  const ValueId i = program_.add("i", {});
  forward.form = core::ForLoop{i, node.width};
  std::vector<ValueId> bins, olds;
  for (size_t side = 0; side < 2; ++side) {
    for (size_t r = 0; r < k; ++r) {
      const Type type = program_.type(side == 0 ? operation.destinations[r] : values[r]);
      const ValueId initial = side == 0 ? e.copy(operation.destinations[r])
                                        : e.bind("t", type, core::Scratch{type.scalar, type.shape});
      (side == 0 ? bins : olds).push_back(program_.add(side == 0 ? "bins" : "olds", type));
      forward.carried.push_back({(side == 0 ? bins : olds).back(), initial, false});
      types.push_back(type);
    }
  }
  Operands place, next;
  for (const ValueId index : indices) place.push_back(at.index(index, {i}));
  const auto step = [&](Emitter& yes) {
    Operands changed, kept, old, args;
    for (size_t r = 0; r < k; ++r) old.push_back(yes.index(bins[r], place));
    args = old;
    for (size_t r = 0; r < k; ++r) args.push_back(yes.index(values[r], {i}));
    auto [stms, results] = core::apply(program_, operation.op, args);
    for (Stm& one : stms) yes.append(std::move(one));
    for (size_t r = 0; r < k; ++r) {
      changed.push_back(yes.updated(bins[r], place, results[r]));
      kept.push_back(yes.updated(olds[r], {i}, old[r]));
    }
    changed.insert(changed.end(), kept.begin(), kept.end());
    return changed;
  };
  const auto stay = [&](Emitter&) {
    Operands same(bins.begin(), bins.end());
    same.insert(same.end(), olds.begin(), olds.end());
    return same;
  };
  for (const ValueId value : at.branch(isInside(at, place, space), types, step, stay)) {
    next.push_back(value);
  }
  forward.body = at.take(next);
  prove(forward.body);
  const std::vector<ValueId> ran = e.bindAll("t", types, std::move(forward));

  core::Loop back;
  const ValueId j = program_.add("j", {});
  back.form = core::ForLoop{j, node.width};
  std::vector<ValueId> bin_cs, value_cs;
  for (size_t side = 0; side < 2; ++side) {
    for (size_t r = 0; r < k; ++r) {
      const Type type = program_.type(side == 0 ? operation.destinations[r] : values[r]);
      const Operand initial = side == 0 && cs[r] ? *cs[r] : e.zero(type);
      (side == 0 ? bin_cs : value_cs).push_back(program_.add("c", type));
      back.carried.push_back({(side == 0 ? bin_cs : value_cs).back(), initial, false});
    }
  }
  const Operand last = e.sub(node.width, kOne);
  const Operand position = at.sub(last, j);
  Operands where;
  for (const ValueId index : indices) where.push_back(at.index(index, {position}));
  const auto undo = [&](Emitter& yes) {
    Scope l(program_, Scope::Kind::kLoop, &s);
    l.own_only = true;
    Lambda op = again(operation.op);
    own(l, op.params);
    core::Substitution arguments;
    for (size_t r = 0; r < k; ++r) {
      activity_.activate(op.params[r]);
      activity_.activate(op.params[k + r]);
    }
    start(l, op.body);
    // The parameters are bound in front of the statements.
    std::vector<Stm> before;
    for (size_t r = 0; r < k; ++r) {
      before.push_back({{op.params[r]}, core::Index{ran[k + r], {position}}, false, {}});
      before.push_back({{op.params[k + r]}, core::Index{values[r], {position}}, false, {}});
    }
    for (size_t r = 0; r < k; ++r) add(l, op.body.results[r], l.back.index(bin_cs[r], where));
    run(l);
    Operands results;
    for (size_t r = 0; r < k; ++r) {
      const Operand old = takeOrZero(l, op.params[r]);
      results.push_back(l.back.updated(bin_cs[r], where, old));
    }
    for (size_t r = 0; r < k; ++r) {
      const Operand value = takeOrZero(l, op.params[k + r]);
      results.push_back(l.back.updated(value_cs[r], {position}, value));
    }
    Body body = finished(l, results);
    for (Stm& one : before) yes.append(std::move(one));
    for (Stm& one : body.stms) yes.append(std::move(one));
    return body.results;
  };
  const auto none = [&](Emitter&) {
    Operands same(bin_cs.begin(), bin_cs.end());
    same.insert(same.end(), value_cs.begin(), value_cs.end());
    return same;
  };
  next.clear();
  for (const ValueId value : at.branch(isInside(at, where, space), types, undo, none)) {
    next.push_back(value);
  }
  back.body = at.take(next);
  const std::vector<ValueId> found = e.bindAll("t", types, std::move(back));
  for (size_t r = 0; r < k; ++r) {
    add(s, operation.destinations[r], found[r]);
    add(s, values[r], found[k + r]);
  }
}

}  // namespace halo::ad

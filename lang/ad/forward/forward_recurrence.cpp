// Tangents of reductions and scans whose operator has kinks (kinks.h). From left to right, as the
// interpreter combines, they obey a linear recurrence:
//
//   ys = scan op ne xs
//   ys'[i] = J_i ys'[i-1] + c_i    with J_i, c_i the derivatives of `ys[i-1] op xs[i]`
//
// That is a scan of affine maps, which may be combined in any order.
#include "lang/ad/forward/forward.h"
#include "lang/ad/operators/composition.h"
#include "lang/ad/rules.h"

namespace halo::ad {

namespace {

struct Combining {
  const Lambda& op;
  const Operands& neutral;
};

Combining combiningOf(const core::Screma& node) {
  if (!node.scans.empty()) return {node.scans[0].op, node.scans[0].neutral};
  return {node.reductions[0].op, node.reductions[0].neutral};
}

// The node's values up to each element.
std::vector<ValueId> prefixes(Emitter& e, const Stm& stm, const core::Screma& node) {
  if (!node.scans.empty()) return stm.results;
  Lambda op = core::freshCopy(e.program(), node.reductions[0].op);
  prove(op.body);
  return e.scan(node.width, node.inputs, std::move(op), node.reductions[0].neutral);
}

}  // namespace

// The operator's tangents where those of its parameters are these numbers; they ran before.
Lambda Forward::tangentsOf(const Lambda& op, const Operands& tangents) {
  for (size_t i = 0; i < op.params.size(); ++i) know(op.params[i], tangents[i]);
  const size_t k = op.body.results.size();
  Lambda found{op.params, body(op.body, std::vector<bool>(k, true))};
  prove(found.body);
  Operands& results = found.body.results;
  results.erase(results.begin(), results.begin() + static_cast<ptrdiff_t>(k));
  return found;
}

void Forward::recurrence(Emitter& e, const Stm& stm, const core::Screma& node) {
  e.append(stm);
  const Combining one = combiningOf(node);
  const size_t k = one.neutral.size();
  std::vector<size_t> parts;
  for (size_t i = 0; i < k; ++i) {
    if (varies(one.op.params[i]) || varies(one.op.params[k + i])) parts.push_back(i);
  }
  const ScalarType type = program_.type(one.op.params[parts[0]]).scalar;
  const SparseMatrix matrix = dependences(program_, one.op, parts);
  const std::vector<ValueId> maps = affineMaps(e, {stm, node, parts, type}, matrix);
  const std::vector<ValueId> composed = composedMaps(e, node, maps, type, matrix);
  Operands start;
  for (const size_t part : parts) start.push_back(tangent(e, one.neutral[part]));
  const auto atStart = [&](Emitter& at, const Operands& map) {
    Operands results;
    for (size_t a = 0; a < parts.size(); ++a) {
      Operand sum = map[a];
      for (size_t b = 0; b < parts.size(); ++b) {
        const auto entry = matrix.find(a, b);
        if (entry) sum = at.sum(sum, at.weighted(map[parts.size() + *entry], start[b], type));
      }
      results.push_back(sum);
    }
    return results;
  };
  Operands found(composed.begin(), composed.end());
  if (node.scans.empty()) {
    found = atStart(e, found);
  } else if (activity_.any(one.neutral)) {
    const std::vector<ValueId> all = e.map(node.width, composed, atStart);
    found.assign(all.begin(), all.end());
  }
  for (size_t a = 0; a < parts.size(); ++a) know(stm.results[parts[a]], found[a]);
}

// c and the entries of J of each element.
std::vector<ValueId> Forward::affineMaps(Emitter& e, const Recurrence& of,
                                         const SparseMatrix& matrix) {
  const Combining one = combiningOf(of.node);
  const size_t k = one.neutral.size();
  const std::vector<ValueId> before = prefixes(e, of.stm, of.node);
  std::vector<ValueId> inputs{e.iota(of.node.width)};
  inputs.insert(inputs.end(), of.node.inputs.begin(), of.node.inputs.end());
  for (const size_t part : of.parts) inputs.push_back(tangentArray(e, of.node.inputs[part]));
  Operands none;
  for (const ValueId param : one.op.params) none.push_back(prim::zero(program_.type(param).scalar));
  return e.map(of.node.width, inputs, [&](Emitter& at, const Operands& cell) {
    const auto left = at.branch(
        at.compare(Op::kEq, cell[0], kZero), rowTypes(before),
        [&](Emitter&) { return one.neutral; },
        [&](Emitter& later) {
          Operands values;
          for (const ValueId array : before) {
            values.push_back(later.index(array, {later.sub(cell[0], kOne)}));
          }
          return values;
        });
    Operands args(left.begin(), left.end());
    args.insert(args.end(), cell.begin() + 1, cell.begin() + 1 + static_cast<ptrdiff_t>(k));
    Operands tangents = none;
    for (size_t i = 0; i < of.parts.size(); ++i) tangents[k + of.parts[i]] = cell[1 + k + i];
    const Operands all = at.apply(tangentsOf(one.op, tangents), args);
    Operands results;
    for (const size_t part : of.parts) results.push_back(all[part]);
    const std::vector<Operands> columns = columnsOf(at, of, one.op, args, none);
    for (const auto& [row, column] : matrix.entries()) {
      results.push_back(columns[column][of.parts[row]]);
    }
    return results;
  });
}

// Those of J: the derivatives by the value so far alone, not by values outside of the operator.
std::vector<Operands> Forward::columnsOf(Emitter& at, const Recurrence& of, const Lambda& op,
                                         const Operands& args, const Operands& none) {
  const auto outer = forgetTangents(core::freeValues(program_, op));
  std::vector<Operands> columns;
  for (const size_t part : of.parts) {
    Operands unit = none;
    unit[part] = at.number(of.type, 1);
    columns.push_back(at.apply(tangentsOf(op, unit), args));
  }
  for (const auto& [value, tangent] : outer) know(value, tangent);
  return columns;
}

// Tangents of these values become 0. Returns those that were others.
std::vector<std::pair<ValueId, Operand>> Forward::forgetTangents(
    const std::unordered_set<ValueId>& values) {
  std::vector<std::pair<ValueId, Operand>> known;
  for (const ValueId value : values) {
    const auto found = tangents_.find(value);
    if (found == tangents_.end()) continue;
    known.emplace_back(value, found->second);
    tangents_.erase(found);
  }
  return known;
}

std::vector<Type> Forward::rowTypes(const std::vector<ValueId>& arrays) const {
  std::vector<Type> types;
  for (const ValueId array : arrays) types.push_back(rowOf(program_.type(array)));
  return types;
}

// Of a scan each prefix, of a reduction the whole.
std::vector<ValueId> Forward::composedMaps(Emitter& e, const core::Screma& node,
                                           const std::vector<ValueId>& maps, ScalarType type,
                                           const SparseMatrix& matrix) {
  Lambda op = composition(e, type, matrix);
  Operands neutral = identity(e, type, matrix);
  if (!node.scans.empty()) return e.scan(node.width, maps, std::move(op), std::move(neutral));
  core::Screma all;
  all.width = node.width;
  all.inputs = maps;
  const std::vector<Type> types = rowTypes(maps);
  all.map = e.identity(types);
  all.reductions.push_back({std::move(op), std::move(neutral), false});
  return e.bindAll("t", types, std::move(all));
}

}  // namespace halo::ad

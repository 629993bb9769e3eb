// Cells and elements are numbered together, in row-major order.
#include "gpu/plan/nests/flattened_cells.h"

#include <unordered_map>
#include <unordered_set>

#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"

namespace halo::gpu {

using namespace core;
using prim::Op;

namespace {
constexpr size_t kMaxLevels = 3;  // of an index space
constexpr size_t kMaxParts = 4;   // each is a branch of all elements
}  // namespace

ValueId elementwise(Program& program, ValueId array, const Operands& shape,
                    std::vector<Stm>& stms) {
  Screma map{shape[0], {array}, {}, {}, {}};
  const Type type = program.type(array);
  ValueId result = program.add("copied", type);
  ValueId param = program.add("x", rowOf(type));
  map.map.params = {param};
  Operands inner(shape.begin() + 1, shape.end());
  map.map.body.results = {inner.empty() ? param
                                        : elementwise(program, param, inner, map.map.body.stms)};
  stms.push_back({{result}, std::move(map), false, {}});
  return result;
}

namespace {

// Reads of elements of rows as reads of the array that the rows are of. Each row is left out that
// nothing else reads: code without rows may stand often in a kernel.
void readElements(Program& program, Body& body) {
  std::unordered_map<ValueId, Index> rows;
  for (Stm& stm : body.stms) {
    auto* read = std::get_if<Index>(&stm.expr);
    if (read == nullptr) continue;
    if (const auto row = rows.find(read->array); row != rows.end()) {
      Operands indices = row->second.indices;
      indices.insert(indices.end(), read->indices.begin(), read->indices.end());
      *read = {row->second.array, std::move(indices)};
    }
    if (!stm.checked && !program.type(stm.results[0]).isScalar()) {
      rows.emplace(stm.results[0], *read);
    }
  }
  std::unordered_set<ValueId> used;
  for (const Operand& result : body.results) used.insert(result.value);
  for (const Stm& stm : body.stms) used.merge(freeValues(program, stm));
  std::erase_if(body.stms, [&](const Stm& stm) {
    return stm.results.size() == 1 && rows.contains(stm.results[0]) &&
           !used.contains(stm.results[0]);
  });
}

}  // namespace

std::vector<Stm> FlattenedCells::flat(const Operand& width, const std::vector<ValueId>& inputs,
                                      const Lambda& map, const Arrange& arrange,
                                      const MakeNode& make, const std::vector<ValueId>& results,
                                      Span span) {
  Builder host(program_);
  Operand total = width;
  for (const Operand& extent : levels_.widths()) total = host.mul(total, extent);
  ValueId numbers = host.bind("numbers", {ScalarType::kI64, {total}},
                              Iota{ScalarType::kI64, total, Operand::ofI64(0), Operand::ofI64(1)});
  ValueId number = program_.add("number", {ScalarType::kI64, {}});
  Builder code(program_);
  // From the innermost index outwards.
  Operand position = number;
  auto split = [&](const Operand& extent) {
    Operand next = code.prim(Op::kMachineDiv, ScalarType::kI64, {position, extent});
    Operand index = code.sub(position, code.mul(next, extent));
    position = next;
    return index;
  };
  Operand element = split(width);
  Operands cell(levels_.widths().size());
  for (size_t k = cell.size(); k-- > 1;) cell[k] = split(levels_.widths()[k]);
  cell[0] = position;
  Body inside;
  for (size_t i = 0; i < inputs.size(); ++i) {
    inside.stms.push_back({{map.params[i]}, Index{inputs[i], {element}}, false, span});
  }
  inside.stms.insert(inside.stms.end(), map.body.stms.begin(), map.body.stms.end());
  inside.results = arrange(cell);
  inside = levels_.bound(withNeeded(program_, cheap_, std::move(inside)), cell, expanded_);
  Body body = code.take(inside.results);
  body.stms.insert(body.stms.end(), inside.stms.begin(), inside.stms.end());
  readElements(program_, body);
  Lambda whole = freshCopy(program_, Lambda{{number}, std::move(body)});
  host.append({results, make(total, numbers, std::move(whole)), false, span});
  return host.take({}).stms;
}

std::vector<Stm> FlattenedCells::scatter(const Scatter& scatter,
                                         const std::vector<ValueId>& destinations,
                                         const std::vector<ValueId>& results, Span span) {
  auto arrange = [&](const Operands& cell) {
    Operands all;
    size_t next = 0;
    for (const ScatterDest& destination : scatter.destinations) {
      for (int w = 0; w < writesOf(scatter); ++w) {
        all.insert(all.end(), cell.begin(), cell.end());
        for (int k = 0; k <= destination.index_rank; ++k) {
          all.push_back(scatter.map.body.results[next++]);
        }
      }
    }
    return all;
  };
  auto make = [&](const Operand& total, ValueId numbers, Lambda map) -> Expr {
    Scatter all{total, {numbers}, std::move(map), {}};
    for (size_t d = 0; d < destinations.size(); ++d) {
      int rank = scatter.destinations[d].index_rank + static_cast<int>(levels_.widths().size());
      all.destinations.push_back({destinations[d], rank});
    }
    return all;
  };
  return flat(scatter.width, scatter.inputs, scatter.map, arrange, make, results, span);
}

std::vector<Stm> FlattenedCells::hist(const Hist& hist, const std::vector<ValueId>& destinations,
                                      const std::vector<ValueId>& results, Span span) {
  auto arrange = [&](const Operands& cell) {
    Operands all;
    size_t next = 0;
    for (const HistOp& operation : hist.operations) {
      all.insert(all.end(), cell.begin(), cell.end());
      size_t count = static_cast<size_t>(operation.index_rank) + operation.destinations.size();
      for (size_t k = 0; k < count; ++k) all.push_back(hist.map.body.results[next++]);
    }
    return all;
  };
  auto make = [&](const Operand& total, ValueId numbers, Lambda map) -> Expr {
    Hist all{total, {numbers}, std::move(map), hist.operations};
    size_t next = 0;
    for (HistOp& operation : all.operations) {
      operation.index_rank += static_cast<int>(levels_.widths().size());
      for (ValueId& destination : operation.destinations) destination = destinations[next++];
      operation.op = freshCopy(program_, operation.op);
    }
    return all;
  };
  return flat(hist.width, hist.inputs, hist.map, arrange, make, results, span);
}

// The element at `indices` of rows one behind the other, the rows from number `k` on.
Operand FlattenedCells::elementOf(const std::vector<ValueId>& rows, size_t k, Operands indices,
                                  Builder& code) {
  const ScalarType type = program_.type(rows[k]).scalar;
  if (k + 1 == rows.size()) return code.bind("x", {type, {}}, Index{rows[k], std::move(indices)});
  const Operand length = program_.type(rows[k]).shape[0];
  const Operand is_here = code.prim(Op::kLt, ScalarType::kI64, {indices[0], length});
  Builder here(program_), behind(program_);
  const Operand own = here.bind("x", {type, {}}, Index{rows[k], indices});
  indices[0] = behind.sub(indices[0], length);
  const Operand other = elementOf(rows, k + 1, std::move(indices), behind);
  Match choice{is_here, {{Scalar::ofBool(true), here.take({own})}}, behind.take({other})};
  return code.bind("x", {type, {}}, std::move(choice));
}

// A nest over the rest of `type`: first the levels, for which there are rows of all parts.
ValueId FlattenedCells::joinCells(const std::vector<ValueId>& rows, Type type, size_t levels_left,
                                  Operands indices, std::vector<Stm>& stms, Span span) {
  Builder code(program_);
  Screma map{type.shape[0], {}, {}, {}, {}};
  const ValueId result = program_.add("joined", type);
  type = rowOf(std::move(type));
  std::vector<ValueId> inner = rows;
  if (levels_left > 0) {
    map.inputs = rows;
    for (ValueId& row : inner) {
      row = program_.add("part", rowOf(program_.type(row)));
    }
    map.map.params = inner;
  } else {
    const Iota numbers{ScalarType::kI64, map.width, Operand::ofI64(0), Operand::ofI64(1)};
    map.inputs = {code.bind("numbers", {ScalarType::kI64, {map.width}}, numbers)};
    map.map.params = {program_.add("number", {ScalarType::kI64, {}})};
    indices.emplace_back(map.map.params[0]);
  }
  if (type.shape.empty()) {
    Builder element(program_);
    const Operand value = elementOf(inner, 0, std::move(indices), element);
    map.map.body = element.take({value});
  } else {
    const size_t left = levels_left > 0 ? levels_left - 1 : 0;
    std::vector<Stm> body;
    const Operand row = joinCells(inner, type, left, std::move(indices), body, span);
    map.map.body = {std::move(body), {row}};
  }
  code.append({{result}, std::move(map), false, span});
  for (Stm& stm : code.take({}).stms) stms.push_back(std::move(stm));
  return result;
}

std::vector<Stm> FlattenedCells::concat(const Concat& concat, const std::vector<ValueId>& parts,
                                        ValueId result, Span span) {
  Builder host(program_);
  size_t depth = levels_.widths().size();
  const Type whole = program_.type(result);
  if (whole.shape.size() <= kMaxLevels && parts.size() <= kMaxParts) {
    std::vector<Stm> stms;
    joinCells(parts, whole, depth, {}, stms, span);
    stms.back().results = {result};
    return stms;
  }
  auto permuted = [&](ValueId array, const std::vector<int>& permutation) {
    Type type = program_.type(array);
    for (size_t k = 0; k < permutation.size(); ++k) {
      type.shape[k] = program_.type(array).shape[static_cast<size_t>(permutation[k])];
    }
    return std::pair(type, Rearrange{array, permutation});
  };
  int rank = program_.type(result).rank();
  std::vector<int> to_front = {static_cast<int>(depth)};
  std::vector<int> back;
  for (int k = 0; k < rank; ++k) {
    if (k != static_cast<int>(depth)) to_front.push_back(k);
  }
  for (size_t k = 1; k <= depth; ++k) back.push_back(static_cast<int>(k));
  back.push_back(0);
  for (int k = static_cast<int>(depth) + 1; k < rank; ++k) back.push_back(k);
  Concat all{{}, concat.size};
  Type type;
  for (ValueId part : parts) {
    auto [part_type, view] = permuted(part, to_front);
    all.arrays.push_back(host.bind("front", part_type, view));
    type = part_type;
  }
  type.shape[0] = concat.size;
  ValueId joined = host.bind("joined", type, std::move(all), false, span);
  host.append({{result}, permuted(joined, back).second, false, span});
  return host.take({}).stms;
}

}  // namespace halo::gpu

// Arrays that need no kernel, or perhaps none: literals, views, iotas and replicates.
#include "gpu/plan/outline.h"
#include "gpu/plan/planner.h"

#include <algorithm>

#include "lang/imp/lower/in_place_root.h"

namespace halo::gpu {

using namespace core;

namespace {

// Longer array literals are made on the host: one invocation alone would store them, in code as
// long.
constexpr size_t kMaxLiteral = 64;  // elements

bool isPrefix(const Program& program, const Slice& slice) {
  const Operands& shape = program.type(slice.array).shape;
  for (size_t k = 0; k < slice.dims.size(); ++k) {
    const SliceDim& dim = slice.dims[k];
    const bool begins = dim.start == Operand::ofI64(0) && dim.stride == Operand::ofI64(1);
    if (!begins || (k > 0 && dim.length != shape[k])) return false;
  }
  return true;
}
std::optional<Operands> constantElements(const std::unordered_map<ValueId, Operands>& rows,
                                         const ArrayLiteral& e) {
  Operands all;
  for (const Operand& element : e.elements) {
    auto row = element.isConstant() ? rows.end() : rows.find(element.value);
    if (element.isConstant()) {
      all.push_back(element);
    } else if (row != rows.end()) {
      all.insert(all.end(), row->second.begin(), row->second.end());
    } else {
      return std::nullopt;
    }
  }
  return all;
}

}  // namespace

// Literals take elements from the array itself, for which the host would have to wait.
void Planner::planIndex(Stm stm, const Index& e, std::vector<Stm>& out) {
  const ValueId result = stm.results[0];
  const bool is_scalar = program_.type(result).isScalar();
  if (!is_scalar && views_.contains(e.array)) views_.insert(result);
  if (is_scalar && !stm.checked && !overwritten_.contains(e.array)) {
    elements_.emplace(result, stm);
    droppable_.insert(result);
  }
  out.push_back(std::move(stm));
}

// A literal of known rows is a flat one, and a long one is the host's.
void Planner::planLiteral(Stm stm, const ArrayLiteral& e, std::vector<Stm>& out) {
  const ValueId result = stm.results[0];
  const std::optional<Operands> known = constantElements(constants_, e);
  const bool is_flat = program_.type(result).rank() == 1;
  if (known) constants_[result] = *known;
  const size_t count = known ? known->size() : e.elements.size();
  if (known && !is_flat) {
    const Operands size = {Operand::ofI64(static_cast<int64_t>(count))};
    const ValueId flat = program_.add(program_.values[result].name, {e.type, size});
    const ArrayLiteral all{e.type, *known};
    planLiteral({{flat}, all, false, stm.span}, all, out);
    stm.expr = Reshape{flat, program_.type(result).shape};
    return out.push_back(std::move(stm));
  }
  if (is_flat && count > kMaxLiteral) return out.push_back(std::move(stm));
  if (known) droppable_.insert(result);
  KernelInfo info = elementwise(stm);
  std::unordered_map<ValueId, Stm> inside = recompute_;
  inside.insert(elements_.begin(), elements_.end());
  out.push_back(outline(program_, stm, nextName(), std::move(info), inside));
}

void Planner::view(Stm stm, std::vector<Stm>& out) {
  views_.insert(stm.results[0]);
  out.push_back(std::move(stm));
}

// The first elements of a dense array are dense, and begin where its memory does.
void Planner::planSlice(Stm stm, const Slice& e, std::vector<Stm>& out) {
  if (views_.contains(e.array) || !isPrefix(program_, e)) return view(std::move(stm), out);
  prefixes_.insert(stm.results[0]);
  out.push_back(std::move(stm));
}

// A view of a view is one of the array below, and perhaps that array.
void Planner::planRearrange(Stm stm, Rearrange e, std::vector<Stm>& out) {
  if (auto below = turned_.find(e.array); below != turned_.end()) {
    for (int& axis : e.permutation) {
      axis = below->second.permutation[static_cast<size_t>(axis)];
    }
    e.array = below->second.array;
    if (std::is_sorted(e.permutation.begin(), e.permutation.end())) {
      same_[stm.results[0]] = e.array;
      return;
    }
    stm.expr = e;
  }
  if (!views_.contains(e.array)) turned_[stm.results[0]] = e;
  view(std::move(stm), out);
}

// Kernels compute these where they need them; stored only if something else wants the array.
void Planner::planVirtual(Stm stm, std::vector<Stm>& out) {
  ValueId result = stm.results[0];
  bool cheap = true;
  if (auto* replicate = std::get_if<Replicate>(&stm.expr)) {
    cheap = program_.type(replicate->value).isScalar();
  }
  Stm stored = stm;
  elementKernel(std::move(stored), out);
  if (!cheap) return;
  droppable_.insert(result);
  recompute_.emplace(result, std::move(stm));
}

void Planner::planUpdate(Stm stm, const Update& e, std::vector<Stm>& out) {
  Operands space = program_.type(e.value).shape;
  if (space.size() > kMaxSpace) space.resize(kMaxSpace);
  kernel(std::move(stm), {KernelKind::kMap, std::move(space)}, out);
}

void Planner::planUpdates(std::vector<Stm> stms, std::vector<Stm>& out) {
  for (Stm& stm : stms) {
    if (!same_.empty()) substitute(program_, stm.expr, same_);
    staysView(stm);
  }
  const std::vector<ValueId> results = stms.back().results;
  const source::Span span = stms.back().span;
  out.push_back(outlineAll(program_, std::move(stms), results, nextName(), {KernelKind::kMap, {}},
                           recompute_));
  out.back().span = span;
}

// An array that overwrites a view has its layout, also where a loop or branch that one
// invocation runs does it.
void Planner::staysView(const Stm& stm) {
  if (views_.empty()) return;
  const Body alone{{stm}, {}};
  for (const ValueId result : stm.results) {
    if (views_.contains(imp::inPlaceRoot(program_, alone, result))) views_.insert(result);
  }
}

}  // namespace halo::gpu

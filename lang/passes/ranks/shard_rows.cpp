#include "lang/passes/ranks/shard_rows.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::passes {
namespace {

using core::Body;
using core::kOne;
using core::kZero;
using core::Loop;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stencil;
using core::Stm;
using core::Type;
using core::ValueId;

}  // namespace

void OwnRows::begin(Builder& b, const core::Function& f) {
  noteExtents(f.body);
  for (const Extent& extent : std::vector<Extent>(extents_)) {
    if (extent.n.isConstant()) emitBlock(b, extent.n);
  }
  bound(b, f.params, true);
}

void OwnRows::noteExtents(const Body& body) {
  auto note = [&](const Operand& extent) {
    if (findExtent(extent) == nullptr) extents_.push_back({extent, {}, {}, {}, {}, {}});
  };
  for (const auto* values : {&plan_.cut, &plan_.cut_needed}) {
    for (ValueId value : *values) {
      if (!program_.type(value).isScalar()) note(program_.type(value).shape[0]);
    }
  }
  core::visitStms(body, [&](const Stm& stm) {
    if (!isCut(stm)) return;
    if (const auto* screma = std::get_if<Screma>(&stm.expr)) note(screma->width);
    if (const auto* scatter = std::get_if<core::Scatter>(&stm.expr)) note(scatter->width);
    if (const auto* stencil = std::get_if<Stencil>(&stm.expr)) note(stencil->space[0]);
    if (const auto* hist = std::get_if<core::Hist>(&stm.expr)) note(hist->width);
  });
  // Sets have no order of their own; the text must not depend on theirs.
  std::sort(extents_.begin(), extents_.end(), [](const Extent& a, const Extent& b) {
    if (a.n.isConstant() != b.n.isConstant()) return a.n.isConstant();
    return a.n.isConstant() ? a.n.constant.bits < b.n.constant.bits : a.n.value < b.n.value;
  });
}

OwnRows::Extent* OwnRows::findExtent(const Operand& n) {
  for (Extent& extent : extents_) {
    if (extent.n == n) return &extent;
  }
  return nullptr;
}

const OwnRows::Extent& OwnRows::extentOf(const Operand& n) {
  Extent* extent = findExtent(n);
  HALO_CHECK(extent != nullptr && extent->rows.valid(), "an extent without its block");
  return *extent;
}

std::vector<ValueId> OwnRows::move(Builder& b, core::Move move, const std::string& name,
                                   std::vector<Type> types, Operands args) {
  return b.bindAll(name, std::move(types), core::Call{core::name(move), std::move(args)});
}

void OwnRows::emitBlock(Builder& b, const Operand& n) {
  Extent* extent = findExtent(n);
  if (extent == nullptr) return;
  const Type i64{prim::ScalarType::kI64, {}};
  const Operand chunk = plan_.unitOf(n).has_chunks ? chunkOf(b, n) : kOne;
  const Operand unit = unitOf(b, n, chunk);
  const ValueId first = program_.add("first", i64), rows = program_.add("rows", i64),
                smallest = program_.add("smallest", i64);
  b.append(
      {{first, rows, smallest}, core::Call{core::name(core::Move::kBlock), {n, unit}}, false, {}});
  extent->first = first, extent->rows = rows, extent->smallest = smallest, extent->unit = unit,
  extent->chunk = chunk;
}

Type OwnRows::rowsType(ValueId value, const Operand& rows) const {
  Type type = program_.type(value);
  type.shape[0] = rows;
  return type;
}

ValueId OwnRows::newRows(ValueId value) {
  const Extent& extent = extentOf(program_.type(value).shape[0]);
  const ValueId rows =
      program_.add(std::string(program_.values[value].name), rowsType(value, extent.rows));
  rows_[value] = rows;
  return rows;
}

ValueId OwnRows::rowsOf(ValueId value) const {
  auto found = rows_.find(value);
  HALO_CHECK(found != rows_.end(), "an array without its rows");
  return found->second;
}

ValueId OwnRows::slicedRows(Builder& b, ValueId array, const Operand& start, const Operand& rows) {
  core::Slice slice{array, {{start, rows, kOne}}};
  const Type& type = program_.type(array);
  for (size_t axis = 1; axis < type.shape.size(); ++axis) {
    slice.dims.push_back({kZero, type.shape[axis], kOne});
  }
  return b.bind(std::string(program_.values[array].name), rowsType(array, rows), std::move(slice));
}

void OwnRows::bound(Builder& b, const std::vector<ValueId>& values, bool are_arguments) {
  for (ValueId value : values) emitBlock(b, value);
  std::vector<ValueId> gathered;
  for (ValueId value : values) {
    if (program_.type(value).isScalar()) continue;
    if (plan_.cut.contains(value)) {
      if (plan_.whole_needed.contains(value)) gathered.push_back(value);
    } else if (plan_.cut_needed.contains(value) && !rows_.contains(value)) {
      const Extent extent = extentOf(program_.type(value).shape[0]);
      const ValueId view =
          are_arguments
              ? move(b, core::Move::kRows, std::string(program_.values[value].name),
                     {rowsType(value, extent.rows)}, {extent.first, extent.rows, value})[0]
              : slicedRows(b, value, extent.first, extent.rows);
      if (are_arguments) viewed_arguments_.insert(value);
      b.append({{newRows(value)}, core::Copy{view}, false, {}});
    }
  }
  gather(b, gathered);
}

// Those of one extent by one move.
void OwnRows::gather(Builder& b, const std::vector<ValueId>& values) {
  std::vector<ValueId> others;
  core::Stm stm;
  core::Call call{core::name(core::Move::kWhole), {}};
  for (ValueId value : values) {
    const Operand n = program_.type(value).shape[0];
    if (call.args.empty()) call.args = {n, unit(n)};
    if (call.args[0] != n) {
      others.push_back(value);
      continue;
    }
    stm.results.push_back(value);
    call.args.emplace_back(rowsOf(value));
    tell("`{}_{}` is gathered on every rank", value);
  }
  if (stm.results.empty()) return;
  stm.expr = std::move(call);
  b.append(std::move(stm));
  gather(b, others);
}

bool OwnRows::isCut(const Stm& stm) const {
  return !stm.results.empty() && plan_.statements.contains(stm.results[0]);
}

bool OwnRows::hasCut(const Stm& stm) const {
  if (isCut(stm)) return true;
  const auto* loop = std::get_if<Loop>(&stm.expr);
  if (loop == nullptr) return false;
  for (const core::Carried& carried : loop->carried) {
    if (plan_.cut.contains(carried.param)) return true;
  }
  return std::any_of(loop->body.stms.begin(), loop->body.stms.end(),
                     [&](const Stm& nested) { return hasCut(nested); });
}

const core::Expr* OwnRows::madeOf(ValueId value) const {
  const auto found = made_.find(value);
  return found == made_.end() ? nullptr : &found->second;
}

const core::Replicate* OwnRows::replicated(ValueId value) const {
  const core::Expr* expr = madeOf(value);
  return expr == nullptr ? nullptr : std::get_if<core::Replicate>(expr);
}

void OwnRows::made(Builder& b, const Stm& stm) {
  if (stm.results.empty() || !plan_.cut_needed.contains(stm.results[0])) return;
  const ValueId value = stm.results[0];
  const auto ofRows = [&](auto own) {
    own.shape[0] = extentOf(own.shape[0]).rows;
    made_[value] = own;
    b.append({{newRows(value)}, std::move(own), false, stm.span});
  };
  if (const auto* replicate = std::get_if<core::Replicate>(&stm.expr)) {
    ofRows(*replicate);
  } else if (const auto* scratch = std::get_if<core::Scratch>(&stm.expr)) {
    ofRows(*scratch);
  } else if (const auto* iota = std::get_if<core::Iota>(&stm.expr)) {
    if (!prim::isInteger(iota->type)) return;
    const Extent extent = extentOf(iota->count);
    core::Iota own = *iota;
    const Operand first = b.convert(prim::ConvertKind::kValue, iota->type, extent.first);
    const Operand skipped = b.prim(prim::Op::kMul, iota->type, {first, iota->step});
    own.start = b.prim(prim::Op::kAdd, iota->type, {iota->start, skipped});
    own.count = extent.rows;
    b.append({{newRows(value)}, std::move(own), false, stm.span});
  }
}

void OwnRows::passOn(Builder& b, const Stm& stm) {
  core::Expr expr = stm.expr;
  const ValueId value = stm.results[0];
  const Operand rows = extentOf(program_.type(value).shape[0]).rows;
  if (auto* copy = std::get_if<core::Copy>(&expr)) copy->array = rowsOf(copy->array);
  if (auto* view = std::get_if<core::Rearrange>(&expr)) view->array = rowsOf(view->array);
  if (auto* view = std::get_if<core::Reshape>(&expr)) {
    view->array = rowsOf(view->array);
    view->shape[0] = rows;
  }
  if (auto* view = std::get_if<core::Slice>(&expr)) {
    view->array = rowsOf(view->array);
    view->dims[0].length = rows;
  }
  b.append({{newRows(value)}, std::move(expr), stm.checked, stm.span});
}

}  // namespace halo::passes

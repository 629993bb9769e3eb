#include "lang/lower/sizes/size_checks.h"

#include <algorithm>

#include "lang/value/limits.h"

namespace halo::lower {

namespace {

Operand fits(Lowering& lowering, const Operand& rows, const Operand& columns) {
  if (rows.isConstant() && !columns.isConstant()) return fits(lowering, columns, rows);
  if (columns.isConstant()) {
    const int64_t count = std::max<int64_t>(columns.constant.asSigned(), 1);
    return lowering.compare(Op::kLe, rows, Operand::ofI64(value::kMaxElements / count));
  }
  // Nothing in the upper half, nor where the limit has no bits.
  const auto arithmetic = [&](Op op, const Operand& a, const Operand& b) {
    return lowering.prim(op, ScalarType::kI64, {a, b});
  };
  const Operand high = arithmetic(Op::kMulHi, rows, columns);
  const Operand low = lowering.sizeArithmetic(Op::kMul, rows, columns);
  const Operand above = arithmetic(Op::kAnd, low, Operand::ofI64(~value::kMaxElements));
  const Operand excess = arithmetic(Op::kOr, high, above);
  const Operand none = arithmetic(Op::kEq, excess, Operand::ofI64(0));
  const Operand most = Operand::ofI64(value::kMaxElements);
  return lowering.both(none, lowering.compare(Op::kLe, rows, most));  // `columns` may be 0
}

std::string fitsKey(Lowering& lowering, const Operand& rows, const Operand& columns) {
  return lowering.sizes().key("fits", {rows, columns});
}

}  // namespace

void requireNotNegative(Lowering& lowering, const Operand& size, Span span) {
  const Operand positive = lowering.compare(Op::kGe, size, Operand::ofI64(0));
  lowering.builder().assertThat(positive, Code::negative_size, {size}, span);
}

void requireSum(Lowering& lowering, const Operand& sum, Span span) {
  const Operand most = Operand::ofI64(value::kMaxElements);
  lowering.builder().assertThat(lowering.compare(Op::kLe, sum, most), Code::size_overflow, {sum},
                                span);
  lowering.sizes().addExtent(sum);
}

std::vector<RowSizes> newRowSizes(Lowering& lowering, const std::vector<core::Type>& types) {
  std::vector<RowSizes> all;
  Operands seen;
  for (const core::Type& type : types) {
    RowSizes rows{type.shape, {}};
    for (size_t axis = 1; axis < type.shape.size(); ++axis) {
      const Operand& size = type.shape[axis];
      const bool is_known = lowering.sizes().isExtent(size) ||
                            std::find(seen.begin(), seen.end(), size) != seen.end();
      if (!is_known) rows.sizes.push_back(size), seen.push_back(size);
    }
    if (!rows.sizes.empty()) all.push_back(std::move(rows));
  }
  return all;
}

// Where there is a row, making it looks at its sizes.
void requireRows(Lowering& lowering, const RowSizes& rows, Span span) {
  const Operand has_rows = lowering.compare(Op::kGt, rows.shape[0], Operand::ofI64(0));
  const auto require = [&](const Operand& holds, Code code, const Operands& shown) {
    lowering.builder().assertThat(lowering.either(has_rows, holds), code, shown, span);
  };
  for (const Operand& size : rows.sizes) {
    require(lowering.compare(Op::kGe, size, Operand::ofI64(0)), Code::negative_size, {size});
  }
  const Operand most = Operand::ofI64(value::kMaxElements);
  for (const Operand& size : rows.sizes) {
    require(lowering.compare(Op::kLe, size, most), Code::size_overflow, rows.shape);
  }
}

namespace {

void requireShape(Lowering& lowering, const Operands& shape, Span span) {
  Operands unknown;
  for (const Operand& size : shape) {
    if (!lowering.sizes().isExtent(size)) unknown.push_back(size);
  }
  for (const Operand& size : unknown) requireNotNegative(lowering, size, span);
  const Operand most = Operand::ofI64(value::kMaxElements);
  for (const Operand& size : unknown) {
    const Operand fits = lowering.compare(Op::kLe, size, most);
    lowering.builder().assertThat(fits, Code::size_overflow, shape, span);
    lowering.sizes().addExtent(size);
  }
  const Operand none = Operand::ofI64(0);
  if (std::find(shape.begin(), shape.end(), none) != shape.end()) return;
  Operand fit(prim::Scalar::ofBool(true)), is_empty(prim::Scalar::ofBool(false));
  for (size_t axis = shape.size(); axis-- > 1;) {
    const Operand row = lowering.product({shape.begin() + static_cast<int64_t>(axis), shape.end()});
    if (lowering.sizes().findComputed(fitsKey(lowering, shape[axis - 1], row))) continue;
    fit = lowering.both(fit, fits(lowering, shape[axis - 1], row));
  }
  if (fit == Operand(prim::Scalar::ofBool(true))) return;
  for (const Operand& size : shape) {
    is_empty = lowering.either(is_empty, lowering.compare(Op::kEq, size, none));
  }
  const Operand is_possible = lowering.either(is_empty, fit);
  lowering.builder().assertThat(is_possible, Code::size_overflow, shape, span);
}

}  // namespace

void requireSizes(Lowering& lowering, const Operands& outer, const MonoTypeRef& type, Span span) {
  if (const MonoArray* array = type->array()) {
    Operands shape = outer;
    shape.push_back(array->size);
    return requireSizes(lowering, shape, array->element, span);
  }
  if (std::holds_alternative<MonoFunction>(type->node)) return;
  requireShape(lowering, outer, span);
  if (const MonoRecord* record = type->record()) {
    for (const MonoTypeRef& field : record->fields) requireSizes(lowering, outer, field, span);
  } else if (const MonoSum* sum = type->sum()) {
    for (const auto& payload : sum->payloads) {
      for (const MonoTypeRef& part : payload) requireSizes(lowering, outer, part, span);
    }
  }
}

void knowProducts(Lowering& lowering, const Operands& shape) {
  for (size_t axis = 1; axis < shape.size(); ++axis) {
    lowering.sizes().addComputed(fitsKey(lowering, shape[axis - 1], shape[axis]),
                                 Operand::ofI64(0));
  }
}

void requireProduct(Lowering& lowering, const Operand& rows, const Operand& columns,
                    const Operands& shape, Span span) {
  lowering.once(fitsKey(lowering, rows, columns), [&] {
    lowering.builder().assertThat(fits(lowering, rows, columns), Code::size_overflow, shape, span);
    return Operand::ofI64(0);
  });
}

}  // namespace halo::lower

#include "lang/lower/sizes/size_checks.h"

#include <algorithm>

#include "lang/value/limits.h"

namespace halo::lower {

namespace {

Operand fits(Emission& emission, const Operand& rows, const Operand& columns) {
  if (rows.isConstant() && !columns.isConstant()) return fits(emission, columns, rows);
  if (columns.isConstant()) {
    const int64_t count = std::max<int64_t>(columns.constant.asSigned(), 1);
    return emission.compare(Op::kLe, rows, Operand::ofI64(value::kMaxElements / count));
  }
  // Nothing in the upper half, nor where the limit has no bits.
  const auto arithmetic = [&](Op op, const Operand& a, const Operand& b) {
    return emission.prim(op, ScalarType::kI64, {a, b});
  };
  const Operand high = arithmetic(Op::kMulHi, rows, columns);
  const Operand low = emission.sizeArithmetic(Op::kMul, rows, columns);
  const Operand above = arithmetic(Op::kAnd, low, Operand::ofI64(~value::kMaxElements));
  const Operand excess = arithmetic(Op::kOr, high, above);
  const Operand none = arithmetic(Op::kEq, excess, Operand::ofI64(0));
  const Operand most = Operand::ofI64(value::kMaxElements);
  return emission.both(none, emission.compare(Op::kLe, rows, most));  // `columns` may be 0
}

std::string fitsKey(Emission& emission, const Operand& rows, const Operand& columns) {
  return emission.sizes().key("fits", {rows, columns});
}

}  // namespace

void requireNotNegative(Emission& emission, const Operand& size, Span span) {
  const Operand positive = emission.compare(Op::kGe, size, Operand::ofI64(0));
  emission.builder().assertThat(positive, Code::negative_size, {size}, span);
}

void requireSum(Emission& emission, const Operand& sum, Span span) {
  const Operand most = Operand::ofI64(value::kMaxElements);
  emission.builder().assertThat(emission.compare(Op::kLe, sum, most), Code::size_overflow, {sum},
                                span);
  emission.sizes().addExtent(sum);
}

std::vector<RowSizes> newRowSizes(Emission& emission, const std::vector<core::Type>& types) {
  std::vector<RowSizes> all;
  Operands seen;
  for (const core::Type& type : types) {
    RowSizes rows{type.shape, {}};
    for (size_t axis = 1; axis < type.shape.size(); ++axis) {
      const Operand& size = type.shape[axis];
      const bool is_known = emission.sizes().isExtent(size) ||
                            std::find(seen.begin(), seen.end(), size) != seen.end();
      if (!is_known) rows.sizes.push_back(size), seen.push_back(size);
    }
    if (!rows.sizes.empty()) all.push_back(std::move(rows));
  }
  return all;
}

// Where there is a row, making it looks at its sizes.
void requireRows(Emission& emission, const RowSizes& rows, Span span) {
  const Operand has_rows = emission.compare(Op::kGt, rows.shape[0], Operand::ofI64(0));
  const auto require = [&](const Operand& holds, Code code, const Operands& shown) {
    emission.builder().assertThat(emission.either(has_rows, holds), code, shown, span);
  };
  for (const Operand& size : rows.sizes) {
    require(emission.compare(Op::kGe, size, Operand::ofI64(0)), Code::negative_size, {size});
  }
  const Operand most = Operand::ofI64(value::kMaxElements);
  for (const Operand& size : rows.sizes) {
    require(emission.compare(Op::kLe, size, most), Code::size_overflow, rows.shape);
  }
}

namespace {

void requireShape(Emission& emission, const Operands& shape, Span span) {
  Operands unknown;
  for (const Operand& size : shape) {
    if (!emission.sizes().isExtent(size)) unknown.push_back(size);
  }
  for (const Operand& size : unknown) requireNotNegative(emission, size, span);
  const Operand most = Operand::ofI64(value::kMaxElements);
  for (const Operand& size : unknown) {
    const Operand fits = emission.compare(Op::kLe, size, most);
    emission.builder().assertThat(fits, Code::size_overflow, shape, span);
    emission.sizes().addExtent(size);
  }
  const Operand none = Operand::ofI64(0);
  if (std::find(shape.begin(), shape.end(), none) != shape.end()) return;
  Operand fit(prim::Scalar::ofBool(true)), is_empty(prim::Scalar::ofBool(false));
  for (size_t axis = shape.size(); axis-- > 1;) {
    const Operand row = emission.product({shape.begin() + static_cast<int64_t>(axis), shape.end()});
    if (emission.sizes().findComputed(fitsKey(emission, shape[axis - 1], row))) continue;
    fit = emission.both(fit, fits(emission, shape[axis - 1], row));
  }
  if (fit == Operand(prim::Scalar::ofBool(true))) return;
  for (const Operand& size : shape) {
    is_empty = emission.either(is_empty, emission.compare(Op::kEq, size, none));
  }
  const Operand is_possible = emission.either(is_empty, fit);
  emission.builder().assertThat(is_possible, Code::size_overflow, shape, span);
}

}  // namespace

void requireSizes(Emission& emission, const Operands& outer, const MonoTypeRef& type, Span span) {
  if (const MonoArray* array = type->array()) {
    Operands shape = outer;
    shape.push_back(array->size);
    return requireSizes(emission, shape, array->element, span);
  }
  if (std::holds_alternative<MonoFunction>(type->node)) return;
  requireShape(emission, outer, span);
  if (const MonoRecord* record = type->record()) {
    for (const MonoTypeRef& field : record->fields) requireSizes(emission, outer, field, span);
  } else if (const MonoSum* sum = type->sum()) {
    for (const auto& payload : sum->payloads) {
      for (const MonoTypeRef& part : payload) requireSizes(emission, outer, part, span);
    }
  }
}

void knowProducts(Emission& emission, const Operands& shape) {
  for (size_t axis = 1; axis < shape.size(); ++axis) {
    emission.sizes().addComputed(fitsKey(emission, shape[axis - 1], shape[axis]),
                                 Operand::ofI64(0));
  }
}

void requireProduct(Emission& emission, const Operand& rows, const Operand& columns,
                    const Operands& shape, Span span) {
  emission.once(fitsKey(emission, rows, columns), [&] {
    emission.builder().assertThat(fits(emission, rows, columns), Code::size_overflow, shape, span);
    return Operand::ofI64(0);
  });
}

}  // namespace halo::lower

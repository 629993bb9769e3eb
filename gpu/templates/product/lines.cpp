// Strides are differences of offsets: the caller has made sure that offsets are sums of products.
#include "gpu/templates/product/lines.h"

#include "gpu/templates/templates.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

Lines Lines::in(KernelScope& scope, const Operands& batch_indices) const {
  Lines inner = *this;
  inner.buffer = scope.buffer(buffer);
  inner.offset = scope.scalar(offset);
  inner.line = scope.scalar(line);
  inner.depth = scope.scalar(depth);
  for (size_t k = 0; k < batch_indices.size(); k++) {
    Operand far = scope.code().mul(batch_indices[k], scope.scalar(batch[k]));
    inner.offset = scope.code().add(inner.offset, far);
  }
  return inner;
}

std::optional<Lines> linesOf(Builder& host, const LineAt& at, size_t levels, size_t line,
                             int64_t bytes) {
  Operands indices(levels, i64(0));
  const ArrayRef first = at(indices);
  Lines lines{first.buffer, first.type, first.offset, {}, {}, first.strides[0]};
  if (prim::byteSize(first.type) != bytes) return std::nullopt;
  for (size_t k = 0; k < levels; k++) {
    indices[k] = i64(1);
    Operand stride = host.sub(at(indices).offset, first.offset);
    indices[k] = i64(0);
    if (k == line) lines.line = stride;
    if (k + 2 < levels) lines.batch.push_back(stride);
  }
  lines.along_depth = lines.depth == i64(1);
  if (!lines.along_depth && lines.line != i64(1)) return std::nullopt;
  return lines;
}

Operand isAligned(Builder& host, const Lines& lines, const Operand& depth) {
  Operand all = host.prim(Op::kOr, ScalarType::kI64,
                          {lines.offset, lines.along_depth ? lines.line : lines.depth});
  for (const Operand& stride : lines.batch) {
    all = host.prim(Op::kOr, ScalarType::kI64, {all, stride});
  }
  if (lines.is_padded && lines.along_depth) {
    all = host.prim(Op::kOr, ScalarType::kI64, {all, depth});
  }
  Operand rest = host.prim(Op::kAnd, ScalarType::kI64, {all, i64(lines.vector() - 1)});
  return host.prim(Op::kEq, ScalarType::kI64, {rest, i64(0)});
}

AlignedLines aligned(Program& program, Builder& host, const KernelCall& call, const Lines& lines,
                     const Operands& batches, const Operand& count, const Operand& depth,
                     const std::string& copy) {
  Operand is_aligned = isAligned(host, lines, depth);
  if (is_aligned.isConstant() && is_aligned.constant.asBool()) return {lines, BufferId()};
  // Rows of the copy: lines, or elements of the same number of all lines.
  Operand rows = lines.along_depth ? count : depth;
  Operand columns = lines.along_depth ? depth : count;
  const int64_t fraction = lines.vector() - 1;
  Operand pitch =
      host.prim(Op::kAnd, ScalarType::kI64, {host.add(columns, i64(fraction)), i64(~fraction)});
  const bool pads = lines.is_padded && lines.along_depth;
  Operands extents_of;  // batches that share lines share the copy
  Operand whole = i64(1);
  for (size_t d = 0; d < batches.size(); d++) {
    extents_of.push_back(lines.batch[d] == i64(0) ? i64(1) : batches[d]);
    whole = host.mul(whole, extents_of[d]);
  }
  Operand all_rows = host.mul(whole, rows);
  Operand none =
      host.let("elements", ScalarType::kI64, Select{is_aligned, i64(0), host.mul(all_rows, pitch)});
  BufferId copied = host.alloc("aligned", lines.type, Space::kDevice, none);
  BufferId buffer = host.buffer("lines", lines.type, Space::kDevice);
  auto make = [&] {
    KernelScope scope(program, host, call, copy);
    Builder& code = scope.code();
    Operands space = {whole, rows, pads ? pitch : columns};
    Grid grid = forEachCell(scope, space, [&](const Operands& at, const Place&) {
      Operands extents;
      for (const Operand& extent : extents_of) extents.push_back(scope.scalar(extent));
      Lines from = lines.in(scope, indicesOf(code, at[0], extents));
      Operand line = lines.along_depth ? at[1] : at[2];
      Operand k = lines.along_depth ? at[2] : at[1];
      Operand is_inside;
      if (pads) {
        is_inside = code.prim(Op::kLt, ScalarType::kI64, {k, scope.scalar(depth)});
        k = code.min(k, code.sub(scope.scalar(depth), i64(1)));
      }
      Operand there = code.add(from.offset, code.mul(line, from.line));
      there = code.add(there, code.mul(k, from.depth));
      Operand row = code.add(code.mul(at[0], scope.scalar(rows)), at[1]);
      Operand here = code.add(code.mul(row, scope.scalar(pitch)), at[2]);
      Operand value = code.load(from.buffer, there);
      if (pads) {
        value = code.let("padded", lines.type, Select{is_inside, value, prim::zero(lines.type)});
      }
      code.store(scope.buffer(copied), here, value);
    });
    scope.launch(grid.workgroup, grid.groups);
  };
  host.ifThenElse(
      is_aligned,
      [&] {
        host.append(Rebind{buffer, lines.buffer});
      },
      [&] {
        make();
        host.append(Rebind{buffer, copied});
      });
  Lines result = lines;
  result.buffer = buffer;
  auto either = [&](const Operand& now, const Operand& then) {
    return host.let("stride", ScalarType::kI64, Select{is_aligned, now, then});
  };
  result.offset = either(lines.offset, i64(0));
  (lines.along_depth ? result.line : result.depth) =
      either(lines.along_depth ? lines.line : lines.depth, pitch);
  Operand far = host.mul(rows, pitch);
  for (size_t d = batches.size(); d-- > 0;) {
    if (lines.batch[d] != i64(0)) result.batch[d] = either(lines.batch[d], far);
    far = host.mul(far, extents_of[d]);
  }
  return {result, copied};
}

}  // namespace halo::gpu

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
  if (!are_vectors.isConstant()) inner.are_vectors = scope.scalar(are_vectors);
  for (size_t k = 0; k < batch_indices.size(); ++k) {
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
  for (size_t k = 0; k < levels; ++k) {
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

namespace {

// Lines that may not be aligned, and the copy of them.
class AlignedCopy {
 public:
  AlignedCopy(const ReduceNest& nest, const Lines& lines, bool is_row)
      : nest_(nest), host_(nest.host), lines_(lines), depth_(nest.width()) {
    const Operands& extents = nest.outer.extents();
    batches_.assign(extents.begin(), extents.end() - 2);
    count_ = extents[extents.size() - (is_row ? 2 : 1)];
    pads_ = lines.is_padded && lines.along_depth;
  }

  AlignedLines run(const std::string& name) {
    is_aligned_ = isAligned(host_, lines_, depth_);
    if (is_aligned_.isConstant() && is_aligned_.constant.asBool()) return {lines_, BufferId()};
    shape();
    const Operand elements = host_.let("elements", ScalarType::kI64,
                                       Select{is_aligned_, i64(0), host_.mul(all_rows_, pitch_)});
    copied_ = host_.alloc("aligned", lines_.type, Space::kDevice, elements);
    const BufferId buffer = host_.buffer("lines", lines_.type, Space::kDevice);
    host_.ifThenElse(
        is_aligned_,
        [&] {
          host_.append(Rebind{buffer, lines_.buffer});
        },
        [&] {
          copy(name);
          host_.append(Rebind{buffer, copied_});
        });
    return {copiedLines(buffer), copied_};
  }

 private:
  // Rows of the copy: lines, or elements of the same number of all lines.
  void shape() {
    rows_ = lines_.along_depth ? count_ : depth_;
    columns_ = lines_.along_depth ? depth_ : count_;
    const int64_t fraction = lines_.vector() - 1;
    pitch_ = host_.prim(Op::kAnd, ScalarType::kI64,
                        {host_.add(columns_, i64(fraction)), i64(~fraction)});
    whole_ = i64(1);
    for (size_t d = 0; d < batches_.size(); ++d) {
      extents_.push_back(lines_.batch[d] == i64(0) ? i64(1) : batches_[d]);
      whole_ = host_.mul(whole_, extents_[d]);
    }
    all_rows_ = host_.mul(whole_, rows_);
  }

  void copy(const std::string& name) {
    KernelScope scope(nest_.program, host_, nest_.call, name);
    const Operands space = {whole_, rows_, pads_ ? pitch_ : columns_};
    const Grid grid = forEachCell(
        scope, space, [&](const Operands& at, const LoweringTarget&) { copyElement(scope, at); });
    scope.launch(grid.workgroup, grid.groups);
  }

  // `at`: batch, row and column of the copy.
  void copyElement(KernelScope& scope, const Operands& at) {
    Builder& code = scope.code();
    Operands extents;
    for (const Operand& extent : extents_) extents.push_back(scope.scalar(extent));
    const Lines from = lines_.in(scope, indicesOf(code, at[0], extents));
    const Operand line = lines_.along_depth ? at[1] : at[2];
    Operand k = lines_.along_depth ? at[2] : at[1];
    Operand is_inside;
    if (pads_) {
      is_inside = code.prim(Op::kLt, ScalarType::kI64, {k, scope.scalar(depth_)});
      k = code.min(k, code.sub(scope.scalar(depth_), i64(1)));
    }
    Operand there = code.add(from.offset, code.mul(line, from.line));
    there = code.add(there, code.mul(k, from.depth));
    const Operand row = code.add(code.mul(at[0], scope.scalar(rows_)), at[1]);
    const Operand here = code.add(code.mul(row, scope.scalar(pitch_)), at[2]);
    Operand value = code.load(from.buffer, there);
    if (pads_) {
      value = code.let("padded", lines_.type, Select{is_inside, value, prim::zero(lines_.type)});
    }
    code.store(scope.buffer(copied_), here, value);
  }

  // The lines in `buffer`, which is theirs or the copy's.
  Lines copiedLines(BufferId buffer) {
    Lines result = lines_;
    result.buffer = buffer;
    auto either = [&](const Operand& now, const Operand& then) {
      return host_.let("stride", ScalarType::kI64, Select{is_aligned_, now, then});
    };
    result.offset = either(lines_.offset, i64(0));
    (lines_.along_depth ? result.line : result.depth) =
        either(lines_.along_depth ? lines_.line : lines_.depth, pitch_);
    Operand far = host_.mul(rows_, pitch_);
    for (size_t d = batches_.size(); d-- > 0;) {
      if (lines_.batch[d] != i64(0)) result.batch[d] = either(lines_.batch[d], far);
      far = host_.mul(far, extents_[d]);
    }
    return result;
  }

  const ReduceNest& nest_;
  Builder& host_;
  const Lines& lines_;
  Operands batches_;
  Operand count_, depth_;  // of lines; of a line's elements
  bool pads_ = false;
  Operand is_aligned_;
  Operands extents_;  // of the copy's batches: those that share lines share the copy
  Operand whole_, rows_, columns_, pitch_, all_rows_;
  BufferId copied_;
};

}  // namespace

AlignedLines aligned(const ReduceNest& nest, const Lines& lines, bool is_row,
                     const std::string& copy) {
  return AlignedCopy(nest, lines, is_row).run(copy);
}

}  // namespace halo::gpu

#include "interp/intrinsics.h"

#include <array>
#include <cstring>

#include "interp/derivatives/derivative.h"
#include "lang/value/limits.h"

namespace halo::interp {

namespace {

using types::Intrinsic;

template <typename ResultType>
Datum runMap(State& state, const Datum* args, size_t arity, const ResultType& result_type) {
  const size_t count = arity - 1;
  Caller function(state, args[0], count);
  const int64_t extent = arrayOf(args[1]).extent();
  ArrayBuilder results(state, extent);
  for (int64_t i = 0; i < extent; ++i) {
    for (size_t k = 0; k < count; ++k) function.setElement(k, arrayOf(args[1 + k]), i);
    if (results.holdsScalars()) {
      results.addBits(function.callBits());
    } else if (results.fieldCount() > 0) {
      const Slots parts(state, results.fieldCount());
      function.callFields(parts.get());
      results.addFields(parts.get());
    } else {
      results.add(function.call());
    }
  }
  return results.finish([&] { return result_type().template as<RuntimeType>().parts[0]; });
}

Datum reduceScalars(State& state, FastOp op, const Datum& ne, const Array& items) {
  const std::byte* at = items.data;
  const int64_t step = items.strides[0] * sizeOf(items.type);
  uint64_t sum = ne.bits();
  for (int64_t i = 0; i < items.extent(); ++i, at += step) {
    state.poll();
    sum = op(sum, loadBits(items.type, at));
  }
  return Datum::scalar(items.type, sum);
}

// From the left, beginning with `op ne x0` (language.md#semantics, --fp=strict).
Datum runReduce(State& state, Datum* args) {
  Caller op(state, args[0], 2);
  const Array& items = arrayOf(args[2]);
  const FastOp fast = op.fastOperation();
  const bool is_plain = !items.is_boxed && args[1].isScalar() && args[1].active() == nullptr;
  if (fast != nullptr && is_plain) return reduceScalars(state, fast, args[1], items);
  Datum sum = std::move(args[1]);
  for (int64_t i = 0; i < items.extent(); ++i) {
    op.args()[0] = std::move(sum);
    op.setElement(1, items, i);
    sum = op.call();
  }
  return sum;
}

Datum runScan(State& state, Datum* args) {
  Caller op(state, args[0], 2);
  const Array& items = arrayOf(args[2]);
  if (items.extent() == 0) return newArrayOfElements(state, {0}, items);
  ArrayBuilder results(state, items.extent());
  Datum sum = std::move(args[1]);
  for (int64_t i = 0; i < items.extent(); ++i) {
    op.args()[0] = std::move(sum);
    op.setElement(1, items, i);
    sum = op.call();
    results.add(sum);
  }
  return results.finish([]() -> Datum { HALO_UNREACHABLE("a scan of nothing"); });
}

Datum runReplicate(State& state, const Datum* args) {
  const int64_t count = args[0].asI64();
  const Datum result = newArrayLike(state, {count}, args[1]);
  fill(state, arrayOf(result), args[1]);
  return result;
}

Datum runIota(State& state, const Datum* args) {
  const int64_t count = args[0].asI64();
  if (args[0].active() != nullptr) return runActiveIota(state, args[0]);
  const Datum result = newArray(state, ScalarType::kI64, {count});
  const Array& array = arrayOf(result);
  for (int64_t i = 0; i < count; ++i) {
    state.poll();
    if (array.is_boxed) {
      store(array, i, Datum::ofI64(i));
    } else {
      std::memcpy(array.data + 8 * i, &i, 8);
    }
  }
  return result;
}

Datum runConcat(State& state, const Datum* args) {
  const Array& first = arrayOf(args[0]);
  const Array& second = arrayOf(args[1]);
  const int64_t count = first.extent() + second.extent();
  if (count > value::kMaxElements) state.fail(diag::Code::size_overflow, {count});
  const Datum result = newArrayOfElements(state, {count}, first.extent() > 0 ? first : second);
  assign(slice(arrayOf(result), 0, 0, first.extent(), 1), args[0]);
  assign(slice(arrayOf(result), 0, first.extent(), second.extent(), 1), args[1]);
  return result;
}

Datum runUnflatten(State& state, const Datum* args, const RuntimeType& type) {
  const int64_t rows = type.size;
  const int64_t columns = type.parts[0].as<RuntimeType>().size;
  for (int64_t size : {rows, columns}) {
    if (size < 0) state.fail(diag::Code::negative_size, {size});
    if (size > value::kMaxElements) state.fail(diag::Code::size_overflow, {size});
  }
  const std::optional<int64_t> count = value::elementCount(std::array{rows, columns});
  if (!count) state.fail(diag::Code::size_overflow, {rows, columns});
  const Array& array = arrayOf(args[0]);
  if (array.extent() != *count) {
    state.fail(diag::Code::shape_mismatch, {array.extent(), *count});
  }
  return unflattened(array, rows, columns);
}

Datum runZip(Datum* args, size_t count) {
  const int64_t extent = arrayOf(args[0]).extent();
  return newRecordArray({extent}, std::vector<Datum>(args, args + count));
}

Datum runUnzip(const Datum* args) {
  return makeRecord(std::vector<Datum>(arrayOf(args[0]).fields));
}

// `copy`: the buffers are fresh, so that an update of either leaves the other alone. Sharing would
// do as well, since updates check; but a view of a large array should not keep all of it alive.
Datum runCopy(State& state, const Datum& value) {
  if (const auto* array = value.asIf<Array>()) return copied(state, *array);
  std::vector<Datum> parts;
  if (const auto* record = value.asIf<Record>()) {
    for (const Datum& field : record->fields) parts.push_back(runCopy(state, field));
    return makeRecord(std::move(parts));
  }
  const auto* sum = value.asIf<Sum>();
  if (sum == nullptr) return value;
  for (const Datum& part : sum->payload) parts.push_back(runCopy(state, part));
  return makeSum(sum->type, sum->constructor, std::move(parts));
}

class IntrinsicFunction : public Function {
 public:
  explicit IntrinsicFunction(IntrinsicUse use) : Function(use.arity, true), use_(std::move(use)) {}

  Datum call(State& state, const Datum* env, Datum* args) const override {
    const size_t arity = static_cast<size_t>(arity_);
    switch (use_.kind) {
      case Intrinsic::kMap:
        return runMap(state, args, arity, [&] { return resultType(state, env); });
      case Intrinsic::kReduce:
      case Intrinsic::kReduceComm:
        return runReduce(state, args);
      case Intrinsic::kScan:
        return runScan(state, args);
      case Intrinsic::kScatter:
      case Intrinsic::kScatterND:
        return runScatter(state, args);
      case Intrinsic::kHist:
        return runHist(state, args);
      case Intrinsic::kFlatmap:
        return runFlatmap(state, args, resultType(state, env).as<RuntimeType>());
      case Intrinsic::kReplicate:
        return runReplicate(state, args);
      case Intrinsic::kIota:
        return runIota(state, args);
      case Intrinsic::kZip:
        return runZip(args, arity);
      case Intrinsic::kUnzip:
        return runUnzip(args);
      case Intrinsic::kTranspose:
        return transposed(arrayOf(args[0]));
      case Intrinsic::kFlatten:
        return flattened(state, arrayOf(args[0]));
      case Intrinsic::kUnflatten:
        return runUnflatten(state, args, resultType(state, env).as<RuntimeType>());
      case Intrinsic::kConcat:
        return runConcat(state, args);
      case Intrinsic::kCopy:
      case Intrinsic::kManifest:
        return runCopy(state, args[0]);
      case Intrinsic::kStencil:
        return runStencil(state, args, resultType(state, env).as<RuntimeType>());
      case Intrinsic::kStencilWith:
        return runStencilWith(state, args, resultType(state, env).as<RuntimeType>());
      case Intrinsic::kPad:  // two numbers per axis, boundaries, array
        return runPad(state, args, (arity - 2) / 2);
      case Intrinsic::kSlide:  // two numbers per axis, array
        return runSlide(state, args, (arity - 1) / 2);
      case Intrinsic::kJvp:
        return runJvp(state, args, use_.has_sizes);
      case Intrinsic::kVjp:
        return runVjp(state, args, use_.has_sizes);
      case Intrinsic::kWithVjp:
        return runWithVjp(state, args);
    }
    HALO_UNREACHABLE("unknown intrinsic");
  }

 private:
  Datum resultType(State& state, const Datum* env) const {
    Frame frame{nullptr, env, state};
    return use_.result_type->eval(frame);
  }
  IntrinsicUse use_;
};

}  // namespace

std::unique_ptr<Function> intrinsicFunction(IntrinsicUse use) {
  return std::make_unique<IntrinsicFunction>(std::move(use));
}

}  // namespace halo::interp

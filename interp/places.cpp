// Writes to places that indices name: scatter, reduce_by_index and their forms for several
// dimensions; flatmap, which collects pieces of any length.
#include "interp/intrinsics.h"

namespace halo::interp {

namespace {

[[noreturn]] void failShapes(State& state, const ShapeDifference& difference) {
  Dims extents = difference.found;
  extents.append(difference.wanted);
  state.fail(Code::shape_mismatch, state.user_span, extents);
}

// The places of a destination that an array of indices names: numbers, or tuples of them.
class Places {
 public:
  Places(const Array& destination, const Array& indices)
      : destination_(destination), indices_(indices) {}

  size_t axes() const { return indices_.is_record ? indices_.fields.size() : 1; }
  // False: the pair is ignored.
  bool find(int64_t i, Dims& place) const {
    place = {};
    for (size_t axis = 0; axis < axes(); ++axis) {
      const Array& numbers = indices_.is_record ? arrayOf(indices_.fields[axis]) : indices_;
      const int64_t index = element(numbers, i).asI64();
      if (outside(index, destination_.shape[axis])) return false;
      place.push(index);
    }
    return true;
  }
  Datum view(const Dims& place) const {
    Datum at = subarray(destination_, place[0]);
    for (size_t axis = 1; axis < place.size(); ++axis) at = subarray(arrayOf(at), place[axis]);
    return at;
  }

 private:
  static bool outside(int64_t index, int64_t extent) { return index < 0 || index >= extent; }
  const Array& destination_;
  const Array& indices_;
};

// A value that stays unchanged when the destination changes.
Datum detached(State& state, const Datum& view) {
  const bool is_view = view.asIf<Array>() != nullptr;
  const Datum value = is_view ? settle(view) : view;
  if (const auto* array = value.asIf<Array>()) return copied(state, *array);
  std::vector<Datum> parts;
  if (const auto* record = value.asIf<Record>()) {
    for (const Datum& field : record->fields) parts.push_back(detached(state, field));
    return makeRecord(std::move(parts));
  }
  const auto* sum = value.asIf<Sum>();
  if (sum == nullptr) return value;
  for (const Datum& part : sum->payload) parts.push_back(detached(state, part));
  return makeSum(sum->type, sum->constructor, std::move(parts));
}

}  // namespace

// Pairs whose index is out of range are dropped; of several with one index the last stays.
Datum runScatter(State& state, Datum* args) {
  const Datum result = makeUnique(state, std::move(args[0]));
  const Array& indices = arrayOf(args[1]);
  const Array& values = arrayOf(args[2]);
  const Places places(arrayOf(result), indices);
  Dims place;
  for (int64_t i = 0; i < indices.extent(); ++i) {
    state.poll();
    if (!places.find(i, place)) continue;
    const Datum value = element(values, i);
    const auto difference = place.size() == 1 ? store(arrayOf(result), place[0], value)
                                              : assign(places.view(place), value);
    if (difference) failShapes(state, *difference);
  }
  return result;
}

// In the order of the pairs, beginning with the destination's element; the neutral element is for
// engines that work in parallel.
Datum runHist(State& state, Datum* args) {
  const Datum result = makeUnique(state, std::move(args[0]));
  const Array& indices = arrayOf(args[3]);
  const Array& values = arrayOf(args[4]);
  const Places places(arrayOf(result), indices);
  Caller op(state, args[1], 2);
  Dims place;
  for (int64_t i = 0; i < indices.extent(); ++i) {
    state.poll();
    if (!places.find(i, place)) continue;
    const Datum view = places.view(place);
    op.args()[0] = detached(state, view);
    op.setElement(1, values, i);
    if (const auto difference = assign(view, op.call())) failShapes(state, *difference);
  }
  return result;
}

namespace {

Datum flagsOf(State& state, const std::vector<Datum>& pieces, int64_t total) {
  const Datum flags = newArray(state, ScalarType::kBool, {total});
  if (total > 0) fill(state, arrayOf(flags), Datum::scalar(Scalar::ofBool(false)));
  int64_t at = 0;
  for (const Datum& piece : pieces) {
    const int64_t length = arrayOf(piece).extent();
    if (length > 0) store(arrayOf(flags), at, Datum::scalar(Scalar::ofBool(true)));
    at += length;
  }
  return flags;
}

Datum joinPieces(State& state, const std::vector<Datum>& pieces, int64_t total,
                 const RuntimeType& element_type) {
  const Array* model = nullptr;
  for (const Datum& piece : pieces) {
    if (arrayOf(piece).extent() > 0 && model == nullptr) model = &arrayOf(piece);
  }
  if (model == nullptr) return newArrayOf(state, {0}, element_type);
  const Datum data = newArrayOfElements(state, {total}, *model);
  int64_t at = 0;
  for (const Datum& piece : pieces) {
    const int64_t length = arrayOf(piece).extent();
    if (length == 0) continue;
    const Datum room = slice(arrayOf(data), 0, at, length, 1);
    if (const auto difference = assign(room, piece)) {
      Dims extents = Dims(difference->wanted.from(1));
      extents.append(difference->found.from(1));
      state.fail(Code::irregular_array, state.user_span, extents);
    }
    at += length;
  }
  return data;
}

}  // namespace

// `elements`: of the pieces and of the uniform results, if there are such.
Datum runFlatmap(State& state, const Datum* args, const RuntimeType& elements) {
  const Array& items = arrayOf(args[1]);
  const int64_t count = items.extent();
  const bool has_uniform = elements.parts.size() > 1;
  Caller function(state, args[0], 1);
  std::vector<Datum> pieces;
  ArrayBuilder uniform(state, count);
  ArrayBuilder shapes(state, count);
  ArrayBuilder offsets(state, count);
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    function.args()[0] = element(items, i);
    Datum result = function.call();
    if (has_uniform) {
      uniform.add(result.as<Record>().fields[1]);
      result = Datum(result.as<Record>().fields[0]);
    }
    shapes.add(Datum::ofI64(arrayOf(result).extent()));
    offsets.add(Datum::ofI64(total));
    total += arrayOf(result).extent();
    pieces.push_back(std::move(result));
  }
  auto* number = new RuntimeType(RuntimeType::Form::kScalar);
  const Datum number_type(number);
  const auto numbers = [&] { return number_type; };
  std::vector<Datum> parts{shapes.finish(numbers), flagsOf(state, pieces, total),
                           offsets.finish(numbers),
                           joinPieces(state, pieces, total, elements.parts[0].as<RuntimeType>())};
  if (has_uniform) parts.push_back(uniform.finish([&] { return elements.parts[1]; }));
  return makeRecord(std::move(parts));
}

}  // namespace halo::interp

// One method for each kind of node. Arrays are in evaluate_arrays; this file has what runs:
// scalars, lambdas, control, failures.
#include "lang/core/evaluate.h"

#include <fmt/format.h>

#include <random>
#include <unordered_map>

#include "lang/base/match.h"
#include "lang/core/evaluate_arrays.h"
#include "lang/core/shorthand.h"
#include "lang/prim/fold.h"

namespace halo::core {
namespace {

using Data = std::vector<Datum>;
using End = Evaluation::End;

constexpr int64_t kMostElements = 1 << 20;
constexpr int kMostCalls = 200;

// Thrown and caught in this file only.
struct Stop {
  End end;
  std::string text;
};

class Evaluator {
 public:
  Evaluator(const Program& program, int64_t most_steps) : program_(program), left_(most_steps) {}

  Data call(const std::string& name, const Data& arguments) {
    const Function* function = program_.find(name);
    if (function == nullptr) throw Stop{End::kWrong, "no function " + name};
    if (++depth_ > kMostCalls) throw Stop{End::kTooLong, "deep recursion"};
    std::unordered_map<ValueId, Datum> outer = std::move(values_);
    values_.clear();
    bind(function->params, arguments);
    Data results = run(function->body);
    bind(function->results, results);  // for the check of their types
    values_ = std::move(outer);
    --depth_;
    return results;
  }

 private:
  // ---- values

  const Datum& get(ValueId id) const {
    auto found = values_.find(id);
    if (found == values_.end()) throw Stop{End::kWrong, "a value before its definition"};
    return found->second;
  }
  Datum get(const Operand& operand) const {
    return operand.isConstant() ? Datum::of(operand.constant) : get(operand.value);
  }
  Data get(const Operands& operands) const {
    Data data;
    for (const Operand& operand : operands) data.push_back(get(operand));
    return data;
  }
  int64_t number(const Operand& operand) const { return get(operand).scalar().asSigned(); }
  Position numbers(const Operands& operands) const {
    Position out;
    for (const Operand& operand : operands) out.push_back(number(operand));
    return out;
  }
  // An array of a negative size is made by code that an assert keeps from running; passes may move
  // it in front of that, and engines take it for empty.
  std::vector<int64_t> shapeOf(const Operands& sizes) const {
    std::vector<int64_t> shape;
    int64_t count = 1;
    for (const Operand& size : sizes) {
      shape.push_back(std::max<int64_t>(number(size), 0));
      if (shape.back() > kMostElements) throw Stop{End::kTooLong, "large array"};
      count *= shape.back();
      if (count > kMostElements) throw Stop{End::kTooLong, "large array"};
    }
    return shape;
  }

  void bind(ValueId id, Datum datum) {
    const Type& type = program_.type(id);
    const std::vector<int64_t> shape = shapeOf(type.shape);
    if (datum.type != type.scalar || datum.shape != shape ||
        static_cast<int64_t>(datum.bits->size()) != elements(shape)) {
      throw Stop{End::kWrong, fmt::format("`{}_{}` has not the shape of its type",
                                          program_.values[id].name, id.index)};
    }
    values_.insert_or_assign(id, std::move(datum));
  }
  void bind(const std::vector<ValueId>& ids, const Data& data) {
    for (size_t i = 0; i < ids.size(); ++i) bind(ids[i], data.at(i));
  }

  Data run(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (--left_ < 0) throw Stop{End::kTooLong, "many steps"};
      bind(stm.results, valuesOf(stm));
    }
    return get(body.results);
  }
  Data apply(const Lambda& lambda, const Data& arguments) {
    bind(lambda.params, arguments);
    return run(lambda.body);
  }

  // A statement that cannot do what it should.
  [[noreturn]] void fail(const Stm& stm, const char* what) const {
    if (stm.checked) throw Stop{End::kFailed, what};
    throw Stop{End::kWrong, std::string("a proven statement fails: ") + what};
  }

  Data valuesOf(const Stm& stm) {
    return base::match(stm.expr, [&](const auto& node) { return Data(evaluated(stm, node)); });
  }

  // ---- scalars

  Data evaluated(const Stm&, const Literal& e) { return {Datum::of(e.value)}; }
  Data evaluated(const Stm& stm, const PrimOp& e) {
    std::vector<Scalar> args;
    for (const Operand& arg : e.args) args.push_back(get(arg).scalar());
    const prim::Folded folded = prim::fold(e.op, e.type, args);
    if (const auto* value = std::get_if<Scalar>(&folded)) return {Datum::of(*value)};
    fail(stm, "division by zero");
  }
  Data evaluated(const Stm&, const Convert& e) {
    return {Datum::of(prim::convert(e.kind, e.to, get(e.arg).scalar()))};
  }
  Data evaluated(const Stm&, const Select& e) {
    return {get(get(e.condition).scalar().asBool() ? e.on_true : e.on_false)};
  }
  Data evaluated(const Stm& stm, const Assert& e) {
    if (!get(e.condition).scalar().asBool()) fail(stm, "assert");
    return {};
  }

  // ---- arrays

  Data evaluated(const Stm& stm, const Index& e) {
    const Position position = numbers(e.indices);
    if (!isInside(position, get(e.array).shape)) fail(stm, "index");
    return {at(get(e.array), position)};
  }
  struct Part {
    std::vector<int64_t> shape, start, stride;
    Position from(const Position& position) const {
      Position out;
      for (size_t i = 0; i < shape.size(); ++i) out.push_back(start[i] + position[i] * stride[i]);
      return out;
    }
  };
  Part partOf(const Stm& stm, const Datum& array, const std::vector<SliceDim>& dims) {
    Part part;
    for (const SliceDim& dim : dims) {
      part.shape.push_back(std::max<int64_t>(number(dim.length), 0));
      part.start.push_back(number(dim.start));
      part.stride.push_back(number(dim.stride));
    }
    for (size_t i = 0; i < dims.size(); ++i) {  // an empty dimension is not looked at
      if (part.shape[i] == 0) continue;
      const __int128 last =
          part.start[i] + (part.shape[i] - 1) * static_cast<__int128>(part.stride[i]);
      if (part.start[i] < 0 || part.start[i] >= array.shape[i] || last < 0 ||
          last >= array.shape[i]) {
        fail(stm, "slice");
      }
    }
    return part;
  }
  Data evaluated(const Stm& stm, const Slice& e) {
    const Datum& array = get(e.array);
    const Part part = partOf(stm, array, e.dims);
    return {built(array.type, part.shape, part.shape,
                  [&](const Position& position) { return at(array, part.from(position)); })};
  }
  Data evaluated(const Stm& stm, const Update& e) {
    Datum array = get(e.array);
    const Datum value = get(e.value);
    if (e.dims.empty()) {
      const Position position = numbers(e.indices);
      if (!isInside(position, array.shape)) fail(stm, "update");
      return {withPart(array, position, value)};
    }
    const Part part = partOf(stm, array, e.dims);
    if (part.shape != value.shape) throw Stop{End::kWrong, "an update by another shape"};
    eachPosition(part.shape, [&](const Position& position) {
      array = withPart(array, part.from(position), at(value, position));
    });
    return {array};
  }
  Data evaluated(const Stm&, const Iota& e) {
    const std::vector<int64_t> shape = shapeOf({e.count});
    const Scalar start = get(e.start).scalar(), step = get(e.step).scalar();
    std::vector<uint64_t> bits;
    for (int64_t i = 0; i < shape[0]; ++i) {
      const auto offset = static_cast<int64_t>(static_cast<uint64_t>(i) * step.bits);
      bits.push_back(Scalar::ofUnsigned(e.type, start.bits + static_cast<uint64_t>(offset)).bits);
    }
    return {Datum::of(e.type, shape, std::move(bits))};
  }
  Data evaluated(const Stm&, const Replicate& e) {
    const Datum value = get(e.value);
    const std::vector<int64_t> outer = shapeOf(e.shape);
    std::vector<int64_t> shape = outer;
    shape.insert(shape.end(), value.shape.begin(), value.shape.end());
    return {built(value.type, shape, outer, [&](const Position&) { return value; })};
  }
  Data evaluated(const Stm&, const ArrayLiteral& e) {
    const Data parts = get(e.elements);
    std::vector<int64_t> shape = {static_cast<int64_t>(parts.size())};
    shape.insert(shape.end(), parts[0].shape.begin(), parts[0].shape.end());
    return {built(e.type, shape, {shape[0]},
                  [&](const Position& i) { return parts[static_cast<size_t>(i[0])]; })};
  }
  Data evaluated(const Stm&, const Scratch& e) {  // whatever: a number that nobody asks for
    const std::vector<int64_t> shape = shapeOf(e.shape);
    const Scalar junk =
        Scalar::fromBits(e.type, e.type == ScalarType::kBool ? 1 : 0x5a5a5a5a5a5a5a5a);
    return {built(e.type, shape, shape, [&](const Position&) { return Datum::of(junk); })};
  }
  Data evaluated(const Stm&, const Rearrange& e) {
    const Datum& array = get(e.array);
    std::vector<int64_t> shape;
    for (int axis : e.permutation) shape.push_back(array.shape[static_cast<size_t>(axis)]);
    for (size_t i = shape.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
    return {built(array.type, shape, shape, [&](const Position& position) {
      Position source = position;
      for (size_t i = 0; i < e.permutation.size(); ++i) {
        source[static_cast<size_t>(e.permutation[i])] = position[i];
      }
      return at(array, source);
    })};
  }
  Data evaluated(const Stm&, const Reshape& e) {
    Datum array = get(e.array);
    array.shape = shapeOf(e.shape);
    if (elements(array.shape) != static_cast<int64_t>(array.bits->size())) {
      throw Stop{End::kWrong, "a reshape to another number of elements"};
    }
    return {array};
  }
  Data evaluated(const Stm& stm, const Concat& e) {
    std::vector<uint64_t> bits;
    for (ValueId array : e.arrays) {
      bits.insert(bits.end(), get(array).bits->begin(), get(array).bits->end());
    }
    const Type& type = program_.type(stm.results[0]);
    return {Datum::of(type.scalar, shapeOf(type.shape), std::move(bits))};
  }
  Data evaluated(const Stm&, const Copy& e) { return {get(e.array)}; }

  // ---- windows

  // One cell of the array, or what stands outside of it.
  Datum cell(const Datum& array, const std::vector<Boundary>& boundary, const Position& position) {
    Position inside;
    for (size_t axis = 0; axis < position.size(); ++axis) {
      auto found = insideBy(boundary[axis].kind, position[axis], array.shape[axis]);
      if (!found) return get(boundary[axis].value);
      inside.push_back(*found);
    }
    return at(array, inside);
  }
  Data evaluated(const Stm&, const Pad& e) {
    const Datum& array = get(e.array);
    std::vector<Boundary> boundary;
    for (const PadDim& dim : e.dims) boundary.push_back(dim.boundary);
    const std::vector<int64_t> outer = shapeOf(e.shape);
    std::vector<int64_t> shape = outer;
    for (size_t i = outer.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
    for (size_t i = 0; i < outer.size(); ++i) {
      if (array.shape[i] == 0 && boundary[i].kind != BoundaryKind::kConstant &&
          elements(outer) > 0) {
        throw Stop{End::kWrong, "a pad of nothing"};
      }
    }
    return {built(array.type, shape, outer, [&](const Position& position) {
      Position source;
      for (size_t i = 0; i < position.size(); ++i) {
        source.push_back(position[i] - number(e.dims[i].before));
      }
      Datum found = cell(array, boundary, source);
      if (found.isScalar() && shape.size() > outer.size()) {  // a constant fills a row
        const std::vector<int64_t> row(shape.begin() + static_cast<std::ptrdiff_t>(outer.size()),
                                       shape.end());
        return built(found.type, row, row, [&](const Position&) { return found; });
      }
      return found;
    })};
  }
  Data evaluated(const Stm&, const Slide& e) {
    const Datum& array = get(e.array);
    Operands counts, sizes;
    for (const SlideDim& dim : e.dims) counts.push_back(dim.count), sizes.push_back(dim.size);
    std::vector<int64_t> outer = shapeOf(counts);
    const std::vector<int64_t> window = shapeOf(sizes);
    for (size_t i = 0; i < window.size(); ++i) {
      const int64_t used = (outer[i] - 1) * number(e.dims[i].step) + window[i];
      if (used != array.shape[i]) throw Stop{End::kWrong, "a slide that does not fit"};
    }
    outer.insert(outer.end(), window.begin(), window.end());
    std::vector<int64_t> shape = outer;
    for (size_t i = e.dims.size(); i < array.shape.size(); ++i) shape.push_back(array.shape[i]);
    return {built(array.type, shape, outer, [&](const Position& position) {
      Position source;
      for (size_t i = 0; i < e.dims.size(); ++i) {
        source.push_back(position[i] * number(e.dims[i].step) + position[e.dims.size() + i]);
      }
      return at(array, source);
    })};
  }

  // ---- second-order

  // What a parallel node gathers: reduced values, then an array for each further result.
  struct Gathered {
    std::vector<Data> reduced, scanned;
    std::vector<std::vector<uint64_t>> arrays;
  };
  static Data joined(Data first, Data::const_iterator begin, size_t count) {
    first.insert(first.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    return first;
  }
  void gather(Gathered& into, const std::vector<Reduction>& reductions,
              const std::vector<Scan>& scans, const Data& mapped) {
    auto next = mapped.begin();
    size_t array = 0;
    auto append = [&](const Datum& datum) {
      if (into.arrays.size() <= array) into.arrays.resize(array + 1);
      into.arrays[array].insert(into.arrays[array].end(), datum.bits->begin(), datum.bits->end());
      ++array;
    };
    for (size_t k = 0; k < reductions.size(); ++k) {
      const size_t count = into.reduced[k].size();
      into.reduced[k] = apply(reductions[k].op, joined(into.reduced[k], next, count));
      next += static_cast<std::ptrdiff_t>(count);
    }
    for (size_t k = 0; k < scans.size(); ++k) {
      const size_t count = into.scanned[k].size();
      into.scanned[k] = apply(scans[k].op, joined(into.scanned[k], next, count));
      next += static_cast<std::ptrdiff_t>(count);
      for (const Datum& datum : into.scanned[k]) append(datum);
    }
    for (; next != mapped.end(); ++next) append(*next);
  }
  Data collected(const Stm& stm, Gathered gathered) {
    Data results;
    for (const Data& values : gathered.reduced) {
      results.insert(results.end(), values.begin(), values.end());
    }
    for (size_t k = 0; results.size() < stm.results.size(); ++k) {
      const Type& type = program_.type(stm.results[results.size()]);
      gathered.arrays.resize(std::max(gathered.arrays.size(), k + 1));
      results.push_back(Datum::of(type.scalar, shapeOf(type.shape), gathered.arrays[k]));
    }
    return results;
  }
  template <typename Node>
  Gathered started(const Node& e) {
    Gathered gathered;
    for (const Reduction& reduction : e.reductions)
      gathered.reduced.push_back(get(reduction.neutral));
    return gathered;
  }
  Data elementsOf(const std::vector<ValueId>& inputs, const Position& position) {
    Data data;
    for (ValueId input : inputs) {
      if (!isInside(position, get(input).shape)) throw Stop{End::kWrong, "an input is too short"};
      data.push_back(at(get(input), position));
    }
    return data;
  }

  Data evaluated(const Stm& stm, const Screma& e) {
    Gathered gathered = started(e);
    for (const Scan& scan : e.scans) gathered.scanned.push_back(get(scan.neutral));
    eachPosition(shapeOf({e.width}), [&](const Position& position) {
      gather(gathered, e.reductions, e.scans, apply(e.map, elementsOf(e.inputs, position)));
    });
    return collected(stm, std::move(gathered));
  }
  Data evaluated(const Stm& stm, const Stencil& e) {
    Gathered gathered = started(e);
    eachPosition(shapeOf(e.space), [&](const Position& position) {
      Data arguments;
      for (const Window& window : e.windows) neighbours(window, position, arguments);
      const Data inputs = elementsOf(e.inputs, position);
      arguments.insert(arguments.end(), inputs.begin(), inputs.end());
      gather(gathered, e.reductions, {}, apply(e.map, arguments));
    });
    return collected(stm, std::move(gathered));
  }
  void neighbours(const Window& window, const Position& position, Data& arguments) {
    const Datum& array = get(window.array);
    auto neighbour = [&](const std::function<int64_t(size_t)>& offset) {
      Position source = position;
      for (size_t axis = 0; axis < source.size(); ++axis) {
        // Far outside is far outside: no overflow.
        const __int128 moved = static_cast<__int128>(source[axis]) + offset(axis);
        if (moved < INT64_MIN / 4 || moved > INT64_MAX / 4) throw Stop{End::kTooLong, "far away"};
        source[axis] = static_cast<int64_t>(moved);
      }
      return cell(array, window.boundary, source);
    };
    for (const std::vector<int64_t>& offsets : window.offsets) {
      arguments.push_back(neighbour([&](size_t axis) { return offsets[axis]; }));
    }
    if (window.dynamic.empty()) return;
    const std::vector<int64_t>& shape = get(window.dynamic[0]).shape;
    arguments.push_back(built(array.type, shape, shape, [&](const Position& i) {
      return neighbour(
          [&](size_t axis) { return at(get(window.dynamic[axis]), i).scalar().asSigned(); });
    }));
  }
  static Position takeIndices(Data::const_iterator& next, int count) {
    Position position;
    for (int i = 0; i < count; ++i) position.push_back((next++)->scalar().asSigned());
    return position;
  }
  Data evaluated(const Stm&, const Scatter& e) {
    Data results;
    for (const ScatterDest& destination : e.destinations) results.push_back(get(destination.array));
    eachPosition(shapeOf({e.width}), [&](const Position& i) {
      const Data mapped = apply(e.map, elementsOf(e.inputs, i));
      auto next = mapped.begin();
      for (size_t k = 0; k < results.size(); ++k, ++next) {
        const Position position = takeIndices(next, e.destinations[k].index_rank);
        if (isInside(position, results[k].shape))
          results[k] = withPart(results[k], position, *next);
      }
    });
    return results;
  }
  Data evaluated(const Stm&, const Hist& e) {
    Data results;
    for (const HistOp& op : e.operations) {
      for (ValueId destination : op.destinations) results.push_back(get(destination));
    }
    eachPosition(shapeOf({e.width}), [&](const Position& i) {
      const Data mapped = apply(e.map, elementsOf(e.inputs, i));
      auto next = mapped.begin();
      auto result = results.begin();
      for (const HistOp& op : e.operations) {
        const Position position = takeIndices(next, op.index_rank);
        const size_t count = op.destinations.size();
        if (isInside(position, result->shape)) {
          Data old;
          for (size_t k = 0; k < count; ++k)
            old.push_back(at(result[static_cast<std::ptrdiff_t>(k)], position));
          const Data made = apply(op.op, joined(std::move(old), next, count));
          for (size_t k = 0; k < count; ++k) {
            Datum& whole = result[static_cast<std::ptrdiff_t>(k)];
            whole = withPart(whole, position, made[k]);
          }
        }
        next += static_cast<std::ptrdiff_t>(count);
        result += static_cast<std::ptrdiff_t>(count);
      }
    });
    return results;
  }

  // ---- control

  Data evaluated(const Stm&, const Match& e) {
    const Scalar value = get(e.scrutinee).scalar();
    for (const Case& one : e.cases) {
      if (one.value == value) return run(one.body);
    }
    return run(e.otherwise);
  }
  Data evaluated(const Stm&, const Loop& e) {
    Data carried;
    std::vector<ValueId> params;
    for (const Carried& one : e.carried) {
      carried.push_back(get(one.initial));
      params.push_back(one.param);
    }
    const auto* counted = std::get_if<ForLoop>(&e.form);
    const Scalar bound = counted != nullptr ? get(counted->bound).scalar() : Scalar{};
    for (int64_t i = 0;; ++i) {
      if (--left_ < 0) throw Stop{End::kTooLong, "many steps"};
      if (counted == nullptr) {
        const auto condition = static_cast<size_t>(std::get<WhileLoop>(e.form).condition);
        if (!carried[condition].scalar().asBool()) break;
      } else {
        const bool goes_on = prim::isUnsigned(bound.type)
                                 ? static_cast<uint64_t>(i) < bound.asUnsigned()
                                 : i < bound.asSigned();
        if (!goes_on) break;
        bind(counted->index, Datum::of(Scalar::ofSigned(bound.type, i)));
      }
      bind(params, carried);
      carried = run(e.body);
    }
    return carried;
  }
  Data evaluated(const Stm&, const Call& e) { return call(e.function, get(e.args)); }

  const Program& program_;
  int64_t left_;
  int depth_ = 0;
  std::unordered_map<ValueId, Datum> values_;
};

}  // namespace

std::vector<Datum> randomArguments(const Program& program, const std::string& entry,
                                   uint64_t seed) {
  std::mt19937_64 random(seed);
  std::unordered_map<ValueId, int64_t> sizes;
  auto element = [&](ScalarType type) {
    const auto number = static_cast<int64_t>(random() % 10) - 3;
    if (type == ScalarType::kBool) return Scalar::ofBool(number > 1);
    if (!prim::isFloat(type))
      return Scalar::ofSigned(type, prim::isSigned(type) ? number : number + 3);
    return Scalar::ofFloat(type, static_cast<double>(number) / 2);
  };
  std::vector<Datum> arguments;
  for (ValueId param : program.find(entry)->params) {
    const Type& type = program.type(param);
    std::vector<int64_t> shape;
    for (const Operand& size : type.shape) {
      const int64_t extent = size.isConstant() ? size.constant.asSigned() : sizes[size.value];
      shape.push_back(std::max<int64_t>(extent, 0));
    }
    const bool is_size = type == Type{} && isMentioned(program, param, program.find(entry)->params);
    const Scalar size = Scalar::ofI64(static_cast<int64_t>(random() % 7));
    if (is_size) sizes[param] = size.asSigned();
    arguments.push_back(is_size ? Datum::of(size)
                                : built(type.scalar, shape, shape, [&](const Position&) {
                                    return Datum::of(element(type.scalar));
                                  }));
  }
  return arguments;
}

Evaluation evaluate(const Program& program, const std::string& entry,
                    const std::vector<Datum>& arguments, int64_t most_steps) {
  Evaluation evaluation;
  try {
    evaluation.results = Evaluator(program, most_steps).call(entry, arguments);
  } catch (const Stop& stop) {
    evaluation.end = stop.end;
    evaluation.text = stop.text;
  }
  return evaluation;
}

}  // namespace halo::core

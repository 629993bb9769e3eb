// `flatmap f xs`: the segments that `f` makes of the elements, one after the other. There is no
// Core node for it. A map tells the length of every segment (and the uniform results), a scan their
// places; then a loop computes each segment once more and writes it to its place.
#include "lang/lower/lowering.h"

namespace halo::lower {

namespace {

const core::Type kI64{};

class FlatmapLowering {
 public:
  // `result`: the type of the whole; the size of the segments together is not known in it.
  FlatmapLowering(Lowering& lowering, const std::vector<StaticValue>& args,
                  const MonoTypeRef& result, Span span)
      : lowering_(lowering),
        function_(args[0]),
        items_(args[1]),
        count_(items_.array()->type->array()->size),
        types_(result->record()->fields),
        span_(span) {}

  StaticValue run() {
    const StaticValue uniform = mapLengths();
    scanLengths();
    const StaticValue flags = starts();
    const MonoTypeRef numbers = arrayType(count_, scalarType(ScalarType::kI64));
    const StaticValue shapes = fromLeaves(numbers, {lengths_});
    const StaticValue offsets = fromLeaves(numbers, {offsets_});
    return recordOf({"0", "1", "2", "3", "4"}, {shapes, flags, offsets, data(), uniform});
  }

 private:
  // The segment of one element and its uniform result.
  std::pair<ArrayValue, StaticValue> call(const StaticValue& item) {
    const StaticValue both = lowering_.applyFromBuiltIn(function_, {item}, span_);
    const ArrayValue& found = *field(both, "0").array();
    const MonoTypeRef wanted = arrayType(found.type->array()->size, types_[3]->array()->element);
    const StaticValue segment = lowering_.coerce({found}, wanted, Code::irregular_array, span_);
    return {*segment.array(), lowering_.coerce(field(both, "1"), types_[4]->array()->element,
                                               Code::irregular_array, span_)};
  }

  StaticValue mapLengths() {
    core::Screma node{count_, items_.array()->leaves, {}, {}, {}};
    node.map = lowering_.lambda(
        {items_.array()->type->array()->element}, [&](const std::vector<StaticValue>& item) {
          const auto [segment, uniform] = call(item[0]);
          return recordOf({"0", "1"}, {{segment.type->array()->size}, uniform});
        });
    std::vector<core::Type> types = leafTypes(types_[4]);
    types.insert(types.begin(), {ScalarType::kI64, {count_}});
    const std::vector<ValueId> results = lowering_.bindAll(std::move(types), std::move(node));
    lengths_ = results[0];
    return fromLeaves(types_[4], Operands(results.begin() + 1, results.end()));
  }

  core::Lambda sum() {
    const MonoTypeRef number = scalarType(ScalarType::kI64);
    return lowering_.lambda({number, number}, [&](const std::vector<StaticValue>& x) {
      return StaticValue{
          lowering_.prim(Op::kAdd, ScalarType::kI64, {*x[0].scalar(), *x[1].scalar()})};
    });
  }

  void scanLengths() {
    const core::Type vector{ScalarType::kI64, {count_}};
    const MonoTypeRef number = scalarType(ScalarType::kI64);
    const Operand zero = Operand::ofI64(0);
    core::Screma scan{count_, {lengths_}, {}, {}, {}};
    scan.map = lowering_.lambda({number}, [](const std::vector<StaticValue>& x) {
      return recordOf({"0", "1"}, {x[0], x[0]});
    });
    scan.reductions.push_back({sum(), {zero}, true});
    scan.scans.push_back({sum(), {zero}});
    const std::vector<ValueId> results = lowering_.bindAll({kI64, vector}, std::move(scan));
    total_ = results[0];
    lowering_.sizes().addExtent(total_);
    core::Screma before{count_, {results[1], lengths_}, {}, {}, {}};
    before.map = lowering_.lambda({number, number}, [&](const std::vector<StaticValue>& x) {
      return StaticValue{
          lowering_.prim(Op::kSub, ScalarType::kI64, {*x[0].scalar(), *x[1].scalar()})};
    });
    offsets_ = lowering_.bind(vector, std::move(before));
  }

  // Where a segment begins; one that is empty at the very end lies outside and is dropped.
  StaticValue starts() {
    const core::Type type{ScalarType::kBool, {total_}};
    const ValueId none =
        lowering_.bind(type, core::Replicate{type.shape, prim::Scalar::ofBool(false)});
    core::Scatter node{count_, {offsets_}, {}, {{none, 1}}};
    node.map =
        lowering_.lambda({scalarType(ScalarType::kI64)}, [](const std::vector<StaticValue>& x) {
          const StaticValue yes{Operand(prim::Scalar::ofBool(true))};
          return recordOf({"0", "1"}, {x[0], yes});
        });
    const ValueId flags = lowering_.bind(type, std::move(node));
    return fromLeaves(arrayType(total_, scalarType(ScalarType::kBool)), {flags});
  }

  StaticValue data() {
    const MonoTypeRef type = arrayType(total_, types_[3]->array()->element);
    const std::vector<core::Type> leaf_types = leafTypes(type);
    if (leaf_types.empty()) return fromLeaves(type, {});
    const ValueId index = lowering_.out.add("i", {});
    core::Loop loop{{}, core::ForLoop{index, count_}, {}};
    for (const core::Type& leaf : leaf_types) {
      const ValueId empty = lowering_.bind(leaf, core::Scratch{leaf.scalar, leaf.shape});
      loop.carried.push_back({lowering_.out.add("data", leaf), empty, false});
    }
    lowering_.openBody();
    const Operands at = {index};
    const ArrayValue segment = call(lowering_.element(items_, at, false, {})).first;
    const Operand place = lowering_.bind(kI64, core::Index{offsets_, at});
    Operands next;
    for (size_t i = 0; i < leaf_types.size(); ++i) {
      next.push_back(write(loop.carried[i].param, segment.leaves[i], place));
    }
    loop.body = lowering_.closeBody(std::move(next));
    const std::vector<ValueId> leaves = lowering_.bindAll(leaf_types, std::move(loop));
    return fromLeaves(type, Operands(leaves.begin(), leaves.end()));
  }

  // The scan made room for it, so nothing is checked.
  Operand write(ValueId data, ValueId segment, const Operand& place) {
    const core::Type type = lowering_.out.type(data);
    const Operands extents = lowering_.out.type(segment).shape;  // a copy: values are added
    const ValueId fresh = lowering_.bind(type, core::Copy{data});
    core::Update update{fresh, {}, {}, segment};
    for (size_t d = 0; d < extents.size(); ++d) {
      update.dims.push_back({d == 0 ? place : Operand::ofI64(0), extents[d], Operand::ofI64(1)});
    }
    return lowering_.bind(type, std::move(update));
  }

  Lowering& lowering_;
  const StaticValue& function_;
  const StaticValue& items_;
  Operand count_;
  const std::vector<MonoTypeRef>& types_;  // of the five results
  Span span_;
  ValueId lengths_, offsets_, total_;
};

}  // namespace

StaticValue Lowering::flatmap(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                              Span span) {
  return FlatmapLowering(*this, args, result, span).run();
}

}  // namespace halo::lower

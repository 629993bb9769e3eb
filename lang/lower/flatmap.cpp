// `flatmap f xs`: the segments that `f` makes of the elements, one after the other. There is no
// Core node for it. `f` is evaluated once for each element, in order.
//
// The lengths may follow from a few scalar operations that cannot fail. Then a map tells them, a
// scan the places, and a loop writes each segment where it belongs. Else a loop makes segment after
// segment, into memory that doubles when it is full:
//
//   while a segment waits (at first an empty one):
//     twice the room, or as much as it needs; store it
//     while there are elements and their segments fit: make a segment, store it
#include <algorithm>

#include "lang/core/rewrite.h"
#include "lang/lower/lowering.h"
#include "lang/lower/needed.h"
#include "lang/lower/open_loop.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/value/limits.h"

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
        uniform_types_(leafTypes(types_[4])),
        uniform_(uniform_types_.size()),
        span_(span) {}

  StaticValue run() {
    Operands data;
    if (mapLengths()) {
      scanLengths();
      data = writeSegments();
    } else {
      data = appendSegments();
    }
    const StaticValue flags = starts();
    const MonoTypeRef numbers = arrayType(count_, scalarType(ScalarType::kI64));
    const StaticValue shapes = fromLeaves(numbers, {lengths_});
    const StaticValue offsets = fromLeaves(numbers, {offsets_});
    const Operands uniform(uniform_.begin(), uniform_.end());
    return recordOf({"0", "1", "2", "3", "4"},
                    {shapes, flags, offsets, fromLeaves(dataType(total_), data),
                     fromLeaves(types_[4], uniform)});
  }

 private:
  MonoTypeRef dataType(const Operand& size) { return arrayType(size, types_[3]->array()->element); }

  // The results of one element: the leaves of its segment and of its uniform result.
  struct Made {
    Operand length;
    Operands segment, uniform;
  };
  Made make(const StaticValue& item) {
    const StaticValue both = lowering_.applyFromBuiltIn(function_, {item}, span_);
    const ArrayValue& found = *field(both, "0").array();
    const MonoTypeRef wanted = dataType(found.type->array()->size);
    const StaticValue segment = lowering_.coerce({found}, wanted, Code::irregular_array, span_);
    const StaticValue uniform = lowering_.coerce(field(both, "1"), types_[4]->array()->element,
                                                 Code::irregular_array, span_);
    return {segment.array()->type->array()->size, lowering_.leavesOf(segment),
            lowering_.leavesOf(uniform)};
  }

  // ---- lengths first

  // The lengths, and the uniform results that share no work with the segments, if that costs little
  // and cannot fail. A failure belongs where its segment is made. There a length that is
  // negative or above every limit is found. No segment before it may be written by it, so it counts
  // as 0 here.
  bool mapLengths() {
    core::Screma node{count_, items_.array()->leaves, {}, {}, {}};
    Made made;
    const MonoTypeRef element = items_.array()->type->array()->element;
    node.map = lowering_.lambda({element}, [&](const std::vector<StaticValue>& item) {
      made = make(item[0]);
      made.length = possible(made.length);
      return recordOf({}, {});
    });
    Needed needed = neededFor(lowering_.out, node.map.body, {made.length});
    const bool has_data = !made.segment.empty();
    const auto cheap = [&](const core::Stm& stm) { return isCheap(lowering_.out, stm); };
    if (has_data && !allOf(node.map.body, needed, cheap)) return false;
    if (!has_data) needed.assign(needed.size(), true);
    node.map.body.results = {made.length};
    std::vector<core::Type> types = {{ScalarType::kI64, {count_}}};
    std::vector<size_t> mapped;
    const Needed segment = neededFor(lowering_.out, node.map.body, made.segment);
    for (size_t u = 0; u < made.uniform.size(); ++u) {
      const Needed own = neededFor(lowering_.out, node.map.body, {made.uniform[u]});
      if (has_data && !isApart(node.map.body, own, segment)) continue;
      for (size_t i = 0; i < own.size(); ++i) needed[i] = needed[i] || own[i];
      node.map.body.results.push_back(made.uniform[u]);
      types.push_back(uniform_types_[u]);
      mapped.push_back(u);
    }
    keepOnly(node.map.body, needed);
    const std::vector<ValueId> results = lowering_.bindAll(std::move(types), std::move(node));
    lengths_ = results[0];
    for (size_t k = 0; k < mapped.size(); ++k) uniform_[mapped[k]] = results[k + 1];
    return true;
  }

  Operand possible(const Operand& length) {
    static_assert((value::kMaxElements & (value::kMaxElements + 1)) == 0, "a mask");
    const Operand above = Operand::ofI64(value::kMaxElements + 1);
    const Operand positive =
        lowering_.prim(Op::kMax, ScalarType::kI64, {length, Operand::ofI64(0)});
    const Operand bounded = lowering_.prim(Op::kMin, ScalarType::kI64, {positive, above});
    const Operand most = Operand::ofI64(value::kMaxElements);
    return lowering_.prim(Op::kAnd, ScalarType::kI64, {bounded, most});
  }

  bool isApart(const core::Body& body, const Needed& own, const Needed& segment) {
    Needed shared = own;
    for (size_t i = 0; i < shared.size(); ++i) shared[i] = shared[i] && segment[i];
    const auto cheap = [&](const core::Stm& stm) { return isCheap(lowering_.out, stm); };
    const auto cannotFail = [&](const core::Stm& stm) { return cheap(stm) || !core::mayFail(stm); };
    return allOf(body, own, cannotFail) && allOf(body, shared, cheap);
  }
  core::Lambda sum() {
    const MonoTypeRef number = scalarType(ScalarType::kI64);
    return lowering_.lambda({number, number}, [&](const std::vector<StaticValue>& x) {
      return StaticValue{
          lowering_.prim(Op::kAdd, ScalarType::kI64, {*x[0].scalar(), *x[1].scalar()})};
    });
  }

  // The total, or more than the limit: a sum that wrapped could be anything.
  core::Lambda sumUpToLimit() {
    const MonoTypeRef number = scalarType(ScalarType::kI64);
    return lowering_.lambda({number, number}, [&](const std::vector<StaticValue>& x) {
      const Operand sum = add(*x[0].scalar(), *x[1].scalar());
      const Operand above = Operand::ofI64(value::kMaxElements + 1);
      return StaticValue{lowering_.prim(Op::kMin, ScalarType::kI64, {sum, above})};
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
    scan.reductions.push_back({sumUpToLimit(), {zero}, true});
    scan.scans.push_back({sum(), {zero}});
    const std::vector<ValueId> results = lowering_.bindAll({kI64, vector}, std::move(scan));
    total_ = results[0];
    requireSum(lowering_, total_, span_);
    core::Screma before{count_, {results[1], lengths_}, {}, {}, {}};
    before.map = lowering_.lambda({number, number}, [&](const std::vector<StaticValue>& x) {
      return StaticValue{
          lowering_.prim(Op::kSub, ScalarType::kI64, {*x[0].scalar(), *x[1].scalar()})};
    });
    offsets_ = lowering_.bind(vector, std::move(before));
  }

  Operands writeSegments() {
    const std::vector<core::Type> leaf_types = leafTypes(dataType(total_));
    if (leaf_types.empty()) return {};
    const ValueId index = lowering_.out.add("i", {});
    OpenLoop loop(lowering_, core::ForLoop{index, count_});
    loop.carryScratch("data", leaf_types);
    std::vector<size_t> rest;  // uniform results that are not known yet
    for (size_t u = 0; u < uniform_.size(); ++u) {
      if (uniform_[u].valid()) continue;
      loop.carryScratch("uniform", {uniform_types_[u]});
      rest.push_back(u);
    }
    lowering_.openBody();
    const Made made = make(lowering_.element(items_, {index}, false, {}));
    const Operand place = lowering_.bind(kI64, core::Index{offsets_, {index}});
    size_t next = 0;
    for (const Operand& leaf : made.segment) {
      loop.next.push_back(write(loop.param(next++), leaf.value, place));
    }
    for (size_t u : rest) loop.next.push_back(put(loop.param(next++), index, made.uniform[u]));
    const std::vector<ValueId> results = loop.close();
    for (size_t k = 0; k < rest.size(); ++k) uniform_[rest[k]] = results[leaf_types.size() + k];
    return {results.begin(), results.begin() + static_cast<ptrdiff_t>(leaf_types.size())};
  }

  // ---- segment after segment

  // The values that both loops carry: these, the leaves of the segment that waits for room and of
  // the data, lists of facts by element. Those are lengths, offsets, uniform results.
  enum Position : size_t { kGoesOn, kFits, kElement, kTotal, kLength, kWaiting };

  void carryState(OpenLoop& loop, const Operands& initial, const Operand& room) {
    const ScalarType scalars[] = {ScalarType::kBool, ScalarType::kBool, ScalarType::kI64,
                                  ScalarType::kI64, ScalarType::kI64};
    const char* const names[] = {"goes_on", "fits", "element", "total", "length"};
    size_t k = 0;
    for (; k < kWaiting; ++k) loop.carry(names[k], {scalars[k], {}}, initial[k]);
    const ValueId length = loop.loop.carried.back().param;
    for (const core::Type& type : leafTypes(dataType(length)))
      loop.carry("waiting", type, initial[k++]);
    for (const core::Type& type : leafTypes(dataType(room))) loop.carry("data", type, initial[k++]);
    for (const core::Type& type : listTypes()) loop.carry("list", type, initial[k++]);
  }

  std::vector<core::Type> listTypes() {
    std::vector<core::Type> types(2, {ScalarType::kI64, {count_}});
    types.insert(types.end(), uniform_types_.begin(), uniform_types_.end());
    return types;
  }

  void addScratch(Operands& values, const std::vector<core::Type>& types) {
    for (const core::Type& type : types) {
      values.push_back(lowering_.bind(type, core::Scratch{type.scalar, type.shape}));
    }
  }

  Operands appendSegments() {
    const Operand zero = Operand::ofI64(0);
    const Operand yes(prim::Scalar::ofBool(true));
    OpenLoop outer(lowering_, core::WhileLoop{kGoesOn + 1});
    Operands initial = {yes, yes, zero, zero, zero};
    addScratch(initial, leafTypes(dataType(zero)));
    addScratch(initial, leafTypes(dataType(zero)));
    addScratch(initial, listTypes());
    const ValueId room = outer.carry("room", kI64, zero);
    carryState(outer, initial, room);
    lowering_.openBody();
    const std::vector<ValueId> before = outer.params(1);
    const Operand more = moreRoom(before, room);
    const std::vector<ValueId> filled = fill(before, grow(before, more), more);
    outer.next = {more, lowering_.prim(Op::kNot, ScalarType::kBool, {filled[kFits]})};
    outer.next.insert(outer.next.end(), filled.begin() + kFits, filled.end());
    return finish(outer.close());
  }

  Operand moreRoom(const std::vector<ValueId>& state, ValueId room) {
    lowering_.sizes().addExtent(state[kLength]);
    lowering_.sizes().addExtent(room);
    const Operand needed = add(state[kTotal], state[kLength]);
    const Operand twice = add(room, room);
    const Operand more = lowering_.prim(Op::kMax, ScalarType::kI64, {needed, twice});
    lowering_.sizes().addExtent(more);
    return more;
  }

  // The data in larger memory, with the segment that waited.
  Operands grow(const std::vector<ValueId>& state, const Operand& room) {
    Operands data;
    addScratch(data, leafTypes(dataType(room)));
    for (size_t k = 0; k < data.size(); ++k) {
      const ValueId old = cut(state[kWaiting + data.size() + k], state[kTotal]);
      const ValueId same = write(data[k].value, old, Operand::ofI64(0));
      data[k] = write(same, state[kWaiting + k], state[kTotal]);
    }
    return data;
  }

  // Segments as long as there are elements and room.
  std::vector<ValueId> fill(const std::vector<ValueId>& state, const Operands& data,
                            const Operand& room) {
    const Operand zero = Operand::ofI64(0);
    const Operand any = lowering_.prim(Op::kLt, ScalarType::kI64, {state[kElement], count_});
    Operands initial = {any, Operand(prim::Scalar::ofBool(true)), state[kElement],
                        add(state[kTotal], state[kLength]), zero};
    addScratch(initial, leafTypes(dataType(zero)));
    initial.insert(initial.end(), data.begin(), data.end());
    const auto lists = static_cast<ptrdiff_t>(kWaiting + 2 * data.size());
    initial.insert(initial.end(), state.begin() + lists, state.end());
    OpenLoop inner(lowering_, core::WhileLoop{kGoesOn});
    carryState(inner, initial, room);
    lowering_.openBody();
    inner.next = oneMore(inner.params(0), room, data.size());
    return inner.close();
  }

  // Makes a segment and stores it if it fits.
  Operands oneMore(const std::vector<ValueId>& state, const Operand& room, size_t leaves) {
    const Made made = make(lowering_.element(items_, {state[kElement]}, false, {}));
    const Operand after = add(state[kTotal], made.length);
    const Operand fits = lowering_.prim(Op::kLe, ScalarType::kI64, {after, room});
    const Operand stored = lowering_.bind(kI64, core::Select{fits, made.length, Operand::ofI64(0)});
    lowering_.sizes().addExtent(stored);
    const Operand element = add(state[kElement], Operand::ofI64(1));
    const Operand rest = lowering_.prim(Op::kLt, ScalarType::kI64, {element, count_});
    Operands next = {lowering_.prim(Op::kAnd, ScalarType::kBool, {fits, rest}), fits, element,
                     add(state[kTotal], stored), made.length};
    next.insert(next.end(), made.segment.begin(), made.segment.end());
    for (size_t k = 0; k < leaves; ++k) {
      const ValueId part = cut(made.segment[k].value, stored);
      next.push_back(write(state[kWaiting + leaves + k], part, state[kTotal]));
    }
    Operands known = {made.length, state[kTotal]};
    known.insert(known.end(), made.uniform.begin(), made.uniform.end());
    for (size_t k = 0; k < known.size(); ++k) {
      next.push_back(put(state[kWaiting + 2 * leaves + k], state[kElement], known[k]));
    }
    return next;
  }

  Operands finish(const std::vector<ValueId>& results) {
    const size_t leaves = leafTypes(dataType(Operand::ofI64(0))).size();
    const std::vector<ValueId> state(results.begin() + 1, results.end());
    total_ = state[kTotal];
    lowering_.sizes().addExtent(total_);
    Operands data;
    for (size_t k = 0; k < leaves; ++k) data.push_back(cut(state[kWaiting + leaves + k], total_));
    const size_t lists = kWaiting + 2 * leaves;
    lengths_ = state[lists];
    offsets_ = state[lists + 1];
    for (size_t u = 0; u < uniform_.size(); ++u) uniform_[u] = state[lists + 2 + u];
    return data;
  }

  // ---- for both

  Operand add(const Operand& a, const Operand& b) {
    return lowering_.prim(Op::kAdd, ScalarType::kI64, {a, b});
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

  // There is room, so nothing is checked.
  ValueId write(ValueId data, ValueId segment, const Operand& place) {
    const core::Type type = lowering_.out.type(data);
    const Operands extents = lowering_.out.type(segment).shape;  // a copy: values are added
    const ValueId fresh = lowering_.bind(type, core::Copy{data});
    core::Update update{fresh, {}, {}, segment};
    for (size_t d = 0; d < extents.size(); ++d) {
      update.dims.push_back({d == 0 ? place : Operand::ofI64(0), extents[d], Operand::ofI64(1)});
    }
    return lowering_.bind(type, std::move(update));
  }
  ValueId put(ValueId list, const Operand& index, const Operand& value) {
    const core::Type type = lowering_.out.type(list);
    const ValueId fresh = lowering_.bind(type, core::Copy{list});
    return lowering_.bind(type, core::Update{fresh, {index}, {}, value});
  }
  // The first `count` rows.
  ValueId cut(ValueId array, const Operand& count) {
    core::Type type = lowering_.out.type(array);
    type.shape[0] = count;
    core::Slice slice{array, {}};
    for (const Operand& extent : type.shape) {
      slice.dims.push_back({Operand::ofI64(0), extent, Operand::ofI64(1)});
    }
    return lowering_.bind(type, std::move(slice));
  }

  Lowering& lowering_;
  const StaticValue& function_;
  const StaticValue& items_;
  Operand count_;
  const std::vector<MonoTypeRef>& types_;  // of the five results
  std::vector<core::Type> uniform_types_;  // of the leaves of the last
  std::vector<ValueId> uniform_;
  Span span_;
  ValueId lengths_, offsets_, total_;
};

}  // namespace

StaticValue Lowering::flatmap(const std::vector<StaticValue>& args, const MonoTypeRef& result,
                              Span span) {
  return FlatmapLowering(*this, args, result, span).run();
}

}  // namespace halo::lower

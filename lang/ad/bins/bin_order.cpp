// A radix sort, digits of eight bits from the lowest: count, find where each digit starts, move.
#include "lang/ad/bins/bin_order.h"

#include <functional>

namespace halo::ad {

namespace {

constexpr const char* kName = "sort_by_bin";
constexpr int64_t kDigits = 256;
constexpr int64_t kDigitBits = 8;
constexpr int64_t kMaxPasses = 4;
const Type kKey{ScalarType::kU32, {}};

// A loop that carries arrays and numbers; `step` gives the next ones.
std::vector<ValueId> loop(Emitter& e, const Operand& bound, const std::vector<Operand>& initials,
                          const std::function<Operands(Emitter&, ValueId, const Operands&)>& step) {
  Program& program = e.program();
  core::Loop node;
  const ValueId i = program.add("i", {});
  node.form = core::ForLoop{i, bound};
  std::vector<Type> types;
  Operands carried;
  for (const Operand& initial : initials) {
    types.push_back(e.type(initial));
    const ValueId param = program.add("c", types.back());
    node.carried.push_back({param, initial, false});
    carried.push_back(param);
  }
  Emitter inner(program);
  Operands next = step(inner, i, carried);
  node.body = inner.take(std::move(next));
  return e.bindAll("t", std::move(types), std::move(node));
}

class RadixSort {
 public:
  RadixSort(Program& program, ValueId n, ValueId keys, ValueId values)
      : e_(program), n_(n), keys_(keys), values_(values) {}

  Body body() {
    const std::vector<ValueId> sorted =
        loop(e_, passes(), {keys_, values_}, [&](Emitter& at, ValueId pass, const Operands& both) {
          return moved(at, both[0].value, both[1].value, pass);
        });
    return e_.take({sorted[0], sorted[1]});
  }

 private:
  // As many as the largest key has digits.
  Operand passes() {
    core::Screma node;
    node.width = n_;
    node.inputs = {keys_};
    node.map = e_.identity({kKey});
    Lambda larger = e_.combiner({kKey}, [](Emitter& at, const Operands& both) -> Operands {
      return {at.op(Op::kMax, ScalarType::kU32, both[0], both[1])};
    });
    node.reductions.push_back({std::move(larger), {e_.number(ScalarType::kU32, 0)}, true});
    const ValueId most = e_.bind("most", kKey, std::move(node));
    Operand count = Operand::ofI64(kMaxPasses);
    for (int64_t passes = kMaxPasses - 1; passes >= 1; --passes) {
      const Operand limit = e_.number(ScalarType::kU32, int64_t{1} << (kDigitBits * passes));
      const Operand fits = e_.prim(Op::kLt, ScalarType::kU32, {most, limit});
      count = e_.select(fits, Operand::ofI64(passes), count);
    }
    return count;
  }

  Operand digit(Emitter& e, ValueId keys, const Operand& i, const Operand& pass) {
    const Operand bits = e.convert(prim::ConvertKind::kValue, ScalarType::kU32,
                                   e.mul(pass, Operand::ofI64(kDigitBits)));
    const Operand low = e.op(Op::kShr, ScalarType::kU32, Operand(e.index(keys, {i})), bits);
    const Operand last = e.number(ScalarType::kU32, kDigits - 1);
    return e.convert(prim::ConvertKind::kValue, ScalarType::kI64,
                     e.op(Op::kAnd, ScalarType::kU32, low, last));
  }

  ValueId zeros(Emitter& e) { return e.zero({ScalarType::kI64, {Operand::ofI64(kDigits)}}).value; }

  // Where each digit starts.
  ValueId starts(Emitter& e, ValueId keys, const Operand& pass) {
    const ValueId counts =
        loop(e, n_, {zeros(e)}, [&](Emitter& at, ValueId i, const Operands& c) -> Operands {
          const Operand d = digit(at, keys, i, pass);
          return {at.updated(c[0].value, {d}, at.add(at.index(c[0].value, {d}), kOne))};
        })[0];
    return loop(e, Operand::ofI64(kDigits), {zeros(e), kZero},
                [&](Emitter& at, ValueId d, const Operands& c) -> Operands {
                  const ValueId next = at.updated(c[0].value, {d}, c[1]);
                  return {next, at.add(c[1], at.index(counts, {d}))};
                })[0];
  }

  Operands moved(Emitter& e, ValueId keys, ValueId values, const Operand& pass) {
    const ValueId first = starts(e, keys, pass);
    const auto scratch = [&](ScalarType type) {
      return e.bind("t", {type, {n_}}, core::Scratch{type, {n_}});
    };
    const std::vector<ValueId> made =
        loop(e, n_, {scratch(ScalarType::kU32), scratch(ScalarType::kI64), first},
             [&](Emitter& at, ValueId i, const Operands& c) -> Operands {
               const Operand d = digit(at, keys, i, pass);
               const Operand to = at.index(c[2].value, {d});
               return {at.updated(c[0].value, {to}, at.index(keys, {i})),
                       at.updated(c[1].value, {to}, at.index(values, {i})),
                       at.updated(c[2].value, {d}, at.add(to, kOne))};
             });
    return {made[0], made[1]};
  }

  Emitter e_;
  ValueId n_, keys_, values_;
};

void addSort(Program& program) {
  core::Function made;
  made.name = kName;
  const ValueId n = program.add("n", {});
  const Type keys{ScalarType::kU32, {n}}, values{ScalarType::kI64, {n}};
  made.params = {n, program.add("keys", keys), program.add("values", values)};
  made.size_params = 1;
  made.consumed.assign(made.params.size(), false);
  made.results = {program.add("r", keys), program.add("r", values)};
  made.kernel = {{core::KernelKind::kSort, {n}}};
  made.body = RadixSort(program, n, made.params[1], made.params[2]).body();
  program.functions.push_back(std::move(made));
}

}  // namespace

ValueId orderOf(Emitter& e, const Operand& width, ValueId keys) {
  if (e.program().find(kName) == nullptr) addSort(e.program());
  const Type values{ScalarType::kI64, {width}};
  const core::Call call{kName, {width, keys, e.iota(width)}};
  return e.bindAll("sorted", {e.type(keys), values}, call)[1];
}

}  // namespace halo::ad

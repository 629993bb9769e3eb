// Execution: statements, scalars, control, failures. Arrays are in evaluate_nodes and
// evaluate_soac.
#include "lang/core/evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/core/evaluate/evaluator.h"
#include "lang/prim/fold.h"

namespace halo::core {
namespace {

constexpr int64_t kMaxElements = 1 << 20;
constexpr int kMaxCalls = 200;

}  // namespace

Data Evaluator::call(const std::string& name, const Data& arguments) {
  const Function* function = program_.find(name);
  if (function == nullptr) throw Stop{End::kWrong, "no function " + name};
  if (++depth_ > kMaxCalls) throw Stop{End::kTooLong, "deep recursion"};
  std::unordered_map<ValueId, Datum> outer = std::move(values_);
  values_.clear();
  bind(function->params, arguments);
  Data results = run(function->body);
  bind(function->results, results);  // for the check of their types
  values_ = std::move(outer);
  --depth_;
  return results;
}

Position Evaluator::numbers(const Operands& operands) const {
  Position out;
  for (const Operand& operand : operands) out.push_back(number(operand));
  return out;
}

// An assert keeps code that makes an array of a negative size from running. Passes may move it in
// front of that, and engines take it for empty.
std::vector<int64_t> Evaluator::shapeOf(const Operands& sizes) const {
  std::vector<int64_t> shape;
  int64_t count = 1;
  for (const Operand& size : sizes) {
    shape.push_back(std::max<int64_t>(number(size), 0));
    if (shape.back() > kMaxElements) throw Stop{End::kTooLong, "large array"};
    count *= shape.back();
    if (count > kMaxElements) throw Stop{End::kTooLong, "large array"};
  }
  return shape;
}

void Evaluator::bind(ValueId id, Datum datum) {
  const Type& type = program_.type(id);
  const std::vector<int64_t> shape = shapeOf(type.shape);
  if (datum.type != type.scalar || datum.shape != shape ||
      static_cast<int64_t>(datum.bits->size()) != elements(shape)) {
    throw Stop{End::kWrong, fmt::format("`{}_{}` has not the shape of its type",
                                        program_.values[id].name, id.index)};
  }
  values_.insert_or_assign(id, std::move(datum));
}

void Evaluator::bind(const std::vector<ValueId>& ids, const Data& data) {
  for (size_t i = 0; i < ids.size(); ++i) bind(ids[i], data.at(i));
}

Data Evaluator::run(const Body& body) {
  for (const Stm& stm : body.stms) {
    if (--left_ < 0) throw Stop{End::kTooLong, "many steps"};
    bind(stm.results, valuesOf(stm));
  }
  return get(body.results);
}

Data Evaluator::apply(const Lambda& lambda, const Data& arguments) {
  bind(lambda.params, arguments);
  return run(lambda.body);
}

// A statement whose execution is impossible.
void Evaluator::fail(const Stm& stm, const char* what) const {
  if (stm.checked) throw Stop{End::kFailed, what};
  throw Stop{End::kWrong, std::string("a proven statement fails: ") + what};
}

Data Evaluator::valuesOf(const Stm& stm) {
  return base::match(stm.expr, [&](const auto& node) { return Data(evaluated(stm, node)); });
}

Data Evaluator::evaluated(const Stm&, const Literal& e) { return {Datum::of(e.value)}; }

Data Evaluator::evaluated(const Stm& stm, const PrimOp& e) {
  std::vector<Scalar> args;
  for (const Operand& arg : e.args) args.push_back(get(arg).scalar());
  const prim::Folded folded = prim::fold(e.op, e.type, args);
  if (const auto* value = std::get_if<Scalar>(&folded)) return {Datum::of(*value)};
  fail(stm, "division by zero");
}

Data Evaluator::evaluated(const Stm&, const Convert& e) {
  return {Datum::of(prim::convert(e.kind, e.to, get(e.arg).scalar()))};
}

Data Evaluator::evaluated(const Stm&, const Select& e) {
  return {get(get(e.condition).scalar().asBool() ? e.on_true : e.on_false)};
}

Data Evaluator::evaluated(const Stm& stm, const Assert& e) {
  if (!get(e.condition).scalar().asBool()) fail(stm, "assert");
  return {};
}

Data Evaluator::evaluated(const Stm&, const Match& e) {
  const Scalar value = get(e.scrutinee).scalar();
  for (const Case& one : e.cases) {
    if (one.value == value) return run(one.body);
  }
  return run(e.otherwise);
}

Data Evaluator::evaluated(const Stm&, const Loop& e) {
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

Data Evaluator::evaluated(const Stm&, const Call& e) {
  const std::optional<Move> move = moveOf(e.function);
  if (!move) return call(e.function, get(e.args));
  if (!moving_) throw Stop{End::kWrong, "a move without ranks"};
  auto moved = moving_(*move, get(e.args));
  if (!moved) throw Stop{End::kWrong, "another rank has ended"};
  return std::move(*moved);
}

Evaluation evaluate(const Program& program, const std::string& entry,
                    const std::vector<Datum>& arguments, int64_t most_steps, const Moving& moving) {
  Evaluation evaluation;
  try {
    evaluation.results = Evaluator(program, most_steps, moving).call(entry, arguments);
  } catch (const Stop& stop) {
    evaluation.end = stop.end;
    evaluation.text = stop.text;
  }
  return evaluation;
}

}  // namespace halo::core

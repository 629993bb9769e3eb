// `match`: a pattern tests tags and scalars of the scrutinee, and looking at those is free of
// effects (payload leaves of other constructors exist). So all tests come first, and one flat Match
// picks the case. Its scrutinee is a tag or scalar if the cases look at nothing else, else the
// number of the first case whose tests hold. Cases that are known not to hold are not lowered.
#include <algorithm>
#include <array>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"
#include "lang/prim/fold.h"

namespace halo::lower {

namespace {

struct Test {  // `on == value`
  Operand on;
  prim::Scalar value;
};
struct LiveCase {
  const syntax::MatchCase* node;
  std::vector<Test> tests;  // all of them; none: it always holds
};

bool equalScalars(const prim::Scalar& a, const prim::Scalar& b) {
  const prim::Folded same = prim::fold(Op::kEq, a.type, std::array{a, b});
  return std::get<prim::Scalar>(same).asBool();
}

class MatchLowering {
 public:
  MatchLowering(Lowering& lowering, ExprId id, const syntax::MatchExpr& node, Frame& frame)
      : lowering_(lowering), source_(lowering.source), id_(id), node_(node), frame_(frame) {}

  StaticValue run() {
    value_ = lowering_.lower(node_.scrutinee, frame_);
    findLiveCases();
    if (cases_.size() == 1) {
      lowering_.bindPattern(cases_[0].node->pattern, value_, frame_);
      return lowering_.lower(cases_[0].node->body, frame_);
    }
    type_ = source_.type_of.at(id_);
    lowering_.evalKnownSizes(type_, binders(), frame_);
    const Operand common = commonOperand();
    core::Match match = common.isConstant() ? onNumbers() : onOperand(common);
    std::vector<ValueId> results;
    const StaticValue value = lowering_.bindJoined(type_, binders(), frame_, results);
    lowering_.builder().append({std::move(results), std::move(match), false, {}});
    return value;
  }

 private:
  const std::vector<BinderId>& binders() const { return source_.binds.at(id_); }

  // Cases are exhaustive, so the last one needs no tests.
  void findLiveCases() {
    for (const syntax::MatchCase& node : node_.cases) {
      LiveCase live{&node, {}};
      if (!collect(node.pattern, value_, live.tests)) continue;
      const bool always = live.tests.empty();
      cases_.push_back(std::move(live));
      if (always) break;
    }
    HALO_CHECK(!cases_.empty(), "lower: a match that no case fits");
    cases_.back().tests.clear();
  }

  // False if the pattern is known not to fit.
  bool collect(syntax::PatternId id, const StaticValue& value, std::vector<Test>& tests) {
    const auto all = [&](const auto& patterns, const auto& valueOf) {
      for (size_t i = 0; i < patterns.size(); ++i) {
        if (!collect(patterns[i], valueOf(i), tests)) return false;
      }
      return true;
    };
    return base::match(
        source_.tree.patterns[id].node, [](const syntax::PatternName&) { return true; },
        [](const syntax::PatternWildcard&) { return true; },
        [&](const syntax::PatternTuple& n) {
          return all(n.elements, [&](size_t i) { return field(value, std::to_string(i)); });
        },
        [&](const syntax::PatternRecord& n) {
          return std::all_of(n.fields.begin(), n.fields.end(), [&](const auto& part) {
            return collect(part.second, field(value, part.first.name), tests);
          });
        },
        [&](const syntax::PatternTyped& n) { return collect(n.pattern, value, tests); },
        [&](const syntax::PatternAttributed& n) { return collect(n.pattern, value, tests); },
        [&](const syntax::PatternConstructor& n) {
          if (!collectTag(n.name.name, value, tests)) return false;
          const std::vector<StaticValue> payload = payloadIn(value, n.name.name);
          return all(n.payload, [&](size_t i) { return payload[i]; });
        },
        [&](const syntax::PatternLiteral& n) {
          return add(*value.scalar(), literal(n.value), tests);
        });
  }

  bool collectTag(const std::string& name, const StaticValue& value, std::vector<Test>& tests) {
    if (const ConstructedValue* known = value.constructed()) {
      return known->type->sum()->number(name) == known->constructor;
    }
    const MonoSum& type = *value.sum()->type->sum();
    return !type.hasTag() || add(value.sum()->leaves[0], tagOf(type, type.number(name)), tests);
  }

  prim::Scalar literal(ExprId id) const {
    const syntax::ExprNode& node = source_.tree.exprs[id].node;
    if (const auto* parens = std::get_if<syntax::Parenthesised>(&node))
      return literal(parens->value);
    if (const auto* known = std::get_if<syntax::BoolLiteral>(&node)) {
      return prim::Scalar::ofBool(known->value);
    }
    HALO_CHECK(source_.literal_of.at(id).has_value(), "lower: a literal pattern without a value");
    return *source_.literal_of.at(id);
  }

  static bool add(const Operand& on, const prim::Scalar& value, std::vector<Test>& tests) {
    if (on.isConstant()) return equalScalars(on.constant, value);
    tests.push_back({on, value});
    return true;
  }

  // The operand that every case but the last looks at, if it is one and not a float; else a
  // constant.
  Operand commonOperand() const {
    const auto first = cases_.front().tests.front();
    if (prim::isFloat(first.value.type)) return {};
    const bool common = std::all_of(cases_.begin(), cases_.end() - 1, [&](const LiveCase& live) {
      return live.tests.size() == 1 && live.tests[0].on == first.on;
    });
    return common ? first.on : Operand();
  }

  core::Match onOperand(const Operand& on) {
    core::Match match{on, {}, {}};
    std::vector<prim::Scalar> seen;
    for (size_t i = 0; i + 1 < cases_.size(); ++i) {
      const prim::Scalar& value = cases_[i].tests[0].value;
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;  // never gets here
      seen.push_back(value);
      match.cases.push_back({value, body(cases_[i])});
    }
    match.otherwise = body(cases_.back());
    return match;
  }

  core::Match twoWay() {
    core::Match match{condition(cases_[0].tests), {}, {}};
    match.cases.push_back({prim::Scalar::ofBool(true), body(cases_[0])});
    match.otherwise = body(cases_[1]);
    return match;
  }

  core::Match onNumbers() {
    const auto last = static_cast<int64_t>(cases_.size()) - 1;
    if (last == 1) return twoWay();
    Operand number = prim::Scalar::ofSigned(ScalarType::kI32, last);
    for (int64_t i = last - 1; i >= 0; --i) {
      const Operand here = prim::Scalar::ofSigned(ScalarType::kI32, i);
      const Operand holds = condition(cases_[static_cast<size_t>(i)].tests);
      number = lowering_.bind({ScalarType::kI32, {}}, core::Select{holds, here, number});
    }
    core::Match match{number, {}, {}};
    for (int64_t i = 0; i < last; ++i) {
      match.cases.push_back(
          {prim::Scalar::ofSigned(ScalarType::kI32, i), body(cases_[static_cast<size_t>(i)])});
    }
    match.otherwise = body(cases_.back());
    return match;
  }

  Operand condition(const std::vector<Test>& tests) {
    Operand holds = prim::Scalar::ofBool(true);
    for (const Test& test : tests) {
      const ScalarType type = test.value.type;
      const Operand same = type == ScalarType::kBool && test.value.asBool()
                               ? test.on
                               : lowering_.prim(Op::kEq, type, {test.on, test.value});
      holds = lowering_.both(holds, same);
    }
    return holds;
  }

  core::Body body(const LiveCase& live) {
    lowering_.openBody();
    lowering_.bindPattern(live.node->pattern, value_, frame_);
    const StaticValue value = lowering_.lower(live.node->body, frame_);
    return lowering_.closeBody(
        lowering_.joined(value, type_, binders(), lowering_.spanOf(id_, frame_), frame_));
  }

  Lowering& lowering_;
  const types::Program& source_;
  ExprId id_;
  const syntax::MatchExpr& node_;
  Frame& frame_;
  StaticValue value_;
  types::TypeId type_;
  std::vector<LiveCase> cases_;
};

}  // namespace

StaticValue Lowering::lowerMatch(ExprId id, const syntax::MatchExpr& node, Frame& frame) {
  return MatchLowering(*this, id, node, frame).run();
}

}  // namespace halo::lower

// Binding names: patterns split static values, sizes are read off the types of values.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/lower/lowering.h"

namespace halo::lower {

void Lowering::bindNamed(BinderId binder, const StaticValue& value, Frame& frame) {
  nameLeaves(value, source.binders[binder].name);
  frame.binders.insert_or_assign(binder, value);
}

// A value that has no name yet takes the first one the program gives it; dumps read better.
void ValueEmission::nameLeaves(const StaticValue& value, const std::string& wanted) {
  const auto each = [&](const std::vector<StaticValue>& parts) {
    for (const StaticValue& part : parts) nameLeaves(part, wanted);
  };
  base::match(
      value.node, [&](const RecordValue& record) { each(record.fields); },
      [&](const ConstructedValue& sum) { each(sum.payload); }, [](const ClosureRef&) {},
      base::otherwise([&](const auto&) {
        Operands leaves;
        appendLeaves(value, leaves);
        for (const Operand& leaf : leaves) {
          if (leaf.isConstant()) continue;
          std::string& name = out.values[leaf.value].name;
          if (name == "t" || name == "x") name = wanted;
        }
      }));
}

void Lowering::bindPattern(syntax::PatternId id, const StaticValue& value, Frame& frame) {
  base::match(
      source.tree.patterns[id].node,
      [&](const syntax::PatternName&) { bindNamed(source.binder_of.at(id), value, frame); },
      [](const syntax::PatternWildcard&) {},
      [&](const syntax::PatternTuple& n) {
        for (size_t i = 0; i < n.elements.size(); ++i) {
          bindPattern(n.elements[i], field(value, std::to_string(i)), frame);
        }
      },
      [&](const syntax::PatternRecord& n) {
        for (const auto& [name, pattern] : n.fields) {
          bindPattern(pattern, field(value, name.name), frame);
        }
      },
      [&](const syntax::PatternTyped& n) { bindPattern(n.pattern, value, frame); },
      [&](const syntax::PatternConstructor& n) {
        const std::vector<StaticValue> payload = payloadIn(value, n.name.name);
        for (size_t i = 0; i < payload.size(); ++i) bindPattern(n.payload[i], payload[i], frame);
      },
      [](const syntax::PatternLiteral&) {},
      [&](const syntax::PatternAttributed& n) { bindPattern(n.pattern, value, frame); });
}

namespace {

// Walks a type and the value's type together; the first place of a binder gives its size.
class SizeMatcher {
 public:
  SizeMatcher(const types::Program& program, const std::vector<BinderId>& binders, Frame& frame)
      : program_(program), left_(binders), frame_(frame) {}

  void run(types::TypeId type, const MonoTypeRef& found) {
    if (left_.empty()) return;
    base::match(
        program_.types[type], [](const types::ScalarTypeNode&) {},
        [&](const types::ArrayType& n) {
          HALO_CHECK(found->array() != nullptr,
                     "lower: a value that is no array has an array type");
          bindSize(n.size, found->array()->size);
          run(n.element, found->array()->element);
        },
        [&](const types::RecordType& n) {
          HALO_CHECK(found->record() != nullptr, "lower: a value that is no record has its type");
          for (size_t i = 0; i < n.fields.size(); ++i) run(n.fields[i], found->record()->fields[i]);
        },
        [&](const types::SumType& n) {
          HALO_CHECK(found->sum() != nullptr, "lower: a value that is no sum has its type");
          for (size_t c = 0; c < n.payloads.size(); ++c) {
            for (size_t i = 0; i < n.payloads[c].size(); ++i) {
              run(n.payloads[c][i], found->sum()->payloads[c][i]);
            }
          }
        },
        [](const types::FunctionType&) {}, [](const types::ParamType&) {});
  }

 private:
  void bindSize(types::SizeId size, const Operand& found) {
    const auto* binder = std::get_if<types::SizeBinder>(&program_.sizes[size]);
    if (binder == nullptr) return;
    const auto at = std::find(left_.begin(), left_.end(), binder->binder);
    if (at == left_.end()) return;
    frame_.binders.insert_or_assign(binder->binder, StaticValue{found});
    left_.erase(at);
  }

  const types::Program& program_;
  std::vector<BinderId> left_;
  Frame& frame_;
};

}  // namespace

void Lowering::bindSizes(types::TypeId type, const StaticValue& value,
                         const std::vector<BinderId>& binders, Frame& frame) {
  if (binders.empty()) return;
  SizeMatcher(source, binders, frame).run(type, typeOf(value));
}

}  // namespace halo::lower

// The walk over a static value; captured variables of lambdas are those that their code mentions.
#include "lang/lower/functions/rebuild.h"

#include "lang/base/match.h"

namespace halo::lower {

MonoTypeRef Rebuild::type(const MonoTypeRef& type) {
  return base::match(
      type->node,
      [&](const ScalarType& scalar) {
        shape += prim::name(scalar);
        return type;
      },
      [&](const MonoArray& array) {
        shape += '[';
        const Operand size = size_(array.size);
        shape += ']';
        return arrayType(size, this->type(array.element));
      },
      [&](const MonoRecord& record) {
        MonoRecord result{record.names, {}};
        shape += '{';
        for (size_t i = 0; i < record.fields.size(); ++i) {
          shape += record.names[i] + ":";
          result.fields.push_back(this->type(record.fields[i]));
          shape += ',';
        }
        shape += '}';
        return recordType(std::move(result.names), std::move(result.fields));
      },
      [&](const MonoSum& sum) {
        std::vector<std::vector<MonoTypeRef>> payloads;
        for (size_t c = 0; c < sum.payloads.size(); ++c) {
          shape += '#' + sum.constructors[c];
          payloads.emplace_back();
          for (const MonoTypeRef& part : sum.payloads[c]) {
            shape += ' ';
            payloads.back().push_back(this->type(part));
          }
        }
        shape += ';';
        return sumType(sum.constructors, std::move(payloads));
      },
      [&](const MonoFunction&) {
        shape += "->";
        return type;
      });
}

StaticValue Rebuild::value(const StaticValue& value) {
  return base::match(
      value.node,
      [&](const Operand& scalar) -> StaticValue {
        const core::Type type = lowering_.out.type(scalar);
        shape += prim::name(type.scalar);
        return {leaf_(scalar, type)};
      },
      [&](const ArrayValue& array) -> StaticValue {
        ArrayValue result{type(array.type), {}};
        const std::vector<core::Type> leaf_types = leafTypes(result.type);
        for (size_t i = 0; i < array.leaves.size(); ++i) {
          result.leaves.push_back(leaf_(array.leaves[i], leaf_types[i]).value);
        }
        return {std::move(result)};
      },
      [&](const RecordValue& record) -> StaticValue {
        RecordValue result{record.names, {}};
        shape += '(';
        for (size_t i = 0; i < record.fields.size(); ++i) {
          shape += record.names[i] + "=";
          result.fields.push_back(this->value(record.fields[i]));
          shape += ',';
        }
        shape += ')';
        return {std::move(result)};
      },
      [&](const SumValue& sum) -> StaticValue {
        SumValue result{type(sum.type), {}};
        const std::vector<core::Type> leaf_types = leafTypes(result.type);
        for (size_t i = 0; i < sum.leaves.size(); ++i) {
          result.leaves.push_back(leaf_(sum.leaves[i], leaf_types[i]));
        }
        return {std::move(result)};
      },
      [&](const ConstructedValue& sum) -> StaticValue {
        shape += '!' + std::to_string(sum.constructor);
        ConstructedValue result{type(sum.type), sum.constructor, {}};
        for (const StaticValue& part : sum.payload) {
          shape += ' ';
          result.payload.push_back(this->value(part));
        }
        shape += ';';
        return {std::move(result)};
      },
      [&](const ClosureRef& ref) -> StaticValue { return {closure(*ref)}; });
}

Instantiation Rebuild::instantiation(const Instantiation& instantiation) {
  const Instantiation known = lowering_.evaluate(instantiation);
  Instantiation result;
  shape += '<';
  for (const MonoTypeRef& argument : known.types) {
    result.types.push_back(type(argument));
    shape += ',';
  }
  for (const Operand& argument : known.sizes) {
    result.sizes.push_back(size_(argument));
    shape += ',';
  }
  shape += '>';
  return result;
}

CodeClosure Rebuild::code(const CodeClosure& code) {
  const Names& names = lowering_.freeNames(code.expr);
  shape += "code" + std::to_string(code.expr.index) + (code.frame->prelude ? "p{" : "{");
  Frame& frame = lowering_.newFrame(nullptr, code.frame->prelude, code.frame->site);
  for (BinderId binder : names.binders) {
    const StaticValue* captured = code.frame->find(binder);
    if (captured == nullptr) continue;  // a name inside a function type
    shape += std::to_string(binder.index) + '=';
    frame.binders.insert_or_assign(binder, value(*captured));
    shape += ',';
  }
  for (TypeParamId parameter : names.type_params) {
    const MonoTypeRef* captured = code.frame->find(parameter);
    if (captured == nullptr) continue;
    shape += '\'' + std::to_string(parameter.index) + '=';
    frame.type_params[parameter] = type(*captured);
    shape += ',';
  }
  if (code.hole_type) shape += '?' + std::to_string(code.hole_type.index);
  shape += '}';
  return {code.expr, &frame, code.hole_type};
}

ClosureRef Rebuild::closure(const Closure& closure) {
  Closure result = closure;
  base::match(
      result.code, [&](CodeClosure& c) { c = code(c); },
      [&](DefClosure& c) { shape += "def" + std::to_string(c.def.index); },
      [&](PrimClosure& c) {
        shape += std::string(prim::name(c.meaning.type)) + '.' +
                 std::string(prim::info(c.meaning.op).name);
      },
      [&](EqualityClosure& c) { shape += c.negated ? "!=" : "=="; },
      [&](LogicClosure& c) { shape += c.logic == types::Logic::kAnd ? "&&" : "||"; },
      [&](FlippedClosure& c) {
        shape += "flip";
        for (StaticValue& operand : c.operands) operand = value(operand);
      },
      [&](ProjectClosure& c) {
        for (const std::string& name : c.path) shape += '.' + name;
      },
      [&](IndexClosure& c) {
        const auto rebuilt = [&](std::optional<Operand>& operand) {
          shape += operand ? ':' : '_';
          if (operand) operand = *value({*operand}).scalar();
        };
        shape += "index" + std::to_string(c.span.begin);
        for (IndexValue& part : c.parts) {
          if (!part.is_slice) part.index = *value({part.index}).scalar();
          rebuilt(part.start);
          rebuilt(part.end);
          rebuilt(part.stride);
        }
      });
  // Prelude code reports failures where the closure was made, so the place is part of its identity.
  if (closure.site && lowering_.isPreludeCode(closure)) {
    shape += '@' + std::to_string(closure.site->file.index) + ':' +
             std::to_string(closure.site->begin) + '-' + std::to_string(closure.site->end);
  }
  if (closure.flattening.any()) shape += '%' + std::to_string(closure.flattening.bits);
  result.instantiation = instantiation(closure.instantiation);
  for (StaticValue& arg : result.args) {
    shape += ';';
    arg = value(arg);
  }
  return std::make_shared<const Closure>(std::move(result));
}

}  // namespace halo::lower

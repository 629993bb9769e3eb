// Finished programs as text (stage `types`), and small questions about types.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/print/printer.h"
#include "lang/types/checked.h"

namespace halo::types {

namespace {

// How tightly the context binds: a function type in an argument position needs parentheses.
enum class Place { kFree, kParameter };

std::string printSize(const Program& program, SizeId size, bool inside_product) {
  return base::match(
      program.sizes[size], [](const SizeConst& constant) { return std::to_string(constant.value); },
      [&](const SizeBinder& binder) { return program.binders[binder.binder].name; },
      [&](const SizeArith& arith) {
        bool is_product = arith.op == SizeOp::kMul;
        const char* op = is_product ? "*" : arith.op == SizeOp::kAdd ? "+" : "-";
        std::string text = printSize(program, arith.lhs, is_product) + op +
                           printSize(program, arith.rhs, is_product || arith.op == SizeOp::kSub);
        return inside_product && !is_product ? "(" + text + ")" : text;
      },
      [&](const SizeExpression& expression) {
        std::string text = syntax::print(program.tree, expression.value);
        bool is_wide = text.find(' ') != std::string::npos;
        return is_wide ? "(" + text + ")" : text;
      });
}

std::string printType(const Program& program, TypeId type, Place place);

std::string printRecord(const Program& program, const RecordType& record) {
  bool is_tuple = record.names.empty() || record.names[0] == "0";
  std::string text;
  for (size_t i = 0; i < record.fields.size(); ++i) {
    if (i > 0) text += ", ";
    if (!is_tuple) text += record.names[i] + ": ";
    text += printType(program, record.fields[i], Place::kFree);
  }
  return is_tuple ? "(" + text + ")" : "{" + text + "}";
}

std::string printFunction(const Program& program, const FunctionType& function) {
  std::string text = function.consumes ? "*" : "";
  text += printType(program, function.parameter, Place::kParameter);
  if (function.parameter_name) {
    text = "(" + program.binders[*function.parameter_name].name + ": " + text + ")";
  }
  text += " -> ";
  if (!function.existentials.empty()) {
    text += "?";
    for (BinderId binder : function.existentials) text += "[" + program.binders[binder].name + "]";
    text += ".";
  }
  return text + printType(program, function.result, Place::kFree);
}

std::string printType(const Program& program, TypeId type, Place place) {
  return base::match(
      program.types[type],
      [](const ScalarTypeNode& scalar) { return std::string(prim::name(scalar.scalar)); },
      [&](const ArrayType& array) {
        return "[" + printSize(program, array.size, false) + "]" +
               printType(program, array.element, Place::kParameter);
      },
      [&](const RecordType& record) { return printRecord(program, record); },
      [&](const FunctionType& function) {
        std::string text = printFunction(program, function);
        return place == Place::kParameter ? "(" + text + ")" : text;
      },
      [&](const ParamType& param) {
        std::string text = program.type_params[param.parameter].name;
        for (SizeId size : param.sizes) text += " [" + printSize(program, size, false) + "]";
        for (TypeId argument : param.types) {
          text += " " + printType(program, argument, Place::kParameter);
        }
        return text;
      },
      [&](const SumType& sum) {
        std::string text;
        for (size_t i = 0; i < sum.constructors.size(); ++i) {
          text += (i > 0 ? " | #" : "#") + sum.constructors[i];
          for (TypeId part : sum.payloads[i]) {
            text += " " + printType(program, part, Place::kParameter);
          }
        }
        return place == Place::kParameter ? "(" + text + ")" : text;
      });
}

void printDef(const Program& program, const Def& def, std::string& text) {
  text += def.is_entry ? "entry " : def.built_in ? "val " : "def ";
  text += def.name;
  for (BinderId size : def.size_parameters) text += " [" + program.binders[size].name + "]";
  for (TypeParamId param : def.type_parameters) text += " '" + program.type_params[param].name;
  text += ": " + print(program, def.type) + "\n";
}

}  // namespace

std::string print(const Program& program, TypeId type) {
  return printType(program, type, Place::kFree);
}

std::string print(const Program& program, SizeId size) { return printSize(program, size, false); }

std::string print(const Program& program) {
  std::string text;
  for (const Def& def : program.defs) {
    const bool is_accepted = def.type.valid();  // attempts at one are definitions, too
    if (!def.is_prelude && is_accepted) printDef(program, def, text);
  }
  return text;
}

// A redefinition shadows: the latest one counts.
std::optional<DefId> Program::findEntry(const std::string& name) const {
  for (size_t i = defs.size(); i-- > 0;) {
    const Def& def = defs[DefId(i)];
    if (def.is_entry && def.name == name) return DefId(i);
  }
  return std::nullopt;
}

std::vector<DefId> Program::entries() const {
  std::vector<DefId> found;
  for (size_t i = 0; i < defs.size(); ++i) {
    const Def& def = defs[DefId(i)];
    if (def.is_entry && findEntry(def.name) == DefId(i)) found.emplace_back(i);
  }
  return found;
}

}  // namespace halo::types

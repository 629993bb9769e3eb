// Types under inference as they are shown in messages: an unknown prints as its possible types.
#include "lang/types/infer/print_inference.h"

#include "lang/base/match.h"
#include "lang/syntax/print/printer.h"

namespace halo::types {

namespace {

std::string describe(Allowed allowed) {
  if (allowed == kAnyType) return "_";
  if ((allowed & ~allowedAt(prim::Operands::kFloat)) == 0) return "float";
  if ((allowed & ~allowedAt(prim::Operands::kInt)) == 0) return "integer";
  if ((allowed & ~allowedAt(prim::Operands::kNum)) == 0) return "number";
  const Allowed bits = allowedAt(prim::Operands::kInt) | allow(prim::ScalarType::kBool);
  if ((allowed & ~bits) == 0) return "integer or bool";
  return "scalar";
}

std::string onOneLine(const std::string& text) {
  std::string line;
  for (char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || line.empty() || line.back() != ' ') line += is_space ? ' ' : c;
  }
  return line;
}

template <typename PrintAtom>
std::string printTerm(const SizeTerm& term, bool negate, PrintAtom&& printAtom) {
  int64_t factor = negate ? -term.factor : term.factor;
  std::string text;
  if (factor != 1 || term.atoms.empty()) text = std::to_string(factor);
  for (SizeAtom atom : term.atoms) {
    if (!text.empty()) text += "*";
    text += printAtom(atom);
  }
  return text;
}

}  // namespace

// `k-(n-m)`, `(a+1)*b`
std::string TypePrinter::printForm(const WrittenSize& form) {
  const bool is_product = form.op == SizeOp::kMul;
  auto part = [&](const Size& size, bool is_right) {
    const std::string text = print(size);
    const bool is_sum = size.written && size.written->op && size.written->op != SizeOp::kMul;
    const bool is_open = is_sum ? is_product || is_right : !size.written && size.terms.size() > 1;
    return is_open ? "(" + text + ")" : text;
  };
  const char* op = is_product ? "*" : form.op == SizeOp::kAdd ? "+" : "-";
  return part(form.lhs, false) + op + part(form.rhs, true);
}

std::string TypePrinter::print(SizeExprId id) {
  const SizeExpr node = sizes_.expression(id);
  if (node.variable) return program_.binders[*node.variable].name;
  auto text = [&](size_t i) {
    auto* size = std::get_if<Size>(&node.parts[i]);
    std::string part = size ? print(*size) : print(std::get<SizeExprId>(node.parts[i]));
    return part.find_first_of(" +-*/") == std::string::npos ? part : "(" + part + ")";
  };
  const syntax::ExprNode& expr = program_.tree.exprs[node.prototype].node;
  if (std::holds_alternative<syntax::Lambda>(expr)) {
    return "(" + onOneLine(syntax::print(program_.tree, node.prototype)) + ")";
  }
  if (std::holds_alternative<syntax::Apply>(expr)) {
    auto* size = std::get_if<Size>(&node.parts[0]);
    std::string function = size ? print(*size) : print(std::get<SizeExprId>(node.parts[0]));
    return function + " " + text(1);
  }
  if (auto* binary = std::get_if<syntax::Binary>(&expr)) return text(0) + binary->op.name + text(1);
  if (auto* unary = std::get_if<syntax::Unary>(&expr)) return unary->op + text(0);
  if (auto* project = std::get_if<syntax::Project>(&expr))
    return text(0) + "." + project->field.name;
  return syntax::print(program_.tree, node.prototype);
}

std::string TypePrinter::print(const Size& unresolved) {
  const Size size = sizes_.resolve(unresolved);
  if (size.written && size.written->op) return printForm(*size.written);
  if (size.terms.empty()) return "0";
  std::string text;
  for (const SizeTerm& term : size.terms) {
    bool negate = !text.empty() && term.factor < 0;
    if (!text.empty()) text += negate ? "-" : "+";
    text += printTerm(term, negate, [&](SizeAtom atom) -> std::string {
      if (atom.is_unknown) return "_";
      if (!atom.is_expression) return program_.binders[BinderId(atom.index)].name;
      std::string inner = print(SizeExprId(atom.index));
      bool is_alone = size.terms.size() == 1 && term.atoms.size() == 1 && term.factor == 1;
      return is_alone ? inner : "(" + inner + ")";
    });
  }
  return text;
}

std::string TypePrinter::print(TypeRef type) {
  const InferNode node = types_.node(type);
  auto printPart = [&](TypeRef part) {
    std::string text = print(part);
    bool is_wide =
        types_.as<InferFunction>(part) != nullptr || types_.as<InferSum>(part) != nullptr;
    return is_wide ? "(" + text + ")" : text;
  };
  return base::match(
      node,
      [&](const UnknownType& unknown) {
        const Row* row = types_.rowOf(type);
        if (!row) return describe(unknown.allowed);
        std::string text;
        for (const auto& [name, payload] : row->constructors) {
          text += "#" + name;
          for (TypeRef part : payload) text += " " + printPart(part);
          text += " | ";
        }
        return text + "..";
      },
      [](const Poison&) { return std::string("_"); },
      [](const ScalarTypeNode& scalar) { return std::string(prim::name(scalar.scalar)); },
      [&](const InferParam& param) {
        std::string text = program_.type_params[param.parameter].name;
        for (const Size& size : param.sizes) text += " [" + print(size) + "]";
        for (TypeRef argument : param.types) text += " " + printPart(argument);
        return text;
      },
      [&](const InferSum& sum) {
        std::string text;
        for (size_t i = 0; i < sum.constructors.size(); ++i) {
          text += (i > 0 ? " | #" : "#") + sum.constructors[i];
          for (TypeRef part : sum.payloads[i]) text += " " + printPart(part);
        }
        return text;
      },
      [&](const InferArray& array) {
        return "[" + print(array.size) + "]" + printPart(array.element);
      },
      [&](const InferRecord& record) {
        bool is_tuple = record.names.empty() || record.names[0] == "0";
        std::string text;
        for (size_t i = 0; i < record.fields.size(); ++i) {
          if (i > 0) text += ", ";
          if (!is_tuple) text += record.names[i] + ": ";
          text += print(record.fields[i]);
        }
        return is_tuple ? "(" + text + ")" : "{" + text + "}";
      },
      [&](const InferFunction& function) {
        std::string text = printPart(function.parameter);
        if (function.parameter_name) {
          text = "(" + program_.binders[*function.parameter_name].name + ": " + text + ")";
        }
        text += " -> ";
        for (BinderId binder : function.existentials) {
          text += "?[" + program_.binders[binder].name + "].";
        }
        return text + print(function.result);
      });
}

}  // namespace halo::types

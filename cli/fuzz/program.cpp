// Printing. A test block without expectations: `halo test` compares the engines with each other.
#include "cli/fuzz/program.h"

#include <algorithm>

namespace halo::fuzz {

namespace {

// The elements of an array of this shape, nested; `next` counts them.
std::string nested(const Type& type, const Input& input, const std::vector<std::string>& elements,
                   size_t* next) {
  if (type.isScalar()) return elements[(*next)++];
  const int64_t count = type.name == "n" ? input.n : input.m;
  std::string out = "[";
  for (int64_t i = 0; i < count; ++i) {
    out += (i > 0 ? ", " : "") + nested(type.element(), input, elements, next);
  }
  return out + "]";
}

std::string valueText(const Type& type, const Input& input,
                      const std::vector<std::string>& elements) {
  if (type.isArray() && elements.empty()) {
    std::string dims;
    const Type* at = &type;
    for (; at->isArray(); at = &at->element()) {
      dims += "[" + std::to_string(at->name == "n" ? input.n : input.m) + "]";
    }
    return "empty(" + dims + at->name + ")";
  }
  size_t next = 0;
  return nested(type, input, elements, &next);
}

std::string resultsOf(const Program& program, Identities identities) {
  std::string out = " =\n  (";
  for (size_t i = 0; i < program.results.size(); ++i) {
    out += (i > 0 ? ",\n   " : "") + text(program.results[i], identities);
  }
  return out + ")\n";
}

// `def name` with the program's sizes and parameters, up to the `=`.
std::string headOf(const Program& program, const std::string& definition) {
  std::string sizes, parameters;
  for (const std::string size : {"n", "m"}) {
    for (const Parameter& parameter : program.parameters) {
      if (!mentions(parameter.type, size)) continue;
      sizes += " [" + size + "]";
      break;
    }
  }
  for (const Parameter& parameter : program.parameters) {
    parameters += " (" + parameter.name + ": " + text(parameter.type) + ")";
  }
  return definition + sizes + parameters;
}

bool isVaried(const Parameter& parameter) {
  const Type* at = &parameter.type;
  while (at->isArray()) at = &at->element();
  return at->isFloat();
}

// A direction of whole numbers from -1 to 1.
std::string direction(const Type& type, int depth = 0) {
  if (type.isArray()) {
    return "tabulate " + type.name + " (\\i" + std::to_string(depth) + " -> " +
           direction(type.element(), depth + 1) + ")";
  }
  if (depth == 0) return type.name + ".i64 1";
  std::string sum = "i0";
  for (int d = 1; d < depth; ++d) sum += " + i" + std::to_string(d);
  return type.name + ".i64 ((" + sum + ") % 3 - 1)";
}

// By its float parameters: integers that see the bits of sums depend on the order of reductions.
std::string derivativesOfPrimal(const Program& program) {
  std::string pattern, directions;
  for (const Parameter& parameter : program.parameters) {
    if (!isVaried(parameter)) continue;
    pattern += (pattern.empty() ? "" : ", ") + parameter.name;
    directions += (directions.empty() ? "" : ", ") + direction(parameter.type);
  }
  const std::string x = "(" + pattern + ")", u = "(" + directions + ")";
  std::string call = "primal";
  for (const Parameter& parameter : program.parameters) call += " " + parameter.name;
  const std::string f = "(\\" + x + " -> " + call + ")";
  return "  let (y, y') = jvp2 " + f + " " + x + " " + u + "\n  let (z, x') = vjp2 " + f + " " + x +
         " y'\n  in (y, y', z, x', vjp " + f + " " + x + " y,\n      jvp (\\at -> vjp " + f +
         " at y) " + x + " " + u + ")\n";
}

}  // namespace

std::string text(const Node& node, Identities identities) {
  std::string out;
  size_t next = 0;
  for (const char c : node.text) {
    if (c == '$') {
      out += text(node.children[next++], identities);
    } else {
      out += c;
    }
  }
  if (identities == Identities::kLeftOut || node.identity.empty()) return out;
  std::string around;
  for (const char c : node.identity) around += c == '$' ? out : std::string{c};
  return around;
}

size_t size(const Node& node) {
  size_t count = 1;
  for (const Node& child : node.children) count += size(child);
  return count;
}

std::string text(const Program& program, Style style) {
  // Reverse mode adds up in an order of its own.
  std::string out = style == Style::kDerivatives ? "-- tolerance: 1e-6\n-- ==\n" : "-- ==\n";
  if (style == Style::kRewritten) out += "-- entry: main rewritten\n";
  for (const Input& input : program.inputs) {
    out += "-- input {";
    for (size_t i = 0; i < program.parameters.size(); ++i) {
      out += " " + valueText(program.parameters[i].type, input, input.elements[i]);
    }
    out += " }\n";
  }
  out += "\n";
  for (const std::string& definition : program.library) out += definition + "\n";
  for (const Definition& helper : program.helpers) {
    out += helper.head + " =\n  " + text(helper.body) + "\n";
  }
  const bool is_plain =
      style != Style::kDerivatives ||
      std::none_of(program.parameters.begin(), program.parameters.end(), isVaried);
  // The same, written in one of two ways.
  const char* const main = program.parameters.size() % 2 == 0 ? "def main" : "entry main";
  out += headOf(program, is_plain ? main : "def primal") + resultsOf(program, Identities::kLeftOut);
  if (style == Style::kRewritten) {
    out += headOf(program, "entry rewritten") + resultsOf(program, Identities::kWritten);
  }
  if (is_plain) return out;
  return out + headOf(program, main) + " =\n" + derivativesOfPrimal(program);
}

}  // namespace halo::fuzz

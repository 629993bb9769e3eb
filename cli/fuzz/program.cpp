// Printing. A test block without expectations: `halo test` compares the engines with each other.
#include "cli/fuzz/program.h"

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

}  // namespace

std::string text(const Node& node) {
  std::string out;
  size_t next = 0;
  for (const char c : node.text) {
    if (c == '$') {
      out += text(node.children[next++]);
    } else {
      out += c;
    }
  }
  return out;
}

size_t size(const Node& node) {
  size_t count = 1;
  for (const Node& child : node.children) count += size(child);
  return count;
}

std::string text(const Program& program) {
  std::string out = "-- ==\n";
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
  out += "def main" + sizes + parameters + " =\n  (";
  for (size_t i = 0; i < program.results.size(); ++i) {
    out += (i > 0 ? ",\n   " : "") + text(program.results[i]);
  }
  return out + ")\n";
}

}  // namespace halo::fuzz

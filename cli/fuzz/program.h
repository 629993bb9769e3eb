// A generated program: expressions as trees of text, so that they print as they are and shrink
// without knowledge of their meaning. The type checker tells programs from other trees.
#pragma once

#include <string>
#include <vector>

#include "cli/fuzz/type.h"

namespace halo::fuzz {

// `text` with one `$` for each child.
struct Node {
  Type type;
  std::string text;
  std::vector<Node> children;
  std::string identity = {};  // around the node where a program is rewritten; its `$` is the node
};

struct Parameter {
  std::string name;
  Type type;  // a scalar, or an array of scalars whose sizes are `n` and `m`
};

struct Definition {
  std::string head;  // up to the `=`
  Node body;
};

// Values of the parameters, as a test block has them: one list of elements for each parameter.
struct Input {
  int64_t n = 0, m = 0;
  std::vector<std::vector<std::string>> elements;
};

struct Program {
  std::vector<std::string> library;  // definitions that are no trees
  std::vector<Definition> helpers;
  std::vector<Parameter> parameters;
  std::vector<Node> results;
  std::vector<Input> inputs;
};

enum class Identities { kLeftOut, kWritten };
std::string text(const Node& node, Identities identities = Identities::kLeftOut);
size_t size(const Node& node);
// The form of `main`: the program, its derivatives, or the program and its rewritten form as two
// entries of one block. Derivatives are values and tangents of forward mode, cotangents weighted by
// both, and second order, forward over reverse.
enum class Style { kPlain, kDerivatives, kRewritten };
// The file: definitions, `main`, and a test block with the inputs.
std::string text(const Program& program, Style style = Style::kPlain);

}  // namespace halo::fuzz

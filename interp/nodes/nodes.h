// Products of preparation: one factory per kind of node. The classes are private to nodes_*.cpp.
// Operands are evaluated from left to right, but plain variables are read last. Nothing can tell,
// and a variable's last use may then hand its array over: `a with [i] = a[j]`.
#pragma once

#include <optional>

#include "interp/arrays/index.h"
#include "interp/function.h"
#include "lang/prim/fold.h"
#include "lang/syntax/ast.h"
#include "lang/types/checked.h"

namespace halo::interp {

using Nodes = std::vector<NodeRef>;

// Evaluates operands into places: variables last (see above).
template <typename Place>
void evalOperands(Frame& frame, const Nodes& operands, const Place& place) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]->isVariable()) operands[i]->evalTo(frame, place(i));
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i]->isVariable()) place(i) = operands[i]->eval(frame);
  }
}

// ---- nodes_scalar.cpp
NodeRef constantNode(Datum value);
// `take`: the last use; the reference moves out, so that an update may happen in place.
NodeRef slotNode(int slot, bool take);
NodeRef envNode(int index);
NodeRef primNode(prim::Op op, ScalarType type, Nodes operands, Site site);
// `first op second op third ..`, leaning to the left, in one node: it may be very long.
struct ChainStep {
  prim::Op op;
  ScalarType type;
  Site site;
  NodeRef rhs;
};
NodeRef primChainNode(NodeRef first, std::vector<ChainStep> steps);
NodeRef convertNode(prim::ConvertKind kind, ScalarType from, ScalarType to, NodeRef operand);
NodeRef logicNode(types::Logic logic, NodeRef lhs, NodeRef rhs);
NodeRef equalityNode(bool negated, NodeRef lhs, NodeRef rhs);

// ---- nodes_record.cpp
// `positions[i]`: the field that operand i becomes.
NodeRef recordNode(Nodes operands, std::vector<int> positions);
NodeRef fieldNode(NodeRef record, int field);
NodeRef recordUpdateNode(NodeRef record, std::vector<int> path, NodeRef value);
NodeRef sumNode(NodeRef type, size_t constructor, Nodes payload, Site site);

// ---- nodes_array.cpp
NodeRef arrayNode(Nodes elements, NodeRef element_type, Site site);
struct RangeParts {
  ScalarType type;
  syntax::RangeEnd end;
  NodeRef first, second, last;  // `second` may be null
};
NodeRef rangeNode(RangeParts parts, Site site);
NodeRef indexNode(NodeRef array, IndexList indices, Site site);
NodeRef updateNode(NodeRef array, IndexList indices, NodeRef value, Site site);

// ---- nodes_type.cpp
// The dimensions of one array inside the value, and their wanted sizes.
struct WantedShape {
  std::vector<std::vector<int>> paths;
  Nodes sizes;
};
NodeRef coerceNode(NodeRef value, std::vector<WantedShape> wanted, Site site);
NodeRef assertNode(NodeRef condition, NodeRef value, Site site);
NodeRef bindSizesNode(NodeRef value, std::vector<SizeBinding> sizes);
NodeRef arrayTypeNode(NodeRef size, NodeRef element);
NodeRef recordTypeNode(Nodes fields, const std::vector<std::string>* names);
NodeRef accumulatorTypeNode(NodeRef array);  // lang/types/infer/accumulator.h
// `payloads`: the number of arguments of each constructor.
NodeRef sumTypeNode(Nodes parts, const std::vector<size_t>& payloads,
                    const std::vector<std::string>* names);
NodeRef holeNode(Site site);

// ---- nodes_control.cpp
struct Step {  // of a chain of lets
  Target target;
  NodeRef value;
  std::vector<SizeBinding> sizes;
};
NodeRef blockNode(std::vector<Step> steps, NodeRef body);
struct Case {
  CasePattern pattern;
  NodeRef body;
};
NodeRef matchNode(NodeRef scrutinee, std::vector<Case> cases);
NodeRef ifNode(NodeRef condition, NodeRef then_branch, NodeRef else_branch);
struct LoopParts {
  Target carried;
  std::vector<SizeBinding> sizes;  // found anew in each carried value
  NodeRef initial, body;
  enum class Form { kFor, kForIn, kWhile } form = Form::kFor;
  int variable = 0;  // kFor
  ScalarType variable_type = ScalarType::kI64;
  Target item;          // kForIn
  NodeRef controlling;  // bound, array or condition
  // kWhile: `#[bound(n)]`, the most steps in reverse mode.
  std::optional<int64_t> most_steps;
};
NodeRef loopNode(LoopParts parts, Site site);

// ---- trace.cpp
// Evaluates, and tells standard error: `TAG: VALUE`.
NodeRef traceNode(NodeRef value, NodeRef type, std::string tag);

// ---- blank.cpp
// Any value of the type, here of zeros; `value` is evaluated only if the type has functions in it.
NodeRef blankNode(NodeRef value, NodeRef type);

// ---- nodes_call.cpp
// A call with all arguments; `env` are the type and size arguments.
NodeRef callNode(const Function* function, Nodes env, Nodes args, Site site);
NodeRef applyNode(NodeRef function, Nodes args, Site site);
// A function value; `args` are those it has already got.
NodeRef closureNode(const Function* function, Nodes env, Nodes args, Site site);
// A local function with type or size parameters, at a use of it.
NodeRef instantiateNode(NodeRef function, Nodes env);
NodeRef constantDefNode(types::DefId def, const Function* function, Site site);

// ---- functions.cpp: functions that are not written in the language
std::unique_ptr<Function> primFunction(prim::Op op, ScalarType type);
std::unique_ptr<Function> convertFunction(prim::ConvertKind kind, ScalarType to);
std::unique_ptr<Function> equalityFunction(bool negated);
std::unique_ptr<Function> logicFunction(types::Logic logic);
// `(op y)`: env is [op, y].
std::unique_ptr<Function> rightSectionFunction();
std::unique_ptr<Function> projectionFunction(std::vector<int> path);
// `(.[i])`: `indices` read the env.
std::unique_ptr<Function> indexSectionFunction(IndexList indices, Site site);

Scalar foldOrFail(State& state, prim::Op op, ScalarType type, std::span<const Scalar> args,
                  Span span);

}  // namespace halo::interp

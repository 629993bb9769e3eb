// The tools of nearly every pass: visiting children, renaming, free variables, fresh copies.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lang/core/ir.h"

namespace halo::core {

// The type of one row: without the outermost dimensions.
Type rowOf(Type type, size_t dimensions = 1);
// Whether constant extents hold at most so many elements.
bool hasAtMost(const Operands& shape, int64_t elements);

using Substitution = std::unordered_map<ValueId, Operand>;

// Every operand / used value / nested body or lambda of a node, exactly once, in print order.
void forEachOperand(const Expr& expr, const std::function<void(const Operand&)>& visit);
void forEachBody(const Expr& expr, const std::function<void(const Body&)>& visit);
void forEachBody(Expr& expr, const std::function<void(Body&)>& visit);
// Values bound inside a node: lambda parameters, carried parameters, loop indices.
std::vector<ValueId> boundIn(const Expr& expr);

// Replaces uses everywhere below, also in types of binders (sizes). Where a value must stay a
// value (array operands), the substitution maps it to a value.
void substitute(Program& program, Body& body, const Substitution& substitution);
void substitute(Program& program, Expr& expr, const Substitution& substitution);

// A copy in which every bound value is new.
Body freshCopy(Program& program, const Body& body, Substitution substitution = {});
Lambda freshCopy(Program& program, const Lambda& lambda, Substitution substitution = {});

std::unordered_set<ValueId> freeValues(const Program& program, const Body& body);
std::unordered_set<ValueId> freeValues(const Program& program, const Lambda& lambda);
std::unordered_set<ValueId> freeValues(const Program& program, const Stm& stm);
std::unordered_map<ValueId, int> useCounts(const Program& program, const Body& body);

// The statement that binds the value; nothing for constants and values of other bodies.
std::optional<size_t> makerOf(const std::vector<Stm>& stms, const Operand& value);

// Inlines: the lambda's statements with parameters replaced, and its results.
std::pair<std::vector<Stm>, Operands> apply(Program& program, const Lambda& lambda,
                                            const Operands& args);

// Could this statement fail or not end? (a checked statement inside, a call, a while loop)
bool mayFail(const Stm& stm);
bool mayFail(const Lambda& lambda);
bool mayNotEnd(const Stm& stm);

}  // namespace halo::core

// Nodes that stand in each other inside of an outer node, and those of their statements with the
// same values at every position of it. share_rows.h explains why.
#pragma once

#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::passes {

// The names that an outer node binds. They grow as the nodes inside of it are entered.
struct RowNames {
  std::unordered_set<core::ValueId> bound;    // by it and inside of it, as far as was looked
  std::unordered_set<core::ValueId> varying;  // of these: they may differ from position to position
};

// The statements of a map that do not differ, by their numbers.
struct CommonCode {
  std::set<size_t> stms;
  std::unordered_map<core::ValueId, size_t> maker;  // by their results
};

// One of the nodes that stand in each other.
struct Level {
  core::Stm* stm;
  CommonCode common;
  core::Screma& node() const { return std::get<core::Screma>(stm->expr); }
};
using Levels = std::vector<Level>;  // from the outside in; without the outer node

// A statement that is total and gives scalars: scalar code, or a reduction of the same.
bool isCommonKind(const core::Stm& stm);

bool usesAny(const std::unordered_set<core::ValueId>& used,
             const std::unordered_set<core::ValueId>& of);

// Enters the map of a node. Its reductions that do not differ part from those that do if `splits`.
Level enterLevel(core::Program& program, core::Stm& stm, RowNames& names, bool splits);
// The same without the node: classifies the map of a node.
CommonCode commonCode(const core::Program& program, const core::Screma& node, RowNames& names);

// The common statements of a map that `values` need. Afterwards `values` are those that the map
// does not make this way: its parameters, and names from the outside.
std::set<size_t> takeNeeded(const core::Program& program, const core::Body& body,
                            const CommonCode& common, std::vector<core::ValueId>& values);

// Drops the common statements of a map that nothing uses any more.
void dropUnusedCommon(const core::Program& program, core::Body& body, const CommonCode& common);

}  // namespace halo::passes

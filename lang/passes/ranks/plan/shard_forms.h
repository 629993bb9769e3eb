// Which statements `shard` can cut, each seen by itself.
#pragma once

#include <optional>
#include <vector>

#include "lang/core/ir.h"
#include "lang/passes/ranks/plan/shard_plan.h"

namespace halo::passes {

// Reductions of any order.
bool areExact(const core::Program& program, const std::vector<core::Reduction>& reductions);
// Operations that no later pass writes out with branches or checks; with divisions of integers by
// positive numbers or without.
enum class Divisors : uint8_t { kNone, kPositive };
bool isPlain(const core::Program& program, const core::Body& body,
             Divisors divisors = Divisors::kNone);
// Elements that no pass makes simple code: they are reduced from left to right.
bool hasLoops(const core::Lambda& map);
// Whether a cell adds floats: engines do several cells at once, in tiles, whose last one has
// another order of additions.
bool sumsInCells(const core::Program& program, const core::Stm& stm);

// Whether a node in a cell has a row of the cell among its inputs.
bool readsRows(const core::Screma& level, const core::Screma& inner);
// Maps whose cells have one sum of a row each, of plain elements, and scalar code. The sum's order
// follows from the numbers of rows and of their elements.
bool sumsRows(const core::Program& program, const core::Screma& node);

// Maps whose cells have one sum each, of plain elements, and plain code before and behind it: of a
// row of each cell, or over as many elements as there are cells, of which code may make a short
// row. The sum's order follows from these numbers; of pairs, where they are many.
enum class SumsOnce : uint8_t { kNo, kRows, kPairs };
SumsOnce sumsOnce(const core::Program& program, const core::Screma& node);

// Scans of any order.
bool areExact(const core::Program& program, const std::vector<core::Scan>& scans);
// Whether each rank combines its cells in tiles (core/tile_sums.h).
bool sumsInTiles(const core::Program& program, const core::Stencil& stencil,
                 ShardOptions::Order order);

// Why a node that computes cannot be cut; nothing if it can.
const char* whyNot(const core::Program& program, const core::Stm& stm, ShardOptions::Order order);
bool computes(const core::Stm& stm);

// Whether rows of it may come from any rank: scatters, parts of arrays, concatenations,
// sorts. The arrays that such rows come from.
bool routes(const core::Program& program, const core::Stm& stm);
std::vector<core::ValueId> routedFrom(const core::Program& program, const core::Stm& stm);

// The array whose rows this passes on, each by itself.
std::optional<core::ValueId> passedOn(const core::Program& program, const core::Stm& stm);
// Made of nothing: as rows, or whole, wherever they are read.
bool isMade(const core::Stm& stm);

}  // namespace halo::passes

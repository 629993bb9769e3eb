// Rows of 3 elements begin every 12 bytes: lanes that read the first element of each row reach as
// many memory lines as if they read all. Where they also store rows, each line is written in parts.
#include "gpu/schedule/cells/rows.h"

#include <algorithm>

#include "gpu/schedule/words.h"
#include "lang/core/visit.h"

namespace halo::gpu {
namespace {

constexpr const char* kRowsName = "short_rows";
// Least elements of 2^26 in rows of two and of seven on an H200: 185 and 122 us, by 128 invocations
// 195 and 127, by 256 216 and 142.
constexpr int64_t kRowsWorkgroup = 64;
constexpr int64_t kRow = 16;
// Of shared memory, so that several workgroups read while others compute.
constexpr int64_t kMaxCellWords = 52;             // of a cell
constexpr int64_t kManyCells = int64_t{1} << 15;  // 256 workgroups
constexpr int64_t kMaxInner = 64;  // elements of levels that one invocation goes through

// Words of a row with a word of padding; the longest one where only the launch knows.
int64_t wordsOfRow(const core::Type& type, size_t levels) {
  int64_t elements = 1;
  for (size_t k = levels; k < type.shape.size(); ++k) {
    const bool is_known = type.shape[k].isConstant() && elements < kRow;
    elements = is_known ? elements * type.shape[k].constant.asSigned() : kRow;
  }
  return (elements + 1) * static_cast<int64_t>(wordsOf(type.scalar));
}

bool hasKnownRows(const core::Type& type, size_t levels) {
  return type.shape.size() > levels &&
         std::all_of(type.shape.begin() + static_cast<ptrdiff_t>(levels), type.shape.end(),
                     [](const core::Operand& extent) { return extent.isConstant(); });
}

struct RowWords {
  int64_t cell = 0;  // all short rows of a cell
  int64_t lane = 0;  // in shared memory at most: a lane has several cells with very short rows
};

// Rows of a lane have `kRow` elements together, or are those of one cell. Room for rows that only
// the launch knows is that of the longest, also beside others.
RowWords wordsOfRows(const core::Program& program, const core::Stm& nest, size_t levels) {
  RowWords words;
  int64_t largest = 0, longest = 0;
  bool are_known = true;
  const auto add = [&](core::ValueId array) {
    if (!mayBeShortRows(program, array, levels, kRow)) return;
    const core::Type& type = program.type(array);
    const auto element = static_cast<int64_t>(wordsOf(type.scalar));
    words.cell += wordsOfRow(type, levels);
    largest = std::max(largest, element);
    longest += (kRow + 1) * element;
    are_known = are_known && hasKnownRows(type, levels);
  };
  const auto& outer = std::get<core::Screma>(nest.expr);
  std::for_each(outer.inputs.begin(), outer.inputs.end(), add);
  std::for_each(nest.results.begin(), nest.results.end(), add);
  words.lane = are_known ? std::max(words.cell, kRow * largest) : longest;
  return words;
}

// Whether a body reads an array in each run: outside of the arms of branches.
bool readsAlways(const core::Body& body, core::ValueId array, size_t levels) {
  const auto isRead = [&](const core::Stm& stm) {
    if (std::holds_alternative<core::Match>(stm.expr)) return false;
    const auto* nest = std::get_if<core::Screma>(&stm.expr);
    if (nest != nullptr && levels > 1) {
      const auto input = std::find(nest->inputs.begin(), nest->inputs.end(), array);
      if (input != nest->inputs.end()) {
        const core::ValueId row = nest->map.params[input - nest->inputs.begin()];
        return readsAlways(nest->map.body, row, levels - 1);
      }
    }
    bool found = false;
    core::visitUses(stm.expr, [&](const auto& use) { found = found || use == array; });
    core::visitBodies(stm.expr, [&](const core::Body& nested) {
      found = found || readsAlways(nested, array, levels);
    });
    return found;
  };
  return std::any_of(body.stms.begin(), body.stms.end(), isRead);
}

// Cells that go through rows only in branches would pass rows that they never read.
bool passesRows(const core::Program& program, const core::Stm& nest, size_t levels) {
  const auto isRow = [&](core::ValueId array) {
    return mayBeShortRows(program, array, levels, kRow);
  };
  const auto& outer = std::get<core::Screma>(nest.expr);
  if (std::any_of(nest.results.begin(), nest.results.end(), isRow)) return true;
  for (size_t k = 0; k < outer.inputs.size(); ++k) {
    if (!isRow(outer.inputs[k])) continue;
    if (readsAlways(outer.map.body, outer.map.params[k], levels)) return true;
  }
  return false;
}

}  // namespace

bool mayBeShortRows(const core::Program& program, core::ValueId array, size_t levels,
                    int64_t most) {
  const core::Type& type = program.type(array);
  if (type.shape.size() <= levels || prim::byteSize(type.scalar) < 4) return false;
  int64_t elements = 1;
  for (size_t k = levels; k < type.shape.size(); ++k) {
    if (!type.shape[k].isConstant()) continue;
    const int64_t extent = type.shape[k].constant.asSigned();
    if (extent < 1 || extent > most) return false;
    elements *= extent;
  }
  return elements <= most;
}

size_t levelsAroundRows(const core::Program& program, const core::Stm& nest, size_t most) {
  const auto& outer = std::get<core::Screma>(nest.expr);
  for (size_t levels = 1; levels <= most; ++levels) {
    const auto is_row = [&](core::ValueId array) {
      return hasKnownRows(program.type(array), levels) &&
             mayBeShortRows(program, array, levels, kRow);
    };
    if (std::any_of(outer.inputs.begin(), outer.inputs.end(), is_row)) return levels;
  }
  return 1;
}

void addRowCells(KernelChoice& choice, const core::Program& program, const core::Stm& nest,
                 size_t levels, const Limits& limits, const Request& request) {
  const auto* outer = std::get_if<core::Screma>(&nest.expr);
  if (outer == nullptr || !core::isMap(*outer) || !request.allows(kRowsName)) return;
  const RowWords words = wordsOfRows(program, nest, levels);
  if (words.cell == 0 || words.cell > kMaxCellWords || !passesRows(program, nest, levels)) return;
  RowCellsSchedule s;
  s.levels = static_cast<int64_t>(levels);
  s.row = kRow;
  s.words = words.lane;
  s.workgroup = std::min({request.number(kRowsName, 0, kRowsWorkgroup), limits.most_invocations,
                          kMaxRowElements / s.row});
  while (s.workgroup > 1 && s.bytes() > limits.shared_bytes) s.workgroup /= 2;
  choice.alternatives.emplace_back(kRowsName);
  const Condition row = Quantity::kShortRow, inner = Quantity::kInnerElements;
  Condition guard = row >= 2 && row <= kRow && inner <= kMaxInner;
  if (request.forced.empty()) {
    guard = std::move(guard) && Condition(Quantity::kOuterCells) >= kManyCells;
  }
  choice.versions.push_back({std::move(guard), s, "short rows pass through shared memory"});
}

}  // namespace halo::gpu

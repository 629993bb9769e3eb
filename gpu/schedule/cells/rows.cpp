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
// Rows of so many cells are whole vectors, whatever their elements.
constexpr int64_t kRowsOfVectors = 16;
constexpr prim::ScalarType kFlag = prim::ScalarType::kBool;  // of which no vectors are stored
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
  int64_t cell = 0;      // all short rows of a cell
  int64_t lane = 0;      // in shared memory at most: a lane has several cells with very short rows
  int64_t elements = 0;  // of a lane's rows of one array, at most
};

// Rows of a lane have `kRow` elements of 4 bytes together, or are those of one cell. Room for rows
// that only the launch knows is that of the longest, also beside others. Where a device has no
// small types, their elements take a word each in shared memory.
RowWords wordsOfRows(const core::Program& program, const core::Stm& nest, size_t levels,
                     const RowCellsSchedule& schedule) {
  RowWords words;
  int64_t largest = 0, longest = 0;
  bool are_known = true;
  const auto add = [&](core::ValueId array) {
    if (!mayBeShortRows(program, array, levels, schedule)) return;
    const core::Type& type = program.type(array);
    const auto element = static_cast<int64_t>(wordsOf(type.scalar));
    const int64_t elements = kRow * 4 / roomOf(type.scalar);
    words.cell += wordsOfRow(type, levels);
    words.elements = std::max(words.elements, elements);
    largest = std::max(largest, elements * element);
    longest += (elements + 1) * element;
    are_known = are_known && hasKnownRows(type, levels);
  };
  const auto& outer = std::get<core::Screma>(nest.expr);
  std::for_each(outer.inputs.begin(), outer.inputs.end(), add);
  std::for_each(nest.results.begin(), nest.results.end(), add);
  const bool are_small = words.elements > kRow;
  words.lane = are_known && !are_small ? std::max(words.cell, largest) : longest;
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
bool passesRows(const core::Program& program, const core::Stm& nest, size_t levels,
                const RowCellsSchedule& schedule) {
  const auto isRow = [&](core::ValueId array) {
    return mayBeShortRows(program, array, levels, schedule);
  };
  const auto& outer = std::get<core::Screma>(nest.expr);
  if (std::any_of(nest.results.begin(), nest.results.end(), isRow)) return true;
  for (size_t k = 0; k < outer.inputs.size(); ++k) {
    if (!isRow(outer.inputs[k])) continue;
    if (readsAlways(outer.map.body, outer.map.params[k], levels)) return true;
  }
  return false;
}

// The schedule, if there are rows for it.
std::optional<RowCellsSchedule> scheduleOf(const core::Program& program, const core::Stm& nest,
                                           size_t levels, const Limits& limits,
                                           const Request& request, bool is_vector) {
  RowCellsSchedule s;
  s.levels = static_cast<int64_t>(levels);
  s.row = kRow;
  s.is_vector = is_vector;
  const RowWords words = wordsOfRows(program, nest, levels, s);
  if (words.cell == 0 || words.cell > kMaxCellWords || !passesRows(program, nest, levels, s)) {
    return std::nullopt;
  }
  s.elements = words.elements;
  s.words = words.lane;
  s.workgroup = std::min({request.number(kRowsName, 0, kRowsWorkgroup), limits.most_invocations,
                          kMaxRowElements / s.elements});
  while (s.workgroup > 1 && s.bytes() > limits.shared_bytes) s.workgroup /= 2;
  if (is_vector && s.workgroup % kRowsOfVectors != 0) return std::nullopt;
  return s;
}

}  // namespace

bool mayBeShortRows(const core::Program& program, core::ValueId array, size_t levels,
                    const RowCellsSchedule& schedule) {
  const core::Type& type = program.type(array);
  if (type.shape.size() <= levels) return false;
  if (prim::byteSize(type.scalar) < 4 && (!schedule.is_vector || type.scalar == kFlag)) {
    return false;
  }
  int64_t elements = 1;
  for (size_t k = levels; k < type.shape.size(); ++k) {
    if (!type.shape[k].isConstant()) continue;
    const int64_t extent = type.shape[k].constant.asSigned();
    if (extent < 1 || extent > schedule.row) return false;
    elements *= extent;
  }
  return elements <= schedule.row;
}

bool hasKnownRows(const core::Program& program, const core::Stm& nest, size_t levels) {
  return std::all_of(nest.results.begin(), nest.results.end(), [&](core::ValueId result) {
    return hasKnownRows(program.type(result), levels);
  });
}

bool hasOddRows(const core::Program& program, const core::Stm& nest, size_t levels) {
  return std::all_of(nest.results.begin(), nest.results.end(), [&](core::ValueId result) {
    const core::Type& type = program.type(result);
    const auto isOdd = [](const core::Operand& extent) {
      return extent.isConstant() && extent.constant.asSigned() % 2 != 0;
    };
    const auto row = type.shape.begin() + static_cast<ptrdiff_t>(levels);
    return std::all_of(row, type.shape.end(), isOdd);
  });
}

size_t levelsAroundRows(const core::Program& program, const core::Stm& nest, size_t most) {
  const auto& outer = std::get<core::Screma>(nest.expr);
  RowCellsSchedule by_vectors;
  by_vectors.is_vector = true;
  for (size_t levels = 1; levels <= most; ++levels) {
    const auto is_row = [&](core::ValueId array) {
      return hasKnownRows(program.type(array), levels) &&
             mayBeShortRows(program, array, levels, by_vectors);
    };
    if (std::any_of(outer.inputs.begin(), outer.inputs.end(), is_row)) return levels;
  }
  return 1;
}

void addRowCells(KernelChoice& choice, const core::Program& program, const core::Stm& nest,
                 size_t levels, const Limits& limits, const Request& request) {
  const auto* outer = std::get_if<core::Screma>(&nest.expr);
  if (outer == nullptr || !core::isMap(*outer) || !request.allows(kRowsName)) return;
  const Condition row = Quantity::kShortRow, inner = Quantity::kInnerElements;
  Condition guard = row >= 2 && row <= kRow && inner <= kMaxInner;
  if (request.forced.empty()) {
    guard = std::move(guard) && Condition(Quantity::kOuterCells) >= kManyCells;
  }
  const auto by_vectors = scheduleOf(program, nest, levels, limits, request, true);
  if (by_vectors) {
    choice.versions.push_back({Quantity::kIsBeginAligned && guard, *by_vectors,
                               "short rows pass through shared memory by vectors"});
  }
  const auto by_elements = scheduleOf(program, nest, levels, limits, request, false);
  if (by_elements) {
    choice.versions.push_back({guard, *by_elements, "short rows pass through shared memory"});
  }
  if (by_vectors || by_elements) choice.alternatives.emplace_back(kRowsName);
}

void limitRowCells(KernelChoice& choice, const std::function<Condition(Condition)>& limited) {
  for (ScheduleVersion& version : choice.versions) {
    if (!std::holds_alternative<RowCellsSchedule>(version.schedule)) continue;
    version.guard = limited(std::move(version.guard));
  }
}

}  // namespace halo::gpu

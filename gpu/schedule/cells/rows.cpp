// Rows of 3 elements begin every 12 bytes: lanes that read the first element of each row reach as
// many memory lines as if they read all. Where they also store rows, each line is written in parts.
#include "gpu/schedule/cells/rows.h"

#include <algorithm>

#include "gpu/schedule/words.h"
#include "lang/core/visit.h"

namespace halo::gpu {
namespace {

constexpr const char* kRowsName = "short_rows";
constexpr int64_t kRowsWorkgroup = 128;
constexpr int64_t kRow = 16;
// Of shared memory, so that several workgroups read while others compute.
constexpr int64_t kMaxCellWords = 52;             // of a cell
constexpr int64_t kManyCells = int64_t{1} << 15;  // 256 workgroups
constexpr int64_t kMaxInner = 64;  // elements of levels that one invocation goes through

// Words of a row with a word of padding; the longest one where only the launch knows.
int64_t wordsOfRow(const core::Type& type) {
  int64_t elements = 1;
  for (size_t k = 1; k < type.shape.size(); ++k) {
    if (!type.shape[k].isConstant()) elements = kRow;
  }
  for (size_t k = 1; elements < kRow && k < type.shape.size(); ++k) {
    elements *= type.shape[k].constant.asSigned();
  }
  return (elements + 1) * static_cast<int64_t>(wordsOf(type.scalar));
}

// Words of all short rows of a cell.
int64_t roomOf(const core::Program& program, const core::Screma& outer, const core::Stm& stm) {
  int64_t words = 0;
  const auto add = [&](core::ValueId array) {
    if (mayBeShortRows(program, array, kRow)) words += wordsOfRow(program.type(array));
  };
  std::for_each(outer.inputs.begin(), outer.inputs.end(), add);
  std::for_each(stm.results.begin(), stm.results.end(), add);
  return words;
}

}  // namespace

bool mayBeShortRows(const core::Program& program, core::ValueId array, int64_t most) {
  const core::Type& type = program.type(array);
  if (type.shape.size() < 2 || prim::byteSize(type.scalar) < 4) return false;
  int64_t elements = 1;
  for (size_t k = 1; k < type.shape.size(); ++k) {
    if (!type.shape[k].isConstant()) continue;
    const int64_t extent = type.shape[k].constant.asSigned();
    if (extent < 1 || extent > most) return false;
    elements *= extent;
  }
  return elements <= most;
}

void addRowCells(KernelChoice& choice, const core::Program& program, const core::Function& kernel,
                 const Limits& limits, const Request& request) {
  const core::Stm& stm = kernel.body.stms.back();
  const auto* outer = std::get_if<core::Screma>(&stm.expr);
  if (outer == nullptr || !core::isMap(*outer) || !request.allows(kRowsName)) return;
  const int64_t words = roomOf(program, *outer, stm);
  if (words == 0 || words > kMaxCellWords) return;
  RowCellsSchedule s;
  s.workgroup = std::min(request.number(kRowsName, 0, kRowsWorkgroup), limits.most_invocations);
  s.row = kRow;
  s.words = words;
  while (s.workgroup > 1 && s.workgroup * words * 4 > limits.shared_bytes) s.workgroup /= 2;
  choice.alternatives.emplace_back(kRowsName);
  const Condition row = Quantity::kShortRow, inner = Quantity::kInnerElements;
  Condition guard = row >= 2 && row <= kRow && inner <= kMaxInner;
  if (request.forced.empty())
    guard = std::move(guard) && Condition(Quantity::kOuterCells) >= kManyCells;
  choice.versions.push_back({std::move(guard), s, "short rows pass through shared memory"});
}

}  // namespace halo::gpu

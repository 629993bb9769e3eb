// Texts of run-time failures, from a code and integer operands.
#include "lang/engine/failure.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "lang/base/check.h"
#include "lang/value/limits.h"
#include "lang/value/value.h"

namespace halo::engine {

namespace {

using diag::Code;
using Numbers = std::span<const int64_t>;

std::string shapeOf(Numbers extents) { return value::shapeText({extents.begin(), extents.end()}); }

std::string indexList(Numbers indices) {
  std::string text;
  for (const int64_t index : indices) {
    if (!text.empty()) text += ", ";
    text += std::to_string(index);
  }
  return "[" + text + "]";
}

// The operands hold two lists of equal length.
struct Halves {
  Numbers first, second;
};
Halves halves(Numbers operands) {
  HALO_CHECK(operands.size() % 2 == 0, "operands of a failure are not two lists");
  const size_t half = operands.size() / 2;
  return {operands.first(half), operands.subspan(half)};
}

void need(Numbers operands, size_t count) {
  HALO_CHECK(operands.size() == count, "wrong number of operands of a failure");
}

std::string indexText(Numbers operands) {
  const auto [indices, extents] = halves(operands);
  return fmt::format("index `{}` is out of range for an array of shape `{}`", indexList(indices),
                     shapeOf(extents));
}

// start, end, stride, extent
std::string sliceText(Numbers operands) {
  need(operands, 4);
  const std::string stride = operands[2] == 1 ? "" : fmt::format(":{}", operands[2]);
  return fmt::format("slice `[{}:{}{}]` is out of range for a dimension of size `{}`", operands[0],
                     operands[1], stride, operands[3]);
}

std::string mismatchText(Numbers operands) {
  const auto [found, needed] = halves(operands);
  return fmt::format("array has shape `{}`, needed `{}`", shapeOf(found), shapeOf(needed));
}

// first, second, last
std::string rangeText(Numbers operands) {
  need(operands, 3);
  const int64_t first = operands[0], second = operands[1], last = operands[2];
  if (first == second) return fmt::format("range from `{}` to `{}` has step 0", first, last);
  return fmt::format("range from `{}` by way of `{}` never reaches `{}`", first, second, last);
}

std::string irregularText(Numbers operands) {
  const auto [first, other] = halves(operands);
  return fmt::format("element of shape `{}` in an array of elements of shape `{}`", shapeOf(other),
                     shapeOf(first));
}

std::string windowText(Numbers operands) {
  need(operands, 4);
  const int64_t first = operands[1], second = operands[2], extent = operands[3];
  if (operands[0] != 0) {
    if (first < 0 || second < 0) {
      return fmt::format("cannot pad by `{}` before and `{}` after: both must be at least 0", first,
                         second);
    }
    if (operands[0] == 2) {
      return fmt::format(
          "cannot pad an axis of size `{}` by `{}` before and `{}` after: more cells than memory "
          "can "
          "address",
          extent, first, second);
    }
    return fmt::format(
        "an empty axis has no edge to pad with: `{}` cells before and `{}` after need `#constant`",
        first, second);
  }
  const std::string what = fmt::format(
      "windows of size `{}` with step `{}` in an axis of size `{}`", first, second, extent);
  if (second < 1) return what + ": the step must be at least 1";
  if (first < 1 || first > extent) return what + ": they do not fit";
  return what + ": the last one does not end at its end";
}

std::string nameIn(Numbers pieces) {
  std::string name;
  for (const int64_t piece : pieces) {
    for (auto bytes = static_cast<uint64_t>(piece); bytes != 0; bytes >>= 8) {
      name += static_cast<char>(bytes & 0xff);
    }
  }
  return name;
}

std::string constructorText(Numbers operands) {
  need(operands, operands.size() | 1);
  const size_t pieces = operands.size() / 2;
  return fmt::format("the tangent is `#{}` where the value is `#{}`",
                     nameIn(operands.subspan(1, pieces)), nameIn(operands.subspan(1 + pieces)));
}

std::string failureText(Code code, Numbers operands) {
  switch (code) {
    case Code::index_out_of_range:
      return indexText(operands);
    case Code::slice_out_of_range:
      return sliceText(operands);
    case Code::division_by_zero:
      return "division by zero";
    case Code::negative_exponent:
      return "negative exponent";
    case Code::negative_size:
      need(operands, 1);
      return value::negativeSizeText(operands[0]);
    case Code::size_overflow:
      return value::sizeOverflowText({operands.begin(), operands.end()});
    case Code::shape_mismatch:
      return mismatchText(operands);
    case Code::assertion_failed:
      return "assertion is false";
    case Code::malformed_range:
      return rangeText(operands);
    case Code::irregular_array:
      return irregularText(operands);
    case Code::hole_reached:
      return "typed hole `???` reached";
    case Code::bad_window:
      return windowText(operands);
    case Code::out_of_memory:
      need(operands, 1);
      return value::needsText(static_cast<uint64_t>(operands[0]));
    case Code::interrupted:
      return "interrupted";
    case Code::bound_exceeded:
      need(operands, 1);
      return fmt::format("the loop still runs after {} steps, its bound", operands[0]);
    case Code::tangent_constructor:
      return constructorText(operands);
    case Code::stack_exhausted:
      return "recursion is too deep for the stack";
    default:
      HALO_UNREACHABLE("not the code of a run-time failure");
  }
}

}  // namespace

diag::Diagnostic describeFailure(Code code, Numbers operands, source::Span span) {
  diag::Diagnostic found{code, diag::Severity::kError, failureText(code, operands), span, {}, {}};
  if (code == Code::tangent_constructor && operands[0] >= 0) {
    found.notes.push_back(fmt::format("element {}", operands[0]));
  }
  return found;
}

}  // namespace halo::engine

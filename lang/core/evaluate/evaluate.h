// The meaning of a Core program, one statement after another: the measure for passes. The run
// checks all that a pass may not break. No proven statement fails, no machine division is by zero,
// each array has the shape of its type.
//
// Not the interpreter (which knows nothing of Core), and for tests only: it copies arrays freely.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/core/ir.h"
#include "lang/core/moves.h"

namespace halo::core {

// A scalar (no shape, one element) or an array, row-major.
struct Datum {
  ScalarType type = ScalarType::kI64;
  std::vector<int64_t> shape;
  std::shared_ptr<const std::vector<uint64_t>> bits;

  static Datum of(Scalar scalar);
  static Datum of(ScalarType type, std::vector<int64_t> shape, std::vector<uint64_t> bits);
  bool isScalar() const { return shape.empty(); }
  Scalar scalar(size_t i = 0) const { return {type, (*bits)[i]}; }
  bool operator==(const Datum& other) const;
};

struct Evaluation {
  enum class End {
    kResults,
    kFailed,   // a checked statement, as the language has it
    kWrong,    // a fault of the compiler, described by `text`
    kTooLong,  // more steps or elements than were allowed
  };
  End end = End::kResults;
  std::vector<Datum> results;
  std::string text;
};

// The effect of a program's moves (core/moves.h): with it, `evaluate` is one rank of several.
// Nothing if another rank has ended.
using Moving =
    std::function<std::optional<std::vector<Datum>>(Move move, const std::vector<Datum>&)>;

// Arguments: one for each parameter of the entry, sizes included. Only the function `entry` names.
Evaluation evaluate(const Program& program, const std::string& entry,
                    const std::vector<Datum>& arguments, int64_t most_steps = 200000,
                    const Moving& moving = nullptr);

// Small arguments for an entry: sizes from 0 to 6, numbers that sums of are exact. The same for the
// same seed.
std::vector<Datum> randomArguments(const Program& program, const std::string& entry, uint64_t seed);

}  // namespace halo::core

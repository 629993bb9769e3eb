#include "lang/types/declare/former.h"

#include <algorithm>
#include <array>

namespace halo::types {
namespace {

struct Former {
  std::string_view name;
  std::string_view text;
};

constexpr std::string_view kMap =
    "help: `map f xs` runs in parallel, in chunks that the engine cuts";
constexpr std::string_view kReduce =
    "help: `reduce f e (map g xs)` runs in parallel, in chunks that the engine cuts";

constexpr std::array kReplacements = {
    Former{"concat_to", "help: `xs ++ ys :> [n]t` has the size `n`"},
    Former{"empty", "help: `[]` is an array without elements"},
    Former{"generate", "help: `tabulate n f` is `map f (iota n)`"},
    Former{"map_stream", kMap},
    Former{"map_stream_per", kMap},
    Former{"print", "help: an expression shows its value; within a program `#[trace] e` prints e"},
    Former{"range", "help: `a..b..<c` is the range from `a` with the second element `b`"},
    Former{"rearrange", "help: `transpose xs` exchanges the two outer dimensions"},
    Former{"reduce_stream", kReduce},
    Former{"reduce_stream_per", kReduce},
    Former{"return", "help: the value of a function is its expression: `def f x = x + 1`"},
    Former{"shape", "help: `length xs` is the outer size, `(xs: [n][m]t)` names both"},
    Former{"streamMap", kMap},
    Former{"streamMapPer", kMap},
    Former{"streamRed", kReduce},
    Former{"streamRedPer", kReduce},
    Former{"stream_map", kMap},
    Former{"stream_map_per", kMap},
    Former{"stream_red", kReduce},
    Former{"stream_red_per", kReduce},
    Former{"unsafe", "help: the attribute `#[unsafe]` in front of an expression drops its checks"},
    Former{"update", "help: `xs with [i] = v` has `v` in place of an element"},
    Former{"zipWith", "help: `map2 f xs ys` takes two arrays, `map3` three"},
};

constexpr std::array kCalls = {
    Former{"split", "help: sizes come from the type: `(take n xs, drop n xs)` takes a number"},
    Former{"unflatten", "help: sizes come from the type: `unflatten (xs :> [n * m]t)`"},
    Former{"unflatten_3d", "help: sizes come from the type: `unflatten_3d (xs :> [n * m * l]t)`"},
    Former{"unflatten_4d",
           "help: sizes come from the type: `unflatten_4d (xs :> [n * m * l * k]t)`"},
};

template <size_t kCount>
std::string_view findFormer(const std::array<Former, kCount>& rows, std::string_view name) {
  const auto* row =
      std::find_if(rows.begin(), rows.end(), [&](const Former& row) { return row.name == name; });
  return row == rows.end() ? std::string_view() : row->text;
}

}  // namespace

std::string_view replacementOf(std::string_view former_name) {
  return findFormer(kReplacements, former_name);
}

std::string_view callOf(std::string_view prelude_name) { return findFormer(kCalls, prelude_name); }

}  // namespace halo::types

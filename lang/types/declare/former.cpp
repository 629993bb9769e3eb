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

constexpr std::string_view kLambda = "help: a function without a name is `\\x -> x + 1`";
constexpr std::string_view kLength =
    "help: `length xs` is the outer size, `(xs: [n][m]t)` names both";
constexpr std::string_view kPrint =
    "help: an expression shows its value; within a program `#[trace] e` prints e";
constexpr std::string_view kUpdate =
    "help: values do not change: `xs with [i] = xs[i] + 1` is an array with another element";
constexpr std::string_view kOption =
    "help: constructors begin with `#` and belong to a type: `type option 'a = #some a | #none`";
constexpr std::string_view kConvert =
    "help: the module of a type converts to it: `f32.i32 x`, `i64.f64 x`";
constexpr std::string_view kPart = "help: the parts of a pair are `p.0` and `p.1`";
constexpr std::string_view kFill = "help: `replicate n 0` has n elements";

constexpr std::array kReplacements = {
    Former{"%%", "help: `x % y` is the rest of a division"},
    Former{"*=", kUpdate},
    Former{"+.", "help: operators work on all number types: `x + y`"},
    Former{"+=", kUpdate},
    Former{"-=", kUpdate},
    Former{"/=", "help: `x != y` compares, `xs with [i] = xs[i] / 2` changes an element"},
    Former{":=", kUpdate},
    Former{"<-", "help: `let x = e in ..` names a value"},
    Former{"<>", "help: `x != y` compares"},
    Former{"===", "help: `x == y` compares"},
    Former{"=>", kLambda},
    Former{"False", "help: the values of `bool` are `true` and `false`"},
    Former{"True", "help: the values of `bool` are `true` and `false`"},
    Former{"Just", kOption},
    Former{"None", kOption},
    Former{"Nothing", kOption},
    Former{"Some", kOption},
    Former{"append", "help: `xs ++ [x]` has one more element"},
    Former{"arange", "help: `0..<n` is an array of numbers, and `iota n`"},
    Former{"concat_to", "help: `xs ++ ys :> [n]t` has the size `n`"},
    Former{"array", kFill},
    Former{"div", "help: `x / y` divides; of integers it is rounded down"},
    Former{"elif", "help: `if a then x else if b then y else z`"},
    Former{"double", kConvert},
    Former{"empty", "help: `[]` is an array without elements"},
    Former{"error", "help: `assert c e` is e, and stops the program where c is false"},
    Former{"float", kConvert},
    Former{"fn", kLambda},
    Former{"fun", kLambda},
    Former{"fst", kPart},
    Former{"function", kLambda},
    Former{"generate", "help: `tabulate n f` is `map f (iota n)`"},
    Former{"int", kConvert},
    Former{"lambda", kLambda},
    Former{"len", kLength},
    Former{"map_stream", kMap},
    Former{"map_stream_per", kMap},
    Former{"mean", "help: `f32.sum xs / f32.i64 (length xs)` is the mean"},
    Former{"mod", "help: `x % y` is the rest of a division"},
    Former{"nil", kOption},
    Former{"ones", kFill},
    Former{"pow", "help: `x ** y` is a power"},
    Former{"print", kPrint},
    Former{"printf", kPrint},
    Former{"println", kPrint},
    Former{"range", "help: `a..b..<c` is the range from `a` with the second element `b`"},
    Former{"rearrange", "help: `transpose xs` exchanges the two outer dimensions"},
    Former{"reduce_stream", kReduce},
    Former{"reduce_stream_per", kReduce},
    Former{"return", "help: the value of a function is its expression: `def f x = x + 1`"},
    Former{"shape", kLength},
    Former{"size", kLength},
    Former{"snd", kPart},
    Former{"streamMap", kMap},
    Former{"streamMapPer", kMap},
    Former{"streamRed", kReduce},
    Former{"streamRedPer", kReduce},
    Former{"stream_map", kMap},
    Former{"stream_map_per", kMap},
    Former{"stream_red", kReduce},
    Former{"stream_red_per", kReduce},
    Former{"switch", "help: `match x case 0 -> a case _ -> b` chooses by a value"},
    Former{"unsafe", "help: the attribute `#[unsafe]` in front of an expression drops its checks"},
    Former{"update", "help: `xs with [i] = v` has `v` in place of an element"},
    Former{"xor", "help: `x ^ y` of integers, `x != y` of `bool`"},
    Former{"zeros", kFill},
    Former{"zipWith", "help: `map2 f xs ys` takes two arrays, `map3` three"},
};

constexpr std::string_view kFloats = "help: numbers with a fraction are `f32`, `f64` and `f16`";
constexpr std::string_view kIntegers =
    "help: integers are `i8` to `i64`, and without a sign `u8` to `u64`";
constexpr std::string_view kText = "help: text is an array of bytes, `[]u8`";
constexpr std::string_view kArray = "help: an array of numbers is `[]f32`, of `n` of them `[n]f32`";

constexpr std::array kTypes = {
    Former{"Array", kArray},
    Former{"Int", kIntegers},
    Former{"String", kText},
    Former{"array", kArray},
    Former{"boolean", "help: that type is `bool`"},
    Former{"byte", kIntegers},
    Former{"char", kText},
    Former{"double", kFloats},
    Former{"float", kFloats},
    Former{"int", kIntegers},
    Former{"integer", kIntegers},
    Former{"list", kArray},
    Former{"long", kIntegers},
    Former{"real", kFloats},
    Former{"short", kIntegers},
    Former{"str", kText},
    Former{"string", kText},
    Former{"uint", kIntegers},
    Former{"usize", kIntegers},
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

std::string_view replacementOfType(std::string_view name) { return findFormer(kTypes, name); }

std::string_view callOf(std::string_view prelude_name) { return findFormer(kCalls, prelude_name); }

}  // namespace halo::types

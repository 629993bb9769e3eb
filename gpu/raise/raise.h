// Imp to Imp, for constructs that GLSL and Vulkan devices lack: each limitation is one pass, so
// that the GLSL printer decides nothing. All work on one kernel function of a program.
#pragma once

#include "gpu/raise/outline_repeats.h"
#include "lang/imp/ir.h"

namespace halo::gpu {

// The device's features, as far as passes care.
struct Target {
  bool float64 = true;
  bool int64 = true;
  // In arithmetic and in memory: integers and bools of 8 bits, integers of 16, halves.
  bool int8 = true, int16 = true, float16 = true;
  bool exact_division_f32 = false;  // `/` and sqrt are correctly rounded as they are
  bool fuses_f32 = false;           // `fma` rounds once
  bool extrema_f32 = false;         // NMin and NMax obey the language, tiny numbers included
  bool divides_64_bits = true;
  bool drops_roundings = false;     // f32 to f16 and back is removed
  bool folds_zeros = false;         // `x * 0.0` becomes 0.0 whatever x is
  bool counts_trips = false;        // loops may stop early without a word (reliability.md#traps)
  bool mixes_up_negations = false;  // max of a loop's variable and -x, x not changing, may be x
  // An index that a loop carries may already be that of the next step.
  bool mixes_up_carried = false;
  bool matrices = true;          // cooperative ones
  int64_t lanes = 32;            // of a subgroup
  size_t long_code = kLongCode;  // statements from which on a kernel outlines repeated code
  int deepest = 0;               // level of nesting beyond which nothing runs; 0: there is none
};

// Cooperative matrices by loops of the subgroup's lanes, where the target has none: tests of the
// kernels that use them. First of all; the matrices lie in words of 32 bits.
//
//   before: matrix load a = tile[i] by_rows 20;  matrix multiply c a b
//   after:  for own in 0 .. 256 / lanes { for k in 0 .. 16 { c'[own] += tile[..] * tile[..] } }
imp::Function plainMatrices(imp::Program& program, const imp::Function& kernel,
                            const Target& target);

// i64 index arithmetic to i32.
//
//   before: i_3 : i64 = add (mul y_1 w_2) x_0;  v : f32 = load a[i_3]
//   after:  the same with y_1, w_2, x_0, i_3 : i32
//
// 64-bit integers are emulated on GPUs and an index costs more than the arithmetic it is for. The
// pass is exact, not hopeful. A variable is narrowed if interval analysis shows that its value fits
// 32 bits. It is also narrowed if it only feeds indices of buffers (through + - *, which commute
// with truncation). The host checks the requirements at each launch. Every integer parameter lies
// within +-kNarrowLimit. There are at most kNarrowCells invocations in each dimension, so that
// several cells of each still fit. Every buffer has fewer than 2^31 elements. Otherwise the
// wide kernel runs.
inline constexpr int64_t kNarrowLimit = int64_t{1} << 30;
inline constexpr int64_t kNarrowCells = int64_t{1} << 28;
imp::Function narrowIndices(imp::Program& program, const imp::Function& kernel);

// mul_hi of 64-bit integers, which GLSL lacks, by products of 32-bit halves.
imp::Function splitWideProducts(imp::Program& program, const imp::Function& kernel);

// f32 division and square root in f64, rounded once. They are correctly rounded, since 53 >= 2 * 24
// + 2 (gpu.md#device-facts: the plain ones are off by up to 2 ulp). By `fma` where that rounds
// once. With `fma`, `pow x -0.5` stands for the device's inverse root, which is off by 3 ulp at
// most. Likewise f16 in f32, 24 >= 2 * 11 + 2. Without f64 those of f32 stay as they are. Where the
// code is long, each division stands alone, with the same code as all others (outline_repeats.h).
imp::Function exactDivision(imp::Program& program, const imp::Function& kernel,
                            const Target& target);

// 0 / x without a division: the zero with the sign of x, or NaN where x is 0 or NaN. NVIDIA's
// compiler (580.159) rejects kernels that divide a constant zero exactly. In front of
// exactDivision.
//
//   before: q = div 0.0 x
//   after:  b = bits x;  q = (b & size) - 1 < infinity ? b & sign : nan
imp::Function divideZeros(imp::Program& program, const imp::Function& kernel);

// A branch in a loop whose condition the loop does not change chooses between two loops: shorter
// ones, whose iterations the device can overlap.
//
//   before: for i in 0 .. n { x = load a[i];  if c { y := f x } else { y := g x };  store b[i] y }
//   after:  if c { for i in 0 .. n { x = load a[i];  store b[i] (f x) } }
//           else { for j in 0 .. n { x = load a[j];  store b[j] (g x) } }
imp::Function unswitchLoops(imp::Program& program, const imp::Function& kernel);

// Shifts by a loop's index, which give 0 from the width of the type on: the first 32 iterations
// need no test.
//
//   before: for i in 0 .. n { t = and i -32;  c = eq t 0;  s = c ? i : 31;  y = c ? shl 1 s : 0 }
//   after:  for i in 0 .. min n 32 { y = shl 1 i }
//           for i in min n 32 .. n { as before }
imp::Function splitShifts(imp::Program& program, const imp::Function& kernel);

// The bits of a float without a look for NaN, whose bits the language fixes. For numbers, and where
// the bits cannot show because the result of their use is NaN as well.
//
//   before: n = isnan t;  b = bits t;  k = n ? 0x7fc00000 : b;  .. y = mul s (power of k)
//   after:  k = bits t;  ..                            s is computed from t, and so NaN if t is
imp::Function looseBits(imp::Program& program, const imp::Function& kernel);

// Loops of straight code that divide or take roots of f32 do four iterations at once, in order.
// Their divisions then share a test and overlap; one of them must wait for no iteration before. In
// front of exactDivision.
//
//   before: for i in 0 .. n { q = div x[i] y[i];  sum := sum + q }
//   after:  for trip in 0 .. n / 4 { q0 = ..; s0 = sum + q0;  q1 = ..; .. sum := s3 }
//           for i in 4 * (n / 4) .. n { q = div x[i] y[i];  sum := sum + q }
imp::Function unrollDivisions(imp::Program& program, const imp::Function& kernel);

// Innermost loops of cells: four iterations load together, where no store of theirs is in between.
// Rows that an invocation walks along move by 16 bytes. Behind unswitchLoops.
//
//   before: for i in 0 .. n { x = load xs[r + i];  y := f x y;  store ys[r + i] y }
//   after:  for i in 0 .. -r & 3 { as before }
//           for batch in .. { x0 .. x3 = load xs[r + i ..];  y0 = f x0 y;  ..;  y := y3
//                             store ys[r + i ..] (y0 .. y3) }
//           for i in .. n { as before }
//
// A row's accesses keep the load units busy, as 32 lanes reach 32 lines. Others wait for memory at
// each iteration, behind the store of the one before. Measured on an H200, a recursive filter of
// 16,384 rows of 512: 67 us instead of 173. As many columns: 86 us instead of 214.
imp::Function batchLoops(imp::Program& program, const imp::Function& kernel);

// min and max of f32 where the device has them with the language's rules for NaN and zeros. They
// replace three comparisons and as many selections. First of all, before their shape is lost.
imp::Function nativeExtrema(const imp::Function& kernel, const Target& target);

// f64 to f16 in one rounding: devices go through f32 and round twice.
imp::Function exactHalves(imp::Program& program, const imp::Function& kernel);

// Conversions to f16 whose results are converted again, in integer arithmetic before they are made:
// no compiler removes the pair then. Behind all that adds some and folds constants. Only
// where the target asks for it.
//
//   before: h : f16 = f16 x;  y : f32 = f32 h
//   after:  r : f32 = x rounded to a half, by its bits;  h = f16 r;  y = f32 h
imp::Function roundHalves(imp::Program& program, const imp::Function& kernel, const Target& target);

// Operations on constants alone become constants: GLSL compilers do floats in double precision.
imp::Function foldConstants(imp::Program& program, const imp::Function& kernel);

// Float constants that are zero become variables: lavapipe takes 0.0 + x for x, x * 0.0 for 0.0 and
// x / 0.0 for anything, `precise` or not. Only where the target asks for it.
//
//   before: y = mul x 0.0
//   after:  zero = bits of (number of workgroups == 0 ? 1 : 0);  y = mul x zero
imp::Function hideZeros(imp::Program& program, const imp::Function& kernel, const Target& target);

// The 64-bit quotient or remainder that a statement binds; nullptr: it binds none.
const imp::Prim* wideDivision(const imp::Stm& stm);

// Divisions of 64-bit integers by 32 bits where both operands turn out to be short, as they nearly
// always are. After narrowIndices, which leaves those whose operands it cannot bound.
//
//   before: q = div a b
//   after:  if (a | b) >> 32 == 0 { q := u32 a / u32 b } else { q := div a b }
//
// Where `div` would go through f64 twice (splitWideDivision), dividends below 2^53, such as
// cell numbers of a large nest, go once: `else if a >> 53 == 0 { q := u64 (f64 a / f64 b) } else`.
imp::Function tryShortDivision(imp::Program& program, const imp::Function& kernel,
                               const Target& target);

// Division of 64-bit integers through f64. NVIDIA's compiler (580.159) mixes up the results of
// several such divisions in one kernel. After narrowIndices, which leaves few of them.
imp::Function splitWideDivision(imp::Program& program, const imp::Function& kernel,
                                const Target& target);

// Integers below 32 bits and halves by way of 32 bits where the target lacks them; in memory they
// share words. After exactDivision and exactHalves, which leave conversions between floats.
imp::Function widenSmallTypes(imp::Program& program, const imp::Function& kernel,
                              const Target& target);

// 64-bit integers as two words where the target lacks them. After narrowIndices, which leaves few,
// and after splitWideProducts. Buffers must have fewer than 2^31 words, for the kernel with wide
// indices as well.
imp::Function splitWideIntegers(imp::Program& program, const imp::Function& kernel,
                                const Target& target);

// Where the scalar arguments of a raised kernel come from: byte `byte` of that of the source.
struct ScalarPart {
  size_t scalar;
  size_t byte;
};
std::vector<ScalarPart> scalarParts(const imp::Program& program, const imp::Function& source,
                                    const imp::Function& raised);

// Negations of integers in kernels with loops become subtractions from a zero that no compiler
// knows. NVIDIA's compiler (580.159) makes |x| of a loop's `acc := max acc (neg x)` where the loop
// does not change x, and -|x| with `min`. Behind foldConstants. Only where the target asks for it.
//
//   before: for .. { y = neg x;  acc := max acc y }
//   after:  zero = number of workgroups == 0 ? 1 : 0;  for .. { y = sub zero x;  acc := max acc y }
imp::Function hideNegations(imp::Program& program, const imp::Function& kernel,
                            const Target& target);

// Whole numbers that loops carry get a copy at the end of each step. Mesa 22.3 keeps the old and
// the new one in one register, although an array of the invocation is still read at the old one.
// Only where the target asks for it.
//
//   before: while .. { next = sub b 1;  v = load r[b];  b := next }
//   after:  while .. { next = sub b 1;  v = load r[b];  moved = add next zero;  b := moved }
imp::Function separateCarried(imp::Program& program, const imp::Function& kernel,
                              const Target& target);

// Loops that count their trips and fail (engine_unsupported) when some are missing: lavapipe stops
// all loops of an invocation after 65,535 iterations and reports success. The engine then runs the
// call on the CPU. Only where the target asks for it.
imp::Function checkTrips(imp::Program& program, const imp::Function& kernel, const Target& target);

// A kernel nested deeper than the target follows fails at once (engine_unsupported).
imp::Function limitNesting(imp::Program& program, const imp::Function& kernel,
                           const Target& target);

// The one site of kernels that ask for another engine; its place is never shown.
int givingUpSite(imp::Program& program);

// Fail ends a kernel, but a kernel with barriers must reach every one of them.
//
//   before: if bad { fail 3 };  s;  barrier;  t
//   after:  if bad { fail 3; failed = true };  if not failed { s };  barrier;  t
//
// What a workgroup leaves at a place of shared memory that all know is read after a failure, too.
// Names that a guard would hide from statements behind it are declared at the top.
imp::Function keepBarriersUniform(imp::Program& program, const imp::Function& kernel);

// All of the above in order: the kernel with 64-bit indices, and with 32-bit ones.
struct Raised {
  imp::Function wide, narrow;
};
Raised raise(imp::Program& program, const imp::Function& kernel, const Target& target);

bool hasBarrier(const imp::Block& block);
bool canFail(const imp::Block& block);

}  // namespace halo::gpu

// The frame of a program, and the constructs that any type can come from.
#include "cli/fuzz/generator.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/fuzz/array_parts.h"
#include "cli/fuzz/general_parts.h"
#include "cli/fuzz/iteration_depth.h"
#include "cli/fuzz/rewrite.h"

namespace halo::fuzz {

namespace {

const std::array<const char*, 23> kLibrary = {
    "def twice 'a (f: a -> a) (x: a): a = f (f x)",
    "def apply 'a 'b (f: a -> b) (x: a): b = f x",
    "def both 'a 'b 'c (fs: (a -> b, a -> c)) (x: a): (b, c) = (fs.0 x, fs.1 x)",
    "def keep [k] 'a (p: a -> bool) (as: [k]a): ?[l].[l]a = filter p as",
    "def put [k] 'a (as: *[k]a) (i: i64) (a: a): *[k]a = as with [i] = a",
    "def times 'a (f: a -> a) (k: i64) (x: a): a = loop x for _i < k do f x",
    "def descend (k: i64) (x: i64): i64 = if k <= 0 then x else 1 + descend (k - 1) (x * 3 % 7)",
    "def digits [k] (as: [k]i64): i64 = if k == 0 then 1 else as[0] + 3 * digits as[1:]",
    "def keepBoth [k] 'a (p: a -> bool) (as: [k]a): ?[l].([l]a, i64) = let r = filter p as in (r, "
    "length r)",
    "module tables = { def table: [5]i64 = map (\\i -> i * i % 7) (iota 5) }",
    "open tables",
    "module type number = { type t val zero: t val add: t -> t -> t }",
    "module sums (N: number) = { def total [k] (as: [k]N.t): N.t = reduce N.add N.zero as }",
    "module sums_i64 = sums { type t = i64 def zero = 0i64 def add = (i64.+) }",
    "module sums_u8 = sums { type t = u8 def zero = 3u8 def add = u8.max }",
    "def risky (x: i64): i64 = assert (x % 5 != 2) (7 / (x % 7))",
    "def segScan [k] 'a (op: a -> a -> a) (ne: a) (as: [k](a, bool)): [k]a = (unzip (scan (\\(x1, "
    "f1) (x2, f2) -> (if f2 then x2 else op x1 x2, f1 || f2)) (ne, false) as)).0",
    "def replIota [k] (reps: [k]i64): []i64 = let ends = scan (+) 0 reps let starts = map (\\i -> "
    "if "
    "i == 0 then 0 else ends[i - 1]) (iota k) let marks = reduce_by_index (replicate (i64.sum "
    "reps) "
    "0) i64.max 0 starts (iota k) in segScan (+) 0 (zip marks (map (> 0) marks))",
    "def segReduce [k] 'a (op: a -> a -> a) (ne: a) (flags: [k]bool) (as: [k]a): []a = let sums = "
    "segScan op ne (zip as flags) let ends = map (\\i -> i + 1 == k || flags[i + 1]) (iota k) in "
    "(unzip (filter (.1) (zip sums ends))).0",
    "def expandBy [k] 'a 'b (count: a -> i64) (get: a -> i64 -> b) (as: [k]a): []b = let counts = "
    "map (\\a -> count a % 4) as let ids = replIota counts let starts = exscan (+) 0 counts in "
    "map2 "
    "(\\i j -> get as[i] (j - starts[i])) ids (indices ids)",
    "module type store = { type t val empty: t val push: i64 -> t -> t val join: t -> t -> t val "
    "sum: t -> i64 }",
    "module stack: store = { type t = (i64, i64) def empty = (0i64, 0i64) def push (x: i64) (s: "
    "t): "
    "t = (s.0 + x, s.1 + 1) def join (s: t) (r: t): t = (s.0 + r.0, s.1 + r.1) def sum (s: t): i64 "
    "= s.0 * 3 + s.1 }",
    "def spreadOut [k] (as: [k]i64): ?[l].[l]i64 = (flatmap' (\\a : []i64 -> replicate (a % 3) a) "
    "as).3",
};

// Not as results: the slots of other constructors have arbitrary contents.
bool hasSum(const Type& type) {
  return type.kind == Type::Kind::kSum ||
         std::any_of(type.parts.begin(), type.parts.end(),
                     [](const Type& part) { return hasSum(part); });
}

// The frame of a program: definitions, parameters, results, inputs.
class ProgramGenerator : GeneratorPart {
 public:
  explicit ProgramGenerator(GeneratorState& state) : GeneratorPart(state) {}
  Program program();

 private:
  Input input(const std::vector<Parameter>& parameters, int power);
  std::string inputElement(const Type& type);
  Definition helper();
};

// How deep the expressions of one result nest.
constexpr int kBudget = 6;

}  // namespace

// Not the names of types: behind a variable `i8`, `i8.max` is a field of it.
std::string GeneratorPart::fresh(const char* stem) {
  static constexpr std::array<int, 4> kWidths = {8, 16, 32, 64};
  while (std::find(kWidths.begin(), kWidths.end(), state_.names) != kWidths.end()) ++state_.names;
  return stem + std::to_string(state_.names++);
}

void GeneratorPart::leave(const Scope& scope) {
  variables_.resize(scope.variables);
  sizes_.resize(scope.sizes);
}

std::string GeneratorPart::bind(const Type& type, const char* stem) {
  variables_.push_back({fresh(stem), type});
  return variables_.back().name;
}

std::string ProgramGenerator::inputElement(const Type& type) {
  if (type.isBool()) return oneIn(2) ? "true" : "false";
  const int64_t number = static_cast<int64_t>(below(12)) - 3;
  if (type.isFloat()) return std::to_string(number) + (oneIn(2) ? ".5" : ".0") + type.name;
  return std::to_string(type.name[0] == 'u' ? std::abs(number) : number) + type.name;
}

// Extents whose power is no more than the interpreter ends with in a few seconds.
Input ProgramGenerator::input(const std::vector<Parameter>& parameters, int power) {
  static const std::array<int64_t, 10> kExtents = {0, 1, 2, 3, 5, 9, 31, 33, 67, 257};
  static const std::array<int64_t, 3> kLong = {1000, 1023, 1025};
  static constexpr double kMaxIterations = 2e7;
  const auto is_short = [&](int64_t n) {
    return n < 4 || std::pow(static_cast<double>(n), power) < kMaxIterations;
  };
  Input input;
  do input.n = pick(kExtents);
  while (!is_short(input.n));
  do input.m = pick(kExtents);
  while (!is_short(input.m));
  if (is_short(kLong.back()) && oneIn(8)) {
    input.n = pick(kLong);
    input.m = static_cast<int64_t>(below(4));
  }
  for (const Parameter& parameter : parameters) {
    int64_t count = 1;
    const Type* at = &parameter.type;
    for (; at->isArray(); at = &at->element()) count *= at->name == "n" ? input.n : input.m;
    input.elements.emplace_back();
    for (; count > 0; --count) input.elements.back().push_back(inputElement(*at));
  }
  return input;
}

Definition ProgramGenerator::helper() {
  Helper made{fresh("h"), {}, {}};
  const Scope scope = mark();
  const std::vector<std::string> outer_sizes = std::move(sizes_);
  const std::vector<Variable> outer = std::move(variables_);
  sizes_ = {"n", "n", "3"};
  variables_.clear();
  std::string head = "def " + made.name + " [n]";
  made.parameters.push_back(array("n", elementType()));
  made.parameters.push_back(scalarType());
  if (oneIn(2)) made.parameters.push_back(valueType());
  for (const Type& type : made.parameters) {
    const std::string name = bind(type, "p");
    head += " (" + name + ": " + text(type) + ")";
  }
  made.result = valueType();
  head += ": " + text(made.result);
  Definition definition{head, expr(made.result, kBudget - 2)};
  sizes_ = outer_sizes;
  variables_ = outer;
  leave(scope);
  helpers_.push_back(std::move(made));
  return definition;
}

Program ProgramGenerator::program() {
  Program program;
  program.library.assign(kLibrary.begin(), kLibrary.end());
  state_.fails = style_ == Style::kPlain && oneIn(3);
  sizes_ = {"n", "n", "3"};
  for (uint64_t i = below(3); i > 0; --i) program.helpers.push_back(helper());
  program.parameters = {{"xs", array("n", scalar("i64"))}, {"k", scalar("i64")}};
  const bool is_plain = style_ == Style::kPlain;
  if (oneIn(2) || !is_plain) program.parameters.push_back({"ys", array("n", parameterType())});
  if (oneIn(2)) {
    program.parameters.push_back({"zs", array("m", array("n", parameterType()))});
    sizes_.push_back("m");
  }
  if (oneIn(2)) program.parameters.push_back({"a", parameterType()});
  for (const Parameter& parameter : program.parameters) {
    variables_.push_back({parameter.name, parameter.type});
  }
  for (uint64_t i = 1 + below(3); i > 0; --i) {
    Type type = valueType();
    while (hasSum(type)) type = valueType();
    program.results.push_back(expr(type, is_plain ? kBudget : kBudget - 1));
  }
  const int power = iterationDepth(program);
  for (int i = 0; i < 4; ++i) program.inputs.push_back(input(program.parameters, power));
  return program;
}

Program generate(uint64_t seed, Style style) {
  const bool is_rewritten = style == Style::kRewritten;
  GeneratorState state{session::RandomBits(seed), is_rewritten ? Style::kPlain : style};
  Program program = ProgramGenerator(state).program();
  if (!is_rewritten) return program;
  rewrite(program, seed);
  return program;
}

Node GeneratorPart::expr(const Type& type, int budget) {
  if (budget <= 0 || oneIn(9)) return leaf(type);
  if (oneIn(3)) return GeneralGenerator(state_).anyKind(type, budget);
  if (type.isScalar()) return ScalarGenerator(state_).scalarExpr(type, budget);
  if (type.isArray()) return ArrayGenerator(state_).arrayExpr(type, budget);
  return product(type, budget);
}

Node GeneralGenerator::anyKind(const Type& type, int budget) {
  if (state_.fails && oneIn(2)) return FailureGenerator(state_).failing(type, budget);
  switch (below(20)) {
    case 18:
      return LoopGenerator(state_).letOneOf(type, budget);
    case 19:
      return LoopGenerator(state_).recordLoop(type, budget);
    case 17:
      return IdiomGenerator(state_).halvingLoop(type, budget);
    case 12:
    case 13:
      return FunctionGenerator(state_).withFunction(type, budget);
    case 14:
    case 15:
      return PatternGenerator(state_).withPattern(type, budget);
    case 16:
      return LoopGenerator(state_).shrinkingLoop(type, budget);
    case 0:
    case 1:
      return LoopGenerator(state_).let(type, budget);
    case 2:
      return LoopGenerator(state_).letFiltered(type, budget);
    case 3:
      return LoopGenerator(state_).loop(type, budget);
    case 4:
      return LoopGenerator(state_).whileLoop(type, budget);
    case 5:
      return match(type, budget);
    case 6:
      return project(type, budget);
    case 7:
      return element(type, budget);
    case 8:
      return applied(type, budget);
    case 9:
      if (auto called = call(type, budget)) return *called;
      return LoopGenerator(state_).let(type, budget);
    case 10:
      return {type,
              "(assert $ $)",
              {oneIn(4) ? expr(scalar("bool"), budget - 2) : Node{scalar("bool"), "true", {}},
               expr(type, budget - 1)}};
    default:
      return {type,
              "(if $ then $ else $)",
              {expr(scalar("bool"), budget - 2), expr(type, budget - 1), expr(type, budget - 1)}};
  }
}

Node GeneralGenerator::match(const Type& type, int budget) {
  const Type sum{Type::Kind::kSum, "", {scalarType(), valueType()}};
  Node node{type, "(match $", {expr(sum, budget - 1)}};
  for (size_t i = 0; i < sum.parts.size(); ++i) {
    const Scope scope = mark();
    node.text += " case " + constructor(i) + " " + bind(sum.parts[i]) + " -> $";
    node.children.push_back(expr(type, budget - 1));
    leave(scope);
  }
  node.text += ")";
  return node;
}

Node GeneralGenerator::project(const Type& type, int budget) {
  const bool is_record = oneIn(2);
  std::vector<Type> parts = {type, valueType()};
  const size_t at = below(2);
  std::swap(parts[0], parts[at]);
  const Type whole{is_record ? Type::Kind::kRecord : Type::Kind::kTuple, "", parts};
  return {type, "($)." + (is_record ? field(at) : std::to_string(at)), {expr(whole, budget - 1)}};
}

// Inside most of the time; else it may fail.
Node GeneralGenerator::element(const Type& type, int budget) {
  const std::string size = anySize(), name = fresh("e");
  Node whole = expr(array(size, type), budget - 1);
  if (oneIn(4)) {
    return {type,
            "(let " + name + " = $ in " + name + "[$])",
            {std::move(whole), expr(scalar("i64"), budget - 2)}};
  }
  return {
      type,
      "(let " + name + " = $ in if " + size + " > 0 then " + name + "[$ % " + size + "] else $)",
      {std::move(whole), expr(scalar("i64"), budget - 2), expr(type, budget - 2)}};
}

std::optional<Node> GeneralGenerator::call(const Type& type, int budget) {
  std::vector<std::pair<const Helper*, std::string>> fitting;
  for (const Helper& helper : helpers_) {
    for (const std::string& size : sizes_) {
      if (withSize(helper.result, "n", size) == type) fitting.emplace_back(&helper, size);
    }
  }
  if (fitting.empty()) return std::nullopt;
  const auto [helper, size] = pick(fitting);
  Node node{type, "(" + helper->name, {}};
  for (const Type& parameter : helper->parameters) {
    node.text += " $";
    node.children.push_back(expr(withSize(parameter, "n", size), budget - 2));
  }
  node.text += ")";
  return node;
}

Node GeneralGenerator::applied(const Type& type, int budget) {
  switch (below(4)) {
    case 0:
      return {type, "(twice $ $)", {lambda({type}, type, budget - 2), expr(type, budget - 1)}};
    case 1:
      return {type, "(times $ 3 $)", {lambda({type}, type, budget - 2), expr(type, budget - 1)}};
    case 2: {
      const Type from = valueType();
      return {type, "($ |> $)", {expr(from, budget - 1), lambda({from}, type, budget - 1)}};
    }
    default: {
      const Type from = scalarType(), other = scalarType();
      Node first = lambda({from}, type, budget - 2), second = lambda({from}, other, budget - 2);
      return {
          type, "(both ($, $) $).0", {std::move(first), std::move(second), expr(from, budget - 2)}};
    }
  }
}

Node GeneratorPart::lambda(const std::vector<Type>& parameters, const Type& result, int budget) {
  const Scope scope = mark();
  Node node{result, "(\\", {}};
  for (const Type& type : parameters) node.text += "(" + bind(type, "x") + ": " + text(type) + ") ";
  node.text += "-> $)";
  node.children.push_back(expr(result, budget));
  leave(scope);
  return node;
}

}  // namespace halo::fuzz

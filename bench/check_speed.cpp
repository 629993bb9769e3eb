// How long checking takes as programs grow: generated programs of 1k, 10k and 100k lines, in
// milliseconds and microseconds per line. Processor time is measured, so that other programs do not
// count. The last column should hardly change. With files as arguments it checks those instead and
// prints their types or errors.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "lang/syntax/parse/parser.h"
#include "lang/types/check.h"
#include "stdlib/embedded.h"

namespace {

using namespace halo;

struct Outcome {
  types::EnvironmentRef environment;
  std::string errors;
  double milliseconds = 0;
};

Outcome check(const types::EnvironmentRef& base, std::string name, std::string text,
              bool is_prelude) {
  source::Files files;
  diag::Sink sink;
  auto id = files.add(std::move(name), std::move(text));
  syntax::Tree tree = treeOf(*base);
  syntax::File file = syntax::parseFile(files, id, {is_prelude}, tree, sink);
  Outcome outcome;
  const std::clock_t start = std::clock();
  if (!sink.hasErrors()) {
    outcome.environment =
        types::extend(base, std::move(tree), file, {is_prelude, !is_prelude}, sink);
  }
  outcome.milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  outcome.errors = diag::render(sink, files);
  return outcome;
}

types::EnvironmentRef prelude() {
  types::EnvironmentRef environment = types::emptyEnvironment();
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    Outcome outcome = check(environment, std::string(file.name), std::string(file.text), true);
    if (!outcome.environment) {
      fmt::print("{}", outcome.errors);
      return nullptr;
    }
    environment = outcome.environment;
  }
  return environment;
}

// Definitions of five lines each, every one using the one before; and one long chain of `let`.
std::string generate(int lines) {
  std::string text = "def f0 [n] (xs: [n]i32) (k: i64): [n]i32 = map (+ i32.i64 k) xs\n";
  int definitions = lines / 10;
  for (int i = 1; i <= definitions; ++i) {
    text += fmt::format(
        "def f{0} [n] (xs: [n]i32) (k: i64): [n]i32 =\n"
        "  let ys = map2 (\\x y -> x * {0} + y) xs (f{1} xs k)\n"
        "  let zs = filter (> 0) (ys ++ replicate k 1)\n"
        "  let s = if length zs > 3 then i32.sum zs else reduce (+) 0 ys\n"
        "  in map (\\y -> match {{a = y, b = s}} case {{a, b}} -> a + b) ys\n",
        i, i - 1);
  }
  text += "def long (x0: i32): i32 =\n";
  for (int i = 1; i <= lines / 2; ++i) text += fmt::format("  let x{} = x{} * 2 + 1\n", i, i - 1);
  return text + fmt::format("  in x{}\n", lines / 2);
}

int checkFiles(const types::EnvironmentRef& base, int count, char** names) {
  int rejected = 0;
  for (int i = 0; i < count; ++i) {
    std::ifstream stream(names[i]);
    std::stringstream text;
    text << stream.rdbuf();
    Outcome outcome = check(base, names[i], text.str(), false);
    if (!outcome.environment) ++rejected;
    fmt::print("== {}: {}\n{}", names[i], outcome.environment ? "accepted" : "rejected",
               outcome.environment ? print(types::program(*outcome.environment)) : outcome.errors);
    std::fflush(stdout);
  }
  return rejected > 0 ? 2 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  types::EnvironmentRef base = prelude();
  if (!base) return 1;
  if (argc > 1) return checkFiles(base, argc - 1, argv + 1);
  for (int lines : {1000, 10000, 100000}) {
    Outcome outcome = check(base, "generated.fut", generate(lines), false);
    if (!outcome.environment) {
      fmt::print("{}", outcome.errors);
      return 1;
    }
    fmt::print("{:7} lines {:9.1f} ms {:8.2f} us per line\n", lines, outcome.milliseconds,
               1000 * outcome.milliseconds / lines);
  }
}

// libFuzzer over the checker: every text must keep the laws of lang/types/laws.h. Bytes that change
// at random rarely parse, so most mutations work on tokens.
#include <cstdint>
#include <cstdio>

#include "lang/syntax/lex/lexer.h"
#include "lang/types/laws.h"
#include "stdlib/embedded.h"
#include "tests/fuzz/token_fuzzer.h"

namespace {

using namespace halo;  // NOLINT: a program of one file

// Without the elementary functions: every text is checked on a copy of this.
bool isUsed(std::string_view file) {
  return file.starts_with("basis") || file == "functional.fut" || file == "module_types.fut";
}

types::EnvironmentRef loadPrelude() {
  types::EnvironmentRef environment = types::emptyEnvironment();
  for (const stdlib::EmbeddedFile& file : stdlib::files()) {
    if (!isUsed(file.name)) continue;
    source::Files files;
    diag::Sink sink;
    const auto id = files.add(std::string(file.name), std::string(file.text));
    syntax::Tree tree = types::treeOf(*environment);
    const syntax::File parsed =
        syntax::parseFile(files, id, {.allow_intrinsics = true}, tree, sink);
    types::CheckOptions options;
    options.is_prelude = true;
    environment = types::extend(environment, std::move(tree), parsed, options, sink);
    if (!environment) {
      fprintf(stderr, "%s\n", diag::render(sink, files).c_str());
      __builtin_trap();
    }
  }
  return environment;
}

const std::vector<std::string_view> kWords = {
    " []",   " [n]",    " [m]",    " *",     " i64", " i32",    " f32",  " bool", " 'a",
    " '^a",  " '~a",    " ?[k].",  " n",     " m",   " xs",     " x",    " f",    " map",
    " 0",    " 1",      " 2i64",   " (",     " )",   " ->",     " =",    " let",  " in",
    " loop", " for",    " with",   " entry", " def", " module", " type", " open", " match",
    " case", " if",     " #a",     " #b",    " {",   " }",      " :",    " :>",   ",",
    ".0",    " filter", " iota",   " + ",    " n+1", " |> ",    " copy", " val",  " while",
    " |",    "[0]",     " reduce", "\n",     " ()",  " \\x ->"};

}  // namespace

HALO_FUZZ_TOKENS(kWords)

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const types::EnvironmentRef base = loadPrelude();
  test::mustKeep(types::test::brokenLaw(base, test::textOf(data, size)));
  return 0;
}

// Commands about files: their text, their names, their values.
#include "cli/options/registry.h"
#include "cli/options/words.h"

namespace halo::cli {

namespace {

void addCheck(Registry& registry) {
  auto& arguments = registry.keep<CheckArguments>();
  auto& files = registry.keep<std::vector<std::string>>();
  CLI::App* sub = registry.add("check", "parse and type-check", [&registry, &arguments, &files] {
    return check(registry.common, arguments, files);
  });
  sub->add_flag("-w", arguments.is_silent, "no warnings");
  sub->add_flag("--Werror", arguments.is_strict, "warnings are errors");
  sub->add_option("files", files, "programs; `-` is standard input")->required();
}

void addFormat(Registry& registry) {
  auto& arguments = registry.keep<FormatArguments>();
  CLI::App* sub =
      registry.add("fmt", "lay out programs in place, or standard input to standard output",
                   [&registry, &arguments] { return formatPrograms(registry.common, arguments); });
  sub->add_flag("--check", arguments.checks, "change nothing: status 1 if a file is not formatted");
  sub->add_flag("--diff", arguments.shows_changes,
                "change nothing: print the changes as a diff, status 1 if there are any");
  sub->add_option("files", arguments.paths, "programs, or folders of them");
}

void addEval(Registry& registry) {
  auto& arguments = registry.keep<EvalArguments>();
  CLI::App* sub = registry.add("eval", "values of expressions", [&registry, &arguments] {
    registry.addValues(arguments.expressions);
    return eval(registry.common, arguments);
  });
  sub->add_option("-f,--file", arguments.file, "a program whose definitions they use");
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_option("expressions", arguments.expressions)->required();
}

void addScript(Registry& registry) {
  auto& arguments = registry.keep<ScriptArguments>();
  CLI::App* sub = registry.add("script", "the value of a script that calls a program's entries",
                               [&registry, &arguments] {
                                 unshield(arguments.expression);
                                 return script(registry.common, arguments);
                               });
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_flag("-b,--binary", arguments.binary, "print the binary format");
  sub->add_option("-f,--file", arguments.expression_file, "read the script from this file");
  sub->add_option("-e,--expression", arguments.expression, "the script");
  sub->add_option("program", arguments.file)->required();
  sub->add_option("script", arguments.expression, "`f (g 10) ($loaddata \"x.in\")`");
}

void addDefs(Registry& registry) {
  auto& file = registry.keep<std::string>();
  CLI::App* sub = registry.add("defs", "definitions of a program and its imports, with places",
                               [&registry, &file] { return defs(registry.common, file); });
  sub->add_option("file", file)->required();
}

void addImports(Registry& registry) {
  auto& file = registry.keep<std::string>();
  CLI::App* sub = registry.add("imports", "the files of a program",
                               [&registry, &file] { return imports(registry.common, file); });
  sub->add_option("file", file)->required();
}

void addTokens(Registry& registry) {
  auto& arguments = registry.keep<DumpArguments>();
  CLI::App* sub = registry.add("tokens", "the tokens of a file", [&registry, &arguments] {
    arguments.stage = "tokens";
    return dump(registry.common, arguments);
  });
  sub->add_option("file", arguments.file)->required();
}

void addDatacmp(Registry& registry) {
  auto& files = registry.keep<std::vector<std::string>>();
  CLI::App* sub = registry.add("datacmp", "whether two files have the same values",
                               [&registry, &files] { return datacmp(registry.common, files); });
  sub->add_option("files", files)->required()->expected(2);
}

}  // namespace

void addFiles(Registry& registry) {
  addCheck(registry);
  addFormat(registry);
  addEval(registry);
  addScript(registry);
  addDefs(registry);
  addImports(registry);
  addTokens(registry);
  addDatacmp(registry);
}

}  // namespace halo::cli

// `literate` and `dataset`.
#include "cli/options/registry.h"
#include "cli/options/words.h"
#include "lang/prim/prim.h"

namespace halo::cli {

namespace {

void addLiterate(Registry& registry) {
  auto& arguments = registry.keep<LiterateArguments>();
  CLI::App* sub =
      registry.add("literate", "a program with `-- >` directives to Markdown and pictures",
                   [&registry, &arguments] { return literate(registry.common, arguments); });
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_option("-o,--output", arguments.output, "the Markdown file or notebook");
  sub->add_option("--to", arguments.format, "md, or ipynb: a notebook of Jupyter")
      ->check(CLI::IsMember({"md", "ipynb"}));
  sub->add_flag("--stop-on-error", arguments.stop_on_error, "write nothing when a directive fails");
  sub->add_option("file", arguments.file)->required();
}

void addDataset(Registry& registry) {
  auto& arguments = registry.keep<DatasetArguments>();
  CLI::App* sub = registry.add("dataset", "random values, or values in another format",
                               [&registry, &arguments] {
                                 unshieldValues(arguments.generate);
                                 return dataset(registry.common, arguments);
                               });
  sub->add_option("-g,--generate", arguments.generate, "a random value of this type: [10][3]f32")
      ->allow_extra_args(false);
  sub->add_option("-s,--seed", arguments.seed, "seed of the random values");
  sub->add_flag("-b,--binary", arguments.binary, "print the binary format");
  sub->add_flag("--json", arguments.json, "print JSON");
  sub->add_flag_function(
      "--text", [&registry, &arguments](int64_t) { arguments.binary = arguments.json = false; },
      "print text, which is the default");
  sub->add_flag("-t,--type", arguments.types, "print the types of the values");
  sub->add_option("-o,--output", arguments.output, "write a file: .npy, .png, .bin or text");
  for (prim::ScalarType type : prim::kAllScalarTypes) {
    const std::string name(prim::name(type));
    if (name == "bool") continue;
    sub->add_option_function<std::string>(
        "--" + name + "-bounds",
        [&registry, &arguments, name](const std::string& text) { arguments.bounds[name] = text; },
        "random values between LOW:HIGH");
  }
  sub->add_option("file", arguments.file, "values to convert (default: standard input)");
}

}  // namespace

void addDocuments(Registry& registry) {
  addLiterate(registry);
  addDataset(registry);
}

}  // namespace halo::cli

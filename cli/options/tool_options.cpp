// Tools around the language, and about the command itself.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "cli/options/registry.h"

#include "cli/options/reference.h"
#include "cli/print.h"

namespace halo::cli {

namespace {

void addPackage(Registry& registry) {
  auto& arguments = registry.keep<PackageArguments>();
  CLI::App* sub =
      registry.add("pkg", "packages of `futhark.pkg` in `lib/`",
                   [&registry, &arguments] { return package(registry.common, arguments); });
  sub->add_option("task", arguments.task,
                  "init [PATH]: a new `futhark.pkg`; add PATH [VERSION], remove PATH, upgrade:\n"
                  "change it; versions PATH: those of a package; sync: fetch what is required;\n"
                  "check: is it there")
      ->required()
      ->check(CLI::IsMember({"init", "add", "remove", "upgrade", "versions", "sync", "check"}));
  sub->add_option("path", arguments.path, "of a package: github.com/user/name");
  sub->add_option("version", arguments.version, "of `add` (default: the newest)");
  sub->add_option("-C,--folder", arguments.folder, "where `futhark.pkg` is (default: here)");
  sub->add_option("--mirror", arguments.mirror,
                  "take repositories from this folder, `FOLDER/github.com/user/name`");
  sub->add_flag("--offline", arguments.is_offline, "only packages fetched before");
}

void addServer(Registry& registry) {
  auto& arguments = registry.keep<ServerArguments>();
  CLI::App* sub =
      registry.add("server", "entries for another process, by the protocol of Futhark's servers",
                   [&registry, &arguments] { return server(registry.common, arguments); });
  sub->add_option("--backend", arguments.backend, kBackends);
  sub->add_option("file", arguments.file, "program")->required();
}

void addKernel(Registry& registry) {
  auto& task = registry.keep<std::string>();
  auto& rest = registry.keep<std::vector<std::string>>();
  CLI::App* sub =
      registry.add("kernel", "install [--user | --prefix=P]: makes Halo a kernel of Jupyter", {});
  sub->allow_extras();
  sub->add_option("task", task, "install")->required()->check(CLI::IsMember({"install"}));
  sub->callback([&registry, &rest, sub] {
    rest = sub->remaining();
    registry.command = [&registry, &rest] { return kernel(registry.common, rest); };
  });
}

void addLsp(Registry& registry) {
  registry.add("lsp", "the language server, for editors", [] { return lsp(); });
}

void addDevices(Registry& registry) {
  auto& arguments = registry.keep<DevicesArguments>();
  CLI::App* sub =
      registry.add("devices", "Vulkan devices and their features",
                   [&registry, &arguments] { return devices(registry.common, arguments); });
  sub->add_option("--ranks", arguments.ranks, "what messages between so many processes cost here")
      ->check(CLI::Range(2, 1024));
  sub->add_option("--gpus", arguments.gpus, "the same with a GPU for each: a number, or all");
}

void addDoc(Registry& registry) {
  auto& words = registry.keep<std::vector<std::string>>();
  CLI::App* sub = registry.add(
      "doc", "type and documentation of a prelude name, or of a program's: `doc FILE [NAME..]`",
      [&registry, &words] { return doc(registry.common, words); });
  sub->add_option("name", words, "or words of its name or its comment")->required();
}

void addExplain(Registry& registry) {
  auto& name = registry.keep<std::string>();
  CLI::App* sub = registry.add("explain", "the meaning of a diagnostic",
                               [&registry, &name] { return explain(registry.common, name); });
  sub->add_option("code", name, "such as H3001")->required();
}

void addCompletion(Registry& registry) {
  auto& name = registry.keep<std::string>();
  CLI::App* sub = registry.add(
      "completion", "a script that completes commands and options in a shell", [&registry, &name] {
        cli::print(stdout, "{}", completionScript(registry.app(), name));
        return kOk;
      });
  sub->add_option("shell", name)->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

// A page, or the names of all commands.
int manual(Registry& registry, const std::string& name) {
  if (name == "commands") {
    cli::print(stdout, "{}\n", fmt::join(registry.commandNames(), "\n"));
    return kOk;
  }
  const std::string page = manualPage(registry.app(), name);
  if (page.empty()) return registry.unknownCommand(name);
  cli::print(stdout, "{}", page);
  return kOk;
}

void addManual(Registry& registry) {
  auto& name = registry.keep<std::string>();
  CLI::App* sub = registry.add("manual", "a page for man(1)",
                               [&registry, &name] { return manual(registry, name); });
  sub->add_option("command", name, "`halo` for the overview, `commands` for their names")
      ->required();
}

}  // namespace

void addTools(Registry& registry) {
  addPackage(registry);
  addServer(registry);
  addKernel(registry);
  addLsp(registry);
  addDevices(registry);
  addDoc(registry);
  addExplain(registry);
  addCompletion(registry);
  addManual(registry);
}

}  // namespace halo::cli

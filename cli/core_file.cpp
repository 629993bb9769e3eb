// Core and Imp text as programs; values are leaves, there are no source types to guide reading.
#include "cli/core_file.h"

#include <cstdio>
#include <iostream>
#include <iterator>

#include "cli/session/stages.h"
#include "gpu/engine.h"
#include "jit/engine.h"
#include "lang/ad/differentiate.h"
#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/imp/text.h"
#include "lang/imp/walk.h"
#include "lang/passes/calls/sorts.h"
#include "lang/value/format.h"

namespace halo::cli {
namespace {

using diag::Code;

bool launchesKernels(const imp::Program& program) {
  bool launches = false;
  for (const imp::Function& function : program.functions) {
    imp::forEachStm(function.body, [&](const imp::Stm& stm) {
      launches = launches || std::holds_alternative<imp::Launch>(stm.node);
    });
  }
  return launches;
}

diag::Result<std::unique_ptr<engine::Prepared>> prepareText(source::Files& files,
                                                            source::FileId file,
                                                            const Common& common,
                                                            const RunArguments& arguments) {
  std::string entry = arguments.entry.empty() ? "main" : arguments.entry;
  engine::Options options = sessionOptions(common).engine;
  if (arguments.file.ends_with(".imp")) {
    auto program = imp::parse(files, file);
    if (!program) return diag::Failure(program.error());
    if (auto valid = imp::verify(*program); !valid) return diag::Failure(valid.error());
    if (launchesKernels(*program)) {
      return diag::fail(Code::engine_unsupported, {}, "the program launches kernels",
                        {"Imp text runs on the CPU: use the stage `imp`, not `imp-gpu`"});
    }
    return jit::prepareImp(*program, entry, options);
  }
  auto program = core::parse(files, file);
  if (!program) return diag::Failure(program.error());
  if (auto valid = core::verify(*program); !valid) return diag::Failure(valid.error());
  program = ad::differentiate(std::move(*program));
  if (!program) return diag::Failure(program.error());
  const core::Function* function = program->find(entry);
  if (function == nullptr || !function->is_entry) {
    return diag::fail(Code::unknown_entry, {}, "there is no entry `" + entry + "`");
  }
  for (const core::Function& other : program->functions) {
    // Lowering itself makes sorts; all other kernels are the planner's.
    if (!other.kernel.empty() && !passes::isSort(other)) {
      return diag::fail(Code::engine_unsupported, {}, "`" + other.name + "` is a kernel",
                        {"programs are planned when they run: use the stage `core`"});
    }
  }
  if (arguments.backend == "interp") {
    return diag::fail(Code::engine_unsupported, {}, "the interpreter runs source programs only",
                      {"use `--backend=cpu` or `--backend=gpu` for Core"});
  }
  if (arguments.backend == "gpu") {
    return gpu::prepareCore(*program, entry, sessionOptions(common).device, options);
  }
  return jit::prepareCore(*program, entry, options);
}

diag::Result<std::vector<value::Value>> readValues(source::Files& files,
                                                   const RunArguments& arguments) {
  std::string text;
  for (const std::string& word : arguments.words) text += word + "\n";
  if (arguments.words.empty()) text.assign(std::istreambuf_iterator<char>(std::cin), {});
  return value::parseValues(files, files.add("arguments", std::move(text)));
}

}  // namespace

int runCoreFile(const Common& common, const RunArguments& arguments) {
  source::Files files;
  auto file = session::addFile(files, arguments.file);
  if (!file) return report(common, files, file.error());
  auto prepared = prepareText(files, *file, common, arguments);
  if (!prepared) return report(common, files, prepared.error());
  auto values = readValues(files, arguments);
  if (!values) return report(common, files, values.error());
  auto results = (*prepared)->call(*values, {.cancel = &cancelFlag()});
  if (!results) return report(common, files, results.error());
  for (const value::Value& result : *results) {
    std::printf("%s\n", value::toText(result).c_str());
  }
  return kOk;
}

}  // namespace halo::cli

// halo tune: finds the fastest schedules of a program's kernels on the GPU at hand. The inputs are
// those of its test blocks, or else of its `-- run:` line or the command line. `halo run` and all
// others use the findings for arguments of about these sizes.
#include <cstdio>
#include <filesystem>

#include "cli/commands.h"
#include "cli/session/values/arguments.h"
#include "cli/session/values/case_arguments.h"
#include "gpu/tune.h"

namespace halo::cli {
namespace {

class Tune {
 public:
  Tune(const Common& common, const TuneArguments& arguments)
      : common_(common), arguments_(arguments), session_(sessionOptions(common)) {}

  int run() {
    diag::Sink sink;
    auto loaded = session_.load(arguments_.file, sink);
    if (!loaded) return report(common_, session_.files(), sink);
    auto blocks = session::parseTestProgram(session_.files(), loaded->file);
    if (!blocks) return fail(blocks.error());
    if (!arguments_.words.empty()) return fromWords(*loaded, arguments_.words, ".");
    int status = kOk;
    for (const session::TestBlock& block : blocks->blocks) {
      for (const std::string& name : block.entries) {
        if (!arguments_.entry.empty() && arguments_.entry != name) continue;
        for (const session::TestCase& test : block.cases) {
          if (test.hasTag("nobench") || test.expect == session::Expect::kError) continue;
          status = std::max(status, fromCase(*loaded, name, test));
        }
      }
    }
    if (tuned_ > 0 || status != kOk) return status;
    RunArguments line;
    if (blocks->run_line) applyRunLine(*blocks->run_line, &line);
    if (arguments_.entry.empty()) arguments_.entry = line.entry;
    return fromWords(*loaded, line.words,
                     std::filesystem::path(arguments_.file).parent_path().string());
  }

 private:
  int fromWords(const session::Loaded& loaded, const std::vector<std::string>& words,
                const std::string& folder) {
    auto entry = session_.findEntry(loaded, arguments_.entry);
    if (!entry) return fail(entry.error());
    auto values = session::argumentsFromWords(session_, *loaded.program(), *entry, words,
                                              folder.empty() ? "." : folder);
    if (!values) return fail(values.error());
    return tune(loaded, *entry, "", *values);
  }

  int fromCase(const session::Loaded& loaded, const std::string& name,
               const session::TestCase& test) {
    auto entry = session_.findEntry(loaded, name);
    if (!entry) return fail(entry.error());
    auto values = session::caseArguments(session_, loaded, session::Backend::kGpu, *entry,
                                         arguments_.file, test);
    if (!values) return fail(values.error());
    return tune(loaded, *entry, test.name, *values);
  }

  int tune(const session::Loaded& loaded, types::DefId entry, const std::string& data,
           const std::vector<value::Value>& values) {
    auto found = gpu::tune(loaded.program(), entry, common_.device, session_.options().engine,
                           values, arguments_.runs);
    if (!found) return fail(found.error());
    ++tuned_;
    std::string name = loaded.program()->defs[entry].name;
    if (!data.empty()) name += " " + data;
    std::printf("%s: by rule %.1f us", name.c_str(), found->by_rule);
    for (const char* simple : {"direct", "plain"}) {
      auto time = found->alike.find(simple);
      if (time != found->alike.end()) std::printf(", %s %.1f us", simple, time->second);
    }
    std::printf(", best of %d: %.1f us\n", found->measured, found->best);
    return kOk;
  }

  int fail(const diag::Diagnostic& diagnostic) {
    return report(common_, session_.files(), diagnostic);
  }

  const Common& common_;
  TuneArguments arguments_;
  session::Session session_;
  int tuned_ = 0;
};

}  // namespace

int tune(const Common& common, const TuneArguments& arguments) {
  return Tune(common, arguments).run();
}

}  // namespace halo::cli

// halo fuzz --mutate PROGRAM: programs with random changes on all engines, with the inputs of their
// test blocks. Workers of `halo test` run them. A mutation that a worker cannot start is no
// finding: the type checker rejects it, or its inputs have other types.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/fuzz/mutate.h"
#include "cli/fuzzing/fuzz_report.h"
#include "cli/session/imports.h"
#include "lang/base/files.h"

namespace halo::cli {
namespace {

namespace fs = std::filesystem;

struct Mutant {
  std::string program, text;
  uint64_t seed;
};

class Mutations {
 public:
  Mutations(const Common& common, const FuzzArguments& arguments,
            const std::vector<session::Backend>& backends, std::string folder)
      : common_(common),
        arguments_(arguments),
        folder_(std::move(folder)),
        session_(sessionOptions(common)),
        pool_(poolOptions(arguments)),
        report_(common, arguments, backends) {
    session_.team = arguments.ranks;
    options_.backends = backends;
    options_.only_entry = arguments.entry;
    options_.may_fail = true;
    options_.inputs_only = true;
  }

  int run(std::chrono::steady_clock::time_point end) {
    const int total = countOf(arguments_);
    const int batch = 8 * pool_.jobs;
    pool_.until = end;
    for (int done = 0; done < total && !cancelFlag().isSet(); done += batch) {
      if (done > 0 && std::chrono::steady_clock::now() >= end) break;
      std::vector<Mutant> mutants;
      for (int i = done; i < std::min(done + batch, total); ++i) mutants.push_back(mutant(i));
      test(mutants);
      if (common_.verbose) halo::cli::tell(common_, std::to_string(done + batch) + " mutations");
    }
    std::printf("%d mutations agree, %d differ, %d rejected\n", agree_, differ_, rejected_);
    const int written = report_.write("");
    if (written != kOk) return written;
    return differ_ == 0 && !cancelFlag().isSet() ? kOk : kRunTimeError;
  }

 private:
  Mutant mutant(int number) const {
    constexpr size_t kMax = size_t{16} << 20;
    const std::string& program =
        arguments_.programs[static_cast<size_t>(number) % arguments_.programs.size()];
    const uint64_t seed = arguments_.firstSeed() + static_cast<uint64_t>(number);
    return {program, fuzz::mutate(base::readFile(program, kMax).bytes, seed), seed};
  }

  void test(const std::vector<Mutant>& mutants) {
    std::vector<std::string> paths;
    for (const Mutant& one : mutants) {
      const std::string name = fs::path(one.program).stem().string();
      paths.push_back(folder_ + "/" + name + "-" + std::to_string(one.seed) + ".fut");
      std::ofstream(paths.back()) << one.text;
    }
    size_t next = 0;
    session::testPrograms(paths, session_, options_, pool_,
                          [&](const std::string&, const session::TestReport& found) {
                            tell(mutants[next++], found);
                          });
    for (const std::string& path : paths) {
      if (arguments_.keep.empty()) fs::remove(path);
    }
  }

  void tell(const Mutant& mutant, const session::TestReport& found) {
    const std::string kind = found.failed == 0 ? "" : kindOf(found.failures.front());
    const bool is_rejected = kind == "the program is rejected" || kind.starts_with("[H80");
    const std::string name = mutant.program + ", seed " + std::to_string(mutant.seed);
    if (kind.empty() || kind == kSlowKind) {
      ++agree_;
      report_.passed("halo fuzz", name);
    } else if (is_rejected) {
      ++rejected_;
    } else {
      ++differ_;
      const std::string head = report_.head(mutant.seed, " " + mutant.program, found.device);
      std::printf("---- %s: %s\n%s%s\n", name.c_str(), kind.c_str(), head.c_str(),
                  found.failures.front().c_str());
      std::fflush(stdout);
      report_.failed("halo fuzz", name,
                     {mutant.program, "", mutant.seed, found.failures.front(), "",
                      head + mutant.text, found.device});
    }
  }

  const Common& common_;
  const FuzzArguments& arguments_;
  const std::string folder_;
  session::SessionOptions session_;
  session::TestOptions options_;
  session::PoolOptions pool_;
  FuzzReport report_;
  int agree_ = 0, differ_ = 0, rejected_ = 0;
};

}  // namespace

int fuzzMutations(const Common& common, const FuzzArguments& arguments,
                  const std::vector<session::Backend>& backends, const std::string& folder,
                  std::chrono::steady_clock::time_point end) {
  if (arguments.programs.empty()) {
    return report(common, {},
                  diag::fail(diag::Code::wrong_argument_count, {}, "`--mutate` needs programs",
                             {"help: `halo fuzz --mutate prog.fut`"})
                      .value());
  }
  for (const std::string& path : arguments.programs) {
    if (std::error_code error; fs::exists(path, error)) continue;
    return report(common, {}, session::missingFile(path));
  }
  return Mutations(common, arguments, backends, folder).run(end);
}

}  // namespace halo::cli

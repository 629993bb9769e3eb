// Each distinct row list is walked once: the gpu's differs from the cpu's in the middle.
#include "lang/passes/properties.h"

#include <fmt/format.h>

#include "lang/core/evaluate/evaluate.h"
#include "lang/core/text.h"
#include "lang/passes/pipeline.h"

namespace halo::passes {
namespace {

using core::Evaluation;

struct Trial {
  std::vector<core::Datum> arguments;
  Evaluation expected;
};

std::string textOf(const Evaluation& evaluation) {
  if (evaluation.end != Evaluation::End::kResults) return evaluation.text;
  std::string out = "results";
  for (const core::Datum& datum : evaluation.results) {
    out += " [";
    for (uint64_t bits : *datum.bits) out += fmt::format(" {:x}", bits);
    out += " ]";
  }
  return out;
}

std::string nameOfEntry(const core::Program& program) {
  for (const core::Function& function : program.functions) {
    if (function.is_entry) return function.name;
  }
  return "";
}

// Empty if the program's results are right in all trials.
std::string differs(const core::Program& program, const std::string& entry,
                    const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) {
    const Evaluation found = core::evaluate(program, entry, trial.arguments);
    if (found.end == Evaluation::End::kTooLong) continue;
    if (found.end == trial.expected.end && found.results == trial.expected.results) continue;
    return fmt::format("expected {}\nfound {}\n", textOf(trial.expected), textOf(found));
  }
  return "";
}

}  // namespace

std::string changedBy(const core::Program& program, int inputs, int* compared) {
  const std::string entry = nameOfEntry(program);
  std::vector<Trial> trials;
  for (int i = 0; i < inputs; ++i) {
    Trial trial{core::randomArguments(program, entry, static_cast<uint64_t>(i)), {}};
    trial.expected = core::evaluate(program, entry, trial.arguments);
    const bool is_meant = trial.expected.end == Evaluation::End::kResults ||
                          trial.expected.end == Evaluation::End::kFailed;
    if (is_meant) trials.push_back(std::move(trial));
  }
  *compared += static_cast<int>(trials.size());
  std::vector<PassRow> gpu = rows(Pipeline::kGpu);
  gpu.insert(gpu.end(), sums(false).begin(), sums(false).end());
  gpu.insert(gpu.end(), afterPlan().begin(), afterPlan().end());
  for (const std::vector<PassRow>& list : {rows(Pipeline::kPlain), rows(Pipeline::kCpu), gpu}) {
    core::Program now = program;
    for (const PassRow& row : list) {
      core::Program next = row.run(now);
      const std::string difference = differs(next, entry, trials);
      if (!difference.empty()) {
        return fmt::format("{}: {}{}\n---- becomes\n{}", row.name, difference, core::print(now),
                           core::print(next));
      }
      now = std::move(next);
    }
  }
  return "";
}

}  // namespace halo::passes

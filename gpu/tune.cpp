// The search; measuring is a function, so that tests need no clock.
#include "gpu/tune.h"

#include <algorithm>
#include <limits>
#include <set>

#include "gpu/program.h"
#include "gpu/tuned.h"
#include "lang/ad/differentiate.h"
#include "lang/base/cache_folder.h"
#include "lang/engine/regroup.h"

namespace halo::gpu {
namespace {

constexpr double kClearlyFaster = 0.97;  // of the time; less is noise
constexpr int kRounds = 4;               // choices that bring about statements to choose for

// Of any shape.
bool isOfSingleSteps(const std::string& name) {
  const std::string way = name.substr(0, name.find(':'));
  return way == "rows" || way == "unaligned";
}

class Search {
 public:
  explicit Search(const Measure& measure) : measure_(measure) {}

  diag::Result<TuneReport> run() {
    auto first = trial({});
    if (!first) return diag::Failure(first.error());
    best_ = {{}, *first};
    report_.by_rule = report_.direct = first->microseconds;
    std::set<std::string> done;
    for (auto name = newName(done); name; name = newName(done)) {
      done.insert(*name);
      auto alike = uniform(*name);
      if (!alike) return diag::Failure(alike.error());
      report_.alike[*name] = alike->trial.microseconds;
      if (*name == "direct") report_.direct = alike->trial.microseconds;
      keepFaster(*alike);
    }
    if (auto failed = oneByOne()) return diag::Failure(*failed);
    report_.best = best_.trial.microseconds;
    report_.choices = best_.choices;
    for (const auto& [key, of_key] : best_.trial.offered) report_.choices.try_emplace(key, "");
    return report_;
  }

 private:
  struct Candidate {
    Choices choices;
    Trial trial;
  };

  diag::Result<Trial> trial(const Choices& choices) {
    auto known = trials_.find(choices);
    if (known != trials_.end()) return known->second;
    auto measured = measure_(choices);
    if (!measured) return diag::Failure(measured.error());
    ++report_.measured;
    return trials_.emplace(choices, std::move(*measured)).first->second;
  }

  // All names of a statement: under one schedule it may not offer the others.
  std::set<std::string> namesOf(const std::string& key) const {
    std::set<std::string> all;
    for (const auto& [choices, trial] : trials_) {
      auto found = trial.offered.find(key);
      if (found != trial.offered.end()) all.insert(found->second.begin(), found->second.end());
    }
    return all;
  }

  // A name that some trial had a statement for.
  std::optional<std::string> newName(const std::set<std::string>& done) const {
    for (const auto& [choices, trial] : trials_) {
      for (const auto& [key, names] : trial.offered) {
        for (const std::string& name : names) {
          if (!done.contains(name)) return name;
        }
      }
    }
    return std::nullopt;
  }

  // All statements with this schedule. Rows are a schedule of single steps, so loops go one by
  // one.
  diag::Result<Candidate> uniform(const std::string& name) {
    Candidate candidate;
    for (int round = 0; round < kRounds; ++round) {
      auto measured = trial(candidate.choices);
      if (!measured) return diag::Failure(measured.error());
      candidate.trial = *measured;
      size_t before = candidate.choices.size();
      for (const auto& [key, names] : measured->offered) {
        auto has = [&, &names = names](const std::string& one) {
          return std::find(names.begin(), names.end(), one) != names.end();
        };
        if (has(name)) {
          candidate.choices[key] = name;
        } else if (isOfSingleSteps(name) && has("direct")) {
          candidate.choices[key] = "direct";
        }
      }
      if (candidate.choices.size() == before) break;
    }
    return candidate;
  }

  void keepFaster(const Candidate& candidate) {
    if (candidate.trial.microseconds < kClearlyFaster * best_.trial.microseconds) {
      best_ = candidate;
    }
  }

  std::optional<diag::Diagnostic> oneByOne() {
    const std::map<std::string, std::vector<std::string>> offered = best_.trial.offered;
    for (const auto& [key, names] : offered) {
      for (const std::string& name : namesOf(key)) {
        Candidate other{best_.choices, {}};
        other.choices[key] = name;
        auto measured = trial(other.choices);
        if (!measured) return measured.error();
        other.trial = *measured;
        keepFaster(other);
      }
    }
    return std::nullopt;
  }

  const Measure& measure_;
  std::map<Choices, Trial> trials_;
  Candidate best_;
  TuneReport report_;
};

}  // namespace

diag::Result<TuneReport> findFastest(const Measure& measure) { return Search(measure).run(); }

diag::Result<TuneReport> tune(std::shared_ptr<const types::Program> program, types::DefId entry,
                              const std::string& device, const engine::Options& options,
                              const std::vector<value::Value>& arguments, int runs) {
  GpuProgram::timeCalls();
  auto context = contextFor(device, options.use_disk_cache);
  if (!context) return diag::Failure(context.error());
  auto lowered = ad::lower(*program, entry);
  if (!lowered) return diag::Failure(lowered.error());
  const std::vector<value::Value> leaves = engine::flattenArguments(arguments);
  const std::string& name = program->defs[entry].name;
  auto report = findFastest([&](const Choices& choices) -> diag::Result<Trial> {
    std::string why;
    GpuProgram::Open open = [&] { return *context; };
    auto made = GpuProgram::make(*lowered, name, (*context)->device->features(), open, options,
                                 &why, {choices, true});
    if (!made) return diag::Failure(made.error());
    Trial trial{std::numeric_limits<double>::max(), {}};
    if (*made != nullptr) trial.offered = (*made)->offered();
    for (int run = 0; run <= runs && why.empty(); ++run) {  // the first one compiles
      auto results = (*made)->call(leaves, {}, &why);
      if (!results) return diag::Failure(results.error());
      const engine::CallTimes& times = (*made)->times();
      double ms = times.device_ms > 0 ? times.device_ms : times.run_ms;
      if (run > 0) trial.microseconds = std::min(trial.microseconds, 1000 * ms);
    }
    if (!why.empty())
      return diag::fail(diag::Code::engine_unsupported, {}, "`" + name + "`: " + why);
    return trial;
  });
  if (!report) return report;
  TunedChoices choices(base::cacheFolder("tuned"), (*context)->device->physical());
  choices.set(sizeClass(leaves), report->choices);
  choices.save();
  return report;
}

}  // namespace halo::gpu

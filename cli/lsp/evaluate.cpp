// The expression becomes the last definition of a copy of the text.
#include "cli/lsp/evaluate.h"

#include <algorithm>
#include <chrono>

#include "lang/base/deadline.h"
#include "lang/types/sizes/given.h"
#include "lang/value/format.h"
#include "lang/value/memory.h"

namespace halo::lsp {

namespace {

constexpr char kName[] = "value_of_a_lens_";
constexpr std::chrono::seconds kTime{15};
constexpr size_t kMemory = size_t{1} << 30;
constexpr size_t kMaxShown = 2000;

// Less memory for a while.
class Budget {
 public:
  Budget() : before_(value::hostUsage().budget) {
    value::setHostBudget(std::min(before_, value::hostUsage().live + kMemory));
  }
  ~Budget() { value::setHostBudget(before_); }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

 private:
  size_t before_;
};

std::string shortened(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + " ..";
  return text;
}

Evaluated failed(const diag::Diagnostic& diagnostic) {
  return {"error: " + shortened(diagnostic.message) + " [" + diag::codeLabel(diagnostic.code) +
          "]"};
}

}  // namespace

Evaluated evaluate(const std::string& path, const std::string& text, const Texts& texts,
                   const std::string& expression) {
  const std::string program = text + "\ndef " + kName + " = (" + expression + "\n)\n";
  const auto analysis = analyse(path, program, texts);
  if (!analysis->environment) return failed(analysis->sink.all().front());
  session::Session& session = analysis->session;
  const session::Loaded loaded{analysis->environment, analysis->file};
  const auto def = types::findValue(*analysis->environment, kName);
  if (!def) return {"error: this is no expression"};
  const types::Def& found = analysis->program().defs[*def];
  if (!found.parameters.empty() || !found.type_parameters.empty()) {
    return {types::print(analysis->program(), found.type), true};
  }
  const session::Backend backend =
      session.resolve(session::Backend::kAuto, analysis->program(), *def);
  auto prepared = session.prepare(backend, loaded, *def);
  if (!prepared) return failed(prepared.error());
  const Budget budget;
  const base::Deadline deadline(kTime, nullptr);
  auto results = (*prepared)->call({}, {.cancel = &deadline.flag()});
  if (!results) return failed(results.error());
  std::string shown;
  for (const value::Value& result : *results) {
    auto host = value::toHost(result);
    if (!host) return failed(host.error());
    shown += (shown.empty() ? "" : " ") + value::toText(*host);
  }
  return {shortened(shown), true};
}

}  // namespace halo::lsp

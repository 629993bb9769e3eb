#include "cli/session/testing/property.h"

#include "cli/session/values/random_arguments.h"

namespace halo::session {
namespace {

using value::Value;

constexpr size_t kShown = 400;  // characters of a counterexample

std::string shownText(const Arguments& arguments) {
  std::string text = textOf(arguments);
  return text.size() > kShown ? text.substr(0, kShown) + " .." : text;
}

class Property {
 public:
  Property(Session& session, const ScriptPlace& place, types::DefId entry,
           const PropertyOptions& options)
      : session_(session),
        place_(place),
        program_(place.loaded.program()),
        entry_(entry),
        tests_(options.tests),
        random_(session, place, entry, options.seed,
                {options.largest_size, false, "", options.tries}) {}

  // Sizes grow with the tests.
  std::optional<std::string> refute() {
    for (int test = 0; test < tests_; ++test) {
      auto arguments = random_.make(static_cast<double>(test + 1) / tests_);
      if (!arguments) return diag::render(arguments.error(), session_.files());
      auto holds = holdsFor(*arguments);
      if (!holds) return diag::render(holds.error(), session_.files()) + shownText(*arguments);
      if (!*holds) {
        return "is false for" +
               shownText(random_.shrunk(std::move(*arguments), [this](const Arguments& smaller) {
                 auto still = holdsFor(smaller);
                 return still && !*still;
               }));
      }
      if (program_->defs[entry_].parameters.empty()) break;
    }
    return std::nullopt;
  }

 private:
  diag::Result<bool> holdsFor(const Arguments& arguments) {
    auto prepared = session_.prepare(place_.backend, place_.loaded, entry_);
    if (!prepared) return diag::Failure(prepared.error());
    auto results = (*prepared)->call(arguments, {session_.options().cancel});
    if (!results) return diag::Failure(results.error());
    const value::Scalar* answer = results->size() == 1 ? results->front().scalar() : nullptr;
    if (answer == nullptr || answer->type != prim::ScalarType::kBool) {
      return diag::fail(diag::Code::malformed_test_block, program_->defs[entry_].span,
                        "a property is a function to `bool`");
    }
    return answer->asBool();
  }

  Session& session_;
  const ScriptPlace& place_;
  std::shared_ptr<const types::Program> program_;
  types::DefId entry_;
  int tests_;
  RandomArguments random_;
};

}  // namespace

std::optional<std::string> refuteProperty(Session& session, const ScriptPlace& place,
                                          types::DefId property, const PropertyOptions& options) {
  return Property(session, place, property, options).refute();
}

}  // namespace halo::session

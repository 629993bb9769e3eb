#include "lang/ad/differentiate.h"

#include <algorithm>
#include <set>

#include "lang/ad/fixed_reads.h"
#include "lang/ad/forward/forward.h"
#include "lang/ad/known_offsets.h"
#include "lang/ad/normal_form.h"
#include "lang/ad/reverse/reverse.h"
#include "lang/ad/reverse/strip_loops.h"
#include "lang/ad/rules.h"
#include "lang/ad/sums/flat_steps.h"
#include "lang/ad/sums/loop_sums.h"
#include "lang/ad/sums/nest_sums.h"
#include "lang/ad/sums/ragged_sums.h"
#include "lang/ad/tape_states.h"
#include "lang/base/phase.h"
#include "lang/core/derivative_name.h"
#include "lang/core/visit.h"
#include "lang/lower/lower.h"
#include "lang/passes/calls/inline.h"
#include "lang/passes/nests/interchange.h"
#include "lang/passes/pipeline.h"
#include "lang/passes/simplify/simplify.h"

namespace halo::ad {

namespace {

using core::DerivativeName;
using core::Function;

// Each level of nested derivatives makes several times as many statements.
constexpr size_t kMaxStatements = size_t{1} << 15;

constexpr passes::PassRow kKnownOffsets = {
    "known_offsets", "offsets that derivatives do not change",
    [](const Program& program) { return knownOffsets(program); }};

class Differentiation {
 public:
  Differentiation(Program program, const LoopHints& hints, const Journal::Explain& explain)
      : program_(std::move(program)), hints_(hints), journal_(explain) {}

  diag::Result<Program> run() {
    program_ = passes::inlineForDerivatives(program_);
    prepare();
    for (;;) {
      const std::vector<DerivativeName> wanted = innermost();
      if (refusal_.found()) return diag::Failure(*refusal_.found());
      if (wanted.empty()) {
        return sumBehindLoops(
            stepAlongTapes(flattenSteps(sumNests(sumRaggedly(std::move(program_))))));
      }
      for (const Function& function : program_.functions) findUses(function.body, {});
      for (const DerivativeName& name : wanted) {
        Function made = derivative(name);
        if (refusal_.found()) return diag::Failure(*refusal_.found());
        program_.functions.push_back(std::move(made));
      }
      program_ = passes::simplify(passes::inlineForDerivatives(program_));
      if (statements() > kMaxStatements) return diag::Failure(tooLarge());
    }
  }

 private:
  size_t statements() const {
    size_t count = 0;
    for (const Function& function : program_.functions) {
      core::visitStms(function.body, [&](const Stm&) { ++count; });
    }
    return count;
  }
  diag::Diagnostic tooLarge() const {
    return {diag::Code::engine_unsupported,
            diag::Severity::kError,
            "the program unfolds into too many statements of nested derivatives",
            last_,
            {},
            {"`--backend=interp` runs it"}};
  }

  void prepare() {
    program_ = passes::run(passes::windows(kKnownOffsets), std::move(program_));
    // Operators on rows that have a rule of their own stay.
    program_ = passes::interchangeRows(program_, [](const Lambda& op) { return !isSum(op); });
  }

  // Where a derivative is asked for.
  struct Use {
    bool is_found = false, in_cells = false, is_differentiated = false;
  };

  // A function asks for derivatives wherever its own is asked for.
  void findUses(const Body& body, Use use) {
    for (const Stm& stm : body.stms) {
      if (const auto name = core::derivativeIn(program_, stm)) addUse(*name, use);
      const bool has_cells = !std::holds_alternative<core::Loop>(stm.expr) &&
                             !std::holds_alternative<core::Match>(stm.expr);
      core::visitBodies(stm.expr, [&](const Body& nested) {
        findUses(nested, {true, use.in_cells || has_cells, use.is_differentiated});
      });
    }
  }
  void addUse(const DerivativeName& name, Use use) {
    Use& known = uses_[name.text()];
    const bool is_new = !known.is_found || (use.in_cells && !known.in_cells) ||
                        (use.is_differentiated && !known.is_differentiated);
    if (!is_new) return;
    known = {true, known.in_cells || use.in_cells,
             known.is_differentiated || use.is_differentiated};
    findUses(program_.find(name.function)->body, {true, known.in_cells, true});
  }

  // Of functions that ask for none themselves.
  std::vector<DerivativeName> innermost() {
    std::set<std::string> names;
    std::vector<DerivativeName> found;
    source::Span open;
    bool any = false;
    for (const Function& function : program_.functions) {
      core::visitStms(function.body, [&](const Stm& stm) {
        const auto name = core::derivativeIn(program_, stm);
        if (!name) return;
        any = true;
        open = stm.span;
        const Function* base = program_.find(name->function);
        if (asks(*base)) return;
        if (names.insert(name->text()).second) found.push_back(*name);
      });
    }
    if (any) last_ = open;
    if (any && found.empty()) refusal_.refuse(open, "a function that differentiates itself");
    return found;
  }
  bool asks(const Function& function) const {
    bool found = false;
    core::visitStms(function.body, [&](const Stm& stm) {
      if (core::derivativeIn(program_, stm)) found = true;
      const auto* call = std::get_if<core::Call>(&stm.expr);
      const bool is_custom = call != nullptr && adjointFor(program_, *call) != nullptr;
      if (is_custom) found = found || asks(*program_.find(call->function));
    });
    return found;
  }

  // Forward mode differentiates functions that have an adjoint of their own.
  void inlineCustom(Body& body) {
    std::vector<Stm> old = std::move(body.stms);
    body.stms.clear();
    core::Substitution results;
    for (Stm& stm : old) {
      core::visitBodies(stm.expr, [&](Body& nested) { inlineCustom(nested); });
      const auto* call = std::get_if<core::Call>(&stm.expr);
      if (call == nullptr || adjointFor(program_, *call) == nullptr) {
        body.stms.push_back(std::move(stm));
        continue;
      }
      const Function& callee = *program_.find(call->function);
      auto [stms, found] = core::apply(program_, Lambda{callee.params, callee.body}, call->args);
      Body copy{std::move(stms), std::move(found)};
      inlineCustom(copy);
      for (Stm& inner : copy.stms) body.stms.push_back(std::move(inner));
      for (size_t i = 0; i < stm.results.size(); ++i) results[stm.results[i]] = copy.results[i];
    }
    core::substitute(program_, body, results);
  }

  Function derivative(const DerivativeName& name) {
    const Function base = *program_.find(name.function);
    Function made = base;
    made.name = name.text();
    made.is_entry = false;
    Lambda copy = core::freshCopy(program_, Lambda{base.params, base.body});
    made.params = copy.params;
    made.body = std::move(copy.body);
    if (!name.reverse) inlineCustom(made.body);
    LoopHints hints = hints_;
    if (name.reverse) {
      stripLoops(program_, made.body, hints_);
      hints.addBounds(made.body);
      moveFixedReads(program_, made.body);
    }
    Activity activity(made, name.arguments, name.results);
    const Use use = uses_.at(name.text());
    takeApart(program_, made.body, activity, {name.reverse, use.in_cells});
    activity = Activity(made, name.arguments, name.results);

    core::Substitution renamed;
    for (size_t i = 0; i < base.params.size(); ++i) renamed[base.params[i]] = made.params[i];
    const auto typed = [&](ValueId value) {
      Type type = program_.type(value);
      for (Operand& size : type.shape) {
        const auto found = size.isConstant() ? renamed.end() : renamed.find(size.value);
        if (found != renamed.end()) size = found->second;
      }
      return type;
    };
    made.results.clear();
    for (const ValueId result : base.results) {
      const ValueId binder = program_.add("r", typed(result));
      renamed[result] = binder;
      made.results.push_back(binder);
    }
    const std::vector<ValueId> arguments(base.params.end() - static_cast<ptrdiff_t>(name.arguments),
                                         base.params.end());
    const std::vector<ValueId> results(base.results.end() - static_cast<ptrdiff_t>(name.results),
                                       base.results.end());
    std::vector<ValueId> seeds;
    for (const ValueId seeded : name.reverse ? results : arguments) {
      seeds.push_back(program_.add("seed", typed(seeded)));
    }
    const std::vector<ValueId> params = made.params;
    made.params.insert(made.params.end(), seeds.begin(), seeds.end());
    made.consumed.assign(made.params.size(), false);
    for (const ValueId one : name.reverse ? arguments : results) {
      made.results.push_back(program_.add("d", typed(one)));
    }
    const std::vector<ValueId> varied(params.end() - static_cast<ptrdiff_t>(name.arguments),
                                      params.end());
    if (name.reverse) {
      made.body =
          Reverse(program_, activity,
                  {hints, refusal_, journal_, use.in_cells, use.is_differentiated})
              .function(std::move(made.body), params, Operands(seeds.begin(), seeds.end()), varied);
    } else {
      Forward forward(program_, activity, refusal_, {use.in_cells, use.is_differentiated});
      for (size_t i = 0; i < varied.size(); ++i) forward.know(varied[i], seeds[i]);
      std::vector<bool> wanted(base.results.size(), false);
      std::fill(wanted.end() - static_cast<ptrdiff_t>(name.results), wanted.end(), true);
      made.body = forward.body(made.body, wanted);
    }
    return made;
  }

  Program program_;
  const LoopHints& hints_;
  Refusal refusal_;
  Journal journal_;
  source::Span last_;                // a derivative that is asked for
  std::map<std::string, Use> uses_;  // by the text of the name
};

}  // namespace

bool hasDerivatives(const core::Program& program) {
  bool found = false;
  for (const Function& function : program.functions) {
    core::visitStms(function.body, [&](const Stm& stm) {
      if (std::holds_alternative<core::Call>(stm.expr)) {
        found = found || core::derivativeIn(program, stm).has_value();
      }
    });
  }
  return found;
}

diag::Result<core::Program> differentiate(core::Program program, const LoopHints& hints,
                                          const Journal::Explain& explain) {
  if (!hasDerivatives(program)) return program;
  const base::StageScope stage("differentiate");
  return Differentiation(std::move(program), hints, explain).run();
}

diag::Result<core::Program> lower(const types::Program& program, types::DefId entry,
                                  const Journal::Explain& explain) {
  auto lowered = halo::lower::lower(program, entry);
  if (!lowered) return lowered;
  if (!hasDerivatives(*lowered)) return lowered;
  return differentiate(std::move(*lowered), LoopHints(program), explain);
}

}  // namespace halo::ad

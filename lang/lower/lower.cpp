// Lowering an entry. Its parameters become leaves with their sizes in front, its body is lowered
// with all reached code. The constants that came up on the way go before it.
#include "lang/lower/lower.h"

#include "lang/base/match.h"
#include "lang/lower/functions/function_results.h"
#include "lang/lower/sizes/size_checks.h"
#include "lang/types/sizes/given.h"

namespace halo::lower {

// The entry's parameters, from its patterns; a point-free entry is given those of its type.
class EntryBuilder {
 public:
  EntryBuilder(Lowering& lowering, DefId entry)
      : lowering_(lowering),
        source_(lowering.source),
        entry_(entry),
        def_(lowering.source.defs[entry]) {}

  void run() {
    made_.name = lowering_.functionName(def_.name);
    OpenFunction open;
    lowering_.open_ = &open;
    lowering_.openBody();
    Frame& frame = lowering_.newFrame(nullptr, false, def_.span);
    for (BinderId binder : def_.size_parameters) addSize(binder, frame);
    size_params_ = made_.params.size();
    types::TypeId type = def_.type;
    for (syntax::PatternId pattern : def_.parameters) {
      const Span span = source_.tree.patterns[pattern].span;
      const types::TypeId parameter = source_.pattern_type.at(pattern);
      lowering_.bindPattern(pattern, addParameter(parameter, span, frame), frame);
      type = std::get<types::FunctionType>(source_.types[type]).result;
    }
    const std::vector<StaticValue> more = addRemaining(type, frame);
    addGiven(frame);
    StaticValue value = lowering_.lower(def_.body, frame);
    if (!more.empty()) value = lowering_.apply(value, more, source_.tree.exprs[def_.body].span);
    value = lowering_.dynamic(value);
    const Operands results = resultsOf(lowering_, value, made_);
    core::Function function = made_.function(lowering_.closeBody(results));
    function.is_entry = true;
    function.size_params = static_cast<int>(size_params_);
    function.span = def_.span;
    prependConstants(function.body);
    lowering_.out.functions.insert(lowering_.out.functions.begin(), std::move(function));
    lowering_.open_ = nullptr;
  }

 private:
  void addSize(BinderId binder, Frame& frame) {
    made_.params.push_back(lowering_.out.add(source_.binders[binder].name, {}));
    lowering_.sizes().addExtent(made_.params.back());  // the arguments' shapes say it
    frame.binders.insert_or_assign(binder, StaticValue{Operand(made_.params.back())});
  }

  // A size that is computed (`[n + 1]f32`) is a size of its own to the caller, and compared here.
  StaticValue addParameter(types::TypeId type, Span span, Frame& frame) {
    bool has_computed = false;
    const MonoTypeRef plain = lowering_.evalType(type, frame, [&](types::SizeId id) -> Operand {
      if (const std::optional<Operand> known = plainSize(source_, id, frame)) return *known;
      has_computed = true;
      const ValueId size = lowering_.out.add("n", {});
      made_.params.insert(made_.params.begin() + static_cast<std::ptrdiff_t>(size_params_++), size);
      return size;
    });
    const StaticValue value = lowering_.parameter(plain, "x", made_.params);
    for (const core::Type& leaf : leafTypes(plain)) knowProducts(lowering_, leaf.shape);
    if (!has_computed) return value;
    return lowering_.coerce(value, lowering_.evalType(type, frame), Code::shape_mismatch, span);
  }

  std::vector<StaticValue> addRemaining(types::TypeId type, Frame& frame) {
    std::vector<StaticValue> args;
    while (const auto* function = std::get_if<types::FunctionType>(&source_.types[type])) {
      args.push_back(addParameter(function->parameter, def_.span, frame));
      if (function->parameter_name) {
        frame.binders.insert_or_assign(*function->parameter_name, args.back());
      }
      type = function->result;
    }
    return args;
  }

  // Constants whose value the call brings are parameters like the entry's own.
  void addGiven(Frame& frame) {
    for (DefId given : types::givenFor(source_, entry_)) {
      const types::Def& def = source_.defs[given];
      lowering_.constants_[given] = {addParameter(def.type, def.span, frame), {}};
    }
  }

  void prependConstants(core::Body& body) {
    std::vector<core::Stm> stms;
    auto add = [&](core::Body& constant) {
      std::move(constant.stms.begin(), constant.stms.end(), std::back_inserter(stms));
    };
    for (DefId def : lowering_.prelude_constants_) add(lowering_.constants_.at(def).body);
    for (auto& [def, constant] : lowering_.constants_) {
      if (!source_.defs[def].is_prelude) add(constant.body);
    }
    std::move(body.stms.begin(), body.stms.end(), std::back_inserter(stms));
    body.stms = std::move(stms);
  }

  Lowering& lowering_;
  const types::Program& source_;
  DefId entry_;
  const types::Def& def_;
  Specialisation made_;
  size_t size_params_ = 0;
};

diag::Result<core::Program> Lowering::run(DefId entry) {
  try {
    EntryBuilder(*this, entry).run();
  } catch (const TooManyInstances&) {
    open_ = nullptr;  // failure_ says why
  }
  if (failure_) return diag::Failure(*failure_);
  passConstants();
  return std::move(out);
}

diag::Result<core::Program> lower(const types::Program& program, types::DefId entry) {
  const base::StageScope stage("lower");
  return Lowering(program).run(entry);
}

}  // namespace halo::lower

// One walk over the code, its patterns and all types on the way; inner bindings drop out.
#include "lang/lower/functions/free_names.h"

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"
#include "lang/types/infer/accumulator.h"

namespace halo::lower {

namespace {

using namespace types;

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program) {}

  Names run(ExprId root) {
    visit(root);
    Names names;
    for (BinderId binder : mentioned_) {
      if (bound_.count(binder) == 0) names.binders.push_back(binder);
    }
    for (TypeParamId parameter : type_params_) {
      if (bound_type_params_.count(parameter) == 0) names.type_params.push_back(parameter);
    }
    return names;
  }

 private:
  void visit(ExprId root) {
    std::vector<ExprId> pending = {root};  // chains of `let` are long
    while (!pending.empty()) {
      const ExprId id = pending.back();
      pending.pop_back();
      const syntax::ExprNode& node = program_.tree.exprs[id].node;
      visitFacts(id);
      visitPatterns(node);
      const size_t first = pending.size();
      syntax::forEachChild(node, [&](ExprId child) {
        if (child.valid()) pending.push_back(child);
      });
      std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
    }
  }

  void visitFacts(ExprId id) {
    mentionType(program_.type_of.at(id));
    mentionType(program_.coerced_to.at(id));
    if (const std::optional<Use>& use = program_.use_of.at(id)) {
      if (const auto* local = std::get_if<LocalTarget>(&use->target)) mention(local->binder);
      for (TypeId type : use->type_arguments) mentionType(type);
      for (SizeId size : use->size_arguments) mentionSize(size);
    }
    for (BinderId binder : program_.binds.at(id)) bound_.insert(binder);
    for (BinderId binder : program_.size_names.at(id)) bound_.insert(binder);
    for (BinderId binder : program_.loop_sizes.at(id)) bound_.insert(binder);
    bound_.insert(program_.loop_variable.at(id));
    if (const std::optional<LocalFunction>& local = program_.local_function.at(id)) {
      bound_.insert(local->binder);
      bound_.insert(local->size_parameters.begin(), local->size_parameters.end());
      bound_type_params_.insert(local->type_parameters.begin(), local->type_parameters.end());
      mentionType(local->result);
    }
  }

  void visitPatterns(const syntax::ExprNode& node) {
    base::match(
        node,
        [&](const syntax::Lambda& n) {
          for (PatternId p : n.parameters) visitPattern(p);
        },
        [&](const syntax::Let& n) { visitPattern(n.pattern); },
        [&](const syntax::LetFunction& n) {
          for (PatternId p : n.function.parameters) visitPattern(p);
        },
        [&](const syntax::Loop& n) {
          visitPattern(n.pattern);
          if (const auto* in = std::get_if<syntax::LoopForIn>(&n.form)) visitPattern(in->pattern);
        },
        [&](const syntax::MatchExpr& n) {
          for (const syntax::MatchCase& c : n.cases) visitPattern(c.pattern);
        },
        base::otherwise([](const auto&) {}));
  }

  void visitPattern(PatternId id) {
    if (!id.valid()) return;
    mentionType(program_.pattern_type.at(id));
    base::match(
        program_.tree.patterns[id].node,
        [&](const syntax::PatternName&) { bound_.insert(program_.binder_of.at(id)); },
        [](const syntax::PatternWildcard&) {},
        [&](const syntax::PatternTuple& n) {
          for (PatternId p : n.elements) visitPattern(p);
        },
        [&](const syntax::PatternRecord& n) {
          for (const auto& [name, p] : n.fields) visitPattern(p);
        },
        [&](const syntax::PatternTyped& n) { visitPattern(n.pattern); },
        [&](const syntax::PatternConstructor& n) {
          for (PatternId p : n.payload) visitPattern(p);
        },
        [](const syntax::PatternLiteral&) {},
        [&](const syntax::PatternAttributed& n) { visitPattern(n.pattern); });
  }

  void mentionType(TypeId id) {
    if (!id.valid() || !seen_types_.insert(id).second) return;
    base::match(
        program_.types[id], [](const ScalarTypeNode&) {},
        [&](const ArrayType& n) {
          mentionSize(n.size);
          mentionType(n.element);
        },
        [&](const RecordType& n) {
          for (TypeId field : n.fields) mentionType(field);
        },
        [&](const SumType& n) {
          for (const std::vector<TypeId>& payload : n.payloads) {
            for (TypeId part : payload) mentionType(part);
          }
        },
        [&](const FunctionType& n) {  // its own names are bound nowhere: never captured
          mentionType(n.parameter);
          mentionType(n.result);
        },
        [&](const ParamType& n) {
          if (types::isAccumulator(n)) return mentionType(n.types[0]);
          if (seen_type_params_.insert(n.parameter).second) type_params_.push_back(n.parameter);
        });
  }

  void mentionSize(SizeId id) {
    base::match(
        program_.sizes[id], [](const SizeConst&) {},
        [&](const SizeBinder& n) { mention(n.binder); },
        [&](const SizeArith& n) {
          mentionSize(n.lhs);
          mentionSize(n.rhs);
        },
        [&](const SizeExpression& n) { visit(n.value); });
  }

  void mention(BinderId binder) {
    if (seen_.insert(binder).second) mentioned_.push_back(binder);
  }

  const Program& program_;
  std::vector<BinderId> mentioned_;
  std::unordered_set<BinderId> seen_, bound_;
  std::vector<TypeParamId> type_params_;
  std::unordered_set<TypeParamId> seen_type_params_, bound_type_params_;
  std::unordered_set<TypeId> seen_types_;
};

}  // namespace

const Names& FreeNames::of(ExprId function) {
  auto found = found_.find(function);
  if (found == found_.end())
    found = found_.emplace(function, Collector(program_).run(function)).first;
  return found->second;
}

}  // namespace halo::lower

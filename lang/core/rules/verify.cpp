// Walks a program in order. First: all numbers exist and every value is bound once. Then: scope,
// types (type_rules.h) and consumption of each statement. The first broken rule ends the walk.
#include "lang/core/rules/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/core/aliases.h"
#include "lang/core/rules/type_rules.h"
#include "lang/core/rules/values_exist.h"
#include "lang/core/text.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"

namespace halo::core {
namespace {

class Verifier {
 public:
  explicit Verifier(const Program& program)
      : program_(program),
        aliases_(program),
        bound_(program.values.size()),
        in_scope_(program.values.size()),
        depth_(program.values.size(), kNotConsumable) {}

  std::optional<diag::Diagnostic> run() {
    for (const Function& f : program_.functions) {  // before anything is printed or looked up
      if (valuesExist(program_, f)) continue;
      fail(fmt::format("`{}` mentions a value without entry", f.name));
      return std::move(error_);
    }
    std::unordered_set<std::string> names;
    for (const Function& f : program_.functions) {
      if (!names.insert(f.name).second) fail(fmt::format("function `{}` is defined twice", f.name));
      function(f);
      if (error_) break;
    }
    return std::move(error_);
  }

 private:
  static constexpr int kNotConsumable = -1;

  void fail(std::string message) {
    if (error_) return;
    error_ = diag::Diagnostic{
        diag::Code::invalid_core, diag::Severity::kError, std::move(message), {}, {}, {}};
    if (stm_ == nullptr) return;
    error_->span = stm_->span;
    error_->notes.push_back(print(program_, *stm_));
  }

  // ---- scope

  void bind(ValueId v, int depth) {
    if (bound_[v.index]) return fail(fmt::format("`{}` is bound twice", text(program_, v)));
    bound_[v.index] = true;
    in_scope_[v.index] = true;
    depth_[v.index] = depth;
    scope_.push_back(v);
  }
  // Sizes in a binder's type may be earlier binders of the same list.
  void binder(ValueId v, int depth) {
    use(program_.type(v).shape);
    for (const Operand& size : program_.type(v).shape) {
      if (program_.type(size) != Type{ScalarType::kI64, {}}) {
        fail(fmt::format("a size of `{}` is not an i64", text(program_, v)));
      }
    }
    bind(v, depth);
  }
  void leaveTo(size_t mark) {
    for (; scope_.size() > mark; scope_.pop_back()) in_scope_[scope_.back().index] = false;
  }
  void use(ValueId v) {
    if (!in_scope_[v.index]) {
      return fail(fmt::format("`{}` is not in scope", text(program_, v)));
    }
    if (program_.type(v).isScalar() || consumed_.empty()) return;
    for (ValueId root : aliases_.of(v)) {
      if (consumed_.contains(root)) {
        return fail(fmt::format("`{}` is used after `{}` was consumed", text(program_, v),
                                text(program_, root)));
      }
    }
  }
  void use(const Operand& o) {
    if (!o.isConstant()) use(o.value);
  }
  void use(const Operands& os) {
    for (const Operand& o : os) use(o);
  }

  // ---- consumption

  void consume(ValueId v) {
    if (overlapping_.contains(v)) {
      fail(fmt::format("`{}` is consumed: a view whose elements alias each other",
                       text(program_, v)));
    }
    for (ValueId root : aliases_.of(v)) {
      int depth = depth_[root.index];
      if (depth == kNotConsumable) {
        fail(fmt::format("`{}` is consumed, but is not marked `*`", text(program_, root)));
      } else if (depth != many_) {
        fail(fmt::format("`{}` is consumed inside a lambda or loop that it lives around",
                         text(program_, root)));
      }
      addConsumed(root);
    }
  }
  void addConsumed(ValueId root) {
    if (consumed_.insert(root).second) consumed_in_order_.push_back(root);
  }

  // ---- structure

  void function(const Function& f) {
    if (f.consumed.size() != f.params.size() || f.size_params > static_cast<int>(f.params.size()) ||
        f.size_params < 0) {
      return fail(fmt::format("`{}` has parameters and marks of different number", f.name));
    }
    consumed_.clear();
    consumed_in_order_.clear();
    for (size_t i = 0; i < f.params.size(); ++i) {
      binder(f.params[i], f.consumed[i] ? 0 : kNotConsumable);
    }
    for (int i = 0; i < f.size_params; ++i) {
      if (program_.type(f.params[static_cast<size_t>(i)]) != Type{ScalarType::kI64, {}}) {
        fail(fmt::format("a size parameter of `{}` is not an i64", f.name));
      }
    }
    for (const KernelInfo& kernel : f.kernel) {
      use(kernel.space);
      if (kernel.whole_extent) use({*kernel.whole_extent});
    }
    for (const auto& [share, whole] : f.shares) use({Operand(share), Operand(whole)});
    size_t mark = scope_.size();
    for (ValueId result : f.results) binder(result, kNotConsumable);
    leaveTo(mark);
    statements(f.body);
    if (!error_ && !f.kernel.empty()) levels(f);
    stm_ = nullptr;
    if (auto wrong = resultTypeError(program_, f)) fail(fmt::format("`{}`: {}", f.name, *wrong));
    leaveTo(0);
  }

  static bool isScan(const KernelInfo& kernel, const Stm& stm) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    return kernel.kind == KernelKind::kScan && screma != nullptr && !screma->scans.empty();
  }

  // Each invocation of a kernel over k dimensions runs the statements above the k-th level of its
  // nest. Arrays there are index functions, read through and never made. A sort and the maps around
  // it are done by all invocations together, and so is a scan in front of its map.
  void levels(const Function& kernel) {
    const KernelKind kind = kernel.kernel[0].kind;
    if (kind == KernelKind::kSort) {
      if (auto wrong = sortError(program_, kernel))
        fail(fmt::format("`{}`: {}", kernel.name, *wrong));
    }
    if (kind != KernelKind::kSort && !kernel.kernel[0].row_sort.empty()) {
      fail(fmt::format("`{}`: a sort of rows belongs to a sort", kernel.name));
    }
    if (kind == KernelKind::kSort || kind == KernelKind::kScatter) return;
    const Body* body = &kernel.body;
    for (size_t k = 0; k < kernel.kernel[0].space.size(); ++k) {
      auto nest = std::find_if(body->stms.rbegin(), body->stms.rend(), [](const Stm& stm) {
        return std::holds_alternative<Screma>(stm.expr);
      });
      if (nest == body->stms.rend()) return;
      for (const Stm& stm : body->stms) {
        if (&stm == &*nest) break;
        if (!makesArray(stm) || isScan(kernel.kernel[0], stm)) continue;
        stm_ = &stm;
        return fail("an array is made above the innermost level of a kernel");
      }
      body = &std::get<Screma>(nest->expr).map.body;
    }
  }
  bool makesArray(const Stm& stm) const {
    const bool is_index_function = viewed(stm.expr) || std::holds_alternative<Iota>(stm.expr) ||
                                   std::holds_alternative<Replicate>(stm.expr);
    return !is_index_function &&
           std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return !program_.type(result).isScalar(); });
  }

  // A body's own values go out of scope at its end, after `inside` has checked its results.
  void block(const Body& body) {
    size_t mark = scope_.size();
    statements(body);
    leaveTo(mark);
  }
  void statements(const Body& body) {
    for (const Stm& stm : body.stms) {
      statement(stm);
      if (error_) return;
    }
    use(body.results);
  }
  // `owns_rows`: the body may consume its parameters, and the node then consumes the arrays.
  void runsManyTimes(const std::vector<ValueId>& params, const Body& body, bool owns_rows) {
    size_t mark = scope_.size();
    for (ValueId param : params) {
      binder(param, owns_rows ? many_ + 1 : kNotConsumable);
      aliases_.bindFresh(param);
    }
    ++many_;
    block(body);
    many_--;
    leaveTo(mark);
  }
  void loop(const Loop& loop) {
    size_t mark = scope_.size();
    for (const Carried& c : loop.carried) {
      binder(c.param, c.consumed ? many_ + 1 : kNotConsumable);
      // Not consumed: shows the initial value, which lives outside.
      aliases_.bindFresh(c.param);
    }
    if (const auto* form = std::get_if<ForLoop>(&loop.form)) binder(form->index, kNotConsumable);
    ++many_;
    block(loop.body);
    many_--;
    leaveTo(mark);
  }
  void match(const Match& match) {
    // Arms exclude each other: one may still use an array that another consumes.
    const size_t mark = consumed_in_order_.size();
    std::vector<ValueId> in_arms;
    auto arm = [&](const Body& body) {
      block(body);
      for (; consumed_in_order_.size() > mark; consumed_in_order_.pop_back()) {
        in_arms.push_back(consumed_in_order_.back());
        consumed_.erase(in_arms.back());
      }
    };
    for (const Case& c : match.cases) arm(c.body);
    arm(match.otherwise);
    for (ValueId root : in_arms) addConsumed(root);
  }

  void uses(const Stm& stm) {
    visitUses(stm.expr, [&](const auto& operand) { use(operand); });
  }

  void statement(const Stm& stm) {
    const Stm* outer = stm_;
    stm_ = &stm;
    uses(stm);
    if (!error_) bodies(stm);
    if (!error_) {
      if (auto wrong = typeError(program_, stm)) fail(*wrong);
    }
    if (!error_) results(stm);
    if (!error_) stm_ = outer;
  }

  void bodies(const Stm& stm) {
    if (const auto* node = std::get_if<Match>(&stm.expr)) {
      match(*node);
    } else if (const auto* node = std::get_if<Loop>(&stm.expr)) {
      loop(*node);
    } else {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      visitLambdas(stm.expr, [&](const Lambda& lambda) {
        const bool owns_rows = screma != nullptr && &lambda == &screma->map;
        runsManyTimes(lambda.params, lambda.body, owns_rows);
      });
    }
  }

  void results(const Stm& stm) {
    std::vector<Roots> roots = aliases_.resultRoots(stm);
    Roots gone;
    for (ValueId v : consumedBy(program_, stm.expr)) {
      Roots of = aliases_.of(v);
      if (std::find_first_of(gone.begin(), gone.end(), of.begin(), of.end()) != gone.end()) {
        fail(fmt::format("`{}` is consumed twice", text(program_, v)));
      }
      gone = unite(std::move(gone), of);
      consume(v);
    }
    if (!gone.empty() && !readsFirst(stm)) usedBeside(stm, gone);
    for (ValueId result : stm.results) binder(result, many_);
    bool overlaps = std::holds_alternative<Slide>(stm.expr);
    if (auto array = viewed(stm.expr)) overlaps = overlaps || overlapping_.contains(*array);
    if (overlaps) overlapping_.insert(stm.results.begin(), stm.results.end());
    for (size_t i = 0; i < stm.results.size(); ++i) {
      // Consumed by this statement, or in one arm and returned by another: a new value.
      std::erase_if(roots[i], [&](ValueId root) { return consumed_.contains(root); });
      if (roots[i].empty()) roots[i] = {stm.results[i]};
      aliases_.bind(stm.results[i], std::move(roots[i]));
    }
  }

  // Kernels that read before they overwrite, under any name. Kernels of one invocation run their
  // statements in order, and so does code behind a reduction, which has read all of its inputs.
  // Others store a result in a part that they do not read
  // (gpu/plan/in_place/updates_in_place.h).
  bool readsFirst(const Stm& stm) const {
    const auto* call = std::get_if<Call>(&stm.expr);
    const Function* callee = call == nullptr ? nullptr : program_.find(call->function);
    if (callee == nullptr || callee->kernel.empty()) return false;
    const std::vector<Stm>& stms = callee->body.stms;
    const bool stores = stms.size() > 1 && std::holds_alternative<Update>(stms.back().expr);
    const bool has_code_behind = callee->kernel[0].kind == KernelKind::kReduce &&
                                 !std::holds_alternative<Screma>(stms.back().expr);
    return callee->kernel[0].space.empty() || stores || has_code_behind;
  }

  // A node must not read a consumed array in another operand or in a body.
  void usedBeside(const Stm& stm, const Roots& gone) {
    auto clashes = [&](ValueId v) {
      if (program_.type(v).isScalar()) return false;
      for (ValueId root : aliases_.of(v)) {
        if (std::binary_search(gone.begin(), gone.end(), root)) return true;
      }
      return false;
    };
    int uses = 0;
    visitUses(stm.expr, [&](const auto& use) {
      Operand o(use);
      if (!o.isConstant() && clashes(o.value)) ++uses;
    });
    bool inside = false;
    visitBodies(stm.expr, [&](const Body& body) {
      for (ValueId v : freeIn(body)) inside = inside || clashes(v);
    });
    size_t consumed = consumedBy(program_, stm.expr).size();
    if (inside || uses > static_cast<int>(consumed)) {
      fail("the statement reads an array that it consumes");
    }
  }
  // Used in a body and bound outside of it, directly or below.
  std::vector<ValueId> freeIn(const Body& body) const {
    std::vector<ValueId> found;
    auto add = [&](const auto& use) {
      Operand o(use);
      if (!o.isConstant() && in_scope_[o.value.index]) found.push_back(o.value);
    };
    visitStms(body, [&](const Stm& stm) {
      visitUses(stm.expr, add);
      visitBodies(stm.expr, [&](const Body& nested) {
        for (const Operand& o : nested.results) add(o);
      });
    });
    for (const Operand& o : body.results) add(o);
    return found;
  }

  const Program& program_;
  Aliases aliases_;
  std::vector<bool> bound_, in_scope_;
  std::vector<int> depth_;  // of lambdas and loops around the binder
  std::vector<ValueId> scope_;
  std::unordered_set<ValueId> consumed_;     // roots
  std::vector<ValueId> consumed_in_order_;   // the same
  std::unordered_set<ValueId> overlapping_;  // slides and views of them
  int many_ = 0;                             // lambdas and loops around the current statement
  const Stm* stm_ = nullptr;
  std::optional<diag::Diagnostic> error_;
};

}  // namespace

diag::Result<std::monostate> verify(const Program& program) {
  if (auto error = Verifier(program).run()) return diag::Failure(std::move(*error));
  return std::monostate{};
}

}  // namespace halo::core

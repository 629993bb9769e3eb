// Inner loops first; names of kernels come from the planner.
#include "gpu/plan/loops/carried.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/loops/guardable.h"
#include "gpu/plan/loops/made_by_kernels.h"
#include "gpu/plan/outline.h"
#include "gpu/plan/placement.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

class Carrying {
 public:
  Carrying(Program& program, const std::function<std::string()>& next_name)
      : program_(program), next_name_(next_name) {}

  void run(Function& host, const std::function<void(const std::string&)>& say) {
    placement_ = placeScalars(program_, host);
    sayUnguarded(host.body, host.name, say);
    if (placement_.staying.empty()) return;
    uses_ = useCounts(program_, host.body);
    rewrite(host.body, false);
    if (placement_.chains.empty()) return;
    uses_ = useCounts(program_, host.body);
    dropUnused(host.body);
  }

 private:
  bool stays(const Operand& operand) const {
    return !operand.isConstant() && placement_.staying.contains(operand.value);
  }

  void rewrite(Body& body, bool is_guarded) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    std::vector<Stm> waiting, rows;
    for (Stm& stm : before) {
      if (isCopyOf(stm, rows)) continue;
      if (waits(stm, waiting)) {
        waiting.push_back(std::move(stm));
        continue;
      }
      if (wantsAny(stm, waiting)) flush(waiting, body.stms);
      // Rows are copied behind checks and elements, which may then be one kernel. Kernels that
      // overwrite nothing may make the copy.
      if (!(isCheckOrElement(stm) || overwritesNothing(kernelOf(program_, stm))) ||
          wantsAny(stm, rows)) {
        std::move(rows.begin(), rows.end(), std::back_inserter(body.stms));
        rows.clear();
      }
      if (readsRow(program_, stm) && isForKernel(stm, is_guarded)) {
        rows.push_back(copiedRow(std::move(stm)));
        continue;
      }
      if (auto* loop = std::get_if<Loop>(&stm.expr)) {
        rewriteLoop(stm, *loop, is_guarded, body.stms);
        continue;
      }
      if (std::holds_alternative<Match>(stm.expr)) {
        rewriteMatch(stm, is_guarded, body.stms);
        continue;
      }
      bool is_for_kernel = isForKernel(stm, is_guarded);
      body.stms.push_back(is_for_kernel ? unlessItHolds(kernel(stm), stm) : std::move(stm));
    }
    std::move(rows.begin(), rows.end(), std::back_inserter(body.stms));
    flush(waiting, body.stms);
  }
  // Whether the statement copies a row that a kernel copies already, and that nothing else wants.
  // The kernel then makes this copy.
  bool isCopyOf(const Stm& stm, std::vector<Stm>& rows) {
    const Function* callee = kernelOf(program_, stm);
    if (callee == nullptr || callee->body.stms.size() != 1) return false;
    if (!std::holds_alternative<Copy>(callee->body.stms[0].expr)) return false;
    const Operands& args = std::get<Call>(stm.expr).args;
    for (Stm& row : rows) {
      const ValueId copied = row.results[0];
      if (std::find(args.begin(), args.end(), Operand(copied)) == args.end()) continue;
      if (uses_[copied] != 1) return false;
      row.results = stm.results;
      return true;
    }
    return false;
  }
  static bool isCheckOrElement(const Stm& stm) {
    return isComputed(stm) || std::holds_alternative<Assert>(stm.expr) ||
           std::holds_alternative<Index>(stm.expr);
  }
  // Asserts, elements and rows of arrays for which the host would have to wait.
  bool isForKernel(const Stm& stm, bool is_guarded) const {
    bool waits = false;
    forEachOperand(stm.expr, [&](const Operand& operand) { waits |= stays(operand); });
    if (std::holds_alternative<Assert>(stm.expr)) return waits || is_guarded;
    const auto* element = std::get_if<Index>(&stm.expr);
    if (element == nullptr) return false;
    return waits || (is_guarded && stays(stm.results[0]) && !isRegister(program_, *element));
  }

  void sayUnguarded(const Body& body, const std::string& name,
                    const std::function<void(const std::string&)>& say) const {
    for (const Stm& stm : body.stms) {
      const auto* loop = std::get_if<Loop>(&stm.expr);
      const auto* endless = loop == nullptr ? nullptr : std::get_if<WhileLoop>(&loop->form);
      if (endless != nullptr) {
        const Operand& next = loop->body.results[static_cast<size_t>(endless->condition)];
        auto why =
            next.isConstant() ? placement_.unguarded.end() : placement_.unguarded.find(next.value);
        bool waits = why != placement_.unguarded.end() && !placement_.guarded.contains(next.value);
        if (waits) say(name + ": a while loop waits in each iteration: " + why->second);
      }
      forEachBody(stm.expr, [&](const Body& inner) { sayUnguarded(inner, name, say); });
    }
  }

  // ---- chains

  // Scalar code behind a chain without a use so far, in order.
  bool waits(const Stm& stm, const std::vector<Stm>& waiting) {
    if (!isComputed(stm) || !stays(stm.results[0])) return false;
    computed_.insert_or_assign(stm.results[0], stm);
    return !waiting.empty() || placement_.chains.contains(stm.results[0]);
  }
  bool wantsAny(const Stm& stm, const std::vector<Stm>& waiting) const {
    if (waiting.empty()) return false;
    std::unordered_set<ValueId> free = freeValues(program_, stm);
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const Stm& one) { return free.contains(one.results[0]); });
  }
  // One kernel for all chains, from the results of kernels.
  void flush(std::vector<Stm>& waiting, std::vector<Stm>& out) {
    std::vector<ValueId> chains;
    std::vector<Stm> others, inside;
    for (Stm& stm : std::exchange(waiting, {})) {
      bool is_chain = placement_.chains.contains(stm.results[0]);
      if (is_chain) chains.push_back(stm.results[0]);
      if (!is_chain) others.push_back(std::move(stm));
    }
    if (chains.empty()) return;
    std::unordered_set<ValueId> done;
    for (ValueId chain : chains) addChain(chain, inside, done);
    for (ValueId chain : chains) computed_.erase(chain);
    KernelInfo info{KernelKind::kMap, {}};
    out.push_back(outlineAll(program_, std::move(inside), chains, next_name_(), info, {}));
    std::move(others.begin(), others.end(), std::back_inserter(out));
  }
  void addChain(ValueId value, std::vector<Stm>& stms, std::unordered_set<ValueId>& done) {
    auto found = computed_.find(value);
    if (found == computed_.end() || !done.insert(value).second) return;
    forEachOperand(found->second.expr, [&](const Operand& operand) {
      if (!operand.isConstant()) addChain(operand.value, stms, done);
    });
    stms.push_back(found->second);
  }

  // Statements that only chains wanted.
  void dropUnused(Body& body) {
    std::vector<Stm> used;
    for (size_t i = body.stms.size(); i-- > 0;) {
      Stm& stm = body.stms[i];
      forEachBody(stm.expr, [&](Body& inner) { dropUnused(inner); });
      if (isComputed(stm) && stays(stm.results[0]) && uses_[stm.results[0]] == 0) {
        forEachOperand(stm.expr, [&](const Operand& operand) {
          if (!operand.isConstant()) uses_[operand.value]--;
        });
      } else {
        used.push_back(std::move(stm));
      }
    }
    body.stms.assign(std::move_iterator(used.rbegin()), std::move_iterator(used.rend()));
  }

  // The kernel of an assert is launched only where the host knows that the assert fails.
  Stm unlessItHolds(Stm call, const Stm& stm) const {
    const auto* assert = std::get_if<Assert>(&stm.expr);
    if (assert == nullptr || stays(assert->condition)) return call;
    Body fails;
    fails.stms.push_back(std::move(call));
    return {{},
            Match{assert->condition, {{Scalar::ofBool(true), {}}}, std::move(fails)},
            false,
            stm.span};
  }

  Stm kernel(const Stm& stm) {
    return outline(program_, stm, next_name_(), {KernelKind::kMap, {}}, {});
  }

  // The row in memory of its own.
  Stm copiedRow(Stm stm) {
    const ValueId row = stm.results[0];
    const ValueId view = program_.add(program_.values[row].name, program_.type(row));
    stm.results[0] = view;
    KernelInfo info{KernelKind::kMap, program_.type(row).shape};
    const Stm copy{{row}, Copy{view}, false, stm.span};
    return outlineAll(program_, {std::move(stm), copy}, {row}, next_name_(), std::move(info), {});
  }

  // ---- loops

  // Where a carried scalar was, its array is now.
  struct Packed {
    std::vector<size_t> positions;
    std::vector<Type> types;
    bool has_condition = false;
    size_t condition = 0;
  };
  void hold(Packed& packed, size_t k, ValueId scalar) const {
    packed.positions.push_back(k);
    packed.types.push_back({program_.type(scalar).scalar, {Operand::ofI64(1)}});
  }

  void rewriteLoop(Stm& stm, Loop& loop, bool is_guarded, std::vector<Stm>& out) {
    Packed packed;
    if (auto* endless = std::get_if<WhileLoop>(&loop.form)) {
      packed.condition = static_cast<size_t>(endless->condition);
      const Operand& next = loop.body.results[packed.condition];
      packed.has_condition = !next.isConstant() && placement_.guarded.contains(next.value);
    }
    rewrite(loop.body, is_guarded || packed.has_condition);
    if (is_guarded || packed.has_condition) copyResults(loop);
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (stays(loop.carried[k].param)) hold(packed, k, loop.carried[k].param);
    }
    if (packed.positions.empty() && !packed.has_condition) {
      out.push_back(std::move(stm));
      return;
    }
    Operands initial;
    for (const Carried& carried : loop.carried) initial.push_back(carried.initial);
    out.push_back(pack(packed, initial, stm.span));
    for (size_t k = 0; k < loop.carried.size(); ++k) loop.carried[k].initial = initial[k];
    std::vector<Stm> unpacked;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      unpack(packed, k, &loop.carried[k].param, unpacked, true);
    }
    loop.body.stms.insert(loop.body.stms.begin(), unpacked.begin(), unpacked.end());
    loop.body.stms.push_back(pack(packed, loop.body.results, stm.span));
    pushUnpacked(packed, std::move(stm), out);
  }

  // ---- branches

  void rewriteMatch(Stm& stm, bool is_guarded, std::vector<Stm>& out) {
    Packed packed;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      if (stays(stm.results[k])) hold(packed, k, stm.results[k]);
    }
    forEachBody(stm.expr, [&](Body& arm) {
      rewrite(arm, is_guarded);
      if (!packed.positions.empty()) arm.stms.push_back(pack(packed, arm.results, stm.span));
    });
    pushUnpacked(packed, std::move(stm), out);
  }

  // The statement, whose results have become arrays, and the scalars from these.
  void pushUnpacked(const Packed& packed, Stm stm, std::vector<Stm>& out) {
    std::vector<Stm> after;
    for (size_t k = 0; k < stm.results.size(); ++k) {
      unpack(packed, k, &stm.results[k], after, false);
    }
    out.push_back(std::move(stm));
    out.insert(out.end(), after.begin(), after.end());
  }

  // `value` becomes a name of the value carried now; a statement gives the old name its meaning.
  void unpack(const Packed& packed, size_t k, ValueId* value, std::vector<Stm>& out,
              bool is_running) {
    ValueId old = *value;
    auto at = std::find(packed.positions.begin(), packed.positions.end(), k);
    if (packed.has_condition && k == packed.condition) {
      *value = program_.add(program_.values[old].name, program_.type(old));
      out.push_back({{old}, Literal{Scalar::ofBool(is_running)}, false, {}});
    } else if (at != packed.positions.end()) {
      const Type& type = packed.types[static_cast<size_t>(at - packed.positions.begin())];
      *value = program_.add(program_.values[old].name, type);
      if (uses_[old] == 0) return;
      out.push_back({{old}, Index{*value, {Operand::ofI64(0)}}, false, {}});
    }
  }

  // A call of a kernel of one invocation that takes the scalars among `values` and replaces them by
  // its results. These are an array for each, and the condition as it is.
  Stm pack(const Packed& packed, Operands& values, Span span) {
    Function function;
    function.name = next_name_();
    function.span = span;
    function.kernel = {{KernelKind::kMap, {}}};
    Call call{function.name, {}};
    Stm stm{{}, Literal{}, false, span};
    auto argument = [&](const Operand& value) -> Operand {
      if (value.isConstant()) return value;
      ValueId param = program_.add(program_.values[value.value].name, program_.type(value.value));
      function.params.push_back(param);
      function.consumed.push_back(false);
      call.args.push_back(value);
      return param;
    };
    auto add = [&](size_t k, const Type& type, const std::string& name, Expr expr) {
      ValueId inner = program_.add(name, type);
      function.body.stms.push_back({{inner}, std::move(expr), false, span});
      function.body.results.push_back(inner);
      function.results.push_back(program_.add("r", type));
      ValueId outer = program_.add(name, type);
      stm.results.push_back(outer);
      values[k] = outer;
    };
    for (size_t i = 0; i < packed.positions.size(); ++i) {
      const Type& type = packed.types[i];
      size_t k = packed.positions[i];
      add(k, type, "held", ArrayLiteral{type.scalar, {argument(values[k])}});
    }
    if (packed.has_condition) {
      Operand goes_on = argument(values[packed.condition]);
      add(packed.condition, {prim::ScalarType::kBool, {}}, "goes_on",
          PrimOp{prim::Op::kAnd, prim::ScalarType::kBool, {goes_on, Scalar::ofBool(true)}});
    }
    stm.expr = std::move(call);
    program_.functions.push_back(std::move(function));
    return stm;
  }

  // Kernels write carried arrays, or hand them on; other arrays would be copied by the host.
  void copyResults(Loop& loop) {
    for (size_t k = 0; k < loop.body.results.size(); ++k) {
      Operand& result = loop.body.results[k];
      if (program_.type(result).isScalar() || isMadeByKernels(program_, loop, result.value))
        continue;
      Stm copy{{program_.add(program_.values[result.value].name, program_.type(result))},
               Copy{result.value},
               false,
               {}};
      Operands space = program_.type(result).shape;
      result = copy.results[0];
      loop.body.stms.push_back(
          outline(program_, copy, next_name_(), {KernelKind::kMap, std::move(space)}, {}));
    }
  }

  Program& program_;
  const std::function<std::string()>& next_name_;
  Placement placement_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_map<ValueId, Stm> computed_;  // scalar code that kernels compute again
};

}  // namespace

void keepCarriedOnDevice(Program& program, Function& host,
                         const std::function<std::string()>& next_name,
                         const std::function<void(const std::string&)>& say) {
  Carrying(program, next_name).run(host, say);
}

}  // namespace halo::gpu

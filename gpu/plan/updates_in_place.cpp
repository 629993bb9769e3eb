// Calls move down to their update: code of the host may stand between, and kernels that leave the
// call's inputs as they are.
#include "gpu/plan/updates_in_place.h"

#include <algorithm>

#include "gpu/plan/loops/overwritten.h"
#include "gpu/plan/placement.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

// The statement of a kernel in front of the updates that store its results.
const Stm* nodeOf(const Function& kernel) {
  const std::vector<Stm>& stms = kernel.body.stms;
  const auto node = std::find_if(stms.rbegin(), stms.rend(), [](const Stm& stm) {
    return !std::holds_alternative<Update>(stm.expr);
  });
  if (node == stms.rend() || kernel.kernel.empty() || kernel.kernel[0].space.empty())
    return nullptr;
  const auto* map = std::get_if<Screma>(&node->expr);
  const auto* stencil = std::get_if<Stencil>(&node->expr);
  const KernelKind kind = kernel.kernel[0].kind;
  const bool is_map = kind == KernelKind::kMap && map != nullptr && isMap(*map);
  const bool is_step =
      kind == KernelKind::kStencil && stencil != nullptr && stencil->reductions.empty();
  return is_map || is_step ? &*node : nullptr;
}

bool makes(const Stm& stm, const Operand& value) {
  return !value.isConstant() &&
         std::find(stm.results.begin(), stm.results.end(), value.value) != stm.results.end();
}

class UpdateStorer {
 public:
  UpdateStorer(Program& program, Function& host)
      : program_(program), memory_(program, host.body), uses_(useCounts(program, host.body)) {
    known_.insert(host.params.begin(), host.params.end());
    look(host.body);
  }

  void run(Body& body) {
    for (Stm& stm : body.stms) forEachBody(stm.expr, [&](Body& inner) { run(inner); });
    for (size_t u = 0; u < body.stms.size(); u++) {
      if (const auto place = placeOf(body, u)) join(body, *place);
    }
  }

 private:
  using Definitions = std::unordered_map<ValueId, Expr>;
  struct Sum {
    std::optional<ValueId> base;
    int64_t by;
  };
  // Statement `update` overwrites a part of `array` with result `result` of statement `made`.
  struct Place {
    size_t made, update, result;
    ValueId array;
    Operands indices;
  };

  // Values that the host has, definitions of scalars, and how often kernels are called.
  void look(const Body& body) {
    for (const Stm& stm : body.stms) {
      if (const auto* call = std::get_if<Call>(&stm.expr)) calls_[call->function]++;
      if (const auto* loop = std::get_if<Loop>(&stm.expr)) {
        if (const auto* form = std::get_if<ForLoop>(&loop->form)) known_.insert(form->index);
      }
      bool is_known = isComputed(stm);
      forEachOperand(stm.expr, [&](const Operand& o) { is_known = is_known && isKnown(o); });
      if (is_known) known_.insert(stm.results.begin(), stm.results.end());
      if (is_known && stm.results.size() == 1) definitions_[stm.results[0]] = stm.expr;
      forEachBody(stm.expr, [&](const Body& inner) { look(inner); });
    }
  }
  bool isKnown(const Operand& operand) const {
    return operand.isConstant() || known_.contains(operand.value);
  }

  const Function* calleeOf(const Stm& stm) const {
    const auto* call = std::get_if<Call>(&stm.expr);
    return call == nullptr ? nullptr : program_.find(call->function);
  }
  static Operand argument(const Function& kernel, const Call& call, const Operand& param) {
    if (param.isConstant()) return param;
    const auto found = std::find(kernel.params.begin(), kernel.params.end(), param.value);
    if (found == kernel.params.end()) return {};
    return call.args[static_cast<size_t>(found - kernel.params.begin())];
  }

  std::optional<Place> placeOf(const Body& body, size_t u) {
    const Function* kernel = calleeOf(body.stms[u]);
    if (kernel == nullptr || kernel->kernel.empty() || kernel->body.stms.size() != 1 ||
        kernel->kernel[0].space.empty()) {
      return std::nullopt;
    }
    const auto* update = std::get_if<Update>(&kernel->body.stms[0].expr);
    if (update == nullptr || !update->dims.empty() || update->value.isConstant())
      return std::nullopt;
    const Call& call = std::get<Call>(body.stms[u].expr);
    const Operand value = argument(*kernel, call, update->value);
    Place place{0, u, 0, argument(*kernel, call, update->array).value, {}};
    if (!value.value.valid() || !place.array.valid()) return std::nullopt;
    for (const Operand& index : update->indices) {
      place.indices.push_back(argument(*kernel, call, index));
      if (!isKnown(place.indices.back())) return std::nullopt;
    }
    while (place.made < u && !makes(body.stms[place.made], value)) place.made++;
    if (place.made == u || uses_[value.value] != 1) return std::nullopt;
    const std::vector<ValueId>& results = body.stms[place.made].results;
    place.result = static_cast<size_t>(std::find(results.begin(), results.end(), value.value) -
                                       results.begin());
    return mayStore(body, place) ? std::optional(std::move(place)) : std::nullopt;
  }

  bool mayStore(const Body& body, const Place& place) {
    const Stm& made = body.stms[place.made];
    const Function* kernel = calleeOf(made);
    const Stm* node = kernel == nullptr ? nullptr : nodeOf(*kernel);
    if (node == nullptr || !makes(*node, kernel->body.results[place.result])) return false;
    if (calls_[kernel->name] != 1 || makes(made, place.array)) return false;
    for (size_t k = place.made + 1; k < place.update; k++) {
      if (!mayRunBefore(body.stms[k], made)) return false;
      const auto used = freeValues(program_, body.stms[k]);
      const auto wants = [&](ValueId result) { return used.contains(result); };
      if (std::any_of(made.results.begin(), made.results.end(), wants)) return false;
    }
    const Call& call = std::get<Call>(made.expr);
    for (size_t k = 0; k < call.args.size(); ++k) {
      const Operand& arg = call.args[k];
      const bool is_array = !arg.isConstant() && !program_.type(arg).isScalar();
      if (is_array && !isApart(body, arg.value, place) &&
          !(arg.value == place.array && readsApart(*kernel, call, k, place))) {
        return false;
      }
    }
    return true;
  }

  // Whether the statement behind the call leaves the call's inputs as they are.
  bool mayRunBefore(const Stm& stm, const Stm& made) {
    if (launchesNothing(stm)) return true;
    const Function* kernel = calleeOf(stm);
    if (kernel == nullptr || kernel->kernel.empty()) return false;
    const Operands& args = std::get<Call>(stm.expr).args;
    for (const Operand& read : std::get<Call>(made.expr).args) {
      if (read.isConstant() || program_.type(read).isScalar()) continue;
      for (size_t k = 0; k < args.size(); k++) {
        if (kernel->consumed[k] && memory_.mayShare(args[k].value, read.value)) return false;
      }
    }
    return true;
  }

  // Whether the kernel reads elements of the updated array alone, its parameter `k`, and none that
  // the update replaces: `ys[i - 1, j]`, where the update is of `ys[i]`.
  bool readsApart(const Function& kernel, const Call& call, size_t k, const Place& place) const {
    const ValueId array = kernel.params[k];
    Definitions inside;
    visitStms(kernel.body, [&](const Stm& stm) {
      if (stm.results.size() == 1) inside[stm.results[0]] = stm.expr;
    });
    auto onHost = [&](const Operand& operand) {
      const auto [base, by] = split(operand, inside);
      const auto at = std::find(kernel.params.begin(), kernel.params.end(), base);
      if (base && at != kernel.params.end()) {
        const auto position = static_cast<size_t>(at - kernel.params.begin());
        const auto [outer, more] = split(call.args[position], definitions_);
        return Sum{outer, by + more};
      }
      return Sum{base, by};
    };
    auto isOther = [&](const Stm& stm) {
      const auto* index = std::get_if<Index>(&stm.expr);
      return index != nullptr && index->array == array && !index->indices.empty() &&
             !place.indices.empty() &&
             differ(onHost(index->indices[0]), split(place.indices[0], definitions_));
    };
    int reads = 0;
    visitStms(kernel.body, [&](const Stm& stm) { reads += isOther(stm) ? 1 : 0; });
    return useCounts(program_, kernel.body)[array] == reads;
  }

  // Whether the array has no elements that the update replaces.
  bool isApart(const Body& body, ValueId array, const Place& place) {
    if (!memory_.mayShare(array, place.array)) return true;
    for (const Stm& stm : body.stms) {
      const auto* index = std::get_if<Index>(&stm.expr);
      if (index == nullptr || stm.results[0] != array) continue;
      return index->array == place.array && !index->indices.empty() && !place.indices.empty() &&
             differ(split(index->indices[0], definitions_), split(place.indices[0], definitions_));
    }
    return false;
  }

  // Whether two indices differ whatever their common part is.
  static bool differ(const Sum& a, const Sum& b) { return a.base == b.base && a.by != b.by; }
  // x + c as x and c.
  static Sum split(const Operand& operand, const Definitions& definitions) {
    if (operand.isConstant()) return {std::nullopt, operand.constant.asSigned()};
    const auto found = definitions.find(operand.value);
    const auto* op = found == definitions.end() ? nullptr : std::get_if<PrimOp>(&found->second);
    const bool is_sum = op != nullptr && op->type == ScalarType::kI64 && op->args.size() == 2 &&
                        (op->op == prim::Op::kAdd || op->op == prim::Op::kSub);
    if (is_sum && op->args[1].isConstant() && !op->args[0].isConstant()) {
      const int64_t by = op->args[1].constant.asSigned();
      if (by > -kFar && by < kFar) {
        return {op->args[0].value, op->op == prim::Op::kAdd ? by : -by};
      }
    }
    return {operand.value, 0};
  }
  static constexpr int64_t kFar = int64_t{1} << 32;  // sums of an index and less do not wrap

  // ---- the joint kernel

  void join(Body& body, const Place& place) {
    Stm stm = std::move(body.stms[place.made]);
    Call& call = std::get<Call>(stm.expr);
    Function& kernel =
        *std::find_if(program_.functions.begin(), program_.functions.end(),
                      [&](const Function& function) { return function.name == call.function; });
    Substitution inside;
    for (size_t k = 0; k < kernel.params.size(); k++) {
      if (!call.args[k].isConstant()) inside[call.args[k].value] = kernel.params[k];
    }
    Type type = program_.type(place.array);
    for (Operand& size : type.shape) size = scalarInside(kernel, call, inside, size);
    Operands indices;
    for (const Operand& index : place.indices) {
      indices.push_back(scalarInside(kernel, call, inside, index));
    }
    const ValueId array = consumedParam(kernel, call, place.array, type);
    const ValueId stored = program_.add("stored", type);
    Operand& result = kernel.body.results[place.result];
    kernel.body.stms.push_back({{stored}, Update{array, indices, {}, result}, false, stm.span});
    result = stored;
    kernel.results[place.result] = program_.add("r", type);
    stm.results[place.result] = body.stms[place.update].results[0];
    body.stms[place.update] = std::move(stm);
    body.stms.erase(body.stms.begin() + static_cast<std::ptrdiff_t>(place.made));
  }

  // The parameter that stands for an array to overwrite; a new one unless the kernel reads it, too.
  ValueId consumedParam(Function& kernel, Call& call, ValueId array, const Type& type) {
    const auto at = std::find(call.args.begin(), call.args.end(), Operand(array));
    if (at != call.args.end()) {
      const auto position = static_cast<size_t>(at - call.args.begin());
      kernel.consumed[position] = true;
      return kernel.params[position];
    }
    kernel.params.push_back(program_.add(program_.values[array].name, type));
    kernel.consumed.push_back(true);
    call.args.emplace_back(array);
    return kernel.params.back();
  }

  // The parameter that stands for a scalar of the host; a new one in front of all others if none.
  Operand scalarInside(Function& kernel, Call& call, Substitution& inside, const Operand& scalar) {
    if (scalar.isConstant()) return scalar;
    if (auto found = inside.find(scalar.value); found != inside.end()) return found->second;
    const ValueId param = program_.add(program_.values[scalar.value].name, program_.type(scalar));
    kernel.params.insert(kernel.params.begin(), param);
    kernel.consumed.insert(kernel.consumed.begin(), false);
    call.args.insert(call.args.begin(), scalar);
    inside[scalar.value] = param;
    return param;
  }

  Program& program_;
  Overwritten memory_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_set<ValueId> known_;
  Definitions definitions_;
  std::unordered_map<std::string, int> calls_;
};

}  // namespace

void updateInPlace(Program& program, Function& host) { UpdateStorer(program, host).run(host.body); }

const Update* storedBy(const Function& kernel, size_t i) {
  const Stm* node = nodeOf(kernel);
  for (const Stm& stm : kernel.body.stms) {
    const auto* update = std::get_if<Update>(&stm.expr);
    if (update == nullptr || node == nullptr || !makes(*node, update->value)) continue;
    if (kernel.body.results[i] == Operand(stm.results[0])) return update;
  }
  return nullptr;
}

}  // namespace halo::gpu

// Calls move down to their update: code of the host may stand between, and kernels that leave the
// call's inputs as they are. Where that fails, the update moves up to the call: kernels between may
// want the result, but not the updated array.
#include "gpu/plan/in_place/updates_in_place.h"

#include <algorithm>
#include <utility>

#include "gpu/plan/host_code.h"
#include "gpu/plan/in_place/regions.h"
#include "gpu/plan/in_place/store_in_kernel.h"
#include "gpu/plan/in_place/stored_results.h"
#include "gpu/plan/loops/overwritten.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/aliases.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class UpdateStorer {
 public:
  UpdateStorer(Program& program, Function& host)
      : program_(program), memory_(program, host.body), uses_(useCounts(program, host.body)) {
    known_.insert(host.params.begin(), host.params.end());
    look(host.body);
  }

  void run(Body& body) {
    for (Stm& stm : body.stms) forEachBody(stm.expr, [&](Body& inner) { run(inner); });
    for (size_t u = 0; u < body.stms.size(); ++u) {
      const auto place = placeOf(body, u);
      if (!place) continue;
      join(body, *place);
      u -= place->reshape ? 2 : 1;
    }
  }

 private:
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
      define(stm, definitions_);
      forEachBody(stm.expr, [&](const Body& inner) { look(inner); });
    }
  }
  bool isKnown(const Operand& operand) const {
    return operand.isConstant() || known_.contains(operand.value);
  }

  std::optional<UpdatePlace> placeOf(const Body& body, size_t u) {
    const Function* kernel = kernelOf(program_, body.stms[u]);
    if (kernel == nullptr || kernel->body.stms.size() != 1 || kernel->kernel[0].space.empty()) {
      return std::nullopt;
    }
    const auto* update = std::get_if<Update>(&kernel->body.stms[0].expr);
    if (update == nullptr || update->value.isConstant()) return std::nullopt;
    const auto store = asArguments(*kernel, std::get<Call>(body.stms[u].expr), *update);
    if (!store) return std::nullopt;
    UpdatePlace place{0, u, 0, {}, *store, {}};
    if (!findRegion(place) || !findMaker(body, place) || !findArray(body, place)) {
      return std::nullopt;
    }
    for (const bool moves_up : {false, true}) {
      place.moves_up = moves_up;
      if (hasReadersBehind(body, place) && mayStore(body, place)) return place;
    }
    return std::nullopt;
  }

  bool findRegion(UpdatePlace& place) const {
    const auto isKnownDim = [&](const SliceDim& dim) {
      return isKnown(dim.start) && isKnown(dim.length) && isKnown(dim.stride);
    };
    const Update& store = place.store;
    if (!std::all_of(store.indices.begin(), store.indices.end(),
                     [&](const Operand& index) { return isKnown(index); }) ||
        !std::all_of(store.dims.begin(), store.dims.end(), isKnownDim)) {
      return false;
    }
    place.region = regionOf(program_, store);
    return true;
  }

  // The statement that makes the update's value.
  bool findMaker(const Body& body, UpdatePlace& place) {
    Operand value = place.store.value;
    if (!value.value.valid()) return false;
    std::optional<size_t> made = makerOf(body.stms, value);
    const auto* reshape = made ? std::get_if<Reshape>(&body.stms[*made].expr) : nullptr;
    if (reshape != nullptr) {
      if (!addsOnes(*reshape, program_.type(reshape->array).shape)) return false;
      if (uses_[value.value] != 1) return false;
      place.reshape = made;
      value = reshape->array;
      made = makerOf(body.stms, value);
    }
    if (!made) return false;
    place.reads_row = uses_[value.value] != 1;
    place.made = *made;
    const std::vector<ValueId>& results = body.stms[place.made].results;
    place.result = static_cast<size_t>(std::find(results.begin(), results.end(), value.value) -
                                       results.begin());
    return true;
  }

  // A call that has stored another of its results in the array may store this one, too.
  bool findArray(const Body& body, UpdatePlace& place) {
    const Stm& made = body.stms[place.made];
    const auto first = std::find(made.results.begin(), made.results.end(), place.store.array);
    if (first == made.results.end()) return true;
    const Function* kernel = kernelOf(program_, made);
    if (kernel == nullptr || uses_[*first] != 1) return false;
    const auto i = static_cast<size_t>(first - made.results.begin());
    const auto stored = storedBy(*kernel, i);
    if (!stored) return false;
    const Call& call = std::get<Call>(made.expr);
    for (const size_t other : storedBeside(*kernel, i)) {
      const auto store = asArguments(*kernel, call, *storedBy(*kernel, other));
      if (!store) return false;
      if (!areApart(regionOf(program_, *store).dims, place.region.dims, definitions_)) return false;
    }
    const auto param = std::find(kernel->params.begin(), kernel->params.end(), stored->array);
    place.store.array = call.args[static_cast<size_t>(param - kernel->params.begin())].value;
    place.beside = i;
    return true;
  }

  // Whether nothing else wants the update's value, or only kernels behind the place where it is
  // stored, and the row is still there.
  bool hasReadersBehind(const Body& body, const UpdatePlace& place) {
    if (!place.reads_row) return true;
    if (!place.store.dims.empty()) return false;
    const ValueId value = body.stms[place.made].results[place.result];
    const ValueId after = body.stms[place.update].results[0];
    bool is_there = true;
    int behind = 0;
    for (size_t k = joinedAt(place) + 1; k < body.stms.size() && is_there; ++k) {
      if (k == place.update || place.reshape == k) continue;
      const Stm& stm = body.stms[k];
      if (freeValues(program_, stm).contains(value)) {
        if (kernelOf(program_, stm) == nullptr) return false;
        const Operands& args = std::get<Call>(stm.expr).args;
        behind += static_cast<int>(std::count(args.begin(), args.end(), Operand(value)));
        is_there = !memory_.mayReplace(stm, after);
      } else if (behind + 1 < uses_[value]) {
        is_there = !memory_.mayReplace(stm, after);
      }
    }
    return is_there && behind + 1 == uses_[value];
  }

  static size_t joinedAt(const UpdatePlace& place) {
    return place.moves_up ? place.made : place.update;
  }

  static bool addsOnes(const Reshape& reshape, const Operands& shape) {
    Operands others = reshape.shape;
    std::erase(others, kOne);
    return others == shape;
  }

  bool mayStore(const Body& body, const UpdatePlace& place) {
    const Stm& made = body.stms[place.made];
    const Function* kernel = kernelOf(program_, made);
    const Stm* node = kernel == nullptr ? nullptr : storedNode(*kernel);
    if (node == nullptr || !makes(*node, kernel->body.results[place.result])) return false;
    // Stencils store rows of whole vectors.
    if (!place.store.dims.empty() && kernel->kernel[0].kind == KernelKind::kStencil) return false;
    if (calls_[kernel->name] != 1 || makes(made, place.store.array)) return false;
    if (!(place.moves_up ? mayMoveUp(body, place) : mayMoveDown(body, place))) return false;
    const Call& call = std::get<Call>(made.expr);
    for (size_t k = 0; k < call.args.size(); ++k) {
      const Operand& arg = call.args[k];
      const bool is_array = !arg.isConstant() && !program_.type(arg).isScalar();
      if (is_array && !isApart(arg.value, place) && !readsApart(*kernel, call, k, place) &&
          !readsOwn(*kernel, arg.value, k, place)) {
        return false;
      }
    }
    return true;
  }

  bool mayMoveDown(const Body& body, const UpdatePlace& place) {
    const Stm& made = body.stms[place.made];
    for (size_t k = place.made + 1; k < place.update; ++k) {
      if (place.reshape == k) continue;
      if (!mayRunBefore(body.stms[k], made)) return false;
      const auto used = freeValues(program_, body.stms[k]);
      const auto wants = [&](ValueId result) { return used.contains(result); };
      if (std::any_of(made.results.begin(), made.results.end(), wants)) return false;
    }
    return true;
  }

  // Are the operands of the update, but for its value, bound in front of the call, and does no
  // statement between check anything or mention the updated array?
  bool mayMoveUp(const Body& body, const UpdatePlace& place) {
    const auto needed = freeValues(program_, body.stms[place.update]);
    for (size_t k = place.made + 1; k < place.update; ++k) {
      if (place.reshape == k) continue;
      const Stm& stm = body.stms[k];
      const auto isNeeded = [&](ValueId result) { return needed.contains(result); };
      if (std::any_of(stm.results.begin(), stm.results.end(), isNeeded)) return false;
      if (kernelOf(program_, stm) == nullptr && !launchesNothing(stm)) return false;
      if (stm.results.empty()) return false;  // it may check where the update stores
      for (const ValueId used : freeValues(program_, stm)) {
        const bool is_array = !program_.type(used).isScalar();
        if (is_array && memory_.mayShare(used, place.store.array)) return false;
      }
    }
    return true;
  }

  // Whether the statement behind the call leaves the call's inputs as they are.
  bool mayRunBefore(const Stm& stm, const Stm& made) {
    if (launchesNothing(stm)) return true;
    const Function* kernel = kernelOf(program_, stm);
    if (kernel == nullptr) return false;
    const Operands& args = std::get<Call>(stm.expr).args;
    for (const Operand& read : std::get<Call>(made.expr).args) {
      if (read.isConstant() || program_.type(read).isScalar()) continue;
      for (size_t k = 0; k < args.size(); ++k) {
        if (kernel->consumed[k] && memory_.mayShare(args[k].value, read.value)) return false;
      }
    }
    return true;
  }

  // Whether the kernel reads elements of the updated array alone, its parameter `k`, and none that
  // the update replaces: `ys[i - 1, j]`, where the update is of `ys[i]`.
  bool readsApart(const Function& kernel, const Call& call, size_t k,
                  const UpdatePlace& place) const {
    if (call.args[k] != Operand(place.store.array)) return false;
    const ValueId array = kernel.params[k];
    DefiningExprs known = definitions_;
    for (size_t p = 0; p < kernel.params.size(); ++p) {
      if (program_.type(kernel.params[p]) != Type{ScalarType::kI64, {}}) continue;
      known[kernel.params[p]] = PrimOp{prim::Op::kAdd, ScalarType::kI64, {call.args[p], kZero}};
    }
    visitStms(kernel.body, [&](const Stm& stm) { define(stm, known); });
    const Region whole = Region::ofWhole(program_.type(array).shape);
    int reads = 0;
    visitStms(kernel.body, [&](const Stm& stm) {
      if (const auto* update = std::get_if<Update>(&stm.expr)) {
        reads += update->array == array ? 1 : 0;  // compared in findArray
      }
      const auto* index = std::get_if<Index>(&stm.expr);
      if (index == nullptr || index->array != array) return;
      const bool is_other = areApart(whole.at(index->indices)->dims, place.region.dims, known);
      reads += is_other ? 1 : 0;
    });
    return useCounts(program_, kernel.body)[array] == reads;
  }

  // Does each cell read, of the kernel's parameter `k`, the element that it replaces and no other?
  // Then `k` is an input of each level of the nest.
  bool readsOwn(const Function& kernel, ValueId view, size_t k, const UpdatePlace& place) const {
    const auto* outer = std::get_if<Screma>(&storedNode(kernel)->expr);
    const auto region = regionOf(program_, view, place.store.array, definitions_);
    if (outer == nullptr || !region || !areSame(*region, place.region, definitions_)) return false;
    const auto levels = mapNest(*outer, kernel.kernel[0].space.size());
    const Operand& result = kernel.body.results[place.result];
    if (levels.size() != static_cast<size_t>(program_.type(result).rank())) return false;
    auto uses = useCounts(program_, kernel.body);
    std::vector<ValueId> rows = {kernel.params[k]};
    for (const Screma* level : levels) {
      std::vector<ValueId> inner;
      for (size_t i = 0; i < level->inputs.size(); ++i) {
        if (std::find(rows.begin(), rows.end(), level->inputs[i]) == rows.end()) continue;
        --uses[level->inputs[i]];
        inner.push_back(level->map.params[i]);
      }
      const auto isUsed = [&](ValueId row) { return uses[row] != 0; };
      if (std::any_of(rows.begin(), rows.end(), isUsed)) return false;
      rows = std::move(inner);
    }
    return true;
  }

  // Whether the array has no elements that the update replaces.
  bool isApart(ValueId array, const UpdatePlace& place) {
    if (!memory_.mayShare(array, place.store.array)) return true;
    const auto region = regionOf(program_, array, place.store.array, definitions_);
    return region && areApart(region->dims, place.region.dims, definitions_);
  }

  // ---- the joint kernel

  void join(Body& body, const UpdatePlace& place) {
    Stm stm = std::move(body.stms[place.made]);
    Call& call = std::get<Call>(stm.expr);
    Function& kernel =
        *std::find_if(program_.functions.begin(), program_.functions.end(),
                      [&](const Function& function) { return function.name == call.function; });
    storeInKernel(program_, kernel, call, place);
    const ValueId row = stm.results[place.result];
    const ValueId after = body.stms[place.update].results[0];
    stm.results[place.result] = after;
    const auto at = [&](size_t k) { return body.stms.begin() + static_cast<long>(k); };
    body.stms.erase(at(place.update));
    if (place.reshape) body.stms.erase(at(*place.reshape));
    body.stms.erase(at(place.made));
    const size_t behind = place.reshape ? place.update - 2 : place.update - 1;
    auto joint = body.stms.insert(at(place.moves_up ? place.made : behind), std::move(stm));
    if (place.reads_row) {
      const Stm view{{row}, Index{after, place.store.indices}, false, joint->span};
      define(view, definitions_);
      memory_.share(row, after);
      body.stms.insert(joint + 1, view);
    }
  }

  Program& program_;
  Overwritten memory_;
  std::unordered_map<ValueId, int> uses_;
  std::unordered_set<ValueId> known_;
  DefiningExprs definitions_;
  std::unordered_map<std::string, int> calls_;
};

}  // namespace

void updateInPlace(Program& program, Function& host) { UpdateStorer(program, host).run(host.body); }

}  // namespace halo::gpu

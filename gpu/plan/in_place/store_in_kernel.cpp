#include "gpu/plan/in_place/store_in_kernel.h"

#include <algorithm>
#include <utility>

#include "gpu/plan/in_place/stored_results.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

class KernelStore {
 public:
  KernelStore(Program& program, Function& kernel, Call& call, const UpdatePlace& place)
      : program_(program), kernel_(kernel), call_(call), place_(place) {
    for (size_t k = 0; k < kernel_.params.size(); ++k) {
      if (!call_.args[k].isConstant()) inside_[call_.args[k].value] = kernel_.params[k];
    }
  }

  void run() {
    Type type = program_.type(place_.store.array);
    for (Operand& size : type.shape) size = scalarInside(size);
    Update update;
    for (const Operand& index : place_.store.indices) update.indices.push_back(scalarInside(index));
    for (const SliceDim& dim : place_.store.dims) {
      update.dims.push_back(
          {scalarInside(dim.start), scalarInside(dim.length), scalarInside(dim.stride)});
    }
    if (!place_.beside) update.array = consumedParam(place_.store.array, type);
    addStore(std::move(update), type);
    kernel_.results[place_.result] = program_.add("r", type);
  }

 private:
  // The update behind the kernel's node. Updates of one array stand in the order of the results
  // that they store (stored_results.h): they are disjoint, so each may come first.
  void addStore(Update update, const Type& type) {
    std::vector<Stm>& stms = kernel_.body.stms;
    Operands& results = kernel_.body.results;
    const auto end = static_cast<std::ptrdiff_t>(stms.size());
    const Operand made = results[place_.result];
    update.value = place_.reshape ? reshaped(update.dims, made.value) : made;
    const ValueId stored = program_.add("stored", type);
    if (!place_.beside) {
      stms.push_back({{stored}, std::move(update), false, kernel_.span});
      results[place_.result] = stored;
      return;
    }
    const Operand before = results[*place_.beside];
    const std::vector<size_t> others = storedBeside(kernel_, *place_.beside);
    const auto next = std::upper_bound(others.begin(), others.end(), place_.result);
    if (next == others.end()) {
      update.array = before.value;
      stms.push_back({{stored}, std::move(update), false, kernel_.span});
      for (const size_t other : others) results[other] = stored;
      results[place_.result] = stored;
      return;
    }
    const size_t at = storesOf(kernel_, *place_.beside)[static_cast<size_t>(next - others.begin())];
    update.array = std::exchange(std::get<Update>(stms[at].expr).array, stored);
    stms.push_back({{stored}, std::move(update), false, kernel_.span});
    std::rotate(stms.begin() + static_cast<std::ptrdiff_t>(at), stms.begin() + end, stms.end());
    results[place_.result] = before;
  }

  // The kernel's result, with axes of one element as the update has them.
  Operand reshaped(const std::vector<SliceDim>& dims, ValueId result) {
    Type type{program_.type(result).scalar, {}};
    for (const SliceDim& dim : dims) type.shape.push_back(dim.length);
    const ValueId part = program_.add("part", type);
    kernel_.body.stms.push_back({{part}, Reshape{result, type.shape}, false, kernel_.span});
    return part;
  }

  // The parameter that stands for an array to overwrite; a new one unless the kernel reads it, too.
  ValueId consumedParam(ValueId array, const Type& type) {
    const auto at = std::find(call_.args.begin(), call_.args.end(), Operand(array));
    if (at != call_.args.end()) {
      const auto position = static_cast<size_t>(at - call_.args.begin());
      kernel_.consumed[position] = true;
      return kernel_.params[position];
    }
    kernel_.params.push_back(program_.add(program_.values[array].name, type));
    kernel_.consumed.push_back(true);
    call_.args.emplace_back(array);
    return kernel_.params.back();
  }

  // The parameter that stands for a scalar of the host; a new one in front of all others if none.
  Operand scalarInside(const Operand& scalar) {
    if (scalar.isConstant()) return scalar;
    if (auto found = inside_.find(scalar.value); found != inside_.end()) return found->second;
    const ValueId param = program_.add(program_.values[scalar.value].name, program_.type(scalar));
    kernel_.params.insert(kernel_.params.begin(), param);
    kernel_.consumed.insert(kernel_.consumed.begin(), false);
    call_.args.insert(call_.args.begin(), scalar);
    inside_[scalar.value] = param;
    return param;
  }

  Program& program_;
  Function& kernel_;
  Call& call_;
  const UpdatePlace& place_;
  Substitution inside_;  // values of the host, as parameters
};

}  // namespace

void storeInKernel(Program& program, Function& kernel, Call& call, const UpdatePlace& place) {
  KernelStore(program, kernel, call, place).run();
}

}  // namespace halo::gpu

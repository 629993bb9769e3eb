#include "gpu/plan/whole_extents.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::gpu {

using namespace core;

namespace {

class Wholes {
 public:
  Wholes(Program& program, const Function& host) : program_(program), shares_(host.shares) {}

  void body(Body& body) {
    for (Stm& stm : body.stms) {
      if (auto* call = std::get_if<Call>(&stm.expr)) add(*call);
      visitBodies(stm.expr, [&](Body& nested) { this->body(nested); });
    }
  }

 private:
  Function* kernelOf(const Call& call) {
    for (Function& function : program_.functions) {
      if (function.name == call.function && !function.kernel.empty()) return &function;
    }
    return nullptr;
  }

  void add(Call& call) {
    Function* kernel = kernelOf(call);
    if (kernel == nullptr || kernel->kernel[0].space.empty()) return;
    const Operand rows = kernel->kernel[0].space[0];
    if (rows.isConstant()) return;
    const auto param = std::find(kernel->params.begin(), kernel->params.end(), rows.value);
    if (param == kernel->params.end()) return;
    const Operand argument = call.args[static_cast<size_t>(param - kernel->params.begin())];
    for (const auto& [share, whole] : shares_) {
      if (argument != Operand(share)) continue;
      const ValueId extent = program_.add("whole", {ScalarType::kI64, {}});
      kernel->params.insert(kernel->params.begin(), extent);
      kernel->consumed.insert(kernel->consumed.begin(), false);
      kernel->kernel[0].whole_extent = Operand(extent);
      call.args.insert(call.args.begin(), Operand(whole));
      return;
    }
  }

  Program& program_;
  const std::vector<std::pair<ValueId, ValueId>> shares_;
};

}  // namespace

void addWholeExtents(Program& program) {
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const Function host = program.functions[i];
    if (host.shares.empty()) continue;
    Body body = host.body;
    Wholes(program, host).body(body);
    program.functions[i].body = std::move(body);
  }
}

}  // namespace halo::gpu

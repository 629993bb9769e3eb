#include "lang/core/rules/values_exist.h"

#include "lang/core/visit.h"

namespace halo::core {
namespace {

class Mentioned {
 public:
  explicit Mentioned(const Program& program) : program_(program) {}

  void function(const Function& f) {
    for (ValueId param : f.params) binder(param);
    for (ValueId result : f.results) binder(result);
    for (const KernelInfo& kernel : f.kernel) {
      for (const Operand& size : kernel.space) use(size);
      if (kernel.whole_extent) use(*kernel.whole_extent);
    }
    for (const auto& [share, whole] : f.shares) use(Operand(share)), use(Operand(whole));
    body(f.body);
  }
  bool allExist() const { return all_exist_; }

 private:
  bool exists(ValueId v) const { return v.index < program_.values.size(); }
  void use(const Operand& o) { all_exist_ = all_exist_ && (o.isConstant() || exists(o.value)); }
  void binder(ValueId v) {
    all_exist_ = all_exist_ && exists(v);
    if (!exists(v)) return;
    for (const Operand& size : program_.type(v).shape) use(size);
  }
  void body(const Body& b) {
    for (const Stm& stm : b.stms) {
      visitUses(stm.expr, [&](const auto& used) { use(Operand(used)); });
      visitBound(stm.expr, [&](ValueId v) { binder(v); });
      visitBodies(stm.expr, [&](const Body& nested) { body(nested); });
      for (ValueId result : stm.results) binder(result);
    }
    for (const Operand& result : b.results) use(result);
  }

  const Program& program_;
  bool all_exist_ = true;
};

}  // namespace

bool valuesExist(const Program& program, const Function& function) {
  Mentioned mentioned(program);
  mentioned.function(function);
  return mentioned.allExist();
}

}  // namespace halo::core

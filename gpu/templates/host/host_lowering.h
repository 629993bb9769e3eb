// The state behind host.h. Read host.cpp first. Statements of host code are lowered as on the CPU
// with arrays in device memory, but for those lowered here. Then host_launch.cpp (kernels) and
// host_scalars.cpp (scalars that the host never sees).
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "gpu/plan/placement.h"
#include "gpu/templates/host/host.h"
#include "gpu/templates/templates.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

class Host {
 public:
  Host(const ScheduledProgram& program, const core::Function& entry, const Variants& variants)
      : core_(program.kernels),
        schedules_(program.schedules),
        entry_(entry),
        variants_(variants),
        builder_(result_.program),
        placement_(placeScalars(core_, entry, true)),
        uses_(core::useCounts(core_, entry.body)) {
    findConditions(entry.body);
  }

  HostResult run();

 private:
  struct Computed {
    const core::Stm* stm;
    imp::Environment known;  // its operands on the host
  };
  struct Element {
    imp::ArrayRef array;
    imp::Operands indices;  // on the host
  };

  // host.cpp
  void addParam(imp::Function& function, imp::Environment& environment, core::ValueId param);
  imp::LoweringTarget place();
  std::optional<imp::Results> intercept(imp::Builder& builder, const core::Stm& stm,
                                        imp::Environment& environment,
                                        const imp::Destinations& destinations);
  imp::Results upload(imp::Builder& builder, const core::Stm& stm,
                      const core::ArrayLiteral& literal, const imp::Environment& environment,
                      const std::optional<imp::ArrayRef>& destination);
  void unsupported(const std::string& why);
  imp::Operand capacity();
  imp::Results placeholders(imp::Builder& builder, const core::Stm& stm,
                            imp::Environment& environment);
  static imp::Results emptyResults(size_t count);
  static imp::Operand elementAt(imp::Builder& builder, const imp::ArrayRef& array,
                                const imp::Operands& indices);
  imp::Results readElement(imp::Builder& builder, const core::Stm& stm, const core::Index& index,
                           const imp::Environment& environment);

  // host_launch.cpp
  imp::Results launch(imp::Builder& builder, const core::Stm& stm, const core::Call& call,
                      const core::Function& whole, imp::Environment& environment,
                      const imp::Destinations& destinations);
  TemplateResult emit(imp::Builder& builder, const KernelCall& call);
  void passArguments(KernelCall& info, const core::Call& call, const imp::Environment& environment);
  void takeScalar(imp::Builder& builder, const core::Stm& stm, const ScalarResult& scalar,
                  imp::Results& results);

  // host_scalars.cpp
  void findConditions(const core::Body& body);
  bool isGuarded(const core::Loop& loop) const;
  void stopAtEnd(KernelCall& info, size_t result, const imp::Operand& when_false);
  bool staysOnDevice(const core::Operand& operand) const;
  void keepOnDevice(imp::Builder& builder, core::ValueId value, imp::BufferId buffer);
  bool isCountedSize(const core::Function& kernel, size_t param, const core::Operand& arg) const;
  imp::Results countInKernels(imp::Builder& builder, const core::Stm& stm,
                              const imp::Environment& environment);
  imp::Results computeInKernels(const core::Stm& stm, const imp::Environment& environment);
  imp::Results readInKernels(imp::Builder& builder, const core::Stm& stm, const core::Index& index,
                             const imp::Environment& environment);
  imp::Operand valueInKernel(KernelScope& scope, core::ValueId value);
  imp::Operand makeInKernel(KernelScope& scope, core::ValueId value);

  const core::Program& core_;
  const Schedules& schedules_;
  const core::Function& entry_;
  const Variants& variants_;
  HostResult result_;
  imp::Builder builder_;
  Placement placement_;  // scalars that the host never sees, among others
  std::unordered_map<core::ValueId, int> uses_;
  std::map<core::ValueId, imp::BufferId> slots_;         // memory of those that kernels write
  std::unordered_map<core::ValueId, Element> elements_;  // .. and others where they lie
  std::unordered_map<core::ValueId, Computed> computed_;
  std::unordered_set<core::ValueId> carried_;   // parameters of loops
  std::unordered_set<core::ValueId> starting_;  // conditions before the first iteration
  imp::VarId capacity_;                         // the last parameter, if there is need for one
  imp::BufferId exit_flag_;
  imp::Operand iteration_;  // of the guarded loop at hand
};

}  // namespace halo::gpu

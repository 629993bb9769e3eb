// The use of scanned elements that only a scatter takes as positions, or only a map
// (gpu/plan/nodes/scan_scatter.h).
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

class ScanScatter {
 public:
  // A kernel of kind scan that ends with a scan and a scatter, or a scan and a map.
  ScanScatter(imp::Builder& host, const KernelCall& call);

  // The scan alone; its results are not to be stored.
  const KernelCall& scanCall() const { return scan_call_; }
  const core::Screma& screma() const { return screma_; }
  const core::Body& map() const { return map_; }
  const core::Body& places() const { return consumer_.body; }
  const KernelCall& call() const { return call_; }
  // Inputs of the scatter or the map, by its parameters; whether the scan reads one, too.
  const std::vector<core::ValueId>& inputs() const { return inputs_; }
  bool isOfScan(size_t input) const;
  // Whether it is in no memory: a result of the scan or of its map, numbers.
  bool isComputed(size_t input) const;
  bool isTotal() const;  // no code of either map fails, nor reads arrays
  std::vector<const core::Screma*> mapLevels() const;  // of the map behind the scan

  // Element i, in a kernel of the scan: its scanned values; `loaded` gives the scan's inputs
  // already read, by position. `mapped`: the scans' operands of it, if these are known still.
  using Loaded = std::function<std::optional<imp::Operand>(size_t input)>;
  void scatter(KernelScope& scope, const imp::Operand& i, const Loaded& loaded,
               const imp::Operands& scanned, const imp::Operands& mapped = {}) const;
  // The same for a map: its results. `read` gives the map's inputs already read.
  imp::Operands values(KernelScope& scope, const imp::Operand& i, const Loaded& loaded,
                       const Loaded& read, const imp::Operands& scanned) const;

  std::vector<imp::VarId> declareResults(KernelScope& scope) const;

  // Whether the scatter takes reductions of the whole scan; from here on these are theirs, in the
  // order of the scans.
  bool takesTotals() const;
  void setTotals(imp::Operands of_scans) { totals_ = std::move(of_scans); }

  // From here on the map has no checks: an earlier kernel has made them for every element.
  void trustChecks();

  // The reductions, which have the values of the whole scan.
  void storeLast(KernelScope& scope, const imp::Operands& scanned) const;
  const std::vector<ScalarResult>& lasts() const { return lasts_; }

 private:
  // Results of the scatter's or map's lambda for element i.
  imp::Operands consumed(KernelScope& scope, const imp::Operand& i, const Loaded& loaded,
                         const Loaded& read, const imp::Operands& scanned,
                         const imp::Operands& mapped) const;
  // The map's results for element i, as far as the scatter takes them.
  imp::Operands mapped(KernelScope& scope, imp::Environment& environment,
                       const imp::LoweringTarget& target, const imp::Operands& scanned,
                       const imp::Operands& mapped) const;

  const KernelCall& call_;
  const core::Screma& screma_;
  const core::Lambda& consumer_;  // of the scatter or map
  const std::vector<core::ValueId>& inputs_;
  size_t results_;           // of the scatter or map
  core::Body map_;           // of the scan
  core::Function function_;  // the scan alone
  KernelCall scan_call_;
  std::vector<size_t> scan_of_;  // by reduction
  std::vector<ScalarResult> lasts_;
  imp::Operands totals_;  // of the kernel at hand
};

TemplateResult emitScanScatter(imp::Program& program, imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu

// Histograms of few bins, by any operators: on scalars, tuples and rows, several at a time.
#pragma once

#include "gpu/templates/hist/row_operator.h"

namespace halo::gpu {

class TableHist {
 public:
  TableHist(imp::Program& program, imp::Builder& host, const KernelCall& call,
            const TableHistSchedule& schedule);

  TemplateResult run();

 private:
  // One operation of the node. Host.
  struct Counted {
    const core::HistOp* node;
    RowOperator op;
    std::vector<imp::ArrayRef> destinations;
    imp::Operand bins, row;              // bins; elements of a row, 1 of a scalar
    imp::Operand cells;                  // of all bins
    imp::Operand base;                   // where its cells begin in a table, in words
    int64_t words = 0;                   // of a cell
    std::vector<imp::BufferId> partial;  // [workgroups][cells] of each destination
  };
  // The update of an element for one operation.
  struct Update {
    imp::Operand counts, bin;
    imp::Operands scalars;
    std::vector<imp::ArrayRef> rows;
  };
  struct Kernel {
    KernelScope scope;
    imp::Builder& code;
    imp::Environment environment = {};
    imp::BufferId table = {};
    imp::Operand lid, team, lane, start, end;

    Kernel(imp::Program& program, imp::Builder& host, const KernelCall& call,
           const std::string& name)
        : scope(program, host, call, name), code(scope.code()), lid(scope.localId()) {}
  };
  class Merge;

  void find();
  void shape();
  void count();
  void merge();

  void clearTables(Kernel& kernel);
  void takeElements(Kernel& kernel);
  void takeColumn(Kernel& kernel, const std::vector<std::vector<Update>>& updates,
                  const imp::Operand& column);
  std::vector<Update> updatesOf(Kernel& kernel, const imp::Operand& i, const imp::Operand& exists);
  void storePartials(Kernel& kernel);

  imp::Operands neutral(Kernel& kernel, const Counted& counted, const imp::Operand& column);
  imp::Operands load(Kernel& kernel, const Counted& counted, imp::Operand at);
  void store(Kernel& kernel, const Counted& counted, imp::Operand at, const imp::Operands& values);
  static imp::Operands destinationIndices(imp::Builder& code, const Counted& counted,
                                          const imp::ArrayRef& target, const imp::Operand& bin,
                                          const imp::Operand& column);

  imp::Program& program_;
  imp::Builder& host_;
  const KernelCall& call_;
  const core::Hist& hist_;
  std::vector<Counted> all_;
  TableHistSchedule schedule_;
  bool supported_ = true;
  imp::Operand width_;           // host, as all that follows
  imp::Operand words_;           // of a table
  imp::Operand longest_;         // elements of the longest row
  imp::Operand lanes_, teams_;   // of a team; teams of a workgroup
  imp::Operand chunk_, groups_;  // elements of a workgroup; workgroups
};

// Words of 32 bits of all bins with their rows; host.
imp::Operand tableWords(imp::Builder& host, const KernelCall& call);

}  // namespace halo::gpu

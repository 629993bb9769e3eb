// The body of one cell as the work of a team (gpu/team): the code of its statements. group.cpp
// makes a kernel of it.
#pragma once

#include "gpu/templates/templates.h"

namespace halo::gpu {

// Levels of an inner nest that lanes share together.
inline constexpr size_t kMaxLevels = 3;

TemplateResult emitGroup(imp::Program& program, imp::Builder& host, const KernelCall& call);

class GroupBody {
 public:
  // `lid`: i64, the number of the lane; `subgroup`: lanes that shuffles reach, 0 if there are none;
  // `has_runs`: lanes are fewer than the elements, which each has several of.
  GroupBody(KernelScope& scope, int64_t lanes, imp::Operand lid, int subgroup,
            imp::LoweringTarget lane, bool has_runs)
      : scope_(scope),
        code_(scope.code()),
        lanes_(lanes),
        has_runs_(has_runs),
        lid_(lid),
        subgroup_(subgroup),
        lane_(std::move(lane)) {}

  // For uniform code: arrays in shared memory, parallel statements shared by the lanes.
  imp::LoweringTarget place();

 private:
  // One reduction or scan of a screma, or all of them: operators one after the other.
  struct Operator {
    const core::Lambda* op;
    imp::Operands neutral;
    std::vector<prim::ScalarType> types;
    std::vector<imp::BufferId> folded;  // a value of each lane, which no other lane reads
    std::vector<imp::BufferId> parts;   // the same for other lanes, or of each block of lanes
    bool is_scan = false;
    std::vector<imp::ArrayRef> scanned;
  };
  using Vars = std::vector<imp::VarId>;

  // group.cpp
  std::optional<imp::Results> intercept(const core::Stm& stm, imp::Environment& environment,
                                        const imp::Destinations& wanted);
  imp::ArrayRef output(core::ValueId value, const imp::Environment& environment,
                       const std::optional<imp::ArrayRef>& wanted, imp::Results& results);
  bool hasOwnRows(core::ValueId value, size_t levels) const;
  imp::ArrayRef sharedArray(const std::string& name, prim::ScalarType type,
                            const imp::Operands& shape);
  imp::ArrayRef paddedRows(const std::string& name, const core::Type& type,
                           const imp::Operands& shape);
  void parallel(const imp::Operand& count, const std::function<void(const imp::Operand&)>& body);
  imp::Results map(const core::Stm& stm, const core::Screma& node,
                   const imp::Environment& environment, const imp::Destinations& wanted);
  imp::Results scatter(const core::Stm& stm, const core::Scatter& node,
                       imp::Environment& environment);
  void write(const imp::ArrayRef& target, const imp::Operands& indices, const imp::Results& values,
             size_t value);
  imp::Results byOneLane(const core::Stm& stm, imp::Environment& environment,
                         const imp::Destinations& wanted);
  // Shared memory of an array that is to be overwritten, which may be virtual.
  imp::ArrayRef owned(const imp::ArrayRef& array, imp::Results& results);

  // group_fold.cpp
  imp::Results fold(const core::Stm& stm, const core::Screma& node, imp::Environment& environment,
                    const imp::Destinations& wanted);
  std::vector<Operator> operatorsOf(const core::Stm& stm, const core::Screma& node,
                                    const imp::Environment& environment,
                                    const imp::Destinations& wanted, imp::Results& results);
  imp::Operands apply(const Operator& op, const imp::Environment& environment,
                      const imp::Operands& left, const imp::Operands& right);
  void own(const core::Screma& node, std::vector<Operator>& operators,
           const std::vector<imp::ArrayRef>& mapped, const imp::Environment& environment);
  struct Element {
    imp::Operand number;
    const std::vector<Vars>& sums;  // of the operators
  };
  void foldElement(const core::Screma& node, const std::vector<Operator>& operators,
                   const std::vector<imp::ArrayRef>& mapped, imp::Environment inside,
                   const Element& element);
  void reduceLanes(const Operator& op, const imp::Environment& environment);
  void scanLanes(const Operator& op, const imp::Operand& width,
                 const imp::Environment& environment);
  void scanBlock(const Operator& op, const Vars& vars, const imp::Operand& lane,
                 const imp::Environment& environment);
  imp::Operands neighbours(const Operator& op, const Vars& vars, const imp::Operand& lane,
                           int64_t distance, bool is_below);
  void waitForNeighbours();
  imp::Operand runOf(const imp::Operand& width);
  imp::Operands totals(const Operator& op, const imp::Operand& width,
                       const imp::Environment& environment);

  KernelScope& scope_;
  imp::Builder& code_;
  int64_t lanes_;
  bool has_runs_;
  imp::Operand lid_;
  int subgroup_;
  imp::LoweringTarget lane_;  // of one lane
};

}  // namespace halo::gpu

// The statements of a loop that need nothing of the iterations before them, and its accesses of
// device memory.
#pragma once

#include <vector>

#include "gpu/raise/batches/index_polynomials.h"
#include "lang/imp/builder.h"
#include "lang/imp/copy_block.h"

namespace halo::gpu {

// A load that may come before the stores of the few iterations in front of its own. Or a store that
// may come behind those of the few that follow. It stands straight in the body.
struct Access {
  size_t at;  // in the body
  imp::BufferId buffer;
  imp::Operand index;
  bool is_store;
};

class EarlyCode {
 public:
  // `iterations`: how many are under way together.
  EarlyCode(const imp::Program& program, const IndexPolynomials& places, const imp::For& loop,
            int64_t iterations);

  const std::vector<Access>& accesses() const { return accesses_; }
  bool storesToDevice() const;

  // Computes the operand where the loop's index is known[loop.var]. `known` gets the new values.
  imp::Operand emit(imp::Builder& code, const imp::Operand& operand, imp::Known& known) const;

 private:
  struct StoreSite {
    imp::BufferId buffer;
    imp::Operand index;
    size_t at;
  };
  void look(const imp::Stm& stm, size_t at);
  bool isEarly(const imp::Operand& operand) const;
  bool mayGoFirst(const imp::Load& load, size_t at) const;
  bool mayGoLast(const imp::Store& store) const;
  bool isOnDevice(imp::BufferId buffer) const;

  const imp::Program& program_;
  const IndexPolynomials& places_;
  const imp::For& loop_;
  int64_t iterations_;
  std::vector<StoreSite> stores_;
  std::unordered_map<imp::BufferId, int> late_loads_;
  std::unordered_set<imp::VarId> inside_;
  std::unordered_map<imp::VarId, imp::Expr> early_;
  std::vector<Access> accesses_;
};

}  // namespace halo::gpu

// Inner loops first: their arrays are nodes of the loop around, which `hoist` moves further.
#include "lang/passes/loops/share_iterations.h"

#include "lang/core/visit.h"
#include "lang/passes/fuse/row_nest.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Stm;

class IterationSharer {
 public:
  explicit IterationSharer(core::Program& program) : program_(program) {
    surroundings_.is_loop = true;
    surroundings_.dear = kDearIteration;
  }

  void body(Body& b) {
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      const bool is_loop = std::holds_alternative<core::Loop>(stm.expr);
      if (is_loop || std::holds_alternative<core::Match>(stm.expr)) {
        core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      }
      if (is_loop) share(stm, out);
      surroundings_.see(program_, stm);
      out.push_back(std::move(stm));
    }
    b.stms = std::move(out);
  }

 private:
  void share(Stm& loop, std::vector<Stm>& out) {
    RowNest nest(program_, surroundings_, out);
    core::visitBound(loop.expr, [&](core::ValueId value) { nest.bind({value}); });
    core::visitBodies(loop.expr, [&](Body& steps) {
      for (const Stm& stm : steps.stms) {
        nest.bind(stm.results);
        // A loop of no iterations does not have these arrays.
        surroundings_.spread.insert(stm.results.begin(), stm.results.end());
      }
    });
    core::visitBodies(loop.expr, [&](Body& steps) {
      for (Stm& stm : steps.stms) nest.enter(stm);
    });
  }

  core::Program& program_;
  RowSurroundings surroundings_;
};

}  // namespace

core::Program shareIterations(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    IterationSharer(result).body(body);
  });
}

}  // namespace halo::passes

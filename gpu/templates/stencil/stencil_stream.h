// The common part of streams through planes and through spaces. One kernel makes each version (each
// array after each step) layer by layer, along the first axis. A layer is a row of a plane or a
// plane of a space. The newest `period` layers are kept in rings of registers.
#pragma once

#include <map>
#include <set>

#include "gpu/templates/stencil/stencil_loop.h"

namespace halo::gpu {

struct Stream {
  Stream(Sweep& sweep, const StepLaunch& launch);
  void bindSteps();  // environments

  const Version& version(int v) const { return unrolled.versions[static_cast<size_t>(v)]; }
  // How many layers ago the layer of `v` that instance `q` wants at an offset was made.
  int64_t age(const Instance& q, int v, int64_t offset) const {
    return version(q.outputs[0]).delay - offset - version(v).delay;
  }
  // A ring's slot for the layer made so long before the one of `phase`.
  int64_t slotOf(int64_t phase, int64_t layers_ago) const {
    return (phase - layers_ago % period + period) % period;
  }

  // Calls use(k, v) for the versions of the arrays that are loaded, each once.
  template <typename Use>
  void forEachLoaded(const Use& use) const {
    std::set<int> seen;
    for (size_t k = 0; k < unrolled.first.size(); ++k) {
      if (seen.insert(unrolled.first[k]).second) use(k, unrolled.first[k]);
    }
  }

  // Elements of the arrays from outside of the loop, which `load` reads, by input of the stage.
  template <typename Load>
  std::map<core::ValueId, imp::Operands> outsideInputs(const Instance& instance,
                                                       const Load& load) const {
    std::map<core::ValueId, imp::Operands> outside;
    for (size_t k = 0; k < instance.inputs.size(); ++k) {
      const core::ValueId input = instance.stage->inputs[k];
      if (instance.inputs[k] >= 0 || outside.contains(input)) continue;
      outside[input] = load(environments[0].arrays.at(input));
    }
    return outside;
  }

  // The layers of a chunk (host operand): long chunks load fewer layers twice, short ones keep the
  // device busy. `across`: workgroups or subgroups along rows.
  imp::Operand evenChunk(const imp::Operand& layers, const imp::Operand& across, int64_t busy);
  // This chunk: from layer `first` on, of layers below `end`.
  void findChunk(const imp::Operand& first, const imp::Operand& extent, const imp::Operand& end,
                 const imp::Operand& layers);
  // Layers that are loaded for this chunk.
  imp::Operand loadedLayers();
  imp::Operand isInChunk(const imp::Operand& layer);

  imp::VarId fresh(const char* name, prim::ScalarType type);
  // The present value of a variable, which will change.
  imp::Operand now(imp::VarId var);
  // The results of the cell whose parameters the environment binds, behind those of others.
  void appendCell(const Instance& instance, imp::Environment& environment,
                  std::vector<imp::Operands>* results);

  Sweep& sweep;
  const Unrolled& unrolled;
  const StreamMargin margin;  // by axis
  KernelScope scope;
  imp::Builder& code;
  std::vector<imp::Environment> environments;  // by step
  int64_t period = 1, longest_delay = 0;       // in layers
  imp::Operand begin, count, start;            // layers of this chunk; the first that is loaded
  std::map<int, imp::Operands> current;        // the layers made in this phase, by version
};

}  // namespace halo::gpu

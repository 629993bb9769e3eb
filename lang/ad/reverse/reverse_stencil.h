// The return of a stencil; reverse_stencil.cpp explains it.
#pragma once

#include "lang/ad/reverse/reverse.h"
#include "lang/ad/reverse/stencil_gather.h"

namespace halo::ad {

class ReverseStencil {
 public:
  ReverseStencil(Reverse& reverse, Scope& s, const core::Stencil& node)
      : all_(reverse), program_(reverse.program_), s_(s), e_(s.back), node_(node) {}

  void run(const Stm& stm, const Cotangents& cs);

 private:
  void window(const core::Window& window, const std::vector<Cotangent>& parts);
  Operand padded(const WindowParts& window);
  void dynamicWindow(const core::Window& window, const Operand& parts);
  // `count` neighbours of each cell, the k-th at `offset(axis, k)`, and their cotangents.
  struct Neighbours {
    ValueId cotangents;
    Operand count;
    std::function<Operand(Emitter&, size_t axis, const Operand& k)> offset;
  };
  void outside(const core::Window& window, const Neighbours& neighbours);
  Operand beyond(const core::Window& window, const Neighbours& neighbours, size_t axis);

  Reverse& all_;
  Program& program_;
  Scope& s_;
  Emitter& e_;
  const core::Stencil& node_;
};

}  // namespace halo::ad

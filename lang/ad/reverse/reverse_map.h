// The return of a map or a stencil, while it is written: a node over its inputs and the cotangents
// of its results. Each result of that node has a sink, which takes the finished array.
#pragma once

#include <functional>

#include "lang/ad/places.h"
#include "lang/ad/reverse/reverse.h"

namespace halo::ad {

class ReverseMap {
 public:
  ReverseMap(Reverse& reverse, Scope& s, const Reverse::Mapped& node)
      : all_(reverse),
        program_(reverse.program_),
        s_(s),
        node_(node),
        l_(program_, Scope::Kind::kLambda, &s),
        lambda_(all_.again(node.lambda)),
        inputs_(node.inputs) {}

  // The cotangents of the windows' parameters, one array each.
  std::vector<Cotangent> run(const Cotangents& cs, source::Span span);

 private:
  using Sink = std::function<void(ValueId)>;

  void sweep(const Cotangents& cs);
  void give(const Operand& result, Sink sink);
  void giveAlso(size_t slot, Sink sink);
  void giveParams();
  void giveWindow(size_t i, const Operand& c);
  void giveOutside();
  void givePlace(const Place& place);
  void giveIndex(const Place& place, size_t i, Sink sink);
  void write(source::Span span);

  Reverse& all_;
  Program& program_;
  Scope& s_;
  const Reverse::Mapped& node_;
  Scope l_;        // of the lambda
  Lambda lambda_;  // of the return
  std::vector<ValueId> inputs_;
  std::vector<ValueId> positions_;  // parameters that count the cells
  std::vector<ValueId> params_;     // of the forward lambda, in the return's
  Operands results_;
  std::vector<Sink> sinks_;  // by result
  std::vector<Cotangent> windows_;
  std::vector<std::pair<Operand, size_t>> given_;  // cotangents of neighbours, and their slots
  std::vector<Place> places_;                      // of arrays around the map
  std::vector<SpreadIndex> spreads_;
};

}  // namespace halo::ad

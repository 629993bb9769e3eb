// The types of one declaration, which unification solves: the parts, each of which knows the parts
// that its constructor takes.
#pragma once

#include "lang/types/infer/finished_types.h"
#include "lang/types/infer/print_inference.h"
#include "lang/types/infer/unify.h"

namespace halo::types {

class Inference : public TypeTable,
                  public SizeTable,
                  public SizeEquations,
                  public Instantiator,
                  public Unifier,
                  public FinishedTypes,
                  public TypePrinter {
 public:
  explicit Inference(Program& program)
      : TypeTable(program),
        SizeTable(static_cast<TypeTable&>(*this)),
        SizeEquations(static_cast<SizeTable&>(*this)),
        Instantiator(*this, *this),
        Unifier(program, *this, *this, *this, *this),
        FinishedTypes(program, *this, *this, *this),
        TypePrinter(program, *this, *this) {}
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  using SizeTable::resolve;
  using TypeTable::resolve;

  // Forgets everything about the declaration that is done.
  void reset() {
    TypeTable::reset();
    SizeTable::reset();
    SizeEquations::reset();
    Unifier::reset();
    FinishedTypes::reset();
  }
};

}  // namespace halo::types

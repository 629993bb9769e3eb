// The printer of Core text: one function per group of nodes. Every expression is self-delimiting,
// so the parser needs neither line ends nor precedence. The parser restores two parts left out: a
// map that is the identity, and the lambda of a reduction or scan by one binary primitive.
#pragma once

#include <string_view>
#include <vector>

#include "lang/core/ir.h"
#include "lang/core/text/scalar_text.h"
#include "lang/core/text/text_writer.h"

namespace halo::core {

// In quotes, unless it could be a name of text.
std::string functionName(const std::string& name);

class Printer : public TextWriter {
 public:
  Printer(const Program& program, const source::Files* files)
      : TextWriter(files), program_(program) {}

  void function(const Function& f);
  void statement(const Stm& stm);
  void operand(const Operand& o) {
    if (o.isConstant()) {
      out_ += scalarText(o.constant);
    } else {
      value(o.value);
    }
  }
  void type(const Type& t) {
    shape(t.shape);
    out_ += prim::name(t.scalar);
  }

 private:
  template <typename List, typename Show>
  void list(const List& items, const char* open, const char* close, Show show) {
    out_ += open;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      show(item);
    }
    out_ += close;
  }

  void value(ValueId v) { put("{}_{}", identifier(program_.values[v].name), v.index); }
  void operands(const Operands& os, const char* open = "(", const char* close = ")") {
    list(os, open, close, [&](const Operand& o) { operand(o); });
  }
  void values(const std::vector<ValueId>& vs) {
    list(vs, "(", ")", [&](ValueId v) { value(v); });
  }
  void spaced(const Operands& os) {
    for (const Operand& o : os) out_ += ' ', operand(o);
  }
  void size(const Operand& o) {  // in brackets, numbers are i64
    if (o.isConstant() && o.constant.type == ScalarType::kI64) {
      put("{}", o.constant.asSigned());
    } else {
      operand(o);
    }
  }
  void shape(const Operands& sizes) {
    for (const Operand& o : sizes) out_ += '[', size(o), out_ += ']';
  }
  void indices(const Operands& os) {
    list(os, "[", "]", [&](const Operand& o) { size(o); });
  }
  void binder(ValueId v, bool consumed = false) {
    value(v);
    out_ += consumed ? ": *" : ": ";
    type(program_.type(v));
  }
  void binders(const std::vector<ValueId>& vs) {
    list(vs, "(", ")", [&](ValueId v) { binder(v); });
  }

  void results(const Operands& os);
  void body(const Body& b);
  void lambda(const Lambda& l);
  void mapLambda(const Lambda& l);
  void combine(std::string_view word, const Lambda& op, const Operands& neutral);
  void reductions(const std::vector<Reduction>& rs);
  void dims(const std::vector<SliceDim>& ds);
  void boundary(const Boundary& b);
  void window(const Window& w);
  void offsets(const Window& w);

  void expr(const Expr& e);  // print_nodes.cpp
  void node(const Screma& s);
  void node(const Stencil& s);
  void node(const Scatter& s);
  void node(const Hist& h);
  void node(const Pad& p);
  void node(const Slide& s);
  void node(const Match& m);
  void node(const Loop& l);
  void node(const Update& u);
  void node(const PrimOp& op);
  void node(const Convert& c);
  void node(const Index& i);
  void node(const Slice& s);

  const Program& program_;
};

}  // namespace halo::core

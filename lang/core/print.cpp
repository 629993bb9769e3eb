// Core to text. One function per group of nodes; every expression is self-delimiting, so the parser
// needs neither line ends nor precedence. Left out and restored by the parser: a map that is the
// identity, and the lambda of a reduction or scan that is one binary primitive.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/core/scalar_text.h"
#include "lang/core/shorthand.h"
#include "lang/core/text.h"
#include "lang/core/text_writer.h"
#include "lang/core/visit.h"

namespace halo::core {
namespace {

constexpr size_t kOneLine = 48;  // characters of a body that stays on the line of its head

std::string functionName(const std::string& name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') && name[0] != '\'';
  for (char c : name) {
    plain =
        plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' || c == '.');
  }
  return plain && name[0] != '.' ? name : '"' + name + '"';
}

const char* boundaryName(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::kClamp:
      return "clamp";
    case BoundaryKind::kMirror:
      return "mirror";
    case BoundaryKind::kWrap:
      return "wrap";
    case BoundaryKind::kConstant:
      return "constant";
  }
  HALO_UNREACHABLE("unknown boundary");
}

const char* kernelKindName(KernelKind kind) {
  switch (kind) {
    case KernelKind::kMap:
      return "map";
    case KernelKind::kReduce:
      return "reduce";
    case KernelKind::kScan:
      return "scan";
    case KernelKind::kScatter:
      return "scatter";
    case KernelKind::kHist:
      return "hist";
    case KernelKind::kStencil:
      return "stencil";
  }
  HALO_UNREACHABLE("unknown kernel kind");
}

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
  void size(const Operand& o) {  // in brackets, i64 is what a number is
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

  void results(const Operands& os) {
    out_ += "return ";
    if (os.empty()) {
      out_ += "()";
    } else {
      operands(os, "", "");
    }
    out_ += " }";
  }
  void body(const Body& b);
  void lambda(const Lambda& l) {
    binders(l.params);
    out_ += ' ';
    body(l.body);
  }
  void mapLambda(const Lambda& l) {
    if (isIdentity(l)) return;
    out_ += " map ";
    lambda(l);
  }
  void combine(std::string_view word, const Lambda& op, const Operands& neutral) {
    put(" {} ", word);
    if (auto prim = asPrimitive(program_, op)) {
      put("{}.{}", prim::name(prim->second), prim::info(prim->first).name);
    } else {
      lambda(op);
    }
    out_ += ' ';
    if (neutral.size() == 1) {
      operand(neutral[0]);
    } else {
      operands(neutral);
    }
  }
  void reductions(const std::vector<Reduction>& rs) {
    for (const Reduction& r : rs)
      combine(r.commutative ? "reduce comm" : "reduce", r.op, r.neutral);
  }
  void dims(const std::vector<SliceDim>& ds) {
    list(ds, "[", "]", [&](const SliceDim& d) {
      size(d.start), out_ += ":", size(d.length), out_ += ":", size(d.stride);
    });
  }
  void boundary(const Boundary& b) {
    put(" {}", boundaryName(b.kind));
    if (b.kind == BoundaryKind::kConstant) out_ += ' ', operand(b.value);
  }
  void window(const Window& w);
  void offsets(const Window& w);
  void arm(const Body& b) { newLine(), body(b); }

  void expr(const Expr& e);
  void node(const Screma& s);
  void node(const Stencil& s);
  void node(const Scatter& s);
  void node(const Hist& h);
  void node(const Pad& p);
  void node(const Slide& s);
  void node(const Match& m);
  void node(const Loop& l);
  void node(const Update& u);
  void node(const Convert& c);
  void node(const Index& i) { out_ += "index ", value(i.array), indices(i.indices); }
  void node(const Slice& s) { out_ += "slice ", value(s.array), dims(s.dims); }

  const Program& program_;
};

void Printer::body(const Body& b) {
  bool nested = false;
  for (const Stm& stm : b.stms) visitBodies(stm.expr, [&](const Body&) { nested = true; });
  out_ += '{';
  if (b.stms.size() <= 1 && !nested) {
    size_t start = out_.size();
    out_ += ' ';
    for (const Stm& stm : b.stms) statement(stm), out_ += "; ";
    results(b.results);
    if (out_.size() - start <= kOneLine) return;
    out_.resize(start);
  }
  indent_++;
  for (const Stm& stm : b.stms) newLine(), statement(stm);
  newLine(), results(b.results);
  indent_--;
}

void Printer::statement(const Stm& stm) {
  if (stm.results.size() == 1) {
    binder(stm.results[0]);
    out_ += " = ";
  } else if (!std::holds_alternative<Assert>(stm.expr) || !stm.results.empty()) {
    binders(stm.results);
    out_ += " = ";
  }
  expr(stm.expr);
  if (stm.checked && !putPlace(stm.span)) out_ += " @?";
}

void Printer::expr(const Expr& e) {
  base::match(
      e, [&](const Literal& n) { out_ += "literal " + scalarText(n.value); },
      [&](const PrimOp& n) {
        put("{}{}.{}", n.loose ? "loose " : "", prim::name(n.type), prim::info(n.op).name);
        spaced(n.args);
      },
      [&](const Convert& n) { node(n); },
      [&](const Select& n) {
        out_ += "select", spaced({n.condition, n.on_true, n.on_false});
      },
      [&](const Index& n) { node(n); }, [&](const Slice& n) { node(n); },
      [&](const Update& n) { node(n); },
      [&](const Iota& n) {
        put("iota {} ", prim::name(n.type)), shape({n.count}), spaced({n.start, n.step});
      },
      [&](const Replicate& n) { out_ += "replicate ", shape(n.shape), spaced({n.value}); },
      [&](const ArrayLiteral& n) {
        put("array {} ", prim::name(n.type)), operands(n.elements, "{", "}");
      },
      [&](const Scratch& n) {
        out_ += "scratch ", type({n.type, n.shape});
      },
      [&](const Rearrange& n) {
        out_ += "rearrange ", list(n.permutation, "(", ") ", [&](int d) { put("{}", d); });
        value(n.array);
      },
      [&](const Reshape& n) { out_ += "reshape ", shape(n.shape), out_ += ' ', value(n.array); },
      [&](const Concat& n) { out_ += "concat ", shape({n.size}), out_ += ' ', values(n.arrays); },
      [&](const Copy& n) { out_ += "copy ", value(n.array); }, [&](const Screma& n) { node(n); },
      [&](const Stencil& n) { node(n); }, [&](const Scatter& n) { node(n); },
      [&](const Match& n) { node(n); }, [&](const Loop& n) { node(n); },
      [&](const Call& n) { put("call {} ", functionName(n.function)), operands(n.args); },
      [&](const Assert& n) {
        out_ += "assert ", operand(n.condition), put(" {} ", diag::codeLabel(n.code));
        operands(n.operands);
      },
      [&](const Hist& n) { node(n); }, [&](const Pad& n) { node(n); },
      [&](const Slide& n) { node(n); });
}

void Printer::node(const Convert& c) {
  const char* word = "of";
  switch (c.kind) {
    case prim::ConvertKind::kValue:
      break;
    case prim::ConvertKind::kBits:
      word = "bits";
      break;
    case prim::ConvertKind::kMachine:
      word = "machine";
      break;
  }
  put("{}.{}_{} ", prim::name(c.to), word, prim::name(c.from)), operand(c.arg);
}

void Printer::node(const Update& u) {
  out_ += "update ", value(u.array);
  if (u.dims.empty()) {
    indices(u.indices);
  } else {
    dims(u.dims);
  }
  out_ += " = ", operand(u.value);
}

void Printer::node(const Screma& s) {
  out_ += "screma ", shape({s.width}), out_ += ' ', values(s.inputs);
  mapLambda(s.map);
  reductions(s.reductions);
  for (const Scan& scan : s.scans) combine("scan", scan.op, scan.neutral);
}

void Printer::offsets(const Window& w) {
  list(w.offsets, "{", "}", [&](const std::vector<int64_t>& offset) {
    if (offset.size() == 1) {
      put("{}", offset[0]);
    } else {
      list(offset, "(", ")", [&](int64_t o) { put("{}", o); });
    }
  });
}

void Printer::window(const Window& w) {
  out_ += "window ", value(w.array);
  for (const Boundary& b : w.boundary) boundary(b);
  out_ += ' ';
  if (w.dynamic.empty()) {
    offsets(w);
  } else {
    values(w.dynamic);
  }
}

void Printer::node(const Stencil& s) {
  out_ += "stencil ", shape(s.space), out_ += ' ';
  out_ += '(';
  bool first = true;
  for (const Window& w : s.windows) out_ += first ? "" : ", ", first = false, window(w);
  for (ValueId input : s.inputs) out_ += first ? "" : ", ", first = false, value(input);
  out_ += ')';
  out_ += " map ";
  lambda(s.map);
  reductions(s.reductions);
}

void Printer::node(const Scatter& s) {
  out_ += "scatter ", shape({s.width}), out_ += ' ', values(s.inputs);
  mapLambda(s.map);
  out_ += " into ";
  list(s.destinations, "(", ")",
       [&](const ScatterDest& d) { value(d.array), put(" {}", d.index_rank); });
}

void Printer::node(const Hist& h) {
  out_ += "hist ", shape({h.width}), out_ += ' ', values(h.inputs);
  mapLambda(h.map);
  for (const HistOp& operation : h.operations) {
    out_ += " op ", values(operation.destinations);
    combine(fmt::format("rank {}", operation.index_rank), operation.op, operation.neutral);
  }
}

void Printer::node(const Pad& p) {
  out_ += "pad ", shape(p.shape), out_ += ' ', value(p.array), out_ += ' ';
  for (const PadDim& dim : p.dims) {
    out_ += '[', size(dim.before), out_ += ':', size(dim.after), boundary(dim.boundary);
    out_ += ']';
  }
}

void Printer::node(const Slide& s) {
  out_ += "slide ", value(s.array), out_ += ' ';
  for (const SlideDim& dim : s.dims) {
    out_ += '[', size(dim.size), out_ += ':', size(dim.step), out_ += ':', size(dim.count);
    out_ += ']';
  }
}

void Printer::node(const Match& m) {
  out_ += "match ", operand(m.scrutinee), out_ += " {";
  indent_++;
  for (const Case& c : m.cases) {
    newLine(), out_ += scalarText(c.value) + " -> ", body(c.body);
  }
  newLine(), out_ += "else -> ", body(m.otherwise);
  indent_--;
  out_ += " }";
}

void Printer::node(const Loop& l) {
  out_ += "loop ";
  list(l.carried, "(", ")",
       [&](const Carried& c) { binder(c.param, c.consumed), out_ += " = ", operand(c.initial); });
  if (const auto* counted = std::get_if<ForLoop>(&l.form)) {
    out_ += " for ", value(counted->index), out_ += " < ", operand(counted->bound);
  } else {
    int condition = std::get<WhileLoop>(l.form).condition;
    bool known = condition >= 0 && condition < static_cast<int>(l.carried.size());
    out_ += " while ";
    if (known) {
      value(l.carried[static_cast<size_t>(condition)].param);
    } else {
      put("<{}>", condition);  // broken: the verifier will say so
    }
  }
  out_ += " do ", body(l.body);
}

void Printer::function(const Function& f) {
  out_ += f.is_entry ? "entry " : f.kernel.empty() ? "fn " : "kernel ";
  out_ += functionName(f.name);
  if (!f.kernel.empty()) {
    out_ += ' ', shape(f.kernel[0].space), put(" {} ", kernelKindName(f.kernel[0].kind));
  }
  size_t position = 0;
  list(f.params, "(", ")", [&](ValueId param) {
    binder(param, position < f.consumed.size() && f.consumed[position]), position++;
  });
  if (f.size_params != impliedSizeParams(program_, f.params)) put(" sizes {}", f.size_params);
  out_ += " -> ";
  list(f.results, "(", ")", [&](ValueId result) {
    if (isMentioned(program_, result, f.results)) {
      binder(result);
    } else {
      type(program_.type(result));
    }
  });
  if (f.size_results != impliedSizeParams(program_, f.results)) put(" sizes {}", f.size_results);
  out_ += " {";
  indent_++;
  for (const Stm& stm : f.body.stms) newLine(), statement(stm);
  newLine(), results(f.body.results);
  indent_--;
  out_ += '\n';
}

}  // namespace

bool isMentioned(const Program& program, ValueId size, const std::vector<ValueId>& binders) {
  for (ValueId binder : binders) {
    for (const Operand& operand : program.type(binder).shape) {
      if (operand.value == size) return true;
    }
  }
  return false;
}

int impliedSizeParams(const Program& program, const std::vector<ValueId>& params) {
  int count = 0;
  for (ValueId param : params) {
    if (!isMentioned(program, param, params)) break;
    count++;
  }
  return count;
}

bool isIdentity(const Lambda& lambda) {
  if (!lambda.body.stms.empty() || lambda.body.results.size() != lambda.params.size()) return false;
  for (size_t i = 0; i < lambda.params.size(); i++) {
    if (lambda.body.results[i] != Operand(lambda.params[i])) return false;
  }
  return true;
}

std::optional<std::pair<prim::Op, ScalarType>> asPrimitive(const Program& program,
                                                           const Lambda& lambda) {
  const Body& body = lambda.body;
  if (lambda.params.size() != 2 || body.stms.size() != 1) return std::nullopt;
  const Stm& stm = body.stms[0];
  const auto* op = std::get_if<PrimOp>(&stm.expr);
  if (op == nullptr || stm.checked || stm.results.size() != 1) return std::nullopt;
  if (op->args != Operands{lambda.params[0], lambda.params[1]}) return std::nullopt;
  if (body.results != Operands{stm.results[0]}) return std::nullopt;
  Type expected{op->type, {}};
  if (program.type(lambda.params[0]) != expected || program.type(lambda.params[1]) != expected ||
      program.type(stm.results[0]) != expected) {
    return std::nullopt;
  }
  return std::pair(op->op, op->type);
}

std::string text(const Program& program, const Operand& operand) {
  Printer printer(program, nullptr);
  printer.operand(operand);
  return printer.take();
}

std::string text(const Program& program, const Type& type) {
  Printer printer(program, nullptr);
  printer.type(type);
  return printer.take();
}

std::string print(const Program& program, const source::Files* files) {
  std::string text;
  for (const Function& function : program.functions) {
    Printer printer(program, files);
    printer.function(function);
    if (!text.empty()) text += '\n';
    text += printer.take();
  }
  return text;
}

std::string print(const Program& program, const Stm& stm) {
  Printer printer(program, nullptr);
  printer.statement(stm);
  return printer.take();
}

}  // namespace halo::core

// Core to text: one expression.
#include "lang/base/check.h"
#include "lang/base/match.h"
#include "lang/core/flattening.h"
#include "lang/core/text/printer.h"
#include "lang/core/text/shorthand.h"

namespace halo::core {
namespace {

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

}  // namespace

void Printer::lambda(const Lambda& l) {
  binders(l.params);
  out_ += ' ';
  body(l.body);
}

void Printer::mapLambda(const Lambda& l) {
  if (isIdentity(l)) return;
  out_ += " map ";
  lambda(l);
}

void Printer::combine(std::string_view word, const Lambda& op, const Operands& neutral) {
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

void Printer::reductions(const std::vector<Reduction>& rs) {
  for (const Reduction& r : rs) combine(r.commutative ? "reduce comm" : "reduce", r.op, r.neutral);
}

void Printer::dims(const std::vector<SliceDim>& ds) {
  list(ds, "[", "]", [&](const SliceDim& d) {
    size(d.start), out_ += ":", size(d.length), out_ += ":", size(d.stride);
  });
}

void Printer::boundary(const Boundary& b) {
  put(" {}", boundaryName(b.kind));
  if (b.kind == BoundaryKind::kConstant) out_ += ' ', operand(b.value);
}

void Printer::expr(const Expr& e) {
  base::match(
      e, [&](const Literal& n) { out_ += "literal " + scalarText(n.value); },
      [&](const PrimOp& n) { node(n); }, [&](const Convert& n) { node(n); },
      [&](const Select& n) {
        out_ += "select", spaced({n.condition, n.on_true, n.on_false});
      },
      [&](const Index& n) { node(n); }, [&](const Slice& n) { node(n); },
      [&](const Update& n) { node(n); },
      [&](const Iota& n) {
        put("{} {} ", n.range ? "range" : "iota", prim::name(n.type));
        shape({n.count}), spaced({n.start, n.step});
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

void Printer::node(const PrimOp& op) {
  put("{}{}.{}", op.loose ? "loose " : "", prim::name(op.type), prim::info(op.op).name);
  spaced(op.args);
}

void Printer::node(const Index& i) { out_ += "index ", value(i.array), indices(i.indices); }

void Printer::node(const Slice& s) { out_ += "slice ", value(s.array), dims(s.dims); }

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
  out_ += "screma ", out_ += flatteningWords(s.flattening), shape({s.width}), out_ += ' ',
      values(s.inputs);
  mapLambda(s.map);
  reductions(s.reductions);
  for (const Scan& scan : s.scans) combine("scan", scan.op, scan.neutral);
  if (s.partial_values) out_ += " partial ", shape({*s.partial_values});
  if (s.chunk) out_ += " chunk ", shape({*s.chunk});
  if (s.joins == Joins::kChunks) out_ += " joins_chunks";
  if (s.joins == Joins::kTiles) out_ += " joins_tiles";
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
  out_ += "stencil ", out_ += flatteningWords(s.flattening), shape(s.space), out_ += ' ';
  out_ += '(';
  bool first = true;
  for (const Window& w : s.windows) out_ += first ? "" : ", ", first = false, window(w);
  for (ValueId input : s.inputs) out_ += first ? "" : ", ", first = false, value(input);
  for (size_t axis : s.positions) put("{}position {}", first ? "" : ", ", axis), first = false;
  out_ += ')';
  out_ += " map ";
  lambda(s.map);
  reductions(s.reductions);
  if (!s.partial_tiles) return;
  out_ += " partial ", shape({s.partial_tiles->values});
  out_ += " rows ", shape({s.partial_tiles->first_row, s.partial_tiles->rows});
  out_ += " tile ", shape({s.partial_tiles->lines, s.partial_tiles->columns});
}

void Printer::node(const Scatter& s) {
  out_ += "scatter ", out_ += flatteningWords(s.flattening), shape({s.width}), out_ += ' ',
      values(s.inputs);
  mapLambda(s.map);
  out_ += " into ";
  list(s.destinations, "(", ")",
       [&](const ScatterDest& d) { value(d.array), put(" {}", d.index_rank); });
}

void Printer::node(const Hist& h) {
  out_ += "hist ", out_ += flatteningWords(h.flattening), shape({h.width}), out_ += ' ',
      values(h.inputs);
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
  ++indent_;
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

}  // namespace halo::core

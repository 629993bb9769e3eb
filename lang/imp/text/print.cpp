// Imp to text. A function begins with the buffers it uses, so that statements need no types but
// those of the variables they bind.
//
//   entry main(n_0: i64, xs$0: host f32[n_0]) sizes 1 -> (s_4, ys$1 @0i64 [n_0]) {
//     buffer ys$1: host f32 noalias
//     alloc ys$1[n_0]
//     for i_2 in 0i64 .. n_0 vector 16 {
//       v_3: f32 = xs$0[i_2]
//       ys$1[i_2] := v_3 } }
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/base/match.h"
#include "lang/core/text/scalar_text.h"
#include "lang/core/text/text_writer.h"
#include "lang/imp/text.h"
#include "lang/imp/text/words.h"
#include "lang/imp/walk.h"

namespace halo::imp {
namespace {

using core::identifier;
using core::scalarText;

class Printer : public core::TextWriter {
 public:
  Printer(const Program& program, const source::Files* files)
      : TextWriter(files), program_(program) {}

  void function(const Function& f);

 private:
  std::string text(VarId v) const {
    return fmt::format("{}_{}", identifier(program_.vars[v].name), v.index);
  }
  std::string text(BufferId b) const {
    return fmt::format("{}${}", identifier(program_.buffers[b].name), b.index);
  }
  std::string text(const Operand& o) const {
    return o.isConstant() ? scalarText(o.constant) : text(o.var);
  }
  template <typename List>
  std::string list(const List& items) const {
    std::string all;
    for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
    return all;
  }
  std::string binder(VarId v) const {
    return fmt::format("{}: {}", text(v), prim::name(program_.vars[v].type));
  }
  std::string binders(const std::vector<VarId>& vars) const {
    std::string all;
    for (const VarId v : vars) all += (all.empty() ? "" : ", ") + binder(v);
    return all;
  }
  std::string shape(const Operands& sizes) const {
    std::string all;
    for (const Operand& size : sizes) all += "[" + text(size) + "]";
    return all;
  }

  void parameters(const Function& f);
  void results(const Function& f);
  void node(const For& n);
  void node(const While& n);
  void node(const If& n);
  void node(const Alloc& n);
  void node(const CopyBuffer& n);
  void node(const Launch& n);
  void node(const Append& n);
  void node(const Call& n);
  void node(const MatrixOp& n);
  void buffers(const Function& f);
  void block(const Block& b);
  void expr(const Expr& e);
  void stm(const Stm& s);
  void site(const Fail& n);

  const Program& program_;
};

void Printer::expr(const Expr& e) {
  base::match(
      e,
      [&](const Prim& n) {
        put("{}.{}", prim::name(n.type), prim::info(n.op).name);
        for (const Operand& arg : n.args) put(" {}", text(arg));
      },
      [&](const Convert& n) {
        put("{}.{}_{} {}", prim::name(n.to), convertWord(n.kind), prim::name(n.from), text(n.arg));
      },
      [&](const Select& n) {
        put("select {} {} {}", text(n.condition), text(n.on_true), text(n.on_false));
      },
      [&](const Load& n) {
        put("{}[{}]{}", text(n.buffer), text(n.index), n.transposed ? " transposed" : "");
      },
      [&](const BuiltInValue& n) { put("{} {}", builtInName(n.what), n.dimension); },
      [&](const Shuffle& n) { put("{} {} {}", shuffleName(n.kind), text(n.value), text(n.lane)); },
      [&](const Fma& n) {
        put("{}.mad {} {} {}", prim::name(n.type), text(n.a), text(n.b), text(n.c));
      });
}

void Printer::block(const Block& b) {
  out_ += '{';
  ++indent_;
  for (const Stm& s : b) newLine(), stm(s);
  indent_--;
  out_ += " }";
}

void Printer::site(const Fail& n) {
  const Site& s = program_.sites[static_cast<size_t>(n.site)];
  put("fail {} {} ({})", n.site, diag::codeLabel(s.code), list(n.operands));
  putPlace(s.span);
}

void Printer::stm(const Stm& s) {
  base::match(
      s.node, [&](const Let& n) { put("{} = ", binder(n.var)), expr(n.expr); },
      [&](const Declare& n) { put("var {} := {}", binder(n.var), text(n.initial)); },
      [&](const Assign& n) { put("{} := {}", text(n.var), text(n.value)); },
      [&](const Store& n) {
        put("{}[{}] := {}", text(n.buffer), text(n.index), text(n.value));
        if (n.stream != Operand::ofI64(0)) put(" stream {}", text(n.stream));
      },
      [&](const For& n) { node(n); }, [&](const While& n) { node(n); },
      [&](const If& n) { node(n); }, [&](const Alloc& n) { node(n); },
      [&](const Free& n) { put("free {}", text(n.buffer)); },
      [&](const Rebind& n) { put("rebind {} = {}", text(n.dst), text(n.src)); },
      [&](const Swap& n) { put("swap {} {}", text(n.a), text(n.b)); },
      [&](const CopyBuffer& n) { node(n); }, [&](const Fail& n) { site(n); },
      [&](const Barrier& n) { out_ += n.orders_atomics ? "barrier atomics" : "barrier"; },
      [&](const Atomic& n) {
        put("atomic {} {}[{}] {}", atomicName(n.op), text(n.buffer), text(n.index), text(n.value));
        if (n.old.valid()) put(" -> {}", binder(n.old));
      },
      [&](const Launch& n) { node(n); },
      [&](const ExitFlag& n) { put("exit_flag {}", text(n.buffer)); },
      [&](const OrderedSection& n) { put("ordered {}", n.begins ? "begin" : "end"); },
      [&](const Append& n) { node(n); },
      [&](const ReadScalar& n) {
        put("read {} = {}[{}]", binder(n.var), text(n.buffer), text(n.index));
      },
      [&](const Call& n) { node(n); },
      [&](const LoadVector& n) {
        put("vector ({}) = {}[{}]", binders(n.vars), text(n.buffer), text(n.index));
      },
      [&](const StoreVector& n) {
        put("vector {}[{}] := ({})", text(n.buffer), text(n.index), list(n.values));
      },
      [&](const MatrixOp& n) { node(n); });
}

void Printer::node(const For& n) {
  put("for {} in {} .. {} ", binder(n.var), text(n.lo), text(n.hi));
  if (n.schedule == Schedule::kVector) put("vector {} ", n.vector_width);
  if (n.schedule == Schedule::kParallel) put("parallel {} ", n.vector_width);
  if (n.lanes) put("lanes ");
  if (n.contract) put("contract ");
  block(n.body);
}

void Printer::node(const While& n) {
  out_ += "while ", block(n.before), put(" {} ", text(n.condition)), block(n.body);
}

void Printer::node(const If& n) {
  put("if {} ", text(n.condition)), block(n.then_block);
  if (!n.else_block.empty()) out_ += " else ", block(n.else_block);
}

void Printer::node(const Alloc& n) {
  put("alloc {}[{}]", text(n.buffer), text(n.elements));
  if (n.holds == Holds::kZeros) out_ += " zeros";
  if (n.holds == Holds::kStates) out_ += " states";
}

void Printer::node(const CopyBuffer& n) {
  put("copy {}[{}] := {}[{}] {}", text(n.dst), text(n.dst_offset), text(n.src), text(n.src_offset),
      text(n.count));
}

void Printer::node(const Launch& n) {
  put("launch \"{}\" ({}) ({}) ({})", n.kernel, list(n.groups), list(n.buffers), list(n.scalars));
}

void Printer::node(const Append& n) {
  put("append ({}) {} {} ({})", list(n.buffers), text(n.next), text(n.condition), list(n.values));
}

void Printer::node(const Call& n) {
  put("call \"{}\" ({}) ({}) -> ({}) ({})", n.function, list(n.buffers), list(n.scalars),
      binders(n.results), list(n.result_buffers));
}

void Printer::node(const MatrixOp& n) {
  const char* order = n.by_columns ? "by_columns" : "by_rows";
  switch (n.kind) {
    case MatrixOp::Kind::kClear:
      return put("matrix clear {}", text(n.matrix));
    case MatrixOp::Kind::kLoad:
      return put("matrix load {} = {}[{}] {} {}", text(n.matrix), text(n.memory), text(n.index),
                 order, text(n.pitch));
    case MatrixOp::Kind::kStore:
      return put("matrix store {}[{}] {} {} := {}", text(n.memory), text(n.index), order,
                 text(n.pitch), text(n.matrix));
    case MatrixOp::Kind::kMultiply:
      return put("matrix multiply {} {} {}", text(n.matrix), text(n.a), text(n.b));
  }
}

// Entries list parameters in the order of their interface, other functions buffers first.
void Printer::parameters(const Function& f) {
  out_ += '(';
  bool first = true;
  auto separate = [&] { out_ += first ? "" : ", ", first = false; };
  auto buffer = [&](BufferId b) {
    const BufferInfo& info = program_.buffers[b];
    put("{}: {} {}", text(b), spaceName(info.space), prim::name(info.type));
  };
  if (!f.entry_params.empty()) {
    for (const Function::EntryParam& param : f.entry_params) {
      separate();
      auto index = static_cast<size_t>(param.index);
      if (param.is_array) {
        buffer(f.buffers[index]), put("{}", shape(param.shape));
      } else {
        out_ += binder(f.scalars[index]);
      }
    }
  } else {
    for (BufferId b : f.buffers) separate(), buffer(b);
    for (VarId v : f.scalars) separate(), out_ += binder(v);
  }
  out_ += ')';
}

void Printer::results(const Function& f) {
  out_ += " -> (";
  bool first = true;
  auto separate = [&] { out_ += first ? "" : ", ", first = false; };
  for (const EntryResult& result : f.results) {
    separate();
    if (const auto* scalar = std::get_if<Operand>(&result)) {
      out_ += text(*scalar);
    } else {
      const auto& array = std::get<ArrayResult>(result);
      put("{} @ {} {}", text(array.buffer), text(array.offset), shape(array.shape));
    }
  }
  for (VarId v : f.result_vars) separate(), out_ += text(v);
  for (BufferId b : f.result_buffers) separate(), out_ += text(b);
  out_ += ')';
}

void collect(const Block& block, std::set<BufferId>& used) {
  for (const Stm& s : block) {
    base::match(
        s.node,
        [&](const Let& n) {
          if (const auto* load = std::get_if<Load>(&n.expr)) used.insert(load->buffer);
        },
        [&](const Store& n) { used.insert(n.buffer); },
        [&](const For& n) { collect(n.body, used); },
        [&](const While& n) { collect(n.before, used), collect(n.body, used); },
        [&](const If& n) { collect(n.then_block, used), collect(n.else_block, used); },
        [&](const Alloc& n) { used.insert(n.buffer); },
        [&](const Free& n) { used.insert(n.buffer); },
        [&](const Rebind& n) {
          used.insert({n.dst, n.src});
        },
        [&](const Swap& n) {
          used.insert({n.a, n.b});
        },
        [&](const CopyBuffer& n) {
          used.insert({n.dst, n.src});
        },
        [&](const Launch& n) { used.insert(n.buffers.begin(), n.buffers.end()); },
        [&](const ReadScalar& n) { used.insert(n.buffer); },
        [&](const ExitFlag& n) { used.insert(n.buffer); },
        [&](const Call& n) {
          used.insert(n.buffers.begin(), n.buffers.end());
          used.insert(n.result_buffers.begin(), n.result_buffers.end());
        },
        [&](const LoadVector& n) { used.insert(n.buffer); },
        [&](const StoreVector& n) { used.insert(n.buffer); },
        [&](const Atomic& n) { used.insert(n.buffer); }, [](const Declare&) {},
        [](const Assign&) {}, [](const Fail&) {}, [](const Barrier&) {},
        [](const OrderedSection&) {},
        [&](const Append& n) { used.insert(n.buffers.begin(), n.buffers.end()); },
        [&](const MatrixOp&) { forEachBuffer(s, [&](BufferId buffer) { used.insert(buffer); }); });
  }
}

void Printer::buffers(const Function& f) {
  std::set<BufferId> used;
  collect(f.body, used);
  for (BufferId b : used) {
    if (std::find(f.buffers.begin(), f.buffers.end(), b) != f.buffers.end()) continue;
    const BufferInfo& info = program_.buffers[b];
    newLine();
    put("buffer {}: {} {}", text(b), spaceName(info.space), prim::name(info.type));
    if (info.constant_elements > 0) put("[{}i64]", info.constant_elements);
    if (info.matrix_rows > 0) put(" rows {}", info.matrix_rows);
    if (info.noalias) out_ += " noalias";
    if (info.contents.empty()) continue;
    out_ += " = (";
    for (size_t i = 0; i < info.contents.size(); ++i) {
      put("{}{}", i == 0 ? "" : ", ", scalarText(info.contents[i]));
    }
    out_ += ')';
  }
}

void Printer::function(const Function& f) {
  out_ += f.kind == FunctionKind::kKernel ? "kernel" : f.is_entry ? "entry" : "fn";
  put(" \"{}\"", f.name);
  parameters(f);
  if (f.size_params > 0) put(" sizes {}", f.size_params);
  if (f.kind == FunctionKind::kKernel) {
    put(" workgroup {} {} {}", f.workgroup[0], f.workgroup[1], f.workgroup[2]);
    if (f.concurrent) out_ += " concurrent";
  }
  results(f);
  if (f.size_results > 0) put(" size_results {}", f.size_results);
  out_ += " {";
  ++indent_;
  buffers(f);
  for (const Stm& s : f.body) newLine(), stm(s);
  indent_--;
  out_ += " }\n";
}

}  // namespace

std::string print(const Program& program, const source::Files* files) {
  Printer printer(program, files);
  for (const Function& function : program.functions) printer.function(function);
  return printer.take();
}

std::string print(const Program& program, const Function& function) {
  Printer printer(program, nullptr);
  printer.function(function);
  return printer.take();
}

}  // namespace halo::imp

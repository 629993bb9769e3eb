// Core to text: programs, functions, bodies and statements. Expressions are in print_nodes.cpp.
#include "lang/base/check.h"
#include "lang/core/text.h"
#include "lang/core/text/printer.h"
#include "lang/core/text/shorthand.h"
#include "lang/core/visit.h"

namespace halo::core {
namespace {

constexpr size_t kOneLine = 48;  // characters of a body that stays on the line of its head

const char* kernelKindName(KernelKind kind) {
  switch (kind) {
#define KERNEL_KIND(enumerator, word) \
  case KernelKind::enumerator:        \
    return #word;
#include "lang/core/kernel_kind.def"
#undef KERNEL_KIND
  }
  HALO_UNREACHABLE("unknown kernel kind");
}

}  // namespace

std::string functionName(const std::string& name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') && name[0] != '\'';
  for (char c : name) {
    plain =
        plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' || c == '.');
  }
  return plain && name[0] != '.' ? name : '"' + name + '"';
}

void Printer::results(const Operands& os) {
  out_ += "return ";
  if (os.empty()) {
    out_ += "()";
  } else {
    operands(os, "", "");
  }
  out_ += " }";
}

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
  ++indent_;
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

void Printer::function(const Function& f) {
  out_ += f.is_entry ? "entry " : f.kernel.empty() ? "fn " : "kernel ";
  out_ += functionName(f.name);
  if (!f.kernel.empty()) {
    out_ += ' ', shape(f.kernel[0].space);
    if (f.kernel[0].whole_extent) out_ += " of ", operand(*f.kernel[0].whole_extent);
    put(" {} ", kernelKindName(f.kernel[0].kind));
    if (!f.kernel[0].row_sort.empty()) put("rows {} ", functionName(f.kernel[0].row_sort));
  }
  size_t position = 0;
  list(f.params, "(", ")", [&](ValueId param) {
    binder(param, position < f.consumed.size() && f.consumed[position]), position++;
  });
  if (f.size_params != impliedSizeParams(program_, f.params)) put(" sizes {}", f.size_params);
  if (!f.shares.empty()) {
    list(f.shares, " shares (", ")",
         [&](const auto& share) { value(share.first), out_ += " of ", value(share.second); });
  }
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
  ++indent_;
  for (const Stm& stm : f.body.stms) newLine(), statement(stm);
  newLine(), results(f.body.results);
  indent_--;
  out_ += '\n';
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
    if (!text.empty()) text += '\n';
    text += print(program, function, files);
  }
  return text;
}

std::string print(const Program& program, const Function& function, const source::Files* files) {
  Printer printer(program, files);
  printer.function(function);
  return printer.take();
}

std::string print(const Program& program, const Stm& stm) {
  Printer printer(program, nullptr);
  printer.statement(stm);
  return printer.take();
}

}  // namespace halo::core

// main(): statement by statement.
#include <fmt/format.h>

#include "gpu/glsl/addresses.h"
#include "gpu/glsl/built_ins.h"
#include "gpu/glsl/names.h"
#include "gpu/glsl/parts.h"
#include "gpu/glsl/spelling.h"
#include "gpu/raise/raise.h"
#include "lang/base/match.h"
#include "lang/imp/accesses.h"
#include "lang/imp/kernel_statements.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

namespace {

std::string fromArgument(ScalarType type, const std::string& arg) {
  if (type == ScalarType::kF16) return "uint16BitsToHalf(uint16_t(" + arg + "))";
  if (type == ScalarType::kBool) return "(" + arg + " != 0u)";
  return argumentType(type) == typeName(type) ? arg : typeName(type) + "(" + arg + ")";
}

class Body {
 public:
  Body(const Program& program, const Function& kernel, const GlslOptions& options, Names& names)
      : program_(program),
        kernel_(kernel),
        options_(options),
        names_(names),
        addresses_(program, kernel, options.moves_pointers, names) {}

  std::string function() {
    std::string params;
    for (VarId scalar : kernel_.scalars) {
      params += fmt::format("const {} {}, ", typeOf(scalar), names_.of(scalar));
    }
    for (VarId result : kernel_.result_vars) {
      params += fmt::format("out {} {}_out, ", typeOf(result), names_.of(result));
    }
    line(0, fmt::format("void {}({}) {{", kernel_.name, params.substr(0, params.size() - 2)));
    block(kernel_.body, 1);
    for (VarId result : kernel_.result_vars) {
      line(1, fmt::format("{0}_out = {0};", names_.of(result)));
    }
    out_ += "}\n";
    return std::move(out_);
  }

  std::string run() {
    out_ += "void main() {\n";
    opening();
    for (size_t i = 0; i < kernel_.scalars.size(); ++i) scalarArgument(i);
    privateBuffers();
    matrices();
    block(kernel_.body, 1);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  // After a failure nothing runs any more; before barriers the whole workgroup must agree.
  void opening() {
    out_ +=
        "  const uvec3 halo_group = gl_WorkGroupID + uvec3(arg.halo_offset_x, arg.halo_offset_y, "
        "arg.halo_offset_z);\n";
    if (!options_.checks_failure && !options_.checks_stop) return;
    std::string stop = "Stop(arg.halo_failure).word";
    if (options_.checks_stop) stop = "(" + stop + " | Stop(arg.halo_failure).loop_word)";
    if (hasBarrier(kernel_.body)) {
      out_ += "  if (gl_LocalInvocationIndex == 0u) halo_stop = " + stop +
              ";\n"
              "  barrier();\n"
              "  if (halo_stop != 0u) return;\n";
    } else {
      out_ += "  if (" + stop + " != 0u) return;\n";
    }
  }

  void scalarArgument(size_t i) {
    VarId scalar = kernel_.scalars[i];
    ScalarType type = program_.vars[scalar].type;
    out_ += fmt::format("  const {} {} = {};\n", typeName(type), names_.of(scalar),
                        fromArgument(type, "arg." + names_.of(scalar)));
  }

  void privateBuffers() {
    for (uint32_t index : usedBuffers(kernel_)) {
      const BufferId id(index);
      const BufferInfo& info = program_.buffers[id];
      if (info.space != Space::kPrivate) continue;
      out_ +=
          fmt::format("  {} {}[{}];\n", typeName(info.type), names_.of(id), info.constant_elements);
    }
  }

  void line(int depth, const std::string& text) {
    out_.append(static_cast<size_t>(depth) * 2, ' ');
    out_ += text + "\n";
  }
  void block(const Block& statements, int depth) {
    for (const Stm& stm : statements) {
      names_.mention(stm);
      statement(stm, depth);
    }
  }

  void statement(const Stm& stm, int depth) {
    base::match(
        stm.node,
        [&](const Let& s) {
          line(depth, fmt::format("{}const {} {} = {};", precision(s.var), typeOf(s.var),
                                  names_.of(s.var), expr(s.expr)));
        },
        [&](const Declare& s) {
          line(depth, fmt::format("{}{} {} = {};", precision(s.var), typeOf(s.var),
                                  names_.of(s.var), names_.text(s.initial)));
        },
        [&](const Assign& s) {
          line(depth, fmt::format("{} = {};", names_.of(s.var), names_.text(s.value)));
        },
        [&](const Store& s) { store(s, depth); }, [&](const For& s) { forLoop(s, depth); },
        [&](const While& s) { whileLoop(s, depth); }, [&](const If& s) { branch(s, depth); },
        [&](const Fail& s) { fail(s, depth); }, [&](const Barrier& s) { barrier(s, depth); },
        [&](const Atomic& s) { atomic(s, depth); }, [&](const Call& s) { call(s, depth); },
        [&](const LoadVector& s) { loadVector(s, depth); },
        [&](const StoreVector& s) { storeVector(s, depth); },
        [&](const MatrixOp& s) { matrixOp(s, depth); }, NotInKernels());
  }

  void forLoop(const For& s, int depth) {
    std::string end = names_.text(s.hi);
    if (!s.hi.isConstant() && program_.vars[s.hi.var].is_mutable) {
      // GLSL evaluates the bound before each trip, Imp once.
      end = names_.of(s.var) + "_end";
      line(depth, fmt::format("const {} {} = {};", typeOf(s.var), end, names_.text(s.hi)));
    }
    line(depth, fmt::format("for ({0} {1} = {2}; {1} < {3}; {1}++) {{", typeOf(s.var),
                            names_.of(s.var), names_.text(s.lo), end));
    block(s.body, depth + 1);
    line(depth, "}");
  }

  void whileLoop(const While& s, int depth) {
    line(depth, "while (true) {");
    block(s.before, depth + 1);
    line(depth + 1, fmt::format("if (!({})) break;", names_.text(s.condition)));
    block(s.body, depth + 1);
    line(depth, "}");
  }

  void branch(const If& s, int depth) {
    line(depth, fmt::format("if ({}) {{", names_.text(s.condition)));
    block(s.then_block, depth + 1);
    if (!s.else_block.empty()) {
      line(depth, "} else {");
      block(s.else_block, depth + 1);
    }
    line(depth, "}");
  }

  void store(const Store& s, int depth) {
    std::string value = names_.text(s.value);
    const BufferInfo& info = program_.buffers[s.buffer];
    bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
    if (in_memory && info.type == ScalarType::kBool) value = "uint8_t(" + value + ")";
    line(depth, fmt::format("{} = {};", addresses_.element(s.buffer, s.index), value));
  }

  // Loads need the vectors that lie in memory, and how many there are from one row to the next.
  void matrixOp(const MatrixOp& s, int depth) {
    const std::string matrix = names_.of(s.matrix);
    const std::string order = s.by_columns ? "true" : "false";
    switch (s.kind) {
      case MatrixOp::Kind::kClear: {
        const ScalarType type = program_.buffers[s.matrix].type;
        const std::string zero = names_.text(prim::zero(type));
        return line(depth, fmt::format("{} = {}({});", matrix, matrixName(s.matrix), zero));
      }
      case MatrixOp::Kind::kLoad:
        return line(depth,
                    fmt::format("coopMatLoadNV({}, {}, {});", matrix, addresses_.matrix(s), order));
      case MatrixOp::Kind::kStore:
        return line(
            depth, fmt::format("coopMatStoreNV({}, {}, {});", matrix, addresses_.matrix(s), order));
      case MatrixOp::Kind::kMultiply:
        return line(depth, fmt::format("{0} = coopMatMulAddNV({1}, {2}, {0});", matrix,
                                       names_.of(s.a), names_.of(s.b)));
    }
  }
  std::string matrixName(BufferId buffer) const {
    const BufferInfo& info = program_.buffers[buffer];
    const char* kind = prim::isFloat(info.type) ? "f" : prim::isSigned(info.type) ? "i" : "u";
    return fmt::format("{}coopmatNV<{}, gl_ScopeSubgroup, {}, {}>", kind, prim::bitWidth(info.type),
                       info.matrix_rows, info.constant_elements / info.matrix_rows);
  }
  void matrices() {
    for (uint32_t index : usedBuffers(kernel_)) {
      const BufferId id(index);
      if (program_.buffers[id].space != Space::kMatrix) continue;
      line(1, fmt::format("{} {};", matrixName(id), names_.of(id)));
    }
  }

  void call(const Call& s, int depth) {
    std::string args;
    for (const Operand& scalar : s.scalars) args += names_.text(scalar) + ", ";
    for (VarId result : s.results) {
      line(depth, fmt::format("{}{} {};", precision(result), typeOf(result), names_.of(result)));
      args += names_.of(result) + ", ";
    }
    line(depth, fmt::format("{}({});", s.function, args.substr(0, args.size() - 2)));
  }

  void storeVector(const StoreVector& s, int depth) {
    ScalarType type = program_.buffers[s.buffer].type;
    size_t in_word = prim::byteSize(type) < 4 ? s.values.size() / 4 : 1;
    std::string values;
    for (size_t k = 0; k < s.values.size(); k += in_word) {
      std::vector<std::string> word;
      for (size_t i = k; i < k + in_word; ++i) word.push_back(names_.text(s.values[i]));
      values += (values.empty() ? "" : ", ") + (in_word == 1 ? word[0] : packed(type, word));
    }
    line(depth, fmt::format("{} = {}({});", addresses_.vector(s.buffer, s.index), vectorName(type),
                            values));
  }

  // Orders shared memory, and device memory where the kernel reads its own stores. Only atomics let
  // other workgroups know of a store; all others are read by the workgroup that made them.
  void barrier(const Barrier& s, int depth) {
    const char* order =
        s.orders_atomics || hasAtomics() ? "memoryBarrierBuffer();" : "groupMemoryBarrier();";
    if (s.orders_atomics || readsBack()) line(depth, order);
    line(depth, "barrier();");
  }
  bool hasAtomics() const {
    bool found = false;
    forEachStm(kernel_.body,
               [&](const Stm& stm) { found = found || std::holds_alternative<Atomic>(stm.node); });
    return found;
  }
  bool readsBack() const {
    std::set<BufferId> loaded, stored;
    forEachAccess(kernel_.body, [&](BufferId buffer, Access access) {
      if (access == Access::kLoad) loaded.insert(buffer);
      if (access == Access::kStore) stored.insert(buffer);
    });
    return std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(), [&](BufferId buffer) {
      return loaded.contains(buffer) && stored.contains(buffer);
    });
  }

  // Loads and stores are written with their scope, the device.
  void atomic(const Atomic& s, int depth) {
    std::string call = std::string(atomicName(s.op)) + "(" + addresses_.element(s.buffer, s.index);
    if (s.op != AtomicOp::kLoad) call += ", " + names_.text(s.value);
    bool is_access = s.op == AtomicOp::kLoad || s.op == AtomicOp::kStore;
    if (is_access) call += ", gl_ScopeDevice, 0, gl_SemanticsRelaxed";
    std::string old;
    if (s.old.valid()) old = fmt::format("const {} {} = ", typeOf(s.old), names_.of(s.old));
    line(depth, old + call + ");");
  }

  void loadVector(const LoadVector& s, int depth) {
    std::string all = names_.of(s.vars[0]) + "_v";
    ScalarType type = program_.buffers[s.buffer].type;
    line(depth, fmt::format("const {} {} = {};", vectorName(type), all,
                            addresses_.vector(s.buffer, s.index)));
    if (prim::byteSize(type) < 4 && s.vars.size() == 4) type = ScalarType::kU32;  // as words
    for (size_t k = 0; k < s.vars.size(); ++k) {
      std::string element =
          prim::byteSize(type) < 4 ? smallElement(type, all, k) : all + "." + "xyzw"[k];
      line(depth, fmt::format("const {} {} = {};", typeName(type), names_.of(s.vars[k]), element));
    }
  }
  void fail(const Fail& s, int depth) {
    line(depth, fmt::format("if (halo_claim({}u)) {{", names_.site(s.site)));
    uint32_t number = 0;
    for (size_t k = 0; k < s.operands.size(); ++k, ++number) {
      std::string value;
      if (isHalf(s.operands[k])) {
        value = fmt::format("ivec2({}, {})", names_.text(s.operands[k]),
                            names_.text(s.operands[k + 1]));
        ++k;
      } else {
        value = halves(s.operands[k]);
      }
      line(depth + 1, fmt::format("halo_operand({}u, {});", number, value));
    }
    line(depth, "}");
    if (!hasBarrier(kernel_.body)) line(depth, "return;");
  }

  // Of an i64 operand, split where a device lacks those.
  bool isHalf(const Operand& operand) const {
    ScalarType type =
        operand.isConstant() ? operand.constant.type : program_.vars[operand.var].type;
    return type == ScalarType::kU32;
  }

  // An i64 operand, or one that has been narrowed to i32, in two words.
  std::string halves(const Operand& operand) {
    if (operand.isConstant()) {
      auto value = static_cast<uint64_t>(operand.constant.asSigned());
      return fmt::format("ivec2({}u, {}u)", value & 0xffffffffu, value >> 32);
    }
    std::string value = names_.of(operand.var);
    return isWide(program_.vars[operand.var].type) ? fmt::format("unpackInt2x32({})", value)
                                                   : fmt::format("ivec2({0}, {0} >> 31)", value);
  }

  std::string expr(const Expr& e) {
    return base::match(
        e,
        [&](const Prim& p) {
          std::vector<std::string> args;
          for (const Operand& arg : p.args) args.push_back(names_.text(arg));
          if (p.op == prim::Op::kFma && options_.fuses) {
            return fmt::format("fma({}, {}, {})", args[0], args[1], args[2]);
          }
          return spell(p.op, p.type, args);
        },
        [&](const Convert& c) { return spellConvert(c.kind, c.from, c.to, names_.text(c.arg)); },
        [&](const Select& s) {
          return fmt::format("{} ? {} : {}", names_.text(s.condition), names_.text(s.on_true),
                             names_.text(s.on_false));
        },
        [&](const Load& l) {
          const BufferInfo& info = program_.buffers[l.buffer];
          bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
          std::string value = addresses_.element(l.buffer, l.index);
          return in_memory && info.type == ScalarType::kBool ? "(" + value + " != uint8_t(0))"
                                                             : value;
        },
        [&](const BuiltInValue& b) { return builtInText(b); },
        [&](const Shuffle& s) {
          return fmt::format("{}({}, {})", shuffleName(s.kind), names_.text(s.value),
                             names_.text(s.lane));
        },
        [&](const Fma& f) {
          return fmt::format("fma({}, {}, {})", names_.text(f.a), names_.text(f.b),
                             names_.text(f.c));
        });
  }

  std::string typeOf(VarId var) { return typeName(program_.vars[var].type); }
  const char* precision(VarId var) {
    const bool is_precise = prim::isFloat(program_.vars[var].type) && !options_.contracts;
    return is_precise ? "precise " : "";
  }

  const Program& program_;
  const Function& kernel_;
  const GlslOptions& options_;
  Names& names_;
  Addresses addresses_;
  std::string out_;
};

}  // namespace

std::string printFunction(const Program& program, const Function& function,
                          const GlslOptions& options, Names& names) {
  return Body(program, function, options, names).function();
}

std::string printBody(const Program& program, const Function& kernel, const GlslOptions& options,
                      Names& names) {
  return Body(program, kernel, options, names).run();
}

}  // namespace halo::gpu

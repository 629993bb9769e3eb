// Header, argument block, buffer types, then the body statement by statement.
#include "gpu/glsl/printer.h"

#include <fmt/format.h>

#include <set>

#include "gpu/glsl/spelling.h"
#include "gpu/raise/raise.h"
#include "gpu/raise/walk.h"
#include "lang/base/match.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

namespace {

// The GLSL type that holds a scalar argument: nothing below 32 bits, so that push constants need
// no optional feature.
std::string argumentType(ScalarType type) {
  switch (type) {
    case ScalarType::kI8:
    case ScalarType::kI16:
      return "int";
    case ScalarType::kU8:
    case ScalarType::kU16:
    case ScalarType::kF16:
    case ScalarType::kBool:
      return "uint";
    default:
      return typeName(type);
  }
}
std::string fromArgument(ScalarType type, const std::string& arg) {
  if (type == ScalarType::kF16) return "uint16BitsToHalf(uint16_t(" + arg + "))";
  if (type == ScalarType::kBool) return "(" + arg + " != 0u)";
  return argumentType(type) == typeName(type) ? arg : typeName(type) + "(" + arg + ")";
}
bool isWide(ScalarType type) { return prim::byteSize(type) == 8; }

const char* builtInName(BuiltIn what) {
  switch (what) {
    case BuiltIn::kGlobalId:
      return "(gl_LocalInvocationID + halo_group * gl_WorkGroupSize)";
    case BuiltIn::kLocalId:
      return "gl_LocalInvocationID";
    case BuiltIn::kGroupId:
      return "halo_group";
    case BuiltIn::kGroupCount:
      return "arg.halo_groups";
    case BuiltIn::kGroupSize:
      return "gl_WorkGroupSize";
    case BuiltIn::kLane:
      return "gl_SubgroupInvocationID";
    case BuiltIn::kSubgroup:
      return "gl_SubgroupID";
  }
  HALO_UNREACHABLE("built-in");
}

const char* shuffleName(ShuffleKind kind) {
  switch (kind) {
    case ShuffleKind::kUp:
      return "subgroupShuffleUp";
    case ShuffleKind::kDown:
      return "subgroupShuffleDown";
    case ShuffleKind::kXor:
      return "subgroupShuffleXor";
    case ShuffleKind::kFrom:
      return "subgroupShuffle";
  }
  HALO_UNREACHABLE("shuffle");
}

std::string vectorName(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return "vec4";
    case ScalarType::kI32:
      return "ivec4";
    case ScalarType::kU32:
      return "uvec4";
    case ScalarType::kF64:
      return "dvec2";
    case ScalarType::kI64:
      return "i64vec2";
    case ScalarType::kU64:
      return "u64vec2";
    default:
      return "uvec4";  // smaller elements: their bits
  }
}

// Element k of the bits of a vector of elements smaller than 4 bytes.
std::string smallElement(ScalarType type, const std::string& bits, size_t k) {
  size_t in_word = 4 / static_cast<size_t>(prim::byteSize(type));
  std::string word = bits + "." + "xyzw"[k / in_word];
  size_t shift = k % in_word * (32 / in_word);
  if (shift != 0) word = fmt::format("({} >> {})", word, shift);
  if (type == ScalarType::kBool) return fmt::format("(({} & 255u) != 0u)", word);
  if (type == ScalarType::kF16) return fmt::format("uint16BitsToHalf(uint16_t({}))", word);
  return fmt::format("{}({})", typeName(type), word);
}

// The word of a vector that these elements make.
std::string packed(ScalarType type, const std::vector<std::string>& elements) {
  std::string word;
  for (size_t k = 0; k < elements.size(); k++) {
    std::string bits = "uint(" + elements[k] + ")";
    if (type == ScalarType::kF16) bits = "uint(halfBitsToUint16(" + elements[k] + "))";
    if (type == ScalarType::kI8) bits = "uint(uint8_t(" + elements[k] + "))";
    if (type == ScalarType::kI16) bits = "uint(uint16_t(" + elements[k] + "))";
    size_t shift = k * 32 / elements.size();
    word += (k == 0 ? "" : " | ") + (shift == 0 ? bits : fmt::format("({} << {})", bits, shift));
  }
  return word;
}

const char* atomicName(AtomicOp op) {
  static const char* const kNames[] = {"atomicAdd", "atomicMin", "atomicMax",  "atomicAnd",
                                       "atomicOr",  "atomicXor", "atomicLoad", "atomicStore"};
  return kNames[static_cast<size_t>(op)];
}

// Buffers that the body loads from or stores to, in order of their ids.
std::set<uint32_t> usedBuffers(const Function& kernel) {
  std::set<uint32_t> used;
  forEachStm(kernel.body, [&](const Stm& stm) {
    if (auto* store = std::get_if<Store>(&stm.node)) used.insert(store->buffer.index);
    if (auto* store = std::get_if<StoreVector>(&stm.node)) used.insert(store->buffer.index);
    if (auto* load = std::get_if<LoadVector>(&stm.node)) used.insert(load->buffer.index);
    if (auto* atomic = std::get_if<Atomic>(&stm.node)) used.insert(atomic->buffer.index);
    if (auto* let = std::get_if<Let>(&stm.node)) {
      if (auto* load = std::get_if<Load>(&let->expr)) used.insert(load->buffer.index);
    }
  });
  return used;
}

class Printer {
 public:
  Printer(const Program& program, const Function& kernel, const GlslOptions& options)
      : program_(program), kernel_(kernel), options_(options) {}

  std::string run() {
    header();
    bufferTypes();
    arguments();
    sharedBuffers();
    failure();
    highProducts();
    out_ += "void main() {\n";
    opening();
    for (size_t i = 0; i < kernel_.scalars.size(); i++) scalarArgument(i);
    privateBuffers();
    block(kernel_.body, 1);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  void header() {
    out_ +=
        "#version 460\n"
        "#extension GL_EXT_buffer_reference2 : require\n"
        "#extension GL_EXT_scalar_block_layout : require\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n";
    KernelTypes types = typesOf(program_, kernel_);
    auto extension = [&](bool needed, const char* name) {
      if (needed) out_ += fmt::format("#extension {} : require\n", name);
    };
    extension(types.int8, "GL_EXT_shader_explicit_arithmetic_types_int8");
    extension(types.int16, "GL_EXT_shader_explicit_arithmetic_types_int16");
    extension(types.float16, "GL_EXT_shader_explicit_arithmetic_types_float16");
    extension(types.float64, "GL_EXT_shader_explicit_arithmetic_types_float64");
    extension(types.storage8, "GL_EXT_shader_8bit_storage");
    extension(types.storage16, "GL_EXT_shader_16bit_storage");
    extension(types.subgroups, "GL_KHR_shader_subgroup_basic");
    extension(types.shuffles, "GL_KHR_shader_subgroup_shuffle");
    extension(types.shuffles, "GL_KHR_shader_subgroup_shuffle_relative");
    extension(types.atomics64, "GL_EXT_shader_atomic_int64");
    extension(types.talks, "GL_KHR_memory_scope_semantics");
    if (types.talks) out_ += "#pragma use_vulkan_memory_model\n";
    executionModes(types);
    out_ += fmt::format("layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;\n",
                        kernel_.workgroup[0], kernel_.workgroup[1], kernel_.workgroup[2]);
  }

  // SPV_KHR_float_controls, which GLSL itself cannot ask for.
  void executionModes(const KernelTypes& types) {
    struct Mode {
      bool wanted;
      int capability, mode, width;
    };
    const Mode modes[] = {
        {options_.signed_zero_nan_f16 && types.float16, 4466, 4461, 16},
        {options_.signed_zero_nan_f32, 4466, 4461, 32},
        {options_.signed_zero_nan_f64 && types.float64, 4466, 4461, 64},
        {options_.round_even_f16 && types.float16, 4467, 4462, 16},
        {options_.denormals_f32, 4464, 4459, 32},
        {options_.denormals_f64 && types.float64, 4464, 4459, 64},
        {options_.round_even_f32, 4467, 4462, 32},
        {options_.round_even_f64 && types.float64, 4467, 4462, 64},
    };
    std::string lines;
    for (const Mode& mode : modes) {
      if (!mode.wanted) continue;
      lines += fmt::format(
          "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [{}], "
          "{}, {});\n",
          mode.capability, mode.mode, mode.width);
    }
    if (!lines.empty()) out_ += "#extension GL_EXT_spirv_intrinsics : require\n" + lines;
  }

  void bufferTypes() {
    std::set<ScalarType> used;
    for (BufferId buffer : kernel_.buffers) used.insert(program_.buffers[buffer].type);
    for (ScalarType type : used) {
      out_ += fmt::format(
          "layout(buffer_reference, scalar, buffer_reference_align = {}) buffer B_{} {{ {} at[]; "
          "}};\n",
          prim::byteSize(type), prim::name(type), storageName(type));
    }
    for (ScalarType type : vectorTypes()) {
      out_ += fmt::format(
          "layout(buffer_reference, scalar, buffer_reference_align = 16) buffer V_{} {{ {} at[]; "
          "}};\n",
          prim::name(type), vectorName(type));
    }
    out_ +=
        "layout(buffer_reference, scalar, buffer_reference_align = 8) coherent buffer Failure { "
        "uint word[]; };\n"
        // For looking at the word once, from a cache if need be.
        "layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Stop { "
        "uint word; ";
    out_ += options_.checks_stop ? "uint loop_word; };\n" : "};\n";
  }

  std::set<ScalarType> vectorTypes() const {
    std::set<ScalarType> types;
    forEachStm(kernel_.body, [&](const Stm& stm) {
      if (auto* load = std::get_if<LoadVector>(&stm.node)) {
        types.insert(program_.buffers[load->buffer].type);
      } else if (auto* store = std::get_if<StoreVector>(&stm.node)) {
        types.insert(program_.buffers[store->buffer].type);
      }
    });
    return types;
  }

  void arguments() {
    std::string fields =
        "  Failure halo_failure;\n"
        "  uint halo_offset_x, halo_offset_y, halo_offset_z;\n"
        "  uvec3 halo_groups;\n";
    for (BufferId buffer : kernel_.buffers) {
      fields +=
          fmt::format("  B_{} {};\n", prim::name(program_.buffers[buffer].type), name(buffer));
    }
    for (bool wide : {true, false}) {
      for (VarId scalar : kernel_.scalars) {
        ScalarType type = program_.vars[scalar].type;
        if (isWide(type) == wide) {
          fields += fmt::format("  {} {};\n", argumentType(type), name(scalar));
        }
      }
    }
    if (argumentLayout(program_, kernel_).bytes <= options_.push_bytes) {
      out_ += "layout(push_constant, scalar) uniform Arguments {\n" + fields + "} arg;\n";
    } else {
      out_ +=
          "layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Arguments "
          "{\n" +
          fields + "};\nlayout(push_constant, scalar) uniform Pushed { Arguments arg; };\n";
    }
  }

  void sharedBuffers() {
    findVectors();
    forEachLocal(Space::kShared, [&](BufferId id, const BufferInfo& info) {
      bool in_vectors = vectors_.contains(id);
      out_ += fmt::format("shared {} {}[{}];\n",
                          in_vectors ? vectorName(info.type) : typeName(info.type), name(id),
                          in_vectors ? info.constant_elements / 4 : info.constant_elements);
    });
    if (hasBarrier(kernel_.body)) out_ += "shared uint halo_stop;\n";
  }
  // Shared buffers that vectors are loaded from are arrays of vectors.
  void findVectors() {
    forEachStm(kernel_.body, [&](const Stm& stm) {
      const auto* load = std::get_if<LoadVector>(&stm.node);
      bool is_shared = load != nullptr && program_.buffers[load->buffer].space == Space::kShared;
      if (is_shared) vectors_.insert(load->buffer);
    });
  }
  void privateBuffers() {
    forEachLocal(Space::kPrivate, [&](BufferId id, const BufferInfo& info) {
      out_ += fmt::format("  {} {}[{}];\n", typeName(info.type), name(id), info.constant_elements);
    });
  }
  template <typename Visit>
  void forEachLocal(Space space, const Visit& visit) {
    for (uint32_t index : usedBuffers(kernel_)) {
      const BufferInfo& info = program_.buffers[BufferId(index)];
      if (info.space == space) visit(BufferId(index), info);
    }
  }

  void failure() {
    if (!canFail(kernel_.body)) return;
    out_ +=
        "bool halo_claim(uint site) {\n"
        "  return atomicCompSwap(arg.halo_failure.word[0], 0u, site + 1u) == 0u;\n"
        "}\n"
        "void halo_operand(uint k, ivec2 value) {\n"
        "  arg.halo_failure.word[2u + 2u * k] = uint(value.x);\n"
        "  arg.halo_failure.word[3u + 2u * k] = uint(value.y);\n"
        "}\n";
  }

  void highProducts() {
    if (!typesOf(program_, kernel_).mul_hi) return;
    out_ +=
        "uint halo_mul_hi(uint a, uint b) { uint high, low; umulExtended(a, b, high, low); return "
        "high; }\n"
        "int halo_mul_hi(int a, int b) { int high, low; imulExtended(a, b, high, low); return "
        "high; "
        "}\n";
  }

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
    out_ += fmt::format("  const {} {} = {};\n", typeName(type), name(scalar),
                        fromArgument(type, "arg." + name(scalar)));
  }

  // ---- body

  void line(int depth, const std::string& text) {
    out_.append(static_cast<size_t>(depth) * 2, ' ');
    out_ += text + "\n";
  }
  void block(const Block& statements, int depth) {
    for (const Stm& stm : statements) statement(stm, depth);
  }

  void statement(const Stm& stm, int depth) {
    base::match(
        stm.node,
        [&](const Let& s) {
          line(depth, fmt::format("{}const {} {} = {};", precision(s.var), typeOf(s.var),
                                  name(s.var), expr(s.expr)));
        },
        [&](const Declare& s) {
          line(depth, fmt::format("{}{} {} = {};", precision(s.var), typeOf(s.var), name(s.var),
                                  text(s.initial)));
        },
        [&](const Assign& s) { line(depth, fmt::format("{} = {};", name(s.var), text(s.value))); },
        [&](const Store& s) {
          std::string value = text(s.value);
          const BufferInfo& info = program_.buffers[s.buffer];
          bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
          if (in_memory && info.type == ScalarType::kBool) value = "uint8_t(" + value + ")";
          line(depth, fmt::format("{} = {};", element(s.buffer, s.index), value));
        },
        [&](const For& s) {
          std::string end = text(s.hi);
          if (!s.hi.isConstant() && program_.vars[s.hi.var].is_mutable) {
            // GLSL evaluates the bound before each trip, Imp once.
            end = name(s.var) + "_end";
            line(depth, fmt::format("const {} {} = {};", typeOf(s.var), end, text(s.hi)));
          }
          line(depth, fmt::format("for ({0} {1} = {2}; {1} < {3}; {1}++) {{", typeOf(s.var),
                                  name(s.var), text(s.lo), end));
          block(s.body, depth + 1);
          line(depth, "}");
        },
        [&](const While& s) {
          line(depth, "while (true) {");
          block(s.before, depth + 1);
          line(depth + 1, fmt::format("if (!({})) break;", text(s.condition)));
          block(s.body, depth + 1);
          line(depth, "}");
        },
        [&](const If& s) {
          line(depth, fmt::format("if ({}) {{", text(s.condition)));
          block(s.then_block, depth + 1);
          if (!s.else_block.empty()) {
            line(depth, "} else {");
            block(s.else_block, depth + 1);
          }
          line(depth, "}");
        },
        [&](const Fail& s) { fail(s, depth); }, [&](const Barrier&) { barrier(depth); },
        [&](const Atomic& s) { atomic(s, depth); },
        [](const Alloc&) { HALO_UNREACHABLE("alloc in a kernel"); },
        [](const Free&) { HALO_UNREACHABLE("free in a kernel"); },
        [](const Rebind&) { HALO_UNREACHABLE("rebind in a kernel"); },
        [](const Swap&) { HALO_UNREACHABLE("swap in a kernel"); },
        [](const CopyBuffer&) { HALO_UNREACHABLE("buffer copy in a kernel"); },
        [](const Launch&) { HALO_UNREACHABLE("launch in a kernel"); },
        [](const StopWord&) { HALO_UNREACHABLE("a stop word in a kernel"); },
        [](const ReadScalar&) { HALO_UNREACHABLE("read in a kernel"); },
        [](const Call&) { HALO_UNREACHABLE("call in a kernel"); },
        [&](const LoadVector& s) { loadVector(s, depth); },
        [&](const StoreVector& s) { storeVector(s, depth); });
  }

  void storeVector(const StoreVector& s, int depth) {
    ScalarType type = program_.buffers[s.buffer].type;
    size_t in_word = prim::byteSize(type) < 4 ? s.values.size() / 4 : 1;
    std::string values;
    for (size_t k = 0; k < s.values.size(); k += in_word) {
      std::vector<std::string> word;
      for (size_t i = k; i < k + in_word; i++) word.push_back(text(s.values[i]));
      values += (values.empty() ? "" : ", ") + (in_word == 1 ? word[0] : packed(type, word));
    }
    line(depth, fmt::format("{} = {}({});", vector(s.buffer, s.index), vectorName(type), values));
  }

  // Orders shared memory, and device memory where the kernel reads what it has written.
  void barrier(int depth) {
    if (readsBack()) line(depth, "memoryBarrierBuffer();");
    line(depth, "barrier();");
  }
  bool readsBack() const {
    std::set<BufferId> loaded, stored;
    forEachStm(kernel_.body, [&](const Stm& stm) {
      if (auto* store = std::get_if<Store>(&stm.node)) stored.insert(store->buffer);
      if (auto* store = std::get_if<StoreVector>(&stm.node)) stored.insert(store->buffer);
      if (auto* load = std::get_if<LoadVector>(&stm.node)) loaded.insert(load->buffer);
      auto* let = std::get_if<Let>(&stm.node);
      auto* load = let == nullptr ? nullptr : std::get_if<Load>(&let->expr);
      if (load != nullptr) loaded.insert(load->buffer);
    });
    return std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(), [&](BufferId buffer) {
      return loaded.contains(buffer) && stored.contains(buffer);
    });
  }

  // Loads and stores are written with their scope, the device.
  void atomic(const Atomic& s, int depth) {
    std::string call = std::string(atomicName(s.op)) + "(" + element(s.buffer, s.index);
    if (s.op != AtomicOp::kLoad) call += ", " + text(s.value);
    bool is_access = s.op == AtomicOp::kLoad || s.op == AtomicOp::kStore;
    if (is_access) call += ", gl_ScopeDevice, 0, gl_SemanticsRelaxed";
    std::string old;
    if (s.old.valid()) old = fmt::format("const {} {} = ", typeOf(s.old), name(s.old));
    line(depth, old + call + ");");
  }

  void loadVector(const LoadVector& s, int depth) {
    std::string all = name(s.vars[0]) + "_v";
    ScalarType type = program_.buffers[s.buffer].type;
    line(depth, fmt::format("const {} {} = {};", vectorName(type), all, vector(s.buffer, s.index)));
    for (size_t k = 0; k < s.vars.size(); k++) {
      std::string element =
          prim::byteSize(type) < 4 ? smallElement(type, all, k) : all + "." + "xyzw"[k];
      line(depth, fmt::format("const {} {} = {};", typeName(type), name(s.vars[k]), element));
    }
  }
  std::string vector(BufferId buffer, const Operand& index) {
    ScalarType type = program_.buffers[buffer].type;
    if (vectors_.contains(buffer)) {
      return fmt::format("{}[uint({}) / 4u]", name(buffer), text(index));
    }
    bool wide = isWide(index.isConstant() ? index.constant.type : program_.vars[index.var].type);
    if (!wide) {
      return fmt::format("V_{}(arg.{}).at[uint({}) / {}u]", prim::name(type), name(buffer),
                         text(index), 16 / prim::byteSize(type));
    }
    return fmt::format("V_{}(uint64_t(arg.{}) + uint64_t({}) * {}ul).at[0]", prim::name(type),
                       name(buffer), text(index), prim::byteSize(type));
  }

  void fail(const Fail& s, int depth) {
    line(depth, fmt::format("if (halo_claim({}u)) {{", s.site));
    uint32_t number = 0;
    for (size_t k = 0; k < s.operands.size(); k++, number++) {
      std::string value;
      if (isHalf(s.operands[k])) {
        value = fmt::format("ivec2({}, {})", text(s.operands[k]), text(s.operands[k + 1]));
        k++;
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
    std::string value = name(operand.var);
    return isWide(program_.vars[operand.var].type) ? fmt::format("unpackInt2x32({})", value)
                                                   : fmt::format("ivec2({0}, {0} >> 31)", value);
  }

  std::string expr(const Expr& e) {
    return base::match(
        e,
        [&](const Prim& p) {
          std::vector<std::string> args;
          for (const Operand& arg : p.args) args.push_back(text(arg));
          return spell(p.op, p.type, args);
        },
        [&](const Convert& c) { return spellConvert(c.kind, c.from, c.to, text(c.arg)); },
        [&](const Select& s) {
          return fmt::format("{} ? {} : {}", text(s.condition), text(s.on_true), text(s.on_false));
        },
        [&](const Load& l) {
          const BufferInfo& info = program_.buffers[l.buffer];
          bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
          std::string value = element(l.buffer, l.index);
          return in_memory && info.type == ScalarType::kBool ? "(" + value + " != uint8_t(0))"
                                                             : value;
        },
        [&](const BuiltInValue& b) {
          static const char* const kAxis[] = {"x", "y", "z"};
          if (b.what == BuiltIn::kLane || b.what == BuiltIn::kSubgroup) {
            return std::string(builtInName(b.what));
          }
          return fmt::format("{}.{}", builtInName(b.what), kAxis[b.dimension]);
        },
        [&](const Shuffle& s) {
          return fmt::format("{}({}, {})", shuffleName(s.kind), text(s.value), text(s.lane));
        },
        [&](const Fma& f) {
          return fmt::format("fma({}, {}, {})", text(f.a), text(f.b), text(f.c));
        });
  }

  // Arrays take 32-bit indices; a 64-bit one moves the pointer instead.
  std::string element(BufferId buffer, const Operand& index) {
    const BufferInfo& info = program_.buffers[buffer];
    bool in_memory = info.space == Space::kDevice || info.space == Space::kHost;
    std::string base = in_memory ? "arg." + name(buffer) + ".at" : name(buffer);
    if (vectors_.contains(buffer)) {
      return fmt::format("{0}[uint({1}) / 4u][uint({1}) & 3u]", base, text(index));
    }
    ScalarType type = index.isConstant() ? index.constant.type : program_.vars[index.var].type;
    if (index.isConstant() && index.constant.bits < 0x7fffffffu) {
      return fmt::format("{}[{}]", base, index.constant.bits);
    }
    if (!isWide(type)) return fmt::format("{}[{}]", base, text(index));
    if (!in_memory) return fmt::format("{}[uint({})]", base, text(index));
    return fmt::format("B_{0}(uint64_t(arg.{1}) + uint64_t({2}) * {3}ul).at[0]",
                       prim::name(info.type), name(buffer), text(index), prim::byteSize(info.type));
  }

  std::string text(const Operand& operand) {
    return operand.isConstant() ? spell(operand.constant) : name(operand.var);
  }
  std::string typeOf(VarId var) { return typeName(program_.vars[var].type); }
  const char* precision(VarId var) {
    return prim::isFloat(program_.vars[var].type) ? "precise " : "";
  }

  // Two underscores in a row belong to GLSL, and so do its keywords: the id at the end avoids
  // those.
  static std::string clean(const std::string& hint) {
    std::string result;
    for (char c : hint) {
      bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0;
      if (fine) {
        result += c;
      } else if (!result.empty() && result.back() != '_') {
        result += '_';
      }
    }
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) != 0) {
      result = "v" + result;
    }
    while (result.back() == '_') result.pop_back();
    return result;
  }
  std::string name(VarId var) {
    return fmt::format("{}_{}", clean(program_.vars[var].name), var.index);
  }
  std::string name(BufferId buffer) {
    return fmt::format("{}_b{}", clean(program_.buffers[buffer].name), buffer.index);
  }

  const Program& program_;
  const Function& kernel_;
  const GlslOptions& options_;
  std::set<BufferId> vectors_;
  std::string out_;
};

}  // namespace

ArgumentLayout argumentLayout(const Program& program, const Function& kernel) {
  ArgumentLayout layout;
  layout.bytes = ArgumentLayout::kFirst;
  for (size_t i = 0; i < kernel.buffers.size(); i++) {
    layout.buffers.push_back(layout.bytes);
    layout.bytes += 8;
  }
  layout.scalars.resize(kernel.scalars.size());
  layout.scalar_bytes.resize(kernel.scalars.size());
  for (bool wide : {true, false}) {
    for (size_t i = 0; i < kernel.scalars.size(); i++) {
      if (isWide(program.vars[kernel.scalars[i]].type) != wide) continue;
      layout.scalars[i] = layout.bytes;
      layout.scalar_bytes[i] = wide ? 8 : 4;
      layout.bytes += layout.scalar_bytes[i];
    }
  }
  return layout;
}

KernelTypes typesOf(const Program& program, const Function& kernel) {
  KernelTypes types;
  auto note = [&](ScalarType type) {
    types.int8 |= type == ScalarType::kI8 || type == ScalarType::kU8;
    types.int16 |= type == ScalarType::kI16 || type == ScalarType::kU16 || type == ScalarType::kF16;
    types.float16 |= type == ScalarType::kF16;
    types.int64 |= type == ScalarType::kI64 || type == ScalarType::kU64;
    types.float64 |= type == ScalarType::kF64;
  };
  auto notePrim = [&](const Prim& prim) {
    note(prim.type);
    types.mul_hi |= prim.op == prim::Op::kMulHi && prim::bitWidth(prim.type) == 32;
  };
  for (VarId scalar : kernel.scalars) note(program.vars[scalar].type);
  forEachStm(kernel.body, [&](const Stm& stm) {
    if (auto* let = std::get_if<Let>(&stm.node)) {
      note(program.vars[let->var].type);
      if (auto* convert = std::get_if<Convert>(&let->expr)) note(convert->from);
      if (auto* prim = std::get_if<Prim>(&let->expr)) notePrim(*prim);
      if (auto* built_in = std::get_if<BuiltInValue>(&let->expr)) {
        types.subgroups |= built_in->what == BuiltIn::kLane || built_in->what == BuiltIn::kSubgroup;
      }
      types.shuffles |= std::holds_alternative<Shuffle>(let->expr);
    }
    if (auto* atomic = std::get_if<Atomic>(&stm.node)) {
      types.talks |= atomic->op == AtomicOp::kLoad || atomic->op == AtomicOp::kStore;
      types.atomics64 |= prim::byteSize(program.buffers[atomic->buffer].type) == 8;
    }
    if (auto* declare = std::get_if<Declare>(&stm.node)) note(program.vars[declare->var].type);
    if (auto* loop = std::get_if<For>(&stm.node)) note(program.vars[loop->var].type);
  });
  for (BufferId buffer : kernel.buffers) {
    ScalarType type = program.buffers[buffer].type;
    note(type);
    types.int8 |= type == ScalarType::kBool;
    types.storage8 |= prim::byteSize(type) == 1;
    types.storage16 |= prim::byteSize(type) == 2;
  }
  return types;
}

uint32_t sharedBytes(const Program& program, const Function& kernel) {
  uint64_t bytes = 4;  // the printer's own flag
  for (uint32_t index : usedBuffers(kernel)) {
    const BufferInfo& info = program.buffers[BufferId(index)];
    if (info.space != Space::kShared) continue;
    auto size = static_cast<uint64_t>(std::max(prim::byteSize(info.type), 4));
    bytes += size * static_cast<uint64_t>(info.constant_elements);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

std::string printGlsl(const Program& program, const Function& kernel, const GlslOptions& options) {
  return Printer(program, kernel, options).run();
}

}  // namespace halo::gpu

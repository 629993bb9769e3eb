// The text before main(): the header, the block of arguments, types of buffers, shared memory
// and helper functions.
#include <fmt/format.h>

#include "gpu/glsl/emulated_fma.h"
#include "gpu/glsl/names.h"
#include "gpu/glsl/parts.h"
#include "gpu/glsl/spelling.h"
#include "gpu/raise/raise.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;
using prim::ScalarType;

namespace {

class Interface {
 public:
  Interface(const Program& program, const Function& kernel, const GlslOptions& options,
            Names& names)
      : program_(program),
        kernel_(kernel),
        options_(options),
        types_(typesOf(program, kernel)),
        names_(names) {}

  std::string run() {
    header();
    bufferTypes();
    arguments();
    sharedBuffers();
    failure();
    highProducts();
    wholeNumbers();
    fusedProducts();
    return std::move(out_);
  }

 private:
  void header() {
    out_ +=
        "#version 460\n"
        "#extension GL_EXT_buffer_reference2 : require\n"
        "#extension GL_EXT_scalar_block_layout : require\n"
        "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n";
    const KernelTypes& types = types_;
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
    extension(types.talks || types.matrices, "GL_KHR_memory_scope_semantics");
    extension(types.matrices, "GL_NV_cooperative_matrix");
    extension(types.matrices, "GL_NV_integer_cooperative_matrix");
    if (types.talks || types.matrices) out_ += "#pragma use_vulkan_memory_model\n";
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
    // NMin and NMax: GLSL's own know nothing of NaN, and take tiny numbers for zero on NVIDIA.
    if (types.extrema_f32) {
      for (const char* each : {"79) float halo_min", "80) float halo_max"}) {
        lines += fmt::format(
            "spirv_instruction(set = \"GLSL.std.450\", id = {}(float a, float b);\n", each);
      }
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
      } else if (auto* op = std::get_if<MatrixOp>(&stm.node);
                 op != nullptr && op->memory.valid() &&
                 program_.buffers[op->memory].space == Space::kDevice) {
        types.insert(ScalarType::kU32);  // whatever they hold: matrices know no vectors of floats
      }
    });
    return types;
  }

  void arguments() {
    std::string fields =
        "  Failure halo_failure;\n"
        "  uint halo_offset_x, halo_offset_y, halo_offset_z;\n"
        "  uint halo_groups_x, halo_groups_y, halo_groups_z;\n";
    for (BufferId buffer : kernel_.buffers) {
      fields +=
          fmt::format("  B_{} {};\n", prim::name(program_.buffers[buffer].type), names_.of(buffer));
    }
    for (bool wide : {true, false}) {
      for (VarId scalar : kernel_.scalars) {
        ScalarType type = program_.vars[scalar].type;
        if (isWide(type) == wide) {
          fields += fmt::format("  {} {};\n", argumentType(type), names_.of(scalar));
        }
      }
    }
    if (canFail(kernel_.body)) fields += "  uint halo_first_site;\n";
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
    const std::set<BufferId> vectors = sharedVectors(program_, kernel_);
    for (uint32_t index : usedBuffers(kernel_)) {
      const BufferId id(index);
      const BufferInfo& info = program_.buffers[id];
      if (info.space != Space::kShared) continue;
      bool in_vectors = vectors.contains(id);
      out_ += fmt::format(
          "shared {} {}[{}];\n", in_vectors ? vectorName(info.type) : typeName(info.type),
          names_.of(id),
          in_vectors ? info.constant_elements / componentsOf(info.type) : info.constant_elements);
    }
    if (hasBarrier(kernel_.body)) out_ += "shared uint halo_stop;\n";
  }
  void failure() {
    if (!canFail(kernel_.body)) return;
    out_ +=
        "bool halo_claim(uint site) {\n"
        "  return atomicCompSwap(arg.halo_failure.word[0], 0u, arg.halo_first_site + site + 1u) == "
        "0u;\n"
        "}\n"
        "void halo_operand(uint k, ivec2 value) {\n"
        "  arg.halo_failure.word[2u + 2u * k] = uint(value.x);\n"
        "  arg.halo_failure.word[3u + 2u * k] = uint(value.y);\n"
        "}\n";
  }

  void highProducts() {
    if (!types_.mul_hi) return;
    out_ +=
        "uint halo_mul_hi(uint a, uint b) { uint high, low; umulExtended(a, b, high, low); return "
        "high; }\n"
        "int halo_mul_hi(int a, int b) { int high, low; imulExtended(a, b, high, low); return "
        "high; "
        "}\n";
  }

  // roundEven(1.5) is 1.0 and trunc(-0.5) is 0.0 on Mesa 22.3's lavapipe where vectors of f64 have
  // more bits than the processor's. Adding 2^52 rounds to whole numbers; the sign is the
  // argument's.
  void wholeNumbers() {
    if (!types_.whole_f64) return;
    out_ +=
        "double halo_signed_as(double magnitude, double x) {\n"
        "  uvec2 bits = unpackDouble2x32(magnitude);\n"
        "  uint sign = unpackDouble2x32(x).y & 0x80000000u;\n"
        "  return packDouble2x32(uvec2(bits.x, (bits.y & 0x7fffffffu) | sign));\n"
        "}\n"
        "double halo_trunc(double x) { return halo_signed_as(trunc(x), x); }\n"
        "double halo_round_even(double x) {\n"
        "  double magnitude = abs(x);\n"
        "  precise double large = magnitude + 4503599627370496.0lf;\n"
        "  precise double whole = large - 4503599627370496.0lf;\n"
        "  return halo_signed_as(magnitude < 4503599627370496.0lf ? whole : magnitude, x);\n"
        "}\n";
  }

  void fusedProducts() {
    if (options_.fuses) return;
    if (types_.fma_f32) out_ += fmaOfF32();
    if (types_.fma_f64) out_ += fmaOfF64();
  }

  const Program& program_;
  const Function& kernel_;
  const GlslOptions& options_;
  const KernelTypes types_;
  Names& names_;
  std::string out_;
};

}  // namespace

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

std::string printInterface(const Program& program, const Function& kernel,
                           const GlslOptions& options, Names& names) {
  return Interface(program, kernel, options, names).run();
}

}  // namespace halo::gpu

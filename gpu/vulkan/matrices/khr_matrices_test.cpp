// The form of the module, and modules without matrices.
#include "gpu/vulkan/matrices/khr_matrices.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gpu/vulkan/matrices/spirv.h"
#include "gpu/vulkan/pipeline.h"

namespace halo::gpu::vulkan {
namespace {

constexpr char kHead[] = R"(#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#pragma use_vulkan_memory_model
layout(local_size_x = 32) in;
shared uvec4 words[128];
)";

std::vector<uint32_t> compiled(const std::string& text) {
  auto code = compileGlsl(kHead + text, "matrices", false);
  REQUIRE(code);
  return *code;
}

// The instructions with this operation, as words without the first.
std::vector<std::vector<uint32_t>> all(const std::vector<uint32_t>& code, uint32_t op) {
  std::vector<std::vector<uint32_t>> found;
  forEachInstruction(code, [&](uint32_t one, std::span<const uint32_t> words) {
    if (one == op) found.emplace_back(words.begin() + 1, words.end());
  });
  return found;
}

std::string product(const char* type, const char* element, const char* a, const char* b) {
  return fmt::format(R"(void main() {{
  {0}<{1}, gl_ScopeSubgroup, 16, 16> a, b;
  {0}<32, gl_ScopeSubgroup, 16, 16> sum = {0}<32, gl_ScopeSubgroup, 16, 16>(0);
  coopMatLoadNV(a, words, 0, 2, false);
  coopMatLoadNV(b, words, 32, 2, true);
  sum = coopMatMulAddNV({2}, {3}, sum);
  coopMatStoreNV(sum, words, 64, 4, false);
}})",
                     type, element, a, b);
}

}  // namespace

TEST_CASE("matrices in the KHR form: each type names its operand") {
  const std::vector<uint32_t> nv = compiled(product("fcoopmatNV", "16", "a", "b"));
  const auto code = khrMatrices(nv);
  REQUIRE(code);
  for (uint32_t op = 5358; op <= 5362; ++op) CHECK(all(*code, op).empty());
  const auto loads = all(*code, 4457), products = all(*code, 4459), stores = all(*code, 4458);
  REQUIRE(loads.size() == 2);
  REQUIRE(products.size() == 1);
  REQUIRE(stores.size() == 1);
  CHECK(loads[0][0] != loads[1][0]);  // types of a and b
  CHECK(loads[0][3] != loads[1][3]);  // by rows, by columns
  CHECK(products[0].back() == 0);     // nothing has a sign
  CHECK((*code)[3] > nv[3]);          // new ids
  const auto types = all(*code, 4456);
  CHECK(types.size() == 6);  // f16 and f32, by operand
}

TEST_CASE("matrices in the KHR form: elements with a sign") {
  const auto code = khrMatrices(compiled(product("icoopmatNV", "8", "a", "b")));
  REQUIRE(code);
  CHECK(all(*code, 4459)[0].back() == 15);
}

TEST_CASE("matrices in the KHR form: a matrix is one operand") {
  CHECK(!khrMatrices(compiled(product("fcoopmatNV", "16", "a", "a"))));
}

TEST_CASE("matrices in the KHR form: other modules stay") {
  const std::vector<uint32_t> code = compiled("void main() { words[0].x = 1; }");
  CHECK(khrMatrices(code) == code);
}

}  // namespace halo::gpu::vulkan

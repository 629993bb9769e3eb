// Single sums made of their parts.
#include <fmt/format.h>

#include <algorithm>

#include "api/objects.h"

namespace halo::api {
namespace {

using value::Value;

// Zeros, which equality of sums in compiled code relies on; without elements, if an array.
diag::Result<Value> unused(const halo_type::Leaf& leaf) {
  if (leaf.rank == 0) return Value(prim::zero(leaf.scalar));
  auto array = value::makeArray(leaf.scalar, std::vector<int64_t>(leaf.rank, 0));
  if (!array) return diag::Failure(array.error());
  return Value(std::move(*array));
}

std::string neededBy(const halo_type& type, size_t constructor) {
  std::string text = "`#" + type.names[constructor] + "` takes ";
  if (type.payloads[constructor].empty()) return text + "no value";
  for (size_t i = 0; i < type.payloads[constructor].size(); ++i) {
    text += (i == 0 ? "`" : ", `") + type.payloads[constructor][i].text + "`";
  }
  return text;
}

// The leaves of the payload, or nothing where they are not those of the constructor.
std::optional<std::vector<Value>> payloadLeaves(const halo_type& type, size_t constructor,
                                                halo_value* const* payload, size_t count) {
  if (count != type.payloads[constructor].size()) return std::nullopt;
  const size_t tags = type.sum->has_tag ? 1 : 0;
  const std::vector<size_t>& slots = type.sum->slot_of_leaf[constructor];
  std::vector<Value> leaves;
  for (size_t i = 0; i < count; ++i) {
    for (Value& leaf : value::flatten(payload[i]->value)) leaves.push_back(std::move(leaf));
  }
  if (leaves.size() != slots.size()) return std::nullopt;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const halo_type::Leaf& wanted = type.leaves[slots[k] + tags];
    const auto rank = static_cast<size_t>(wanted.rank);
    if (!value::isLeaf(leaves[k], wanted.scalar, rank)) return std::nullopt;
  }
  return leaves;
}

diag::Result<value::Sum> sumOf(const halo_type& type, size_t constructor,
                               const std::vector<Value>& own) {
  value::Sum sum{type.sum, 0, {}};
  for (const halo_type::Leaf& leaf : type.leaves) {
    auto zero = unused(leaf);
    if (!zero) return diag::Failure(zero.error());
    sum.leaves.push_back(std::move(*zero));
  }
  if (type.sum->has_tag) {
    sum.leaves[0] = prim::Scalar::ofUnsigned(type.leaves[0].scalar, constructor);
  }
  const std::vector<size_t>& slots = type.sum->slot_of_leaf[constructor];
  for (size_t k = 0; k < own.size(); ++k) {
    sum.leaves[slots[k] + (type.sum->has_tag ? 1 : 0)] = own[k];
  }
  return sum;
}

}  // namespace
}  // namespace halo::api

using namespace halo::api;

extern "C" halo_status halo_sum(halo_context* context, const halo_type* type,
                                const char* constructor, halo_value* const* payload, size_t count,
                                halo_value** out, halo_error** error) {
  return guarded(
      error, {{"context", context}, {"type", type}, {"constructor", constructor}, {"out", out}},
      [&] {
        if (type->kind != HALO_SUM || type->rank > 0) return misuse(error, "this is no sum type");
        const auto found = std::find(type->names.begin(), type->names.end(), constructor);
        if (found == type->names.end()) {
          return misuse(error,
                        fmt::format("`{}` has no constructor `#{}`", type->text, constructor));
        }
        const auto which = static_cast<size_t>(found - type->names.begin());
        const auto leaves = payloadLeaves(*type, which, payload, count);
        if (!leaves) return misuse(error, neededBy(*type, which));
        auto sum = sumOf(*type, which, *leaves);
        if (!sum) return fail(error, sum.error());
        *out = newValue(context->state, halo::value::Value(std::move(*sum)));
        return HALO_OK;
      });
}

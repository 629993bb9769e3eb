// Keys are hashes of the statement's text with its names numbered in order.
#include "gpu/plan/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <unordered_map>

#include "lang/base/fnv.h"
#include "lang/core/text.h"

namespace halo::gpu {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Printed values are words that end in their number: `xs_14`.
bool isValue(const std::string& word) {
  size_t digits = 0;
  while (digits < word.size() && std::isdigit(word[word.size() - 1 - digits]) != 0) digits++;
  return digits > 0 && digits + 1 < word.size() && word[word.size() - 1 - digits] == '_' &&
         std::isdigit(word[0]) == 0;
}

}  // namespace

std::string keyOf(const core::Program& program, const core::Stm& stm) {
  const std::string text = core::print(program, stm);
  std::unordered_map<std::string, size_t> numbers;
  std::string plain;
  for (size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      if (std::isspace(static_cast<unsigned char>(text[i])) == 0) plain += text[i];
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isWord(text[end])) end++;
    std::string word = text.substr(i, end - i);
    if (isValue(word)) {
      plain += fmt::format("%{}", numbers.try_emplace(word, numbers.size()).first->second);
    } else {
      plain += word;
    }
    plain += ' ';
    i = end;
  }
  return fmt::format("{:016x}", base::fnv1a(plain));
}

Variants Variants::of(const core::Program& program, const core::Stm& stm,
                      const std::vector<std::string>& names) const {
  if (!forced.empty() || (tuned.empty() && !offer)) return *this;
  Variants own = *this;
  own.key = keyOf(program, stm);
  own.canBe(names);
  auto found = tuned.find(own.key);
  if (found == tuned.end()) return own;
  const std::string& text = found->second;
  // A nest may be known by the name of a schedule of its kernel, should it become one.
  bool is_another =
      !names.empty() && !text.empty() && std::find(names.begin(), names.end(), text) == names.end();
  if (is_another) return own;
  setForced(own, text);
  own.is_tuned = true;
  return own;
}

namespace {

struct NamedVariant {
  const char* name;
  const char* meaning;  // docs/gpu.md explains each
};

constexpr NamedVariant kVariants[] = {
    {"direct", "stencils: one cell for each invocation"},
    {"rows", "stencils: register tile"},
    {"unaligned", "stencils: register tile over unaligned rows"},
    {"tiles", "loops of stencils: overlapped tile in shared memory"},
    {"plane_stream", "loops of stencils: streaming in the plane"},
    {"space_stream", "loops of stencils: streaming in space"},
    {"distribute", "cells: each parallel statement a kernel of its own"},
    {"group", "cells: a workgroup for each"},
    {"products", "matrix products: tiles"},
    {"matrices", "matrix products: cooperative matrices"},
    {"split", "matrix products: tiles of chunks"},
    {"batches", "small matrix products: several in a workgroup"},
    {"transpose", "copies along another axis: tiles in shared memory"},
    {"atomics", "histograms: atomic operations on bins"},
    {"claims", "histograms: ordered shared bins"},
    {"ranges", "histograms: partitioned bins"},
    {"tables", "histograms: tables of a workgroup"},
    {"sorted", "histograms: sort and reduce by key"},
    {"one_pass", "scans: decoupled look-back; sorts: Onesweep"},
    {"compact", "scans of flags that a scatter consumes: compaction"},
    {"whole_rows", "scans: whole segments in a tile"},
    {"columns",
     "scans along a strided axis: one column for each invocation; sums of columns: whole rows"},
    {"column_tiles", "scans along a strided axis: tiles"},
    {"column_vectors", "scans along a strided axis: four columns for each invocation"},
    {"lanes", "a run of lanes for each segment, cell or tile of keys; private bins"},
    {"chunks", "reductions: workgroups for each segment"},
    {"together", "reductions: tiles of segments that share loads"},
    {"vectors", "maps: several neighbours for each invocation"},
    {"staged", "maps: rows that are read across go through shared memory"},
    {"short_rows", "cells with short rows: these pass through shared memory"},
    {"carried", "sorts: elements that go along with their keys"},
    {"steps", "loops of stencils on the CPU: time tiling"},
    {"single", "one step, one element or one vector at a time where more are possible"},
    {"plain", "the simplest schedule of a kernel"},
};

}  // namespace

const std::vector<std::string>& variantNames() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const NamedVariant& variant : kVariants) names.emplace_back(variant.name);
    return names;
  }();
  return kNames;
}

std::string variantsText() {
  std::string text;
  for (const NamedVariant& variant : kVariants) {
    text += fmt::format("  {:<15} {}\n", variant.name, variant.meaning);
  }
  return text;
}

constexpr size_t kMaxDigits = 9;

std::string wrongVariant(const std::string& text) {
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  const std::vector<std::string>& names = variantNames();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return "no variant is called " + name;
  }
  if (colon == std::string::npos) return "";
  bool are_numbers = text.find_first_not_of("0123456789,", colon + 1) == std::string::npos;
  for (size_t at = colon; at != std::string::npos; at = text.find(',', at + 1)) {
    if (std::min(text.find(',', at + 1), text.size()) - at > kMaxDigits + 1) {
      return fmt::format("needed numbers of at most {} digits", kMaxDigits);
    }
  }
  return are_numbers ? "" : "needed numbers and commas behind the colon";
}

void setForced(Variants& variants, const std::string& text) {
  size_t colon = text.find(':');
  variants.forced = text.substr(0, colon);
  while (colon != std::string::npos) {
    variants.numbers.push_back(std::strtoll(text.c_str() + colon + 1, nullptr, 10));
    colon = text.find(',', colon + 1);
  }
}

}  // namespace halo::gpu

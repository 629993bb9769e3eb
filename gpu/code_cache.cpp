// A file holds the hash of its key and the code as an archive. Kernels of one text share it: the
// variants with 32- and 64-bit indices often do, and the kernels of two calls.
#include "gpu/code_cache.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lang/base/archive.h"
#include "lang/base/build_id.h"
#include "lang/base/cache_folder.h"
#include "lang/base/phase.h"

namespace halo::imp {

template <typename AnyFunction, typename Visit>
requires std::is_same_v<std::remove_const_t<AnyFunction>, Function>
void forEachField(AnyFunction& function, Visit&& visit) {
  visit(function.name);
  visit(function.kind);
  visit(function.is_entry);
  visit(function.buffers);
  visit(function.scalars);
  visit(function.entry_params);
  visit(function.size_params);
  visit(function.size_results);
  visit(function.body);
  visit(function.results);
  visit(function.result_vars);
  visit(function.result_buffers);
  for (auto& size : function.workgroup) visit(size);
  visit(function.concurrent);
}

template <typename AnyOperand, typename Visit>
requires std::is_same_v<std::remove_const_t<AnyOperand>, Operand>
void forEachField(AnyOperand& operand, Visit&& visit) {
  visit(operand.var);
  visit(operand.constant);
}

}  // namespace halo::imp

namespace halo::core {

template <typename AnyOperand, typename Visit>
requires std::is_same_v<std::remove_const_t<AnyOperand>, Operand>
void forEachField(AnyOperand& operand, Visit&& visit) {
  visit(operand.value);
  visit(operand.constant);
}

}  // namespace halo::core

namespace halo::gpu {

// Without the pipeline, which belongs to a process, and the text, which others may have as well.
// Calls need no other part of the function.
template <typename AnyVariant, typename Visit>
requires std::is_same_v<std::remove_const_t<AnyVariant>, KernelVariant>
void forEachField(AnyVariant& variant, Visit&& visit) {
  visit(variant.function.name);
  visit(variant.function.concurrent);
  visit(variant.layout);
  visit(variant.scalars);
  visit(variant.first_site);
  visit(variant.may_fail);
  visit(variant.types);
  visit(variant.shared_bytes);
}

namespace {

constexpr char kMagic[] = "halo device code 1\n";

struct Content {
  std::string key;  // XXH3 with another seed than the file's name
  DeviceCode code;
  std::vector<std::string> texts;  // each once
  std::vector<size_t> text_of;     // by variant: narrow and wide ones alternate
};

void putTexts(Content& content) {
  std::unordered_map<std::string_view, size_t> known;
  for (const Kernel& kernel : content.code.kernels) {
    for (const KernelVariant* variant : {&kernel.narrow, &kernel.wide}) {
      auto [found, is_new] = known.try_emplace(variant->glsl, content.texts.size());
      if (is_new) content.texts.push_back(variant->glsl);
      content.text_of.push_back(found->second);
    }
  }
}

bool takeTexts(Content& content) {
  if (content.text_of.size() != content.code.kernels.size() * 2) return false;
  auto next = content.text_of.begin();
  for (Kernel& kernel : content.code.kernels) {
    for (KernelVariant* variant : {&kernel.narrow, &kernel.wide}) {
      if (*next >= content.texts.size()) return false;
      variant->glsl = content.texts[*next++];
    }
  }
  return true;
}

std::string hashOf(const std::string& bytes, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

void putFeatures(base::ArchiveWriter& writer, const vulkan::Features& features) {
  for (const vulkan::FeatureRow& row : vulkan::featureRows()) {
    std::visit([&](auto field) { writer.put(features.*field); }, row.field);
  }
}

}  // namespace

CodeCache::CodeCache() : folder_(base::cacheFolder("code")) {}

std::string CodeCache::keyOf(const CodeRequest& request) {
  const std::string build = base::buildId();
  if (build.empty()) return "";
  const Variants variants = variantsOf(request.features, request.options);
  base::ArchiveWriter writer;
  writer.put(build);
  writer.put(request.lowered);
  writer.put(request.entry);
  writer.put(static_cast<const Limits&>(variants));
  writer.put(static_cast<const Request&>(variants));
  writer.put(request.options.float_mode);
  writer.put(targetOf(request.features));
  writer.put(glslOptionsOf(request.features));
  putFeatures(writer, request.features);
  writer.put(request.tuning);
  return writer.bytes();
}

std::string CodeCache::path(const std::string& key) const { return folder_ + "/" + hashOf(key, 0); }

std::optional<DeviceCode> CodeCache::find(const std::string& key) const {
  if (folder_.empty() || key.empty()) return std::nullopt;
  const base::Phase phase("read device code");
  const std::string bytes = vulkan::readCacheFile(path(key), kMagic);
  base::ArchiveReader reader(bytes);
  Content content;
  reader.get(content);
  if (!reader.isRight() || content.key != hashOf(key, 1)) return std::nullopt;
  if (!takeTexts(content)) return std::nullopt;
  return std::move(content.code);
}

void CodeCache::store(const std::string& key, const DeviceCode& code) const {
  if (folder_.empty() || key.empty()) return;
  const base::Phase phase("write device code");
  Content content{hashOf(key, 1), code, {}, {}};
  putTexts(content);
  base::ArchiveWriter writer;
  writer.put(content);
  vulkan::writeCacheFile(path(key), kMagic, writer.bytes());
}

}  // namespace halo::gpu

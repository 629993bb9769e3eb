#include "cli/lsp/documents.h"

#include "cli/lsp/mend.h"

namespace halo::lsp {

void Documents::touch(const std::string& uri) {
  const std::string path = canonical(pathOfUri(uri));
  for (auto& [other, document] : map_) {
    const bool reads = other != uri && document.latest && document.latest->reads(path);
    if (reads) document.changedBeside();
  }
}

Texts Documents::textsBeside(const std::string& uri) const {
  Texts texts;
  for (const auto& [other, document] : map_) {
    if (other != uri) texts[canonical(pathOfUri(other))] = document.text;
  }
  return texts;
}

OpenTexts Documents::openBeside(const std::string& uri) const {
  OpenTexts others;
  for (const auto& [other, document] : map_) {
    if (other != uri && document.latest) others.push_back({*document.latest, other});
  }
  return others;
}

void Documents::analyse(const std::string& uri, Document& document) const {
  document.is_dirty = false;
  const auto begin = std::chrono::steady_clock::now();
  auto analysis = lsp::analyse(pathOfUri(uri), document.text, textsBeside(uri),
                               {.imports = document.latest ? document.latest->imports : nullptr});
  document.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  if (analysis->environment) document.is_alone = true;
  document.partial = nullptr;
  document.is_mending_tried = false;
  if (document.latest && document.latest->environment) {
    document.last_good = std::move(document.latest);
  }
  document.latest = std::move(analysis);
}

void Documents::mend(const std::string& uri, Document& document) const {
  if (!document.latest || document.latest->environment || document.is_mending_tried) return;
  document.is_mending_tried = true;
  document.partial =
      analysePartly(pathOfUri(uri), document.text, textsBeside(uri), *document.latest);
}

}  // namespace halo::lsp

#include "cli/lsp/capabilities.h"

#include "cli/lsp/tokens.h"
#include "lang/base/version.h"

namespace halo::lsp {

Json capabilities(Encoding encoding) {
  return {{"serverInfo", {{"name", "halo"}, {"version", base::version()}}},
          {"capabilities",
           {{"positionEncoding", encoding == Encoding::kUtf8 ? "utf-8" : "utf-16"},
            {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentHighlightProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"documentFormattingProvider", true},
            {"documentSymbolProvider", true},
            {"foldingRangeProvider", true},
            {"completionProvider",
             {{"triggerCharacters", {".", "#", "\""}}, {"resolveProvider", true}}},
            {"signatureHelpProvider", {{"triggerCharacters", {" ", "("}}}},
            {"inlayHintProvider", true},
            {"semanticTokensProvider", {{"legend", tokenLegend()}, {"full", true}}},
            {"codeActionProvider", true},
            {"codeLensProvider", Json::object()},
            {"executeCommandProvider", {{"commands", {"halo.evaluate"}}}}}}};
}

}  // namespace halo::lsp

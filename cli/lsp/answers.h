// The methods' answers, as JSON of the protocol. A Place is where the question was asked, in the
// text as it is now; the program may be of an earlier one.
#pragma once

#include "cli/lsp/analysis.h"
#include "cli/lsp/names/names.h"
#include "cli/lsp/text.h"

namespace halo::lsp {

struct Place {
  const Analysis& analysis;  // with a program
  const Lines& lines;        // of the text as it is now
  std::string uri;
  Encoding encoding;
  uint32_t offset;                             // within that text
  Carry to = {lines.text(), analysis.text};    // into the text of the analysis
  Carry from = {analysis.text, lines.text()};  // and back
  std::string_view text() const { return lines.text(); }
};

// The name or expression at the place.
std::optional<Found> foundAt(const Place& place);

// What was found in a file; `lines` of its text.
struct Findings {
  const source::Files& files;
  source::FileId file;
  const diag::Sink& sink;
};
Json diagnosticsOf(const Findings& found, const Lines& lines, const std::string& uri);
Json hover(const Place& place);
Json definition(const Place& place);
// Another open text, which may read the same files.
struct OpenText {
  const Analysis& analysis;  // of the text as it is, perhaps with errors
  std::string uri;
};
using OpenTexts = std::vector<OpenText>;
Json references(const Place& place, const OpenTexts& others);
Json highlights(const Place& place);  // the references in the text itself
// The new name in all files of the program and of others that are open (rename.cpp); a problem when
// that cannot be done.
struct Renamed {
  Json edit;
  std::string problem;
};
Renamed rename(const Place& place, const std::string& name, const OpenTexts& others);
// Where the name to be changed stands, and its text.
Renamed prepareRename(const Place& place);
// An item of a completion with its documentation.
Json resolved(const Analysis& analysis, Json item, const std::string& name);
Json signature(const Place& place, const Texts& texts);  // signature.cpp; `texts` of other files
Json symbols(const Place& place);
Json folds(const Place& place);  // declarations of several lines
// A stage of the compiler for the entry or function at the place, as `halo dump` prints it.
struct StageText {
  std::string text;
  std::string problem;
};
StageText stageAt(const Place& place, const std::string& stage);
// What diagnostics say to write (actions.cpp).
Json codeActions(const Json& diagnostics, const Lines& lines, const std::string& uri);
// The edit that lays the text out as `halo fmt` does; null for one that does not parse.
Json formatting(const Lines& lines);

}  // namespace halo::lsp

// Laws of every text of Core and Imp: none ends the process, and a valid program reads back from
// its print as a valid program with the same print. Programs that the verifier rejects need not
// print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/core/rules/verify.h"
#include "lang/core/text.h"
#include "lang/imp/text.h"

namespace halo::test {

inline const std::vector<std::string_view> kCoreWords = {
    " [n_1]", " i64",  " f32",     " bool",   " x_1",    " n_1",  " 0i64", " -1i64",
    " 3i64",  " {",    " }",       " (",      " )",      " ->",   " =",    " map",
    " scan",  " :",    " reduce",  " return", " screma", " *",    ",",     " update",
    " iota",  " if",   " stencil", " match",  " concat", " copy", " loop", " index",
    " for",   " call", " while",   " slice",  " assert", " [2]",  " @1:1", " i64.add x_1 x_1",
    "\n"};

inline const std::vector<std::string_view> kImpWords = {
    " i64",   " f32",    " bool",    " u8",   " x_1",    " n_1",   " 0i64",   " -1i64",
    " 3i64",  " {",      " }",       " (",    " )",      " =",     " for",    " while",
    " if",    " else",   " store",   " load", " alloc",  " host",  " device", " shared",
    " call",  " return", " barrier", " :",    " assert", " +",     " *",      " private",
    " index", " copy",   ",",        "\n",    " @1:1",   " vector"};

template <typename Parse, typename Print, typename Verify>
std::string brokenTextLaw(const std::string& text, Parse parse, Print print, Verify verify) {
  source::Files files;
  const auto program = parse(files, files.add("text", text));
  if (!program) {
    diag::render(program.error(), files);  // copes with every span
    return "";
  }
  if (!verify(*program)) return "";
  const std::string printed = print(*program);
  const auto again = parse(files, files.add("printed", printed));
  if (!again) return "does not read back:\n" + diag::render(again.error(), files);
  if (print(*again) != printed) return "reads back as another program:\n" + printed;
  return verify(*again) ? "" : "not valid when it is read back:\n" + printed;
}

// The first law that the text breaks, or nothing.
inline std::string brokenCoreLaw(const std::string& text) {
  const auto print = [](const core::Program& program) { return core::print(program); };
  return brokenTextLaw(text, core::parse, print, core::verify);
}

inline std::string brokenImpLaw(const std::string& text) {
  const auto print = [](const imp::Program& program) { return imp::print(program); };
  return brokenTextLaw(text, imp::parse, print, imp::verify);
}

}  // namespace halo::test

#include "cli/junit.h"

#include <algorithm>
#include <cstdio>

namespace halo::cli {
namespace {

// XML has no way to write most control characters.
std::string xmlText(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string junitText(const std::string& suite, const std::vector<JunitCase>& cases) {
  const auto count = [&](auto is) {
    return std::to_string(std::count_if(cases.begin(), cases.end(), is));
  };
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"" + xmlText(suite) +
      "\" tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
      count([](const JunitCase& one) { return !one.failures.empty(); }) + "\" skipped=\"" +
      count([](const JunitCase& one) { return one.is_skipped; }) + "\">\n";
  for (const JunitCase& one : cases) {
    out +=
        "  <testcase classname=\"" + xmlText(one.group) + "\" name=\"" + xmlText(one.name) + "\"";
    if (one.failures.empty() && !one.is_skipped) {
      out += "/>\n";
      continue;
    }
    out += ">\n";
    for (const std::string& failure : one.failures) {
      out += "    <failure message=\"" + xmlText(firstLine(failure)) + "\">" + xmlText(failure) +
             "</failure>\n";
    }
    if (one.is_skipped) out += "    <skipped/>\n";
    out += "  </testcase>\n";
  }
  return out + "</testsuite>\n";
}

std::string jsonText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string jsonList(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + jsonText(text);
  return "[" + out + "]";
}

}  // namespace halo::cli

#include "cli/profile/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace halo::cli {

namespace {

constexpr char kHead[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Halo profile</title><style>
body { font: 15px sans-serif; margin: 2em; }
table { border-collapse: collapse; }
td, th { padding: 1px 8px; text-align: right; white-space: pre; }
td.code, th.code { text-align: left; font-family: monospace; }
td.share { background: linear-gradient(90deg, #ffb080 var(--share), transparent 0); min-width: 5em; }
</style></head><body>
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

struct Cost {
  double us = 0;
  uint64_t times = 0;
  void add(const engine::ProfileEvent& event) {
    us += event.us;
    ++times;
  }
};

class Page {
 public:
  Page(const engine::Profile& profile, const source::Files& files) : files_(files) {
    for (const engine::ProfileEvent& event : profile.events) {
      if (event.track != 0) continue;  // threads work at the time of the call
      total_ += event.us;
      parts_[event.name].add(event);
      if (!event.span.file.valid() || !files.contains(event.span.file)) continue;
      const auto line = files.locate(event.span.file, event.span.begin).line;
      lines_[event.span.file.index][line].add(event);
    }
  }

  std::string text() {
    text_ = kHead;
    parts();
    for (const auto& [file, costs] : lines_) source(source::FileId(file), costs);
    return text_ + "</body></html>\n";
  }

 private:
  std::string cells(const Cost& cost) const {
    const double share = total_ > 0 ? 100 * cost.us / total_ : 0;
    return fmt::format(
        "<td class=share style=\"--share: {:.1f}%\">{:.1f} %</td><td>{:.1f}</td><td>{}</td>", share,
        share, cost.us, cost.times);
  }

  void parts() {
    std::vector<std::pair<std::string, Cost>> rows(parts_.begin(), parts_.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second.us > b.second.us; });
    text_ +=
        "<h2>Parts</h2>\n<table><tr><th>share</th><th>us</th><th>times</th>"
        "<th class=code>part</th></tr>\n";
    for (const auto& [name, cost] : rows) {
      text_ += fmt::format("<tr>{}<td class=code>{}</td></tr>\n", cells(cost), escaped(name));
    }
    text_ += "</table>\n";
  }

  void source(source::FileId file, const std::map<uint32_t, Cost>& costs) {
    text_ += fmt::format(
        "<h2>{}</h2>\n<table><tr><th>line</th><th>share</th><th>us</th><th>times</th>"
        "<th class=code>source</th></tr>\n",
        escaped(files_[file].name));
    const std::string& text = files_[file].text;
    const auto count = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (uint32_t line = 1; line <= count; ++line) {
      const auto found = costs.find(line);
      text_ +=
          fmt::format("<tr><td>{}</td>{}<td class=code>{}</td></tr>\n", line,
                      found != costs.end() ? cells(found->second) : "<td></td><td></td><td></td>",
                      escaped(files_.line(file, line)));
    }
    text_ += "</table>\n";
  }

  const source::Files& files_;
  double total_ = 0;
  std::map<std::string, Cost> parts_;
  std::map<uint32_t, std::map<uint32_t, Cost>> lines_;  // by file and line
  std::string text_;
};

}  // namespace

std::string profileHtml(const engine::Profile& profile, const source::Files& files) {
  return Page(profile, files).text();
}

}  // namespace halo::cli

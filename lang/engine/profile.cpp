// Tables and traces.
#include "lang/engine/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace halo::engine {
namespace {

std::string place(const source::Files& files, source::Span span) {
  if (!span.file.valid() || !files.contains(span.file)) return "";
  return fmt::format("{}:{}", files[span.file].name, files.locate(span.file, span.begin).line);
}

std::string sourceLine(const source::Files& files, source::Span span) {
  if (!span.file.valid() || !files.contains(span.file)) return "";
  std::string line(files.line(span.file, files.locate(span.file, span.begin).line));
  line.erase(0, line.find_first_not_of(" \t"));
  constexpr size_t kMax = 48;
  if (line.size() > kMax) line = line.substr(0, kMax - 2) + "..";
  return line;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= ' ') result += c;
  }
  return result + "\"";
}

struct Row {
  std::string name;
  source::Span span;
  double us = 0;
  uint64_t times = 0;
};

std::vector<Row> rowsOf(const Profile& profile) {
  std::map<std::string, Row> by_name;
  for (const ProfileEvent& event : profile.events) {
    if (event.track != 0) continue;
    Row& row = by_name[event.name];
    row.name = event.name;
    row.span = event.span;
    row.us += event.us;
    ++row.times;
  }
  std::vector<Row> rows;
  for (auto& [name, row] : by_name) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.us > b.us; });
  return rows;
}

}  // namespace

std::string profileText(const Profile& profile, const source::Files& files) {
  const std::vector<Row> rows = rowsOf(profile);
  double total = 0;
  for (const Row& row : rows) total += row.us;
  std::string text = fmt::format("{:>12} {:>6} {:>8} {:>10}  {:<24} {}\n", "us", "share", "times",
                                 "us each", "part", "source");
  for (const Row& row : rows) {
    text += fmt::format("{:>12.1f} {:>5.1f}% {:>8} {:>10.2f}  {:<24} {}  {}\n", row.us,
                        total > 0 ? 100 * row.us / total : 0, row.times,
                        row.us / static_cast<double>(row.times), row.name, place(files, row.span),
                        sourceLine(files, row.span));
  }
  text += fmt::format("{} call{}", profile.calls, profile.calls == 1 ? "" : "s");
  if (profile.submits == 0) return text + "\n";  // no device
  double calls = static_cast<double>(std::max<uint64_t>(profile.calls, 1));
  auto each = [&](uint64_t count) { return static_cast<double>(count) / calls; };
  const auto downloads = static_cast<uint64_t>(
      std::count_if(profile.events.begin(), profile.events.end(),
                    [](const ProfileEvent& event) { return event.name == "download"; }));
  text += fmt::format(
      ", each {:.4g} launches, {:.4g} copies, {:.4g} barriers, {:.4g} submits, {:.4g} "
      "waits, {:.4g} downloads, {:.6g} bytes up, {:.6g} bytes down\n",
      each(profile.launches), each(profile.copies), each(profile.barriers), each(profile.submits),
      each(profile.waits), each(downloads), each(profile.bytes_up), each(profile.bytes_down));
  return text;
}

std::string profileJson(const Profile& profile, const source::Files& files) {
  std::string text = "{\"traceEvents\": [";
  const char* separator = "\n";
  for (const ProfileEvent& event : profile.events) {
    text += fmt::format(
        "{}{{\"name\": {}, \"ph\": \"X\", \"ts\": {:.3f}, \"dur\": {:.3f}, \"pid\": 1, \"tid\": "
        "{}, "
        "\"args\": {{\"source\": {}, \"line\": {}, \"bytes\": {}}}}}",
        separator, quoted(event.name), event.begin_us, event.us, event.track + 1,
        quoted(place(files, event.span)), quoted(sourceLine(files, event.span)), event.bytes);
    separator = ",\n";
  }
  text += fmt::format(
      "\n],\n\"otherData\": {{\"calls\": {}, \"launches\": {}, \"copies\": {}, \"barriers\": {}, "
      "\"submits\": {}, \"waits\": {}, \"bytes_up\": {}, \"bytes_down\": {}}}}}\n",
      profile.calls, profile.launches, profile.copies, profile.barriers, profile.submits,
      profile.waits, profile.bytes_up, profile.bytes_down);
  return text;
}

}  // namespace halo::engine

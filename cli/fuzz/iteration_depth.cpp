#include "cli/fuzz/iteration_depth.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace halo::fuzz {
namespace {

bool startsAt(std::string_view text, size_t at, std::string_view word) {
  return text.substr(at, word.size()) == word;
}

// `for i < n do` and `for x in $ do`, not `for _t < 4 do`. A `while` loop halves its array, or
// it counts to four.
bool isLongLoop(std::string_view head) {
  const size_t loop = head.rfind(" for ");
  const size_t last = head.rfind(" while ");
  if (loop == std::string_view::npos) return false;
  if (last != std::string_view::npos && last > loop) return false;
  const size_t bound = head.rfind(' ');
  return !std::isdigit(static_cast<unsigned char>(head[bound + 1])) && !head.ends_with("< $");
}

// For each `$` of the text the lambdas and bodies of loops around it.
std::vector<int> enclosing(std::string_view text) {
  std::vector<int> open = {0}, result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') open.push_back(open.back() + (startsAt(text, i, "(\\") ? 1 : 0));
    if (text[i] == ')' && open.size() > 1) open.pop_back();
    if (startsAt(text, i, " do ") && isLongLoop(text.substr(0, i))) ++open.back();
    if (text[i] == '$') result.push_back(open.back());
  }
  return result;
}

int axes(const Type& type) {
  if (type.isArray()) return 1 + axes(type.element());
  int most = 0;
  for (const Type& part : type.parts) most = std::max(most, axes(part));
  return most;
}

// A sort of a few elements takes the interpreter as long as an axis of others.
bool sorts(std::string_view text) { return text.find("sort") != std::string_view::npos; }

using Depths = std::map<std::string, int, std::less<>>;

int depth(const Node& node, const Depths& helpers) {
  int most = axes(node.type) + (sorts(node.text) ? 1 : 0);
  const auto helper = helpers.find(node.text.substr(0, node.text.find(' ')));
  if (helper != helpers.end()) most = std::max(most, helper->second);
  const std::vector<int> around = enclosing(node.text);
  for (size_t i = 0; i < node.children.size(); ++i) {
    const int outer = i < around.size() ? around[i] : 0;
    most = std::max(most, outer + depth(node.children[i], helpers));
  }
  return most;
}

}  // namespace

int iterationDepth(const Program& program) {
  Depths helpers;
  for (const Definition& helper : program.helpers) {
    const std::string_view name = std::string_view(helper.head).substr(4);  // behind "def "
    helpers["(" + std::string(name.substr(0, name.find(' ')))] = depth(helper.body, helpers);
  }
  int most = 0;
  for (const Node& result : program.results) most = std::max(most, depth(result, helpers));
  return most;
}

}  // namespace halo::fuzz

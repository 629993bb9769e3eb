// The texts that an editor has open, each with the programs of its checks.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "cli/lsp/analysis.h"
#include "cli/lsp/answers.h"
#include "cli/lsp/text.h"

namespace halo::lsp {

struct Document {
  std::string text;
  Json version;
  bool is_dirty = true;                 // not checked since it changed
  bool is_previewed = false;            // this text, at least tried
  bool is_alone = false;                // no other file changed since its program was checked
  std::chrono::milliseconds took{0};    // the last check
  std::unique_ptr<Analysis> latest;     // of the text as it is
  std::unique_ptr<Analysis> last_good;  // of an earlier text, where the latest has errors
  std::unique_ptr<Analysis> partial;    // of the text as it is, without what has errors
  bool is_mending_tried = false;        // of this text: a failure is not repeated

  Analysis* program() const {
    if (latest && latest->environment) return latest.get();
    return last_good ? last_good.get() : partial.get();
  }
  void changedBeside() {
    is_dirty = true;
    is_alone = false;
  }
};

class Documents {
 public:
  using Map = std::map<std::string, Document>;  // by URI

  Document& operator[](const std::string& uri) { return map_[uri]; }
  Map::iterator find(const std::string& uri) { return map_.find(uri); }
  Map::iterator begin() { return map_.begin(); }
  Map::iterator end() { return map_.end(); }
  void erase(Map::iterator at) { map_.erase(at); }

  // Programs that import this text are to be checked again.
  void touch(const std::string& uri);
  Texts textsBeside(const std::string& uri) const;
  OpenTexts openBeside(const std::string& uri) const;

  // Checks the text as it is.
  void analyse(const std::string& uri, Document& document) const;
  // A text that never was without errors has answers for its declarations without; another one for
  // what is new in it.
  void mend(const std::string& uri, Document& document) const;

 private:
  Map map_;
};

}  // namespace halo::lsp

#include "cli/shared_lines.h"

namespace halo::cli {
namespace {

class SharedLines final : public terminal::LineSource {
 public:
  SharedLines(ranks::Ranks& ranks, std::unique_ptr<terminal::LineSource> own)
      : ranks_(ranks), own_(std::move(own)) {}

  // The first byte says whether there is an input.
  std::optional<std::string> read() override {
    std::string text;
    if (own_ != nullptr) {
      const std::optional<std::string> input = own_->read();
      text = input ? "y" + *input : "n";
    }
    if (!ranks_.broadcast(&text)) {
      problem_ = "another rank has ended";
      return std::nullopt;
    }
    if (text.empty() || text[0] == 'n') return std::nullopt;
    return text.substr(1);
  }
  std::string problem() const override {
    return problem_.empty() && own_ != nullptr ? own_->problem() : problem_;
  }
  bool hasKittyGraphics() override { return own_ != nullptr && own_->hasKittyGraphics(); }

 private:
  ranks::Ranks& ranks_;
  std::unique_ptr<terminal::LineSource> own_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<terminal::LineSource> sharedLines(ranks::Ranks& ranks,
                                                  std::unique_ptr<terminal::LineSource> own) {
  return std::make_unique<SharedLines>(ranks, std::move(own));
}

}  // namespace halo::cli

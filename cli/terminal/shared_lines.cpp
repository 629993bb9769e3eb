#include "cli/terminal/shared_lines.h"

#include <utility>

namespace halo::terminal {
namespace {

class SharedLines final : public LineSource {
 public:
  SharedLines(Broadcast broadcast, std::unique_ptr<LineSource> own)
      : broadcast_(std::move(broadcast)), own_(std::move(own)) {}

  // The first byte says whether there is an input.
  std::optional<std::string> read() override {
    std::string text;
    if (own_ != nullptr) {
      const std::optional<std::string> input = own_->read();
      text = input ? "y" + *input : "n";
    }
    if (!broadcast_(&text)) {
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
  Broadcast broadcast_;
  std::unique_ptr<LineSource> own_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<LineSource> sharedLines(Broadcast broadcast, std::unique_ptr<LineSource> own) {
  return std::make_unique<SharedLines>(std::move(broadcast), std::move(own));
}

}  // namespace halo::terminal

// Rows of the neighbours: through pages that all ranks of a machine share, else by messages.
//
//   rank 0   rows -> page 0   ring        hear   page 1 -> ghosts
//   rank 1   rows -> page 1   ring        hear   page 0 -> ghosts
//
// An engine copies rows to its page and from the neighbour's by itself (engine/page_copies.h), so a
// device needs no copy of the host. The first half begins at once. The second half waits until a
// call touches the rows, if the engine can tell: until then it computes something else.
//
// A piece has room for two exchanges, which alternate. No row is overwritten before it was read. A
// neighbour signals exchange t + 1 when its copies of exchange t have ended. This rank receives
// that signal before it begins exchange t + 2.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/distributed/imported_pages.h"
#include "lang/engine/page_copies.h"

namespace halo::distributed {

// Costs of the moves of one call, on this rank.
struct Traffic {
  int64_t moves = 0;
  int64_t bytes = 0;      // of arrays, sent
  int64_t exchanges = 0;  // of neighbours' rows
  // The host's time.
  double exchange_ms = 0;  // for these: begun, and waited for
  double set_up_ms = 0;    // for making pages
  double parts_ms = 0;     // for calls of parts
  // For agreements, and for ranks that come later.
  double agree_ms = 0;
  double rows_ms = 0;     // for own rows on their way from the device
  double message_ms = 0;  // for other messages
};

// Adds the time of a scope to a number of milliseconds.
class Timed {
 public:
  explicit Timed(double& into) : into_(into) {}
  ~Timed() { into_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& into_;
  Clock::time_point start_ = Clock::now();
};

class RowExchange {
 public:
  using Done = diag::Result<std::monostate>;
  RowExchange(ranks::Ranks& ranks, std::unique_ptr<engine::PageCopies> copies);

  // Calls of the engine need not wait for the device.
  void runAhead();
  // Collective. The first and last k rows of each array go to the neighbours; `ghosts` become
  // theirs, above and below for each array. Both may still be on their way.
  Done begin(const std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges,
             std::vector<value::Array>* ghosts);
  // Collective. The neighbours' rows go into the room around the own ones of each array: in place,
  // if no other array has its memory. They may still be on their way.
  Done renew(std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges);
  // Rows first .. of an array replaced: in place if no other array has its memory.
  diag::Result<value::Array> paste(value::Array into, int64_t first, const value::Array& rows);
  // Collective. The rows of the open exchange arrive, if there is one.
  Done finish();
  // The same, but the device waits for them where it can, not the host.
  Done finishLater();
  engine::PageCopies* copies() const { return copies_.get(); }
  // No call follows that would ask for rows that have not arrived; neighbours do not wait for ours.
  void abandon();
  bool isLost() const { return is_lost_; }

  Traffic& traffic() { return traffic_; }
  const Traffic& traffic() const { return traffic_; }
  const char* way() const;  // for --verbose

 private:
  struct Side {  // a neighbour
    int64_t rank = -1;
    int bell = 0;        // ours for it
    int heard_bell = 0;  // its own for us
    std::vector<engine::PageCopy> in;
  };
  enum class Way { kUnknown, kMessages, kPages };

  Done choose(const std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges);
  // `ghosts`: arrays to fill, or none, which are made.
  Done beginByPages(const std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges,
                    std::vector<value::Array>* ghosts);
  Done renewByMessages(std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges);
  Done makeAlone(value::Array& array);
  bool fitsPages(const std::vector<value::Array>& arrays, int64_t k) const;
  Done byMessages(const std::vector<value::Array>& arrays, int64_t k, const ranks::Edges& edges,
                  std::vector<value::Array>* ghosts);
  Done arrive();
  bool arriveLater();
  void ring(const std::vector<Side>& sides, uint64_t turn);
  Done hear(const Side& side, uint64_t turn);
  Done lost(const std::string& text);
  uint64_t slot(int bell) const;

  ranks::Ranks& ranks_;
  std::unique_ptr<engine::PageCopies> copies_;
  Way way_ = Way::kUnknown;
  ImportedPages pages_;
  uint64_t slot_bytes_ = 0;
  uint64_t turn_ = 0;
  bool is_open_ = false;  // begun, and not arrived
  bool is_lost_ = false;
  std::vector<Side> sides_;  // of the open exchange
  std::vector<value::Array> sent_;
  Traffic traffic_;
};

}  // namespace halo::distributed

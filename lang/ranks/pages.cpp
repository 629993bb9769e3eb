// Making and opening pieces, and bells.
#include "lang/ranks/pages.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "lang/ranks/patience.h"

namespace halo::ranks {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kSite = 0x7061676573;  // `pages`: where ranks agree

// In front of each piece, a page.
struct Head {
  uint64_t serial;
  std::atomic<uint64_t> rung[kBells];
  std::atomic<uint32_t> left;
};
static_assert(sizeof(Head) <= kPage);
static_assert(std::atomic<uint64_t>::is_always_lock_free, "shared between processes");

Head& headOf(void* mapped) { return *static_cast<Head*>(mapped); }

// Processes of one machine that see each other: the same start of the system, the same numbers of
// processes.
uint64_t machine() {
  std::string text;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
  std::array<char, 64> space{};
  if (readlink("/proc/self/ns/pid", space.data(), space.size() - 1) > 0) text += space.data();
  return std::hash<std::string>{}(text);
}

void* map(int file, uint64_t bytes) {
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

struct Pages::Address {
  uint64_t machine = 0;
  uint64_t serial = 0;  // of the piece, so that no other file is taken for it
  int32_t owner = 0, file = -1;
};

bool Pages::make(int* file) {
  *file = memfd_create("halo-pages", MFD_CLOEXEC);
  if (*file < 0 || ftruncate(*file, static_cast<off_t>(kPage + bytes_)) != 0) return false;
  Piece& own = pieces_[static_cast<size_t>(rank_)];
  own.mapped = map(*file, kPage + bytes_);
  if (own.mapped == nullptr) return false;
  own.data = static_cast<std::byte*>(own.mapped) + kPage;
  own.owner = getpid();
  return true;
}

bool Pages::open(const Address& address, const Address& own, int rank) {
  if (address.file < 0 || address.machine != own.machine) return false;
  const std::string path =
      "/proc/" + std::to_string(address.owner) + "/fd/" + std::to_string(address.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  Piece& piece = pieces_[static_cast<size_t>(rank)];
  piece.mapped = map(file, kPage + bytes_);
  close(file);
  if (piece.mapped == nullptr) return false;
  piece.data = static_cast<std::byte*>(piece.mapped) + kPage;
  piece.owner = address.owner;
  return headOf(piece.mapped).serial == address.serial;
}

Result<std::unique_ptr<Pages>> Pages::share(Ranks& ranks, uint64_t bytes) {
  static std::atomic<uint64_t> made = 0;
  std::unique_ptr<Pages> pages(new Pages(ranks.rank(), (bytes + kPage - 1) / kPage * kPage));
  pages->limit_ = ranks.timeout();
  pages->ranks_ = &ranks;
  pages->pieces_.resize(static_cast<size_t>(ranks.count()));
  Address own;
  own.machine = machine();
  own.owner = getpid();
  own.serial = (static_cast<uint64_t>(own.owner) << 32) + ++made;
  int file = -1;
  const bool is_made = pages->make(&file);
  if (is_made) {
    headOf(pages->pieces_[static_cast<size_t>(ranks.rank())].mapped).serial = own.serial;
    own.file = file;
  }
  std::vector<Address> all(static_cast<size_t>(ranks.count()));
  auto told = ranks.gather(&own, sizeof own, all.data());
  bool is_open = is_made && told.has_value();
  for (int rank = 0; is_open && rank < ranks.count(); ++rank) {
    if (rank != ranks.rank()) is_open = pages->open(all[static_cast<size_t>(rank)], own, rank);
  }
  auto worst = told ? ranks.agree(is_open ? 0 : 1, kSite) : Result<int64_t>(1);
  if (file >= 0) close(file);  // all have opened it
  if (!told) return tl::unexpected(told.error());
  if (!worst) return tl::unexpected(worst.error());
  return *worst == 0 ? std::move(pages) : nullptr;
}

Pages::~Pages() {
  Piece& own = pieces_[static_cast<size_t>(rank_)];
  if (own.mapped != nullptr) headOf(own.mapped).left.store(1);
  for (const Piece& piece : pieces_) {
    if (piece.mapped != nullptr) munmap(piece.mapped, kPage + bytes_);
  }
}

void Pages::ring(int bell, uint64_t turn) {
  headOf(pieces_[static_cast<size_t>(rank_)].mapped).rung[bell].store(turn);
}

Result<bool> Pages::hear(int rank, int bell, uint64_t turn) const {
  const Piece& piece = pieces_[static_cast<size_t>(rank)];
  const Head& head = headOf(piece.mapped);
  for (Patience patience(limit_); head.rung[bell].load() < turn; patience.wait()) {
    const bool is_gone =
        head.left.load() != 0 || (patience.isTimeToAsk() && kill(piece.owner, 0) != 0);
    if (patience.isOver()) {
      ranks_->tellOverdue(rank);
      return tl::unexpected(Lost{overdue(rank, limit_)});
    }
    if (is_gone && head.rung[bell].load() < turn) {
      return tl::unexpected(Lost{"another rank has ended; all ranks are stopped"});
    }
  }
  return true;
}

}  // namespace halo::ranks

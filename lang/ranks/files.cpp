// By messages of a socket without a file, whose name begins with a zero byte.
#include "lang/ranks/files.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <string>

namespace halo::ranks {
namespace {

constexpr uint64_t kFilesSite = 0x66696c6573;  // `files`: where ranks agree
constexpr int kFileSeconds = 5;                // seconds for a message that has been sent already

// Other processes cannot guess the name: they send nothing in a rank's place.
struct Address {
  int32_t process = 0, serial = 0, is_open = 0;
  uint32_t random = 0;
};

sockaddr_un named(const Address& address, socklen_t* bytes) {
  const std::string name = "halo-files-" + std::to_string(address.process) + "-" +
                           std::to_string(address.serial) + "-" + std::to_string(address.random);
  sockaddr_un socket{};
  socket.sun_family = AF_UNIX;
  std::memcpy(socket.sun_path + 1, name.data(), name.size());
  *bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return socket;
}

// A message is a rank's number, with its file.
struct Message {
  int32_t rank = 0;
  iovec text{&rank, sizeof rank};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
  Message() {
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
};

// Without waiting where the other rank's queue is full (net.unix.max_dgram_qlen messages).
bool sendTo(int socket, const Address& to, int rank, int file) {
  Message message;
  message.rank = rank;
  cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  sockaddr_un address = named(to, &message.header.msg_namelen);
  message.header.msg_name = &address;
  return sendmsg(socket, &message.header, MSG_DONTWAIT) >= 0;
}

bool receive(int socket, std::vector<int>* files) {
  Message message;
  if (recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC) < 0) return false;
  const cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
  const auto rank = static_cast<size_t>(message.rank);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS || rank >= files->size()) return false;
  std::memcpy(&(*files)[rank], CMSG_DATA(rights), sizeof(int));
  return true;
}

int openSocket(const Address& own) {
  const int opened = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (opened < 0) return -1;
  const timeval limit{kFileSeconds, 0};
  socklen_t bytes = 0;
  const sockaddr_un address = named(own, &bytes);
  const bool is_ready = setsockopt(opened, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
                        bind(opened, reinterpret_cast<const sockaddr*>(&address), bytes) == 0;
  if (is_ready) return opened;
  close(opened);
  return -1;
}

// A rank that waits for room in another one's queue empties its own: else many ranks would wait for
// each other.
bool pass(int socket, const std::vector<Address>& all, int rank, int own, std::vector<int>* files) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(kFileSeconds);
  size_t received = 1;
  for (size_t d = 1; d < all.size(); ++d) {
    const size_t to = (static_cast<size_t>(rank) + d) % all.size();
    while (!sendTo(socket, all[to], rank, own)) {
      const bool is_full = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS;
      if (!is_full || std::chrono::steady_clock::now() > limit) return false;
      pollfd arrives{socket, POLLIN, 0};
      if (poll(&arrives, 1, 1) != 1) continue;
      if (!receive(socket, files)) return false;
      ++received;
    }
  }
  for (; received < all.size(); ++received) {
    if (!receive(socket, files)) return false;
  }
  return std::count(files->begin(), files->end(), -1) == 1;  // this rank's
}

}  // namespace

Result<std::vector<int>> passFiles(Ranks& ranks, int own) {
  static std::atomic<int32_t> made = 0;
  Address address{getpid(), ++made, 0, std::random_device()()};
  const int socket = own < 0 ? -1 : openSocket(address);
  address.is_open = socket >= 0 ? 1 : 0;
  const auto count = static_cast<size_t>(ranks.count());
  std::vector<Address> all(count);
  auto told = ranks.gather(&address, sizeof address, all.data());
  bool is_passed = told.has_value();
  for (const Address& one : all) is_passed = is_passed && one.is_open != 0;
  std::vector<int> files(count, -1);
  is_passed = is_passed && pass(socket, all, ranks.rank(), own, &files);
  auto worst = told ? ranks.agree(is_passed ? 0 : 1, kFilesSite) : Result<int64_t>(1);
  if (socket >= 0) close(socket);
  const bool is_done = told && worst && *worst == 0;
  for (int file : files) {
    if (!is_done && file >= 0) close(file);
  }
  if (!told) return tl::unexpected(told.error());
  if (!worst) return tl::unexpected(worst.error());
  return is_done ? files : std::vector<int>();
}

}  // namespace halo::ranks

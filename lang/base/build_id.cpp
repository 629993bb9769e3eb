// The linker's hash of the contents (a note, NT_GNU_BUILD_ID), else the size and time of the file.
#include "lang/base/build_id.h"

#ifdef __linux__
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>
#endif

namespace halo::base {

#ifdef __linux__
namespace {

constexpr size_t aligned(size_t bytes) { return (bytes + 3) / 4 * 4; }

// Of the notes in one segment.
std::string idIn(const char* notes, size_t size) {
  ElfW(Nhdr) note{};
  for (size_t at = 0; at + sizeof note <= size;) {
    std::memcpy(&note, notes + at, sizeof note);
    const size_t name = at + sizeof note, id = name + aligned(note.n_namesz);
    if (id + note.n_descsz > size) return "";
    const bool is_gnu = note.n_namesz == sizeof "GNU" && std::memcmp(notes + name, "GNU", 4) == 0;
    if (note.n_type == NT_GNU_BUILD_ID && is_gnu) return std::string(notes + id, note.n_descsz);
    at = id + aligned(note.n_descsz);
  }
  return "";
}

struct Search {
  uintptr_t address;  // in the object that is looked for
  std::string id;
};

int visit(dl_phdr_info* object, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool is_it = false;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = object->dlpi_phdr[k];
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    is_it |= part.p_type == PT_LOAD && search.address - begin < part.p_memsz;
  }
  for (int k = 0; is_it && k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = object->dlpi_phdr[k];
    if (part.p_type != PT_NOTE || !search.id.empty()) continue;
    search.id = idIn(reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
  }
  return is_it ? 1 : 0;
}

std::string idOfFile(const void* address) {
  Dl_info info{};
  struct stat file {};
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  if (stat(info.dli_fname, &file) != 0 && stat("/proc/self/exe", &file) != 0) return "";
  return fmt::format("{}|{}.{}", file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

}  // namespace

std::string buildId() {
  const auto* here = reinterpret_cast<const void*>(&buildId);
  Search search{reinterpret_cast<uintptr_t>(here), {}};
  dl_iterate_phdr(visit, &search);
  return search.id.empty() ? idOfFile(here) : search.id;
}
#else
std::string buildId() { return ""; }
#endif

}  // namespace halo::base

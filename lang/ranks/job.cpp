// A rank's place, read from the environment, and the carriers: memory that startHere made, or MPI.
#include "lang/ranks/job.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "lang/ranks/plugin.h"
#include "lang/ranks/shared_memory.h"

namespace halo::ranks {
namespace {

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::atoi(text);
}

// Of the launchers: Open MPI's mpirun; those that speak PMI, which are MPICH's and Slurm's.
struct Names {
  const char *count, *rank, *on_host;
};
constexpr Names kLaunchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
};

std::vector<std::string> pluginPaths() {
  if (const char* path = std::getenv("HALO_RANKS_PLUGIN")) return {path};
  std::error_code ignored;
  const std::filesystem::path here =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const bool open_mpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const std::string file = open_mpi ? "halo_ranks_openmpi.so" : "halo_ranks_mpich.so";
  return {(here / file).string(), (here / ".." / "lib" / "halo" / file).string()};
}

base::Expected<std::unique_ptr<Ranks>, std::string> joinMpi() {
  std::string why = "there is no plug-in";
  for (const std::string& path : pluginPaths()) {
    if (!std::filesystem::exists(path)) continue;
    // An MPI loads parts of its own, which look for its symbols.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    auto* open = library == nullptr
                     ? nullptr
                     : reinterpret_cast<HaloRanksOpen>(dlsym(library, HALO_RANKS_OPEN));
    HaloRanks carrier{};
    if (open != nullptr && open(&carrier) == 0) return std::make_unique<Ranks>(carrier);
    const char* error = dlerror();
    why = error == nullptr ? "the plug-in does not start" : error;
  }
  return tl::unexpected(
      "an MPI launcher has started this program, which has no plug-in for its MPI (" + why +
      "): install `libopenmpi-dev` or `libmpich-dev` and build again");
}

base::Expected<std::unique_ptr<Ranks>, std::string> joinHere(const Place& place) {
  const int memory = number("HALO_RANKS_MEMORY", -1);
  const size_t bytes = sharedBytes(place.count);
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapped == MAP_FAILED) {
    return tl::unexpected(std::string("the memory of the other ranks cannot be shared"));
  }
  close(memory);
  std::shared_ptr<void> owner(mapped, [bytes](void* p) { munmap(p, bytes); });
  return joinShared(std::move(owner), mapped, place.rank, place.count);
}

}  // namespace

Place placeOf() {
  Place place;
  if (std::getenv("HALO_RANKS_MEMORY") != nullptr) {
    place.rank = number("HALO_RANK", 0);
    place.count = number("HALO_RANKS", 1);
    place.on_host = place.rank;
    place.is_ours = true;
    return place;
  }
  for (const Names& names : kLaunchers) {
    const int count = number(names.count, 1);
    if (count < 2) continue;
    place.count = count;
    place.rank = number(names.rank, 0);
    place.on_host = number(names.on_host, place.rank);
    place.has_mpi = true;
    break;
  }
  return place;
}

void silenceOthers() {
  if (placeOf().rank == 0) return;
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) return;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close(nothing);
}

base::Expected<std::unique_ptr<Ranks>, std::string> join() {
  const Place place = placeOf();
  if (place.is_ours) return joinHere(place);
  if (place.has_mpi) return joinMpi();
  return std::unique_ptr<Ranks>();
}

}  // namespace halo::ranks

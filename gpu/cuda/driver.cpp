#include "gpu/cuda/driver.h"

#include <dlfcn.h>

namespace halo::gpu::cuda {
namespace {

template <typename Function>
bool find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

bool load(void* library, Driver* driver) {
  return find(library, "cuInit", &driver->init) &&
         find(library, "cuDeviceGetCount", &driver->deviceCount) &&
         find(library, "cuDeviceGet", &driver->device) &&
         find(library, "cuDeviceGetUuid_v2", &driver->uuid) &&
         find(library, "cuDevicePrimaryCtxRetain", &driver->retainContext) &&
         find(library, "cuDevicePrimaryCtxRelease_v2", &driver->releaseContext) &&
         find(library, "cuCtxSetCurrent", &driver->useContext) &&
         find(library, "cuMemGetAllocationGranularity", &driver->granularity) &&
         find(library, "cuMemAddressReserve", &driver->reserve) &&
         find(library, "cuMemAddressFree", &driver->free) &&
         find(library, "cuMemCreate", &driver->create) &&
         find(library, "cuMemRelease", &driver->release) &&
         find(library, "cuMemMap", &driver->map) && find(library, "cuMemUnmap", &driver->unmap) &&
         find(library, "cuMemSetAccess", &driver->setAccess) &&
         find(library, "cuMemExportToShareableHandle", &driver->exportHandle) &&
         find(library, "cuMemImportFromShareableHandle", &driver->importHandle) &&
         find(library, "cuStreamCreate", &driver->makeStream) &&
         find(library, "cuStreamDestroy_v2", &driver->destroyStream) &&
         find(library, "cuStreamQuery", &driver->queryStream) &&
         find(library, "cuMemcpyDtoDAsync_v2", &driver->copy);
}

}  // namespace

const Driver* driver() {
  static Driver loaded;
  static const bool is_there = [] {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && load(library, &loaded) && loaded.init(0) == kSuccess;
  }();
  return is_there ? &loaded : nullptr;
}

}  // namespace halo::gpu::cuda

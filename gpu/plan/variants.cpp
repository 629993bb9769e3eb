// --variant=NAME:1,2,..
#include "gpu/plan/variants.h"

#include <cstdlib>

namespace halo::gpu {

void setForced(Variants& variants, const std::string& text) {
  size_t colon = text.find(':');
  variants.forced = text.substr(0, colon);
  while (colon != std::string::npos) {
    variants.numbers.push_back(std::strtoll(text.c_str() + colon + 1, nullptr, 10));
    colon = text.find(',', colon + 1);
  }
}

}  // namespace halo::gpu

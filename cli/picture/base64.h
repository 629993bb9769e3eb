// Bytes as text of 64 characters (RFC 4648), for terminals and notebooks.
#pragma once

#include <string>
#include <string_view>

namespace halo::picture {

std::string base64(std::string_view bytes);

}  // namespace halo::picture

// Values as bytes and back, for files that the same build reads: scalars, texts, containers,
// variants, ids, stores and structs of them. Numbers take as few bytes as they need.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lang/base/containers/store.h"
#include "lang/base/fields.h"

namespace halo::base {

namespace detail {

template <typename... Ts>
std::variant<Ts...>& asVariant(std::variant<Ts...>& value) {
  return value;
}
template <typename... Ts>
const std::variant<Ts...>& asVariant(const std::variant<Ts...>& value) {
  return value;
}
template <typename T>
concept IsVariant = requires(T& value) {
  asVariant(value);
};  // or derived from one
template <typename T>
concept IsId = requires(T& value) {
  T::kNone;
  value.index;
};
template <typename T>
concept IsStore = requires(T& value) {
  value.add(*value.begin());
};
template <typename T>
concept IsMap = requires {
  typename T::mapped_type;
};
template <typename T>
concept IsSequence = requires(T& value) {
  value.push_back(*value.begin());
};
template <typename T>
concept IsOptional = requires(T& value) {
  value.has_value();
};

}  // namespace detail

class ArchiveWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      putNumber(static_cast<uint64_t>(value));
    } else if constexpr (detail::IsId<T>) {
      putNumber((uint64_t{value.index} + 1) & 0xffffffffu);  // none, frequent, in a byte
    } else if constexpr (std::is_same_v<T, std::string>) {
      putNumber(value.size());
      bytes_ += value;
    } else if constexpr (detail::IsOptional<T>) {
      put(value.has_value());
      if (value) put(*value);
    } else if constexpr (detail::IsVariant<T>) {
      putNumber(value.index());
      std::visit([this](const auto& alternative) { put(alternative); }, detail::asVariant(value));
    } else if constexpr (detail::IsStore<T> || detail::IsMap<T> || detail::IsSequence<T>) {
      putNumber(value.size());
      for (const auto& element : value) put(element);
    } else if constexpr (requires { value.first; }) {
      put(value.first);
      put(value.second);
    } else {
      forEachField(value, [this](const auto& field) { put(field); });
    }
  }

 private:
  void putNumber(uint64_t number) {  // LEB128
    for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80);
    bytes_ += static_cast<char>(number);
  }

  std::string bytes_;
};

// Bytes that a writer did not make end in isRight() == false, and nothing else.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  // All was read, and there was enough of it.
  bool isRight() const { return is_right_ && rest_.empty(); }

  template <typename T>
  void get(T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      const std::string_view bytes = take(sizeof value);
      if (is_right_) std::memcpy(&value, bytes.data(), sizeof value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      value = static_cast<T>(getNumber());
    } else if constexpr (detail::IsId<T>) {
      value.index = static_cast<uint32_t>(getNumber()) - 1;
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = take(getNumber());
    } else if constexpr (detail::IsOptional<T>) {
      if (made<bool>()) value = made<typename T::value_type>();
    } else if constexpr (detail::IsVariant<T>) {
      getVariant(detail::asVariant(value));
    } else if constexpr (detail::IsStore<T>) {
      repeat([&] { value.add(made<std::decay_t<decltype(*value.begin())>>()); });
    } else if constexpr (detail::IsMap<T>) {
      repeat([&] {
        auto key = made<typename T::key_type>();
        value.emplace(std::move(key), made<typename T::mapped_type>());
      });
    } else if constexpr (detail::IsSequence<T>) {
      repeat([&] { value.push_back(made<typename T::value_type>()); });
    } else {
      forEachField(value, [this](auto& field) { get(field); });
    }
  }

 private:
  template <typename T>
  T made() {
    T value{};
    get(value);
    return value;
  }

  // Every element takes a byte at least, so that wrong counts end soon.
  template <typename Get>
  void repeat(Get&& get) {
    const uint64_t count = getNumber();
    if (count > rest_.size()) is_right_ = false;
    for (uint64_t k = 0; k < count && is_right_; ++k) get();
  }

  template <typename... Ts>
  void getVariant(std::variant<Ts...>& value) {
    const uint64_t index = getNumber();
    uint64_t at = 0;
    auto tryNext = [&](auto* alternative) {
      using T = std::remove_pointer_t<decltype(alternative)>;
      if (at++ == index) value = made<T>();
    };
    (tryNext(static_cast<Ts*>(nullptr)), ...);
    is_right_ = is_right_ && index < at;
  }

  uint64_t getNumber() {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = take(1);
      if (byte.empty()) return 0;
      number |= static_cast<uint64_t>(byte[0] & 0x7f) << shift;
      if ((byte[0] & 0x80) == 0) return number;
    }
    is_right_ = false;
    return 0;
  }

  std::string_view take(uint64_t count) {
    if (count > rest_.size()) is_right_ = false;
    if (!is_right_) return {};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::string_view rest_;
  bool is_right_ = true;
};

}  // namespace halo::base

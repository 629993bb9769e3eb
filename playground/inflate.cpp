// Compressed files in place of zlib, which a page does not have: gzip's header [RFC 1952] and deflate
// [RFC 1951], whose codes are read bit by bit as in Adler's `puff`. Small files alone come here.
#include <array>
#include <string>
#include <vector>

#include "lang/value/readers.h"

namespace halo::value {

namespace {

struct Damaged {
  const char* text = "the compressed data are damaged";
};

class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}

  uint8_t byte() {
    if (at_ >= bytes_.size()) throw Damaged{"the compressed data end too early"};
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  unsigned bits(unsigned count) {  // the lowest first
    while (held_ < count) {
      window_ |= static_cast<uint32_t>(byte()) << held_;
      held_ += 8;
    }
    const unsigned value = window_ & ((1U << count) - 1);
    window_ >>= count;
    held_ -= count;
    return value;
  }
  void skipToByte() { window_ = held_ = 0; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  uint32_t window_ = 0;
  unsigned held_ = 0;  // bits in the window, below 32
};

constexpr size_t kMaxLength = 15;  // bits of a code

// Symbols in the order of their codes, and how many codes there are of each length: codes of one
// length are successive numbers.
class Code {
 public:
  explicit Code(const std::vector<uint8_t>& lengths) {
    for (uint8_t length : lengths) ++counts_[length];
    for (size_t length = 1; length <= kMaxLength; length++) {
      for (size_t symbol = 0; symbol < lengths.size(); symbol++) {
        if (lengths[symbol] == length) symbols_.push_back(static_cast<unsigned>(symbol));
      }
    }
  }

  unsigned read(Bits& bits) const {
    unsigned code = 0, first = 0, index = 0;
    for (size_t length = 1; length <= kMaxLength; length++) {
      code |= bits.bits(1);
      const unsigned count = counts_[length];
      if (code < first + count) return symbols_[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw Damaged();
  }

 private:
  std::array<unsigned, kMaxLength + 1> counts_{};
  std::vector<unsigned> symbols_;
};

// Lengths and distances of copies: the least of each symbol, and bits that are added to it.
constexpr std::array<unsigned, 29> kLengths = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                               15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                               67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<unsigned, 29> kLengthBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                  2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr unsigned kDistances = 30;
unsigned distanceBits(unsigned symbol) { return symbol < 4 ? 0 : symbol / 2 - 1; }
unsigned leastDistance(unsigned symbol) {
  return symbol < 4 ? symbol + 1 : ((2 + symbol % 2) << distanceBits(symbol)) + 1;
}

constexpr unsigned kEndOfBlock = 256;

void readBlock(Bits& bits, const Code& code, const Code& distances, std::string& text) {
  for (unsigned symbol = code.read(bits); symbol != kEndOfBlock; symbol = code.read(bits)) {
    if (symbol < kEndOfBlock) {
      text.push_back(static_cast<char>(symbol));
      continue;
    }
    const unsigned which = symbol - kEndOfBlock - 1;
    if (which >= kLengths.size()) throw Damaged();
    const unsigned length = kLengths[which] + bits.bits(kLengthBits[which]);
    const unsigned far = distances.read(bits);
    if (far >= kDistances) throw Damaged();
    const size_t distance = leastDistance(far) + bits.bits(distanceBits(far));
    if (distance > text.size()) throw Damaged();
    for (unsigned i = 0; i < length; i++) text.push_back(text[text.size() - distance]);
  }
}

void readStored(Bits& bits, std::string& text) {
  bits.skipToByte();
  const unsigned length = bits.bits(16), complement = bits.bits(16);
  if (length != (~complement & 0xffffU)) throw Damaged();
  for (unsigned i = 0; i < length; i++) text.push_back(static_cast<char>(bits.bits(8)));
}

std::vector<uint8_t> fixedLengths() {
  std::vector<uint8_t> lengths(288, 8);
  for (size_t i = 144; i < 256; i++) lengths[i] = 9;
  for (size_t i = 256; i < 280; i++) lengths[i] = 7;
  return lengths;
}

// The lengths of both codes are coded themselves; 16, 17 and 18 repeat.
std::vector<uint8_t> readLengths(Bits& bits, const Code& code, size_t count) {
  std::vector<uint8_t> lengths;
  while (lengths.size() < count) {
    const unsigned symbol = code.read(bits);
    if (symbol < 16) {
      lengths.push_back(static_cast<uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) throw Damaged();
    const uint8_t repeated = symbol == 16 ? lengths.back() : 0;
    const unsigned times = symbol == 16   ? 3 + bits.bits(2)
                           : symbol == 17 ? 3 + bits.bits(3)
                                          : 11 + bits.bits(7);
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() > count) throw Damaged();
  return lengths;
}

void readDynamic(Bits& bits, std::string& text) {
  constexpr std::array<uint8_t, 19> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                              11, 4,  12, 3, 13, 2, 14, 1, 15};
  const unsigned literals = 257 + bits.bits(5), distances = 1 + bits.bits(5);
  const unsigned coded = 4 + bits.bits(4);
  std::vector<uint8_t> lengths(kOrder.size());
  for (unsigned i = 0; i < coded; i++) lengths[kOrder[i]] = static_cast<uint8_t>(bits.bits(3));
  const std::vector<uint8_t> both = readLengths(bits, Code(lengths), literals + distances);
  const auto border = both.begin() + literals;
  readBlock(bits, Code({both.begin(), border}), Code({border, both.end()}), text);
}

// Flags of the header: a sum of it, more fields, a name, a comment.
void skipHeader(Bits& bits) {
  constexpr unsigned kSum = 2, kMore = 4, kName = 8, kComment = 16;
  for (int i = 0; i < 3; i++) bits.byte();
  const unsigned flags = bits.byte();
  for (int i = 0; i < 6; i++) bits.byte();
  if ((flags & kMore) != 0) {
    const unsigned low = bits.byte(), high = bits.byte();
    for (unsigned i = 0; i < low + 256 * high; i++) bits.byte();
  }
  for (unsigned text : {kName, kComment}) {
    while ((flags & text) != 0 && bits.byte() != 0) {
    }
  }
  if ((flags & kSum) != 0) bits.bits(16);
}

}  // namespace

bool isGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

base::Expected<std::string, std::string> inflated(std::string_view bytes, Compressed kind) {
  Bits bits(bytes);
  std::string text;
  try {
    if (kind == Compressed::kGzip) skipHeader(bits);
    for (bool is_last = false; !is_last;) {
      is_last = bits.bits(1) != 0;
      const unsigned form = bits.bits(2);
      if (form == 3) throw Damaged();
      if (form == 0) readStored(bits, text);
      if (form == 1) {
        readBlock(bits, Code(fixedLengths()), Code(std::vector<uint8_t>(kDistances, 5)), text);
      }
      if (form == 2) readDynamic(bits, text);
    }
  } catch (const Damaged& damaged) {
    return tl::unexpected(std::string(damaged.text));
  }
  return text;
}

uint32_t crc32Of(std::string_view bytes) {
  constexpr uint32_t kPolynomial = 0xedb88320;
  uint32_t rest = ~uint32_t{0};
  for (char byte : bytes) {
    rest ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
  }
  return ~rest;
}

}  // namespace halo::value

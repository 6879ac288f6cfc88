// Bytes that wait to be read on: appended behind, taken in front.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

class Bytes {
 public:
  const uint8_t *data() const { return bytes_.data() + start_; }
  size_t size() const { return bytes_.size() - start_; }
  bool empty() const { return size() == 0; }

  void append(const uint8_t *from, size_t count) { bytes_.insert(bytes_.end(), from, from + count); }

  /** Takes the first ones away; the memory goes back when none is left. */
  void take(size_t count) {
    start_ += count;
    if (!empty()) return;
    std::vector<uint8_t>().swap(bytes_);
    start_ = 0;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t start_ = 0;
};

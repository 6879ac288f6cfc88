// Buffers bytes of a connection that wait to be passed on or sent. Bytes are appended at the back and removed from the
// front. The memory is limited, counted over all connections, and freed as soon as the buffer is empty.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

/** A view of bytes in memory that belongs to the caller. */
struct Span {
  const uint8_t *at = nullptr;
  size_t size = 0;
};

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { clear(); }

  const uint8_t *data() const { return bytes_ + start_; }
  size_t size() const { return end_ - start_; }
  bool empty() const { return end_ == start_; }
  Span span() const { return {data(), size()}; }

  /** Number of bytes that all buffers of the process have allocated. */
  static size_t &allocatedBytes() {
    static size_t bytes = 0;
    return bytes;
  }

  /**
   * Appends bytes. If the buffer would exceed `sizeMax` bytes, or memory cannot be allocated, returns false and appends
   * nothing.
   */
  bool append(Span more, size_t sizeMax) {
    if (more.size == 0) return true;
    if (size() + more.size > sizeMax) return false;
    compact();
    if (!reserve(end_ + more.size)) return false;
    memcpy(bytes_ + end_, more.at, more.size);
    end_ += more.size;
    return true;
  }

  /** Removes the first `count` bytes. */
  void take(size_t count) {
    start_ += count;
    if (empty()) clear();
  }

  void clear() {
    allocatedBytes() -= capacity_;
    free(bytes_);
    bytes_ = nullptr;
    start_ = end_ = capacity_ = 0;
  }

 private:
  uint8_t *bytes_ = nullptr;
  size_t start_ = 0, end_ = 0, capacity_ = 0;

  /** Moves the remaining bytes to the front, so that the space of removed bytes is used again. */
  void compact() {
    if (start_ == 0) return;
    memmove(bytes_, bytes_ + start_, end_ - start_);
    end_ -= start_;
    start_ = 0;
  }

  bool reserve(size_t bytes) {
    if (bytes <= capacity_) return true;
    auto *grown = static_cast<uint8_t *>(realloc(bytes_, bytes));
    if (grown == nullptr) return false;
    allocatedBytes() += bytes - capacity_;
    bytes_ = grown;
    capacity_ = bytes;
    return true;
  }
};

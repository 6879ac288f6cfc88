// Decides when main polls for the next request instead of sleeping: briefly after all requests were answered, as their
// clients often send the next at once, and waking a sleeping thread costs more than serving a read. See DECISIONS.md.
#pragma once

#include <algorithm>
#include <cstdint>

/** Longest time of a spin. */
constexpr uint64_t kSpinNs = 60'000;
/** After this many failed spins in a row only one occasion in 256 is used; each failed spin doubles the gap. */
constexpr int kDoublingsMax = 8;

class ReadSpin {
 public:
  /** True while the event loop should not sleep; to be asked in each tick in which nothing arrived. */
  bool isOn(uint64_t nowNs) {
    if (endNs_ == 0 || nowNs < endNs_) return endNs_ != 0;
    endNs_ = 0;
    failed_ = std::min(failed_ + 1, kDoublingsMax);
    skips_ = (1 << failed_) - 1;
    return false;
  }

  /** A request has arrived. */
  void arrived() {
    if (endNs_ != 0) failed_ = 0;
    endNs_ = 0;
  }

  /** All requests have been answered; returns true if a spin begins. */
  bool answered(uint64_t nowNs) {
    if (skips_ > 0) return skips_--, false;
    endNs_ = nowNs + kSpinNs;
    return true;
  }

 private:
  /** End of the current spin; 0 if there is none. */
  uint64_t endNs_ = 0;
  /** Consecutive failed spins, up to kDoublingsMax. */
  int failed_ = 0;
  /** Occasions that are still skipped. */
  int skips_ = 0;
};

// Decides when the main thread polls for the next request instead of sleeping. It polls briefly when all requests are
// answered, because clients often send the next request at once, and waking a sleeping thread takes longer than
// answering a read. See DECISIONS.md.
#pragma once

#include <algorithm>
#include <cstdint>

/** Longest time of polling, in nanoseconds. */
constexpr uint64_t kSpinNs = 60'000;
/**
 * Each time polling has been in vain, the main thread sleeps at once twice as often before it polls again. After this
 * many times in a row, it polls only once for every 256 times that all requests are answered.
 */
constexpr int kDoublingsMax = 8;

class ReadSpin {
 public:
  /** True while the main thread should poll. Must be called in each event-loop tick in which nothing has arrived. */
  bool isOn(uint64_t nowNs) {
    if (endNs_ == 0 || nowNs < endNs_) return endNs_ != 0;
    endNs_ = 0;
    failed_ = std::min(failed_ + 1, kDoublingsMax);
    skips_ = (1 << failed_) - 1;
    return false;
  }

  /** Must be called when a request has arrived. */
  void arrived() {
    if (endNs_ != 0) failed_ = 0;
    endNs_ = 0;
  }

  /** Must be called when all requests are answered. Returns true if the main thread should poll now. */
  bool answered(uint64_t nowNs) {
    if (skips_ > 0) return skips_--, false;
    endNs_ = nowNs + kSpinNs;
    return true;
  }

 private:
  /** Time at which the current polling ends; 0 if there is none. */
  uint64_t endNs_ = 0;
  /** How often in a row polling has been in vain, up to kDoublingsMax. */
  int failed_ = 0;
  /** How many more times `answered` does not start polling, because polling was in vain before. */
  int skips_ = 0;
};

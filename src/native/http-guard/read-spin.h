// Decides when the main thread polls for the next request instead of sleeping. It polls briefly after all requests are
// answered, because clients often send the next request at once, and waking a sleeping thread takes longer than
// answering a simple request. See DECISIONS.md.
#pragma once

#include <algorithm>
#include <cstdint>

/** Maximum time of one polling, in nanoseconds. */
constexpr uint64_t kSpinNs = 60'000;
/**
 * If polling ends without a request, it is skipped the next time that all requests are answered. Each further failure
 * in a row about doubles the number of skips. After this many failures, polling happens only once in 256 times.
 */
constexpr int kDoublingsMax = 8;

class ReadSpin {
 public:
  /** True while the main thread should continue to poll. Must be called in each event-loop tick without a request. */
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
  /** Time at which the current polling ends; 0 while the main thread does not poll. */
  uint64_t endNs_ = 0;
  /** How often in a row polling has ended without a request, up to kDoublingsMax. */
  int failed_ = 0;
  /** How many more calls of `answered` do not start polling, because earlier polling ended without a request. */
  int skips_ = 0;
};

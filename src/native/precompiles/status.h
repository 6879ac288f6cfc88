// Status codes of the precompiles, with the same numbers as in function-types.ts.
#pragma once

namespace prestate {

enum class Status {
  kDone = 0,
  /** A proof or pairing check has failed. */
  kFalse = 1,
  /** A point is not on the curve or not in the subgroup. */
  kNotOnCurve = 2,
  /** A number is not an element of the field. */
  kNotInField = 3,
};

}  // namespace prestate

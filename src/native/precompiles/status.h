// The results of a precompile, with the same numbers as in function-types.ts.
#pragma once

namespace prestate {

enum class Status {
  kDone = 0,
  /** A proof or pairing that does not hold. */
  kFalse = 1,
  /** A point that is not on the curve or not in the subgroup. */
  kNotOnCurve = 2,
  /** A number that is not an element of the field. */
  kNotInField = 3,
};

}  // namespace prestate

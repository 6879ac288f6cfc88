// EIP-7702 delegations: the code of an account that runs the code of another account.

/** Prefix of the code of a delegated account. The address of the delegate follows it. */
const PREFIX = Uint8Array.of(0xef, 0x01, 0x00);

/** Returns the code of an account that is delegated to `delegate`. */
export function delegationTo(delegate: Uint8Array): Uint8Array {
  return Uint8Array.of(...PREFIX, ...delegate);
}

/** Returns the address to which this code delegates, or null if the code is not an EIP-7702 delegation. */
export function parseDelegation(code: Uint8Array): Uint8Array | null {
  const delegates = code.length === 23 && PREFIX.every((byte, i) => code[i] === byte);
  return delegates ? code.subarray(3) : null;
}

// Bounds of codes' lengths, and go-ethereum's texts of longer ones. Runs on main, publisher and estimators.

/** EIP-3860: bytes of code that a transaction or CREATE may run to make a contract. */
export const INITCODE_BYTES_MAX = 49_152;
/** EIP-170: bytes of a contract's code. */
const CODE_BYTES_MAX = 24_576;

/** The text of more code to run. */
export function initcodeTooLarge(bytes: number | bigint): string {
  return `max initcode size exceeded: code size ${bytes} limit ${INITCODE_BYTES_MAX}`;
}

/** The text of more code to be deposited. */
export function codeTooLarge(bytes: number): string {
  return `max code size exceeded: code size ${bytes} limit ${CODE_BYTES_MAX}`;
}

// Bounds of codes' lengths, and go-ethereum's texts of longer ones. Runs on main, publisher and estimators.
import type { ActiveForks } from './forks.js';

/** Bytes at most, by forks. */
export interface CodeLimits {
  /** EIP-170: a contract's code. */
  readonly code: number;
  /** EIP-3860: code that a transaction or CREATE may run to make a contract. */
  readonly initcode: number;
}

const SHANGHAI: CodeLimits = { code: 24_576, initcode: 49_152 };
/** EIP-7954. */
const AMSTERDAM: CodeLimits = { code: 65_536, initcode: 131_072 };

/** Limits of a fork; EIP-3860 says from which on that of code to run holds. */
export function codeLimits(common: Pick<ActiveForks, 'isActivatedEIP'>): CodeLimits {
  return common.isActivatedEIP(7954) ? AMSTERDAM : SHANGHAI;
}

/** The text of more code to run. */
export function initcodeTooLarge(bytes: number | bigint, { initcode }: CodeLimits): string {
  return `max initcode size exceeded: code size ${bytes} limit ${initcode}`;
}

/** The text of more code to be deposited. */
export function codeTooLarge(bytes: number, { code }: CodeLimits): string {
  return `max code size exceeded: code size ${bytes} limit ${code}`;
}

// Size limits of contract code, and go-ethereum's error messages.
import type { ActiveForks } from './forks.js';

/** Largest sizes in bytes, which depend on the fork. */
export interface CodeLimits {
  /** EIP-170: deployed code. */
  readonly code: number;
  /** EIP-3860: init code of a transaction or CREATE. */
  readonly initcode: number;
}

const SHANGHAI: CodeLimits = { code: 24_576, initcode: 49_152 };
/** EIP-7954. */
const AMSTERDAM: CodeLimits = { code: 65_536, initcode: 131_072 };

/** The size limits of a fork. EIP-3860 decides from which fork on init code is limited at all. */
export function codeLimits(common: Pick<ActiveForks, 'isActivatedEIP'>): CodeLimits {
  return common.isActivatedEIP(7954) ? AMSTERDAM : SHANGHAI;
}

export function initcodeTooLargeMessage(bytes: number | bigint, { initcode }: CodeLimits): string {
  return `max initcode size exceeded: code size ${bytes} limit ${initcode}`;
}

export function codeTooLargeMessage(bytes: number, { code }: CodeLimits): string {
  return `max code size exceeded: code size ${bytes} limit ${code}`;
}

// Size limits of contract code, and go-ethereum's error messages.
import type { ActiveForks } from './active-forks.js';

/** Size limits in bytes. They depend on the fork. */
export interface CodeLimits {
  /** Limit for deployed code (EIP-170). */
  readonly code: number;
  /** Limit for the init code of a creating transaction or CREATE (EIP-3860). */
  readonly initcode: number;
}

const SHANGHAI: CodeLimits = { code: 24_576, initcode: 49_152 };
/** Limits of EIP-7954. */
const AMSTERDAM: CodeLimits = { code: 65_536, initcode: 131_072 };

/** Returns the size limits of a fork. Init code is only limited in forks with EIP-3860, which the caller checks. */
export function codeLimits(common: Pick<ActiveForks, 'isActivatedEIP'>): CodeLimits {
  return common.isActivatedEIP(7954) ? AMSTERDAM : SHANGHAI;
}

export function initcodeTooLargeMessage(bytes: number | bigint, { initcode }: CodeLimits): string {
  return `max initcode size exceeded: code size ${bytes} limit ${initcode}`;
}

export function codeTooLargeMessage(bytes: number, { code }: CodeLimits): string {
  return `max code size exceeded: code size ${bytes} limit ${code}`;
}

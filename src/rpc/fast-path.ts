// Answers a call with fast params straight from its packed row: no JSON, no objects, no await. Runs on main.
import { toQuantity } from '../lib/hex.js';
import type { AnswerWriter } from './encode.js';
import type { Request } from './request.js';
import type { PinnedVersion } from './pinned-version.js';
import type { ReadView } from './read-view.js';
import type { Snapshot } from '../state/table/snapshot.js';
import { BLOCK, FAST_METHODS, ROW_WORDS, WORD } from './decode/request-row.js';

const NONCE = FAST_METHODS.indexOf('eth_getTransactionCount');
const STORAGE = FAST_METHODS.indexOf('eth_getStorageAt');
const BALANCE = FAST_METHODS.indexOf('eth_getBalance');

const word = new Uint8Array(32);

/** Answers a row, or returns false where it has to be answered the long way: another block, state not held. */
export function readFast(writer: AnswerWriter, readView: ReadView, { body, rows }: Request, row: number): boolean {
  const base = row * ROW_WORDS;
  const version = fastVersion(readView.pinned, rows, base);
  if (version === 0) return false;
  const idOffset = rows[base + WORD.idOffset]!;
  const idLength = rows[base + WORD.idLength]!;
  const { snapshot } = readView.pinned;
  snapshot.aim(version);
  switch (rows[base + WORD.method]) {
    case NONCE:
      if (!snapshot.readNonce(rows, base + WORD.address)) return false;
      writer.quantity(body, idOffset, idLength, snapshot.nonceLow, snapshot.nonceHigh);
      return true;
    case STORAGE:
      if (!snapshot.readSlot(rows, base + WORD.address, base + WORD.slot, word)) return false;
      writer.hex(body, idOffset, idLength, word);
      return true;
    default:
      return readAccount(writer, snapshot, body, rows, base);
  }
}

function readAccount(
  writer: AnswerWriter,
  snapshot: Snapshot,
  body: Uint8Array,
  rows: Uint32Array,
  base: number,
): boolean {
  const idOffset = rows[base + WORD.idOffset]!;
  const idLength = rows[base + WORD.idLength]!;
  const address = new Uint8Array(rows.buffer, rows.byteOffset + (base + WORD.address) * 4, 20);
  if (!snapshot.readNonce(rows, base + WORD.address)) return false;
  const account = snapshot.account(address);
  if (rows[base + WORD.method] === BALANCE) {
    writer.result(body, idOffset, idLength, `"${toQuantity(account?.balance ?? 0n)}"`);
  } else {
    writer.hex(body, idOffset, idLength, account === null ? new Uint8Array() : snapshot.code(account.codeHash));
  }
  return true;
}

/** The version that answers the row's block; 0 for one that is not in the table. */
function fastVersion(pinned: PinnedVersion, rows: Uint32Array, base: number): number {
  const { record } = pinned;
  switch (rows[base + WORD.block]) {
    case BLOCK.pending:
      return pinned.version;
    case BLOCK.latest:
      return record.latestVersion;
    case BLOCK.safe:
      return record.heads.safe === null ? 0 : pinned.versionOf(record.heads.safe);
    case BLOCK.finalized:
      return record.heads.finalized === null ? 0 : pinned.versionOf(record.heads.finalized);
    case BLOCK.number: {
      const number = rows[base + WORD.numberLow]!;
      const isKnown = rows[base + WORD.numberHigh] === 0 && number <= record.heads.latest;
      return isKnown ? pinned.versionOf(number) : 0;
    }
    default:
      return 0;
  }
}

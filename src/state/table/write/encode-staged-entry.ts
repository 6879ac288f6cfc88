// Encodes a change of an account or slot as 32-bit words, in a buffer from which it is copied to an entry of the table.
import type { SlotChange } from '../../state-diff.js';
import type { AccountState } from '../../views/state-view.js';
import type { EntryChange } from './entry-writer.js';
import { ACCOUNT_PAYLOAD, NONEXISTENT_ACCOUNT_CODE_ID, PAYLOAD_WORDS } from '../layout/table-layout.js';
import { PackedKey } from '../layout/packed-key.js';

/**
 * A buffer for one change. It is reused: each setter overwrites it. The setters throw RangeError for a key or value of
 * the wrong length.
 */
export class StagedChange implements EntryChange {
  readonly #key = new PackedKey();
  /** The address in words 0 to 4, the slot in words 5 to 12. */
  readonly key = this.#key.words;
  /** The payload as it is stored in an entry. */
  readonly payload = new Int32Array(PAYLOAD_WORDS);
  readonly #payloadBytes = new Uint8Array(this.payload.buffer);
  readonly #payloadLongs = new BigUint64Array(this.payload.buffer);

  /** Encodes an account that exists. `code` and `half` are the ids of its code and of the high half of its balance. */
  setAccount(address: Uint8Array, { nonce, balance }: AccountState, code: number, half: number): void {
    this.setAbsent(address);
    this.#payloadLongs[0] = nonce;
    this.#payloadLongs[1] = balance;
    this.#payloadLongs[2] = balance >> 64n;
    this.payload[ACCOUNT_PAYLOAD.code] = code;
    this.payload[ACCOUNT_PAYLOAD.wide] = half;
  }

  /** Encodes an account that does not exist. */
  setAbsent(address: Uint8Array): void {
    checkLength(address, 20);
    this.#key.setAddress(address);
    this.payload.fill(0);
    this.payload[ACCOUNT_PAYLOAD.code] = NONEXISTENT_ACCOUNT_CODE_ID;
  }

  setSlot({ address, slot, value }: SlotChange): void {
    checkLength(address, 20);
    checkLength(slot, 32);
    checkLength(value, 32);
    this.#key.setSlot(address, slot);
    this.#payloadBytes.set(value);
  }
}

function checkLength(bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes where ${length} belong`);
}

// Decodes only the fields of a transaction record that a log search needs, because it reads many records and returns
// few logs. Pure.
import { RlpReader } from '../../../lib/bytes/rlp-reader.js';
import type { ExecutedTransaction, Log, Receipt } from '../../complete-block.js';

/** The fields of a transaction that are needed to return its logs. */
export type LoggedTransaction = Pick<ExecutedTransaction, 'hash' | 'raw'> & {
  readonly receipt: Pick<Receipt, 'logs'>;
};

/** Number of fields between the raw transaction and the logs in a record. */
const ITEMS_BETWEEN = 7;

/** Decodes a record that `encodeTransactionRecord` has written. Throws if it is malformed. */
export function decodeLoggedTransaction(record: Uint8Array): LoggedTransaction {
  const reader = new RlpReader(record);
  reader.enter();
  const [hash, raw] = [reader.string(), reader.string()];
  for (let item = 0; item < ITEMS_BETWEEN; item++) reader.skip();
  const logs = reader.list((items) => readLog(record, items));
  if (!reader.isSound) throw new Error('archive record is damaged: logs expected');
  return { hash, raw, receipt: { logs } };
}

function readLog(record: Uint8Array, reader: RlpReader): Log {
  const log = new RecordedLog(record, reader.offset);
  reader.skip();
  return log;
}

/** A log whose fields are decoded from the record when they are first used, because most logs are never used. */
class RecordedLog implements Log {
  readonly #record: Uint8Array;
  readonly #at: number;

  constructor(record: Uint8Array, at: number) {
    this.#record = record;
    this.#at = at;
  }

  get address(): Uint8Array {
    return this.#items().string();
  }

  get topics(): readonly Uint8Array[] {
    const items = this.#items();
    items.skip();
    return items.list((each) => each.string());
  }

  get data(): Uint8Array {
    const items = this.#items();
    items.skip();
    items.skip();
    return items.string();
  }

  #items(): RlpReader {
    const reader = new RlpReader(this.#record, this.#at);
    reader.enter();
    return reader;
  }
}

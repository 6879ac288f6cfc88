// The hash and the logs of a transaction out of its record, without making anything else of it: a search for logs looks at
// many records and shows few. Pure. Runs on every thread.
import { RlpReader } from '../../../lib/bytes/rlp-reader.js';
import type { ConfirmedTransaction, Log, Receipt } from '../../block.js';

/** A transaction as far as its logs need it. */
export type LoggedTransaction = Pick<ConfirmedTransaction, 'hash' | 'raw'> & {
  readonly receipt: Pick<Receipt, 'logs'>;
};

/** Items of a record between the bytes of the transaction and its logs. */
const ITEMS_BETWEEN = 7;

/** Reads a record that `encodeTransaction` has made; throws where it is none. */
export function readLogged(record: Uint8Array): LoggedTransaction {
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

/** A log as it lies in its record: a member is made when it is asked for, as most are not. */
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

// Preloaded into every thread of the program when tests run with RESTLESS=1: its tables copy and evict all the time
// (see table-settings.ts), and the program must behave the same.
import { TableWriter } from '../../src/state/table/writer.js';
import { RESTLESS } from './table-settings.js';

const create = TableWriter.create.bind(TableWriter);
/** The kept window is unchanged, because it is announced to clients. */
const { versionsKept: _, blocksKept: __, ...growth } = RESTLESS;
TableWriter.create = (options) => create({ ...growth, ...options });

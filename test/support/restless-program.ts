// Preloaded into every thread of the program where the tests run with RESTLESS=1: its tables are copied and evict all
// the time (see table-settings.ts). What holds for the program must hold then, too.
import { TableWriter } from '../../src/state/table/writer.js';
import { RESTLESS } from './table-settings.js';

const create = TableWriter.create.bind(TableWriter);
/** The window of versions stays: it is told to clients. */
const { versionsKept: _, blocksKept: __, ...growth } = RESTLESS;
TableWriter.create = (options) => create({ ...growth, ...options });

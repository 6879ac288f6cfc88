// Loaded into every thread of the program before anything else, where the tests run with RESTLESS=1: its tables never rest (see
// table-settings.ts). What holds of the program holds then, too.
import { TableWriter } from '../../src/state/table/writer.js';
import { RESTLESS } from './table-settings.js';

const create = TableWriter.create.bind(TableWriter);
/** The window of versions stays: it is told to clients. */
const { versionsKept: _, blocksKept: __, ...growth } = RESTLESS;
TableWriter.create = (options) => create({ ...growth, ...options });

// Entry file of a thread that recovers the senders of transactions.
import { workAtBatch } from '../src/pool/sender-batch.js';

export default workAtBatch;

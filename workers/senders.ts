// A thread that recovers the senders of transactions. Runs on the senders.
import { workAtBatch } from '../src/pool/senders/batch.js';

export default workAtBatch;

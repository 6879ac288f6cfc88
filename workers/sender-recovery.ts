// Entry file of a thread that recovers the senders of transactions.
import { recoverBatchSenders } from '../src/pool/sender-recovery-batch.js';

export default recoverBatchSenders;

// A thread that recovers the senders of transactions. Runs on the senders.
import { answerSenderTask } from '../src/pool/senders/task.js';

export default answerSenderTask;

// All bounds of the service, each with its unit and reason. There is one file per layer in src/limits. This file
// contains the relations between bounds, which are checked when it loads.
import { EVM_IMPLEMENTATION_LIMITS } from './evm-implementation.js';
import { EXECUTION_LIMITS } from './execution.js';
import { FEED_LIMITS } from './feed.js';
import { HTTP_LIMITS } from './http.js';
import { POOL_LIMITS } from './pool.js';
import { PROCESS_LIMITS } from './process.js';
import { PUBLISHER_LIMITS } from './publisher.js';
import { REPLICAS_LIMITS } from './replicas.js';
import { RPC_LIMITS } from './rpc.js';
import { STATE_LIMITS } from './state.js';
import { UPSTREAM_LIMITS } from './upstream.js';

/** All bounds by name. A name ends with the unit. If a flag sets a bound, its default or maximum is here. */
export const LIMITS = {
  ...EVM_IMPLEMENTATION_LIMITS,
  ...EXECUTION_LIMITS,
  ...FEED_LIMITS,
  ...HTTP_LIMITS,
  ...POOL_LIMITS,
  ...PROCESS_LIMITS,
  ...PUBLISHER_LIMITS,
  ...REPLICAS_LIMITS,
  ...RPC_LIMITS,
  ...STATE_LIMITS,
  ...UPSTREAM_LIMITS,
} as const;

function relation(isTrue: boolean, proof: string): void {
  if (!isTrue) throw new Error(`limits contradict each other: ${proof}`);
}

relation(LIMITS.killGraceMs > LIMITS.timeoutGraceMs, 'a job is answered before it is killed');
relation(LIMITS.pinAgeMsMax > 2 * LIMITS.estimateMsMax, 'no live job can hold a pin that is called old');
relation(
  LIMITS.mailboxLingerMs < LIMITS.tableNoticeMs,
  'a worker that still waits for jobs when idle workers are notified of a table has answered one since it came',
);
relation(LIMITS.mailboxLingerMs < LIMITS.threadEndMsMax, 'a worker that waits for jobs can be terminated in time');
relation(LIMITS.shutdownMsMax > 2 * LIMITS.estimateMsMax, 'what is in flight ends before the shutdown gives up');
relation(LIMITS.shutdownMsMax > LIMITS.queuedJobMsMax + LIMITS.estimateMsMax, 'what waits has its turn before the end');
relation(LIMITS.stopMsMax > LIMITS.shutdownMsMax, 'what is in flight may end while everything stops');
relation(LIMITS.secondSignalMsMin < LIMITS.stopMsMax, 'a second signal comes before the end of its own accord');
relation(
  LIMITS.descriptorsBase >= 3 * LIMITS.descriptorsForConnections,
  'a publisher can load while all connections are open',
);
relation(LIMITS.queuedJobsMax >= 2 * LIMITS.batchCallsMax, "a full batch of estimates fits a client's half");
relation(LIMITS.queuedJobBytesMax > 2 * LIMITS.bodyBytesMax, "the jobs of the largest body fit a client's half");
relation(
  LIMITS.mailboxLongAnswerBytesMax > 3 * LIMITS.returnBytesMax + 1024,
  'every answer of a worker fits its mailbox',
);
relation(LIMITS.longJobBytesMin > LIMITS.mergedJobBytesMax, 'a job that others may join is text');
relation(LIMITS.clientsKeptMax > LIMITS.queuedJobsMax, 'a client without jobs can be forgotten');
relation((LIMITS.costsKeptMax & (LIMITS.costsKeptMax - 1)) === 0, 'costs are found by a mask');
relation(2 * LIMITS.devTrafficMsMax <= LIMITS.devIncrementMsMax, 'what traffic is made can be executed');
relation(LIMITS.dispatchedMsMax <= LIMITS.longerJobMs, 'the jobs dispatched together take no longer than one long job');
relation(
  LIMITS.shortJobMs < LIMITS.longerJobMs && LIMITS.longerJobMs < LIMITS.trialMs,
  'a job that fails its trial is long',
);
relation(2 * LIMITS.compiledBytesMax <= LIMITS.engineBytesKeptMax, 'what is compiled leaves room for codes');
relation(LIMITS.blockHashesKept >= LIMITS.blocksKeptMax, 'every kept block can be found by hash');
relation(
  LIMITS.batchIdsMax >= LIMITS.batchCallsMax,
  'every call of a batch that is run has an id that can be answered',
);
relation(LIMITS.bodyInStepsBytesMin > LIMITS.plainBodyBytesMax, 'plain reads are answered in one step');
relation(
  LIMITS.plainBodyBytesMax >= 256 * LIMITS.batchCallsMax,
  'a full batch of storage words, 190 bytes each, is plain',
);
relation(LIMITS.responseBytesMax > 2 * LIMITS.returnBytesMax + 1024, 'the longest return data fits an answer as hex');
relation(LIMITS.logSearchBytesPerClientMax > LIMITS.responseBytesMax, 'a search that fits its answer fits its memory');
relation(
  LIMITS.logSearchBytesMax >= 4 * LIMITS.logSearchBytesPerClientMax,
  'four clients share the memory of searches',
);
relation(LIMITS.ownSendsBytesMax >= 4 * LIMITS.ownSendsBytesPerClientMax, 'four clients can send');
relation(LIMITS.ownSendsBytesPerClientMax >= 16 * LIMITS.transactionBytesMax, 'a client can send some of the largest');
relation(
  LIMITS.ownSendSendersMax * LIMITS.ownSendOverheadBytes >= 2 * LIMITS.ownSendsBytesMax,
  'every transaction on its way may have a sender of its own',
);
relation(LIMITS.answersBytesMax >= 2 * LIMITS.responseBytesMax, 'a large answer does not lock out the others');
relation((LIMITS.versionsKeptMax & (LIMITS.versionsKeptMax - 1)) === 0, 'the version ring is indexed by a mask');
relation(LIMITS.blobTransactionBytesMax * 2 < LIMITS.bodyBytesMax, 'the largest transaction fits a body as hex');
relation(LIMITS.bodiesBytesMax >= 4 * LIMITS.bodiesBytesPerClientMax, 'four clients share the memory of bodies');
relation(LIMITS.bodiesMax >= 4 * LIMITS.bodiesPerClientMax, 'four clients share the number of bodies');
relation(LIMITS.bodiesBytesPerClientMax >= 8 * LIMITS.bodyBytesMax, 'a client can send a few of the largest bodies');
relation(LIMITS.unsentBytesMax >= 4 * LIMITS.unsentBytesPerClientMax, 'four clients share the memory of answers');
relation(LIMITS.unsentBytesPerClientMax >= 2 * LIMITS.responseBytesMax, 'a client can read two of the largest answers');
relation(LIMITS.socketsMax >= 4 * LIMITS.socketsPerClientMax, 'four clients share the WebSockets');
relation(LIMITS.largeSocketsMax >= 4 * LIMITS.largeSocketsPerClientMax, 'four clients share those for large messages');
relation(
  LIMITS.largeSocketsMax * LIMITS.bodyBytesMax + LIMITS.socketsMax * LIMITS.smallMessageBytesMax <=
    LIMITS.socketMessagesBytesMax,
  'a message without end on every WebSocket is within its budget',
);
relation(LIMITS.incrementMsMax > LIMITS.incrementMs, 'an increment is reported before it is abandoned');
relation(LIMITS.blockMsMax > LIMITS.blockMs, 'a block is reported before it is abandoned');
relation(LIMITS.stopMsMax > LIMITS.blockMsMax, 'the block at hand has an end before the program does');
relation(LIMITS.lowerPollsMax > LIMITS.lowerPollsReported, 'a rollback of the node is reported before it is followed');
relation(LIMITS.catchUpBlocksMax <= LIMITS.blocksKeptMax, 'what is caught up with can be kept');
relation(LIMITS.headLagBlocksMax >= LIMITS.startBelowBlocks, 'a state after a resync is not behind');
relation(LIMITS.feedAheadBlocksMax > LIMITS.feedDepthBlocksMax, 'what is dropped for its depth can be built again');
relation(LIMITS.feedBlockBytesMax >= LIMITS.feedFrameBytesMax / 2, 'the largest frame fits a block: hex halves');
relation(LIMITS.upstreamTimeoutMsMax >= LIMITS.upstreamSilenceMsMax, 'a timeout alone shows that the node is silent');
relation(LIMITS.replicationLeaseMs > 4 * LIMITS.replicationRenewMs, 'a lease outlives three renewals that fail');
relation(
  LIMITS.replicationLeaseMs > 2 * LIMITS.replicationAnswerMsMax,
  'a leader knows in time that it may have lost it',
);
relation(
  LIMITS.replicationStreamMs >= 4 * LIMITS.replicationSnapshotMs,
  'the stream has every version after the newest snapshot',
);
relation(
  LIMITS.replicationStallMsMax >= 2 * LIMITS.replicationAliveMs,
  'an announcement may arrive before its version',
);
relation(LIMITS.replicationSilenceMsMax > 4 * LIMITS.replicationAliveMs, 'one lost word is no silence');
relation(LIMITS.feedRetryMsMax > LIMITS.feedRetryMsMin, 'the wait can grow');
relation(
  LIMITS.recordWaitingBytesMax >= 2 * LIMITS.bodyBytesMax,
  'a request of the largest body can be recorded, its quotes escaped',
);
relation(
  LIMITS.recordWaitingBytesMax >= 1.5 * LIMITS.feedFrameBytesMax,
  'the largest frame can be recorded, in base64',
);

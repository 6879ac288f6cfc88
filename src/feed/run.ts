// The publisher's program: opens the archive, restores the table from it, runs the feed and listens to main. Runs on the
// publisher.
import { ArchiveError, ArchiveWriter } from '../state/archive-writer.js';
import { TableWriter } from '../state/publish.js';
import { createDevChain } from './dev-chain.js';
import { type Feed, FeedError } from './feed.js';
import { createImportFeed } from './import.js';
import type { FromPublisher, PublisherOptions, ToPublisher } from './messages.js';
import { Publisher } from './publisher.js';
import { restore } from './restore.js';

/** What the thread is connected to. */
export interface PublisherPort {
  readonly post: (message: FromPublisher) => void;
  readonly onMessage: (receive: (message: ToPublisher) => void) => void;
}

/** Runs until main says stop. Bad input is told to main as `fatal`; anything else is a bug and ends the thread. */
export async function runPublisher(options: PublisherOptions, port: PublisherPort): Promise<void> {
  try {
    await run(options, port);
  } catch (error) {
    if (!(error instanceof FeedError || error instanceof ArchiveError)) throw error;
    port.post({ kind: 'fatal', message: error.message, exitCode: error.exitCode });
  }
}

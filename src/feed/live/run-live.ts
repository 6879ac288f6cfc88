// The publisher's program for a live chain: learns which chain it is, follows it, answers main. Runs on the publisher.
import { createRules } from '../../evm/rules.js';
import { createUpstream } from '../../upstream/node.js';
import { LIMITS } from '../../limits.js';
import type { LiveOptions, ToPublisher } from '../messages.js';
import type { PublisherPort } from '../run.js';
import { describeChain } from './describe-chain.js';
import { LiveFeed } from './live-feed.js';

/** Resolves once it follows. Rejects with StartError. */
export async function runLive(options: LiveOptions, { post, listen }: PublisherPort): Promise<void> {
  const { upstreamUrl: url, upstreamWsUrl: wsUrl } = options;
  const upstream = createUpstream({ url, wsUrl, pollMs: LIMITS.headPollMs });
  const chain = await describeChain(options, upstream);
  const feed = new LiveFeed({ upstream, rules: createRules(chain), feedUrl: options.feedUrl, post, now: Date.now });
  listen((message) => void receive(message, feed, post));
  post({ kind: 'chain', chain, acceptsTransactions: false, renewed: false });
  feed.start();
}

async function receive(message: ToPublisher, feed: LiveFeed, post: PublisherPort['post']): Promise<void> {
  switch (message.kind) {
    case 'fill':
    case 'request':
      return feed.ask(message);
    case 'stop':
      await feed.stop();
      post({ kind: 'stopped' });
      return;
    case 'transaction':
      post({ kind: 'rejected', id: message.id, message: 'the chain takes no transactions here' });
  }
}

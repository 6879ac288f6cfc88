// The project's own conversations, on a fresh dev chain: every response is compared byte for byte, along with its HTTP
// status. They are the written form of the RPC contract; read them in test/io/*.io.
import { after, before, describe, test } from 'node:test';
import { Server } from '../support/server.js';
import { assertNoMismatch, MODES } from './modes.js';
import { type Conversation, ownConversations } from './conversation.js';
import { testConversation } from './conversation-test.js';

/** Conversations on an imported chain are run by own-chain.io.ts. */
const conversations = ownConversations().filter(({ conversation }) => !conversation.flags.includes('--chain'));

function flagsOf({ flags }: Conversation, mode: readonly string[]): string {
  const quiet = flags.includes('--dev-traffic') ? [] : ['--dev-traffic', '0'];
  return [...quiet, ...mode, ...flags].join(' ');
}

for (const [index, mode] of MODES.entries()) {
  // Conversations with flags of their own are about those flags, so one mode is enough.
  const requested = conversations.filter(({ conversation }) => index === 0 || conversation.flags.length === 0);
  for (const flags of new Set(requested.map(({ conversation }) => flagsOf(conversation, mode)))) {
    describe(`prestate ${flags}`, () => runWith(mode, flags));
  }
}

function runWith(mode: readonly string[], flags: string): void {
  let server: Server;
  before(async () => {
    server = await Server.startPatient(...flags.split(' '));
  });
  after(() => server.stop());

  for (const { file, conversation } of conversations) {
    if (flagsOf(conversation, mode) === flags) testConversation(file, conversation, () => server);
  }

  test('the kernel and the reference do not differ', () => assertNoMismatch(server));
}

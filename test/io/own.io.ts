// The project's own conversations, on a fresh dev chain: every answer is compared byte for byte, and its HTTP status.
// They are the written form of the RPC's contract; read them in test/io/*.io.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Server } from '../support/server.js';
import { assertTyped } from './answers.js';
import { assertNoMismatch, MODES } from './modes.js';
import { type Conversation, readConversation } from './conversation.js';

/** The conversations are no code: they lie in the sources, not beside the compiled tests. */
const FOLDER = fileURLToPath(new URL('../../../test/io', import.meta.url));

const conversations = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.io'))
  .map((file) => ({ file, conversation: readConversation(join(FOLDER, file)) }));

function flagsOf({ flags }: Conversation, mode: readonly string[]): string {
  const quiet = flags.includes('--dev-traffic') ? [] : ['--dev-traffic', '0'];
  return [...quiet, ...mode, ...flags].join(' ');
}

/** The line break after a refusal's text is not worth a line of the conversation. */
async function query(server: Server, request: string): Promise<{ status: number; answer: string }> {
  const { status, text } = await server.post(request);
  return { status, answer: text.trimEnd() };
}

for (const [index, mode] of MODES.entries()) {
  // Those that have flags of their own are about those: one mode is enough for them.
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
    if (flagsOf(conversation, mode) !== flags) continue;
    const { exchanges } = conversation;
    test(file, async (context) => {
      assert.ok(exchanges.length > 0);
      for (const { request, answer, status, comment } of exchanges) {
        // In the order in which they are written.
        await context.test(`${comment} ${request.slice(0, 100)}`, async () => {
          const told = await query(server, request);
          if (!conversation.shapeOnly) return assert.deepEqual(told, { status, answer });
          assert.deepEqual(
            [told.status, 'result' in JSON.parse(told.answer)],
            [status, 'result' in JSON.parse(answer)],
          );
          assertTyped(request, told.answer);
        });
      }
    });
  }

  test('the kernel and the reference do not differ', () => assertNoMismatch(server));
}

// A written conversation as a test of the running program: its exchanges run in order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../support/patience.js';
import type { Server } from '../support/server.js';
import { assertTyped } from './answers.js';
import type { Conversation } from './conversation.js';

/** Where requests are sent. */
interface Connection {
  /** Returns the response with its HTTP status; an empty request returns the next notification. */
  readonly query: (request: string) => Promise<{ readonly status: number; readonly answer: string }>;
  readonly close: () => void;
}

/** Checks the server against the conversation. */
export function testConversation(file: string, conversation: Conversation, server: () => Server): void {
  test(file, async (context) => {
    assert.ok(conversation.exchanges.length > 0);
    const connection = await (conversation.overWebSocket ? overWebSocket : overHttp)(server());
    const texts = new Map<string, string>();
    const known = (line: string): string => line.replaceAll(/"0x\w+"/g, (text) => texts.get(text) ?? text);
    for (const exchange of conversation.exchanges) {
      const [request, answer] = [known(exchange.request), known(exchange.answer)];
      await context.test(`${exchange.comment} ${request.slice(0, 100)}`, async () => {
        const received = await connection.query(request);
        if (!conversation.shapeOnly && !exchange.varies) {
          return assert.deepEqual(received, { status: exchange.status, answer });
        }
        const [came, written] = [received.answer, answer].map(
          (text) => JSON.parse(text) as { readonly result?: unknown },
        );
        assert.deepEqual([received.status, 'result' in came!], [exchange.status, 'result' in written!]);
        assertTyped(request, received.answer);
        if (exchange.varies) texts.set(JSON.stringify(written!.result), JSON.stringify(came!.result));
      });
    }
    connection.close();
  });
}

function overHttp(server: Server): Connection {
  return {
    query: async (request) => {
      const { status, text } = await server.post(request);
      // The trailing line break of a refusal is not part of the conversation.
      return { status, answer: text.trimEnd() };
    },
    close: () => undefined,
  };
}

async function overWebSocket({ url }: Server): Promise<Connection> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  const [answers, notifications]: [string[], string[]] = [[], []];
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    ('id' in (JSON.parse(text) as object) ? answers : notifications).push(text);
  });
  await once(socket, 'open');
  return {
    query: async (request) => {
      if (request !== '') socket.send(request);
      const came = request === '' ? notifications : answers;
      return { status: 200, answer: await eventually(() => Promise.resolve(came.shift())) };
    },
    close: () => socket.terminate(),
  };
}

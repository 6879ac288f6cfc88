// Written conversations: `// comment`, `>> request`, `<< response`, as in go-ethereum and the execution APIs. Ours may
// also contain `$$ flags` of the program, `!! status` of a response other than HTTP 200, `<~ response` if it differs
// between runs, and `<- notification`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Conversations are in the source folder, because the compiler does not copy them. */
const FOLDER = fileURLToPath(new URL('../../../test/io', import.meta.url));

/** One request and its response. */
export interface Exchange {
  /** Empty before a notification, which has no request. */
  readonly request: string;
  /** Empty if nothing is sent. */
  readonly answer: string;
  /** HTTP status. */
  readonly status: number;
  /**
   * Only structure and types of the response are compared. A string in it stands for the received one in all that
   * follows.
   */
  readonly varies: boolean;
  /** The comment above it. */
  readonly comment: string;
}

export interface Conversation {
  /** `// speconly:` only structure and types of successful results are compared. */
  readonly shapeOnly: boolean;
  /** `// websocket:` everything runs over one WebSocket. */
  readonly overWebSocket: boolean;
  readonly flags: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** The project's own conversations, in the order of their files. */
export function ownConversations(): readonly { readonly file: string; readonly conversation: Conversation }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.io'))
    .map((file) => ({ file, conversation: readConversation(join(FOLDER, file)) }));
}

/** Reads a conversation file. */
export function readConversation(file: string): Conversation {
  const exchanges: Exchange[] = [];
  let flags: readonly string[] = [];
  let comment = '';
  let shapeOnly = false;
  let overWebSocket = false;
  const begin = (request: string) => ({ request, answer: '', status: 200, varies: false, comment });
  let open = begin('');
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const text = line.slice(3);
    if (line.startsWith('// ')) comment = text;
    if (line.startsWith('// speconly:')) shapeOnly = true;
    if (line.startsWith('// websocket:')) overWebSocket = true;
    if (line.startsWith('$$ ')) flags = text.split(' ');
    else if (line.startsWith('>>')) exchanges.push((open = begin(text)));
    else if (line.startsWith('<- ')) exchanges.push({ ...begin(''), answer: text });
    else if (line.startsWith('!! ')) open.status = Number(text);
    else if (/^<[<~] /.test(line)) Object.assign(open, { answer: text, varies: line.startsWith('<~') });
  }
  return { shapeOnly, overWebSocket, flags, exchanges };
}

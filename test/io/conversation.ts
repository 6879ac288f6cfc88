// Written conversations: `// comment`, `>> request`, `<< answer`, as go-ethereum and the execution APIs keep them. Ours
// may also say `$$ flags` of the program, `!! status` of an answer that is not HTTP 200, `<~ answer` where it differs
// from one start to another, and `<- notification`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Conversations are in the sources: the compiler copies none. */
const FOLDER = fileURLToPath(new URL('../../../test/io', import.meta.url));

/** One request and the answer to it. */
export interface Exchange {
  /** Empty before a notification, for which nothing is requested. */
  readonly request: string;
  /** Empty when nothing is sent. */
  readonly answer: string;
  /** HTTP. */
  readonly status: number;
  /** The answer is compared in shape and types only. A text in it stands for the one that came, in all that follows. */
  readonly varies: boolean;
  /** The comment that it stands under. */
  readonly comment: string;
}

export interface Conversation {
  /** `// speconly:` a successful result is compared in shape and types only. */
  readonly shapeOnly: boolean;
  /** `// websocket:` all of it over one WebSocket. */
  readonly overWebSocket: boolean;
  readonly flags: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** The project's own, in the order of their files. */
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

// Written conversations: `// comment`, `>> request`, `<< answer`, as go-ethereum and the execution APIs keep them. Ours
// may also say `$$ flags` of the program and `!! status` of an answer that is not HTTP 200.
import { readFileSync } from 'node:fs';

/** One request and the answer to it. */
export interface Exchange {
  readonly request: string;
  /** Empty when nothing is sent. */
  readonly answer: string;
  /** HTTP. */
  readonly status: number;
  /** The comment that it stands under. */
  readonly comment: string;
}

export interface Conversation {
  /** `// speconly:` a successful result is compared in shape and types only. */
  readonly shapeOnly: boolean;
  readonly flags: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** Reads a conversation file. */
export function readConversation(file: string): Conversation {
  const exchanges: Exchange[] = [];
  let flags: readonly string[] = [];
  let comment = '';
  let shapeOnly = false;
  let open = { request: '', answer: '', status: 200, comment: '' };
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const text = line.slice(3);
    if (line.startsWith('// ')) comment = text;
    if (line.startsWith('// speconly:')) shapeOnly = true;
    if (line.startsWith('$$ ')) flags = text.split(' ');
    else if (line.startsWith('>>')) exchanges.push((open = { request: text, answer: '', status: 200, comment }));
    else if (line.startsWith('!! ')) open.status = Number(text);
    else if (line.startsWith('<< ')) open.answer = text;
  }
  return { shapeOnly, flags, exchanges };
}

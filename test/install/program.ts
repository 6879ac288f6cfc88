// Tools for trying an installed program: a Node.js from npm, the program's log at startup, requests to it.
import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';

const CHAIN_ID_REQUEST = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const ANSWERED = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}';

/** The fields of log lines, including the port. */
export type Said = Readonly<Record<string, string>>;

/** The program's results; `ok` if they are right. */
export interface Probe {
  readonly http: string;
  readonly webSocket: string;
  readonly ipc: string;
}

/** Installs the newest Node.js of that major version in `folder`; returns its path. */
export function installNode(folder: string, major: string): string {
  const prefix = join(folder, major);
  execFileSync('npm', ['install', '--prefix', prefix, '--no-save', `node@${major}`], { stdio: 'ignore' });
  return join(prefix, 'node_modules', 'node', 'bin', 'node');
}

/** An environment in which `node` is that one, also for npm and children. */
export function environmentOf(node: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` };
}

/** The fields of all log lines up to the one with the port. */
export async function saidAtStart(child: ChildProcess): Promise<Said> {
  const said: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout! })) {
    Object.assign(said, JSON.parse(line));
    if ('port' in said) break;
  }
  child.stdout!.resume();
  return said;
}

/** Sends requests over HTTP, over WebSocket, and over the Unix socket. */
export async function probe(said: Said): Promise<Probe> {
  return { http: await httpAnswer(said), webSocket: await socketAnswer(said), ipc: await ipcAnswer(said) };
}

async function httpAnswer({ port }: Said): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: CHAIN_ID_REQUEST,
    headers: { 'Content-Type': 'application/json' },
  });
  return verdict(await response.text());
}

async function socketAnswer({ port }: Said): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  socket.send(CHAIN_ID_REQUEST);
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return verdict(message.toString());
}

async function ipcAnswer({ ipc }: Said): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const probed = request({ socketPath: ipc!, path: '/', method: 'POST', headers });
  probed.end(CHAIN_ID_REQUEST);
  const [response] = (await once(probed, 'response')) as [NodeJS.ReadableStream];
  return verdict(await text(response));
}

function verdict(answer: string): string {
  return answer === ANSWERED ? 'ok' : answer;
}

// The attacking process: runs one attack against a port until it is stopped. Usage: node dist/test/attack/attacker.js
// NAME PORT
import { setMaxListeners } from 'node:events';
import { ATTACKS } from './attacks.js';

const [name, port] = process.argv.slice(2);
const attack = ATTACKS.find((candidate) => candidate.name === name);
if (attack === undefined) throw new Error(`there is no attack ${name}`);

const ending = new AbortController();
// Every connection adds a listener.
setMaxListeners(0, ending.signal);
process.once('SIGTERM', () => ending.abort());
process.once('disconnect', () => ending.abort());
process.send?.('begun');
await attack.attack({ port: Number(port), signal: ending.signal });
process.exit(0);

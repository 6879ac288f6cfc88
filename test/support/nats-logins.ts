// Credentials for a NATS server under test: certificates, and the operator, account and user of credentials files.
import { spawnSync } from 'node:child_process';
import { nkeys } from '@nats-io/transport-node';
import { temporaryFile } from './temporary-folder.js';

/** Why tests that need certificates are skipped, or `false` if they can run. */
export const NO_OPENSSL: string | false =
  spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

/** A self-signed certificate for 127.0.0.1 and its key, as temporary files. */
export function certificate(name: string): { readonly certFile: string; readonly keyFile: string } {
  const [certFile, keyFile] = [temporaryFile(`${name}.pem`), temporaryFile(`${name}.key`)];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync('openssl', ['req', '-x509', '-days', '2', ...key, ...names, '-out', certFile]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr.toString()}`);
  return { certFile, keyFile };
}

type Keys = ReturnType<typeof nkeys.createUser>;

/** Configuration of a server with accounts, and the credentials file of a user that it accepts. */
export interface Accounts {
  /** Lines for the server's configuration file. */
  readonly configuration: string;
  readonly credentials: string;
}

/** An operator, an account with JetStream and a user of it, and the server's system account. */
export function accounts(): Accounts {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const system = nkeys.createAccount();
  const accountClaims = { type: 'account', limits: { ...CONNECTIONS, ...JETSTREAM } };
  const accountToken = token(operator, account, accountClaims);
  const userToken = token(account, user, { type: 'user', subs: -1, data: -1, payload: -1, pub: {}, sub: {} });
  const configuration = [
    `operator: ${token(operator, operator, { type: 'operator' })}`,
    'resolver: MEMORY',
    `system_account: ${system.getPublicKey()}`,
    'resolver_preload: {',
    `${account.getPublicKey()}: ${accountToken}`,
    `${system.getPublicKey()}: ${token(operator, system, { type: 'account', limits: CONNECTIONS })}`,
    '}',
  ].join('\n');
  const credentials = [
    `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------`,
    `-----BEGIN USER NKEY SEED-----\n${new TextDecoder().decode(user.getSeed())}\n------END USER NKEY SEED------\n`,
  ].join('\n\n');
  return { configuration, credentials };
}

const CONNECTIONS = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1, wildcards: true };
const JETSTREAM = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/** A NATS JSON web token: the claims of `issuer` about `subject`. */
function token(issuer: Keys, subject: Keys, nats: object): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  };
  const signed = [{ typ: 'JWT', alg: 'ed25519-nkey' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}

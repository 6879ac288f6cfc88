// A new self-signed certificate for 127.0.0.1: X.509 version 3 (RFC 5280) with a P-256 key, as DER written by hand.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Certificate and key in PEM, under the names that node:tls uses. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const VERSION_3 = Buffer.from('a003020102', 'hex');
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

/** A certificate that is valid from yesterday until tomorrow. */
export function loopbackCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('a test')))));
  const validity = sequence(utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS));
  const serial = der(0x02, Buffer.from([1]), randomBytes(8));
  const alternatives = der(0x04, sequence(der(0x87, LOOPBACK)));
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, alternatives)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const signed = sequence(VERSION_3, serial, algorithm, name, validity, name, key, extensions);
  const whole = sequence(signed, algorithm, der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey)));
  const cert = `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** Encodes tag, length and contents. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), contents]);
}

/** A UTCTime: YYMMDDHHMMSSZ. */
function utcTime(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
}

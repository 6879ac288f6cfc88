// Debian's Chromium, headless, for tests of web pages; it connects to nothing but the page. Without it these tests are
// skipped.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { PATIENCE_MS } from './patience.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
/** Chromium has no sandbox as root. The other flags keep it from contacting Google. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why such tests are skipped, or `false` if they can run. */
export const NO_BROWSER = CHROMIUM === undefined ? 'there is no Chromium (apt-get install chromium)' : false;

/** Starts a browser; the caller must close it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ARGUMENTS, timeout: PATIENCE_MS });
}

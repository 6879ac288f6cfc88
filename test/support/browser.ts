// Chromium for tests of pages: Debian's, headless, connected to nothing but the page. Tests skip where there is none.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { PATIENCE_MS } from './patience.js';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
/** Root has no sandbox; the rest keeps Chromium from asking its makers. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Reason for which such tests are skipped; `false`: they are not. */
export const NO_BROWSER = CHROMIUM === undefined ? 'there is no Chromium (apt-get install chromium)' : false;

/** Starts one; whoever does closes it. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ARGUMENTS, timeout: PATIENCE_MS });
}

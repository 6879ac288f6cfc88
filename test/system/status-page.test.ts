// The status page in a browser: changing metrics, light and dark mode, no errors and no network. Needs Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { NO_BROWSER, startBrowser } from '../support/browser.js';
import { PATIENCE_MS, until } from '../support/patience.js';
import { Server } from '../support/server.js';

/** An open page, and the problems to be observed on it. */
interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Hosts that the page requested. */
  readonly hosts: ReadonlySet<string>;
}

const textOf = (page: Page, selector: string): Promise<string> => page.innerText(selector);

/** The largest of the background's three colour components, 0 to 255. */
async function brightness({ page }: OpenPage): Promise<number> {
  const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  return Math.max(...[...colour.matchAll(/\d+/g)].map(([part]) => Number(part)));
}

describe('the status page', { skip: NO_BROWSER }, () => {
  let server: Server;
  let browser: Browser;
  before(async () => {
    server = await Server.start('--dev-traffic', '20');
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(colorScheme: 'light' | 'dark', width: number): Promise<OpenPage> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    const hosts = new Set<string>();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host));
    await page.goto(server.url);
    await page.waitForSelector('#card-pending .figure');
    return { page, complaints, hosts };
  }

  for (const [scheme, width] of [
    ['light', 1240],
    ['dark', 400],
  ] as const) {
    test(`shows changing metrics, in ${scheme} mode`, async () => {
      const { page, complaints, hosts } = await open(scheme, width);
      const first = await textOf(page, '#card-pending');
      await until(async () => (await textOf(page, '#card-pending')) !== first, 'another version is shown');
      await until(async () => {
        await server.query('eth_chainId');
        return (await page.locator('#card-requests-by-method').getByText('eth_chainId').count()) > 0;
      }, 'a method is shown');
      assert.equal(await textOf(page, '#state'), 'ready');
      assert.match(await textOf(page, '#chain'), /dev chain · chain id 31337/);
      for (const off of ['feed-and-node', 'replication', 'subscriptions'])
        assert.ok(await page.isHidden(`#card-${off}`), off);
      for (const card of ['requests', 'latency', 'estimators', 'memory', 'kernel'])
        assert.match(await textOf(page, `#card-${card} .figure`), /[\d–]/, card);
      const points = await page.getAttribute('#card-memory polyline', 'points');
      assert.ok(points!.split(' ').length > 1, points!);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      assert.equal(overflow, 0, 'nothing is wider than the window');
      assert.deepEqual([...hosts], [new URL(server.url).host]);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }

  test('keeps selection and focus while metrics change', async () => {
    const { page } = await open('light', 400);
    await page.waitForSelector('#card-stages-of-a-request tbody tr');
    await page.focus('#card-stages-of-a-request [tabindex="0"]');
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#card-pending dt'))`);
    const first = await textOf(page, '#card-pending');
    await until(async () => (await textOf(page, '#card-pending')) !== first, 'another version is shown');
    assert.equal(await page.evaluate('String(getSelection())'), 'Age');
    assert.equal(
      await page.evaluate(`document.activeElement.getAttribute('aria-labelledby')`),
      'card-stages-of-a-request-title',
    );
    await page.close();
  });

  test('follows the light or dark preference', async () => {
    const [light, dark] = [await open('light', 800), await open('dark', 800)];
    assert.ok((await brightness(light)) > 200);
    assert.ok((await brightness(dark)) < 60);
    await Promise.all([light.page.close(), dark.page.close()]);
  });

  test('shows a notice when metrics are no longer available', async () => {
    const { page } = await open('light', 800);
    await server.stop();
    await page.waitForSelector('body.lost');
    assert.match(await textOf(page, '#state'), /no figures/);
    await page.close();
  });
});

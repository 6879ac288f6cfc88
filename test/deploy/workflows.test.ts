// What the CI workflows run exists, and runs on every Node.js version that the package supports.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root, textOf } from './deployed.js';

interface Job {
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps?: readonly { readonly run?: string }[];
}

const FOLDER = '.github/workflows/';
const { engines, scripts } = JSON.parse(textOf('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: object;
};

for (const file of readdirSync(new URL(FOLDER, root)))
  test(`scripts and programs that ${file} runs exist`, () => {
    const text = textOf(`${FOLDER}${file}`);
    const { permissions } = parse(text) as { readonly permissions?: object };
    assert.deepEqual(permissions, { contents: 'read' });
    for (const [, script] of text.matchAll(/\bnpm run ([\w-]+)/g)) assert.ok(Object.hasOwn(scripts, script!), script);
    for (const [, program] of text.matchAll(/ run: (\.\S+)$/gm))
      assert.ok(existsSync(new URL(program!, root)), program);
  });

test('CI runs .ci/run on every Node.js version that the package names', () => {
  const { jobs } = parse(textOf(`${FOLDER}check.yml`)) as { readonly jobs: Readonly<Record<string, Job>> };
  const { strategy, steps } = jobs['test']!;
  const named = engines.node.split('||').map((range) => parseInt(/\d+/.exec(range)![0], 10));
  assert.deepEqual(strategy!.matrix['node'], named);
  assert.equal(steps!.at(-1)!.run, '.ci/run');
  assert.match(textOf('.ci/run'), /^npm ci && npm test$/m);
});

// The image: its stages, its user, its signals, and what its build sees.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { deployed, root, textOf } from './deployed.js';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of a Dockerfile, continued lines joined. */
function instructions(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return [...joined.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name, value]) => ({ name: name!, value: value! }));
}

const dockerfile = instructions(deployed('Dockerfile'));
const lastStage = dockerfile.slice(dockerfile.findLastIndex(({ name }) => name === 'FROM'));
const valuesOf = (name: string): readonly string[] =>
  lastStage.filter((instruction) => instruction.name === name).map(({ value }) => value);

test('the image is built in one stage and run in another, without compiler, not as root', () => {
  assert.deepEqual(
    dockerfile.filter(({ name }) => name === 'FROM').map(({ value }) => value),
    ['node:${NODE_VERSION}-bookworm AS build', 'node:${NODE_VERSION}-bookworm-slim'],
  );
  assert.deepEqual(valuesOf('USER'), ['node']);
  assert.ok(!valuesOf('RUN').some((command) => command.includes('npm')));
  for (const copied of valuesOf('COPY')) assert.match(copied, /^--from=build /);
});

test('what the program reads beside its own files is in the image and in the package', () => {
  const page = 'src/http/status/page.html';
  assert.ok(valuesOf('COPY').some((copied) => copied.includes(page)));
  assert.ok((JSON.parse(textOf('package.json')) as { readonly files: readonly string[] }).files.includes(page));
});

test('no shell stands between signals and the program', () => {
  assert.deepEqual(valuesOf('STOPSIGNAL'), ['SIGTERM']);
  assert.deepEqual(JSON.parse(valuesOf('ENTRYPOINT')[0]!), ['node', '/opt/prestate/dist/src/main.js']);
  assert.deepEqual(valuesOf('CMD'), []);
  const [, probe] = /CMD (\[.+\])$/.exec(valuesOf('HEALTHCHECK')[0]!)!;
  assert.match((JSON.parse(probe!) as string[]).join(' '), /^node \S+\/main\.js ready$/);
});

test('the build of the image sees all it needs and nothing else', () => {
  const [first, ...rest] = deployed('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line));
  assert.equal(first, '*');
  const known = new Set(readdirSync(root));
  for (const line of rest) assert.ok(line.startsWith('!') && known.has(line.slice(1)), line);
});

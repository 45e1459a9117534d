/** Checks what the container files promise, as far as that is possible without building an image. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dockerfile = read('Dockerfile');
const ignored = read('.dockerignore').split('\n');

/** The lines of each service of a compose file, by name; services are indented by two spaces. */
function services(file: string): Map<string, string> {
  const [, block = ''] = /^services:\n([\s\S]*?)(?=^\S|(?![\s\S]))/m.exec(read(file)) ?? [];
  return new Map(
    [...block.matchAll(/^ {2}(\w+):\n((?: {4,}.*\n|\n)*)/gm)].map(([, name = '', lines = '']) => [
      name,
      lines,
    ]),
  );
}

describe('the container image', () => {
  const [, final = ''] = dockerfile.split(/^FROM \$\{BASE_IMAGE\}$/m);

  test('the image runs as a user without privileges, and says whether it is ready', () => {
    expect(final).toMatch(/^USER 10001:10001$/m);
    expect(final).toMatch(/^HEALTHCHECK [\s\S]*\/readyz/m);
    expect(final).toMatch(/^VOLUME \/var\/lib\/shop$/m);
    // No instruction runs as root after the user is set.
    expect(final.slice(final.indexOf('USER '))).not.toMatch(/^(RUN|COPY|ADD) /m);
  });

  test('the environment of the image is valid', () => {
    const [, text = ''] = /^ENV (.*)$/m.exec(final) ?? [];
    const variables = Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]));
    expect(readEnv(variables)).toMatchObject({
      production: true,
      host: '0.0.0.0',
      port: 3000,
      dataDir: '/var/lib/shop',
    });
  });

  test('secrets, data and history do not get into the image', () => {
    expect(ignored).toEqual(
      expect.arrayContaining(['.env*', '**/*.db', 'backups', '.git', 'data', 'node_modules']),
    );
  });

  test('the image can be built on images pinned by digest, without a change of the file', () => {
    const bases = [...dockerfile.matchAll(/^FROM \$\{(\w+)\}/gm)].map(([, name]) => name);
    expect(bases).toEqual(['BUILD_IMAGE', 'BASE_IMAGE']);
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(2);
    expect(dockerfile).toMatch(/^ARG BUILD_IMAGE=\S+:\S+\nARG BASE_IMAGE=\S+:\S+$/m);
  });

  test('every file that the image copies exists', () => {
    for (const [, file = ''] of dockerfile.matchAll(/^COPY ([\w./-]+) \//gm)) expect(read(file)).not.toBe('');
  });
});

describe('the compose files', () => {
  const shop = services('compose.yaml').get('shop') ?? '';
  const postgres = services('compose.postgres.yaml').get('postgres') ?? '';

  test.each([
    ['shop', shop],
    ['postgres', postgres],
  ])('the service %s has a read-only root and no capabilities', (_name, service) => {
    expect(service).toMatch(/^ {4}read_only: true$/m);
    expect(service).toMatch(/^ {4}cap_drop:\n {6}- ALL$/m);
    expect(service).toMatch(/^ {6}- no-new-privileges:true$/m);
  });

  test('the shop keeps its data in a volume, and is reached from this machine only', () => {
    expect(shop).toMatch(/^ {6}- data:\/var\/lib\/shop$/m);
    expect(shop).toMatch(/^ {6}- 127\.0\.0\.1:3000:3000$/m);
  });

  test('a shop with PostgreSQL waits for a healthy database, whose password is not in the file', () => {
    const added = services('compose.postgres.yaml').get('shop') ?? '';
    expect(added).toContain('condition: service_healthy');
    expect(added + postgres).not.toMatch(/PASSWORD: \w/);
    expect(postgres).toContain('pg_isready');
  });
});

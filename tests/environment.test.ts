/** The three places that list the environment variables agree: the code, `.env.example` and docs/configuration.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';

const root = join(import.meta.dirname, '..');
const example = readFileSync(join(root, '.env.example'), 'utf8');
const configuration = readFileSync(join(root, 'docs/configuration.md'), 'utf8');

/** Every variable that the code asks for. */
function variablesRead(): string[] {
  const names = new Set<string>();
  readEnv(
    new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
          return undefined;
        },
      },
    ),
  );
  return [...names].sort();
}

/** The assignments of `.env.example`, all of them active. */
function exampleVariables(): Record<string, string> {
  return parseEnv(example.replace(/^#(?=[A-Z][A-Z0-9_]*=)/gm, '')) as Record<string, string>;
}

describe('the environment variables', () => {
  test('the file .env.example lists every variable that the code reads, and no other', () => {
    expect(Object.keys(exampleVariables()).sort()).toEqual(variablesRead());
  });

  test('the page Configuration lists every variable that the code reads, and no other', () => {
    const rows = [...configuration.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(variablesRead());
  });

  test('the file .env.example sets nothing until a line is uncommented', () => {
    expect(parseEnv(example)).toEqual({});
  });

  test('every value of .env.example is valid', () => {
    // Fakes of the providers are not allowed in production.
    expect(() => readEnv({ ...exampleVariables(), NODE_ENV: 'test' })).not.toThrow();
  });

  test('the defaults that .env.example shows are the defaults of the code', () => {
    const { HOST, PORT, DATA_DIR, WORKERS, LOG_LEVEL, MAP_TILES_URL, MAP_ATTRIBUTION, HSTS_SUBDOMAINS } =
      exampleVariables();
    const { host, port, dataDir, workers, logLevel, mapTilesUrl, mapAttribution, hstsSubdomains } = readEnv(
      {},
    );
    expect([
      HOST,
      PORT,
      DATA_DIR,
      WORKERS,
      LOG_LEVEL,
      MAP_TILES_URL,
      MAP_ATTRIBUTION,
      HSTS_SUBDOMAINS,
    ]).toEqual([
      host,
      String(port),
      dataDir,
      String(workers),
      logLevel,
      mapTilesUrl,
      mapAttribution,
      hstsSubdomains ? '1' : '0',
    ]);
  });
});

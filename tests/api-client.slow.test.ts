/** Follows docs/how-to/use-the-api.md: generates types from a running shop, checks the client as printed, and runs it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './test-app.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = readFileSync(join(root, 'docs/how-to/use-the-api.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'shopwright-client-'));
const shell = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, lines = '']) =>
  lines.trim().split('\n'),
);
const [client = ''] = [...page.matchAll(/^Save this as `client\.ts`:\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);

let testApp: TestApp;
let origin: string;

beforeAll(async () => {
  testApp = await createTestApp({ engine: 'sqlite', demo: true });
  origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
  writeFileSync(join(folder, 'client.ts'), client);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The arguments of the page's command that begins with `start`. */
function argumentsOf(start: string): string[] {
  const line = shell.find((command) => command.startsWith(start)) ?? '';
  return line.slice(start.length).trim().split(' ');
}

/** Runs Node in the reader's folder. Rejects with what the command prints. */
async function node(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, SHOP: origin, REDOCLY_TELEMETRY: 'off' };
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(stdout + stderr);
  }
}

test('the page on the API installs the versions that are tested here', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'tests/packages/package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(argumentsOf('npm install openapi-fetch@')).toEqual([devDependencies['openapi-fetch']]);
  expect(shell.join('\n')).toContain(`openapi-typescript@${devDependencies['openapi-typescript']} `);
});

test('the client of the page on the API is about 40 lines long', () => {
  const lines = client
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*\*|import)/.test(line));
  expect(lines.length).toBeGreaterThan(25);
  expect(lines.length).toBeLessThanOrEqual(45);
});

test('the client of the page on the API fits the generated types and buys something', async () => {
  const [address = '', ...rest] = argumentsOf('npx openapi-typescript');
  expect(address).toBe('http://localhost:3000/api/openapi.json');
  const hook = pathToFileURL(join(root, 'tests/typescript-for-openapi.mjs')).href;
  const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  await node('--import', hook, generator, address.replace('http://localhost:3000', origin), ...rest);

  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const check = argumentsOf('npx tsc');
  await node(compiler, ...check);
  writeFileSync(join(folder, 'client.ts'), client.replace('{ quantity: 1 }', "{ quantity: 'one' }"));
  await expect(node(compiler, ...check)).rejects.toThrow("Type 'string' is not assignable to type 'number'");
  writeFileSync(join(folder, 'client.ts'), client);

  const printed = (await node(...argumentsOf('node '))).trim().split('\n');
  const [, number, total] = /^Order (MC-\d{4}-\d{6}) placed: ([\d.]+) CAD$/.exec(printed.at(-1) ?? '') ?? [];
  expect(printed.length).toBeGreaterThan(5);
  const order = await testApp.db.read
    .selectFrom('orders')
    .select('state')
    .where('order_number', '=', number ?? '')
    .executeTakeFirst();
  expect(order?.state).toBe('placed');
  expect(Number(total)).toBeGreaterThan(0);
});

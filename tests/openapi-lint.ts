/** Lints an OpenAPI document with Redocly and Spectral, at their strictest. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const redocly = [
  join(root, 'node_modules/@redocly/cli/bin/cli.js'),
  'lint',
  '--extends=recommended-strict',
  '--format=json',
];
const spectral = [join(root, 'tests/spectral.mjs')];

/** What Redocly finds, as `rule: message`. */
export async function lintWithRedocly(document: object): Promise<string[]> {
  const { problems } = JSON.parse(await lint(redocly, document)) as {
    problems: { ruleId: string; message: string }[];
  };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** What Spectral finds, as `rule at path: message`. */
export async function lintWithSpectral(document: object): Promise<string[]> {
  const found = JSON.parse(await lint(spectral, document)) as {
    code: string;
    path: string[];
    message: string;
  }[];
  return found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
}

/** Runs a linter on Node and returns what it prints, whatever its exit code. */
async function lint(command: readonly string[], document: object): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shopwright-openapi-'));
  const file = join(folder, 'openapi.json');
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    writeFileSync(file, JSON.stringify(document));
    return await new Promise((resolve) => {
      const options = { cwd: folder, env, maxBuffer: 2 ** 26 };
      execFile(process.execPath, [...command, file], options, (_error, stdout, stderr) =>
        resolve(stdout || stderr),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

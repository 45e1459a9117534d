/**
 * Tests that need no browser. `unit` touches no database; `server` gets a real PostgreSQL beside SQLite. TEST_SCOPE, as
 * scripts/test.mjs sets it, chooses the files: `quick` all but `*.slow.test.ts`, `postgres` those that ask PostgreSQL only in
 * `test:all`, and `slow` the slow ones and those of which `quick` does a part (tests/long.ts). Without it, a file does everything.
 */
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { brand } from '#web/build-plugins.ts';

// The tests know the shop as the demo, whoever starts them.
process.env.BRAND ||= 'demo/brand';

// Each spreadsheet is read in a new thread, and commands run in new processes: what they load is compiled once.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Generous, for machines that do other things as well: what passes never waits for them. */
const patient = { expect: { poll: { timeout: 30_000 } }, testTimeout: 120_000, hookTimeout: 180_000 };

const scope = process.env.TEST_SCOPE;
/** What measures time or memory, kills processes, or repeats at random for minutes. */
const slow = '**/*.slow.test.ts';
const ofScope: Record<string, RegExp> = { postgres: /\bforEachEngine\(/, slow: /'(?:#tests|\.)\/long\.ts'/ };

/** Of the files that match, those of the scope. */
function inScope(patterns: string[]): string[] {
  const wanted = ofScope[scope ?? ''];
  if (!wanted) return patterns;
  const isWanted = (file: string) =>
    (scope === 'slow' && matchesGlob(file, slow)) || wanted.test(readFileSync(file, 'utf8'));
  return globSync(patterns).filter(isWanted);
}

const unit = [
  'contract/**/*.test.ts',
  'ui/**/*.test.{ts,tsx}',
  'office/**/*.test.{ts,tsx}',
  'web/**/*.test.{ts,tsx}',
  'blocks/**/*.test.{ts,tsx}',
  'payment-providers/*/*.test.ts',
  'payment-providers/*/browser/**/*.test.{ts,tsx}',
  'demo/brand/browser/**/*.test.tsx',
  'scripts/**/*.test.{ts,mjs}',
];
const server = [
  'db/**/*.test.ts',
  'server/**/*.test.ts',
  'payment-providers/*/server/**/*.test.ts',
  'demo/**/*.test.ts',
  'cli/**/*.test.ts',
  'bench/**/*.test.ts',
  'tests/*.test.ts',
  'tests/fault/*.test.ts',
  'tests/browser/engines/*.test.ts',
];

export default defineConfig({
  plugins: [brand()],
  test: {
    // One more than there are cores: each waits for a database a fifth of the time.
    maxWorkers: availableParallelism() + 1,
    // A worker keeps what it has loaded for its next file, which saves a third of the processor time. Nothing in the program
    // is changed by importing it, and a test that changes what others see takes it back.
    isolate: false,
    exclude: [...configDefaults.exclude, ...(scope === 'quick' || scope === 'postgres' ? [slow] : [])],
    projects: [
      { extends: true, test: { name: 'unit', include: inScope(unit), environment: 'node', ...patient } },
      {
        extends: true,
        test: {
          name: 'server',
          include: inScope(server),
          environment: 'node',
          // The first file to need a template of a database makes it, and the others wait.
          ...patient,
          globalSetup: ['tests/postgres.ts'],
          setupFiles: ['tests/close-resources.ts'],
        },
      },
    ],
  },
});

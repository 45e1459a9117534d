import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readImports } from '../tests/import-graph.ts';
import { architectureSvg, direct, layers } from './architecture-picture.ts';

const root = join(import.meta.dirname, '..');

/** Builds a graph from `name: imports` lines. */
function graph(imports: Record<string, string[]>): Map<string, Map<string, number>> {
  return new Map(Object.entries(imports).map(([name, targets]) => [name, new Map(targets.map((target) => [target, 1]))]));
}

describe('the picture of the architecture', () => {
  test('a module stands above all that it imports', () => {
    expect(layers(graph({ a: ['b', 'c'], b: ['c'], c: [], d: ['c'] }))).toEqual([['a'], ['b', 'd'], ['c']]);
  });

  test('an import that follows from others has no arrow', () => {
    const arrows = direct(graph({ a: ['b', 'c', 'd'], b: ['c'], c: [], d: [] }));
    expect(Object.fromEntries(arrows)).toEqual({ a: ['b', 'd'], b: ['c'], c: [], d: [] });
  });

  test('imports in a circle cannot be drawn', () => {
    expect(() => layers(graph({ a: ['b'], b: ['a'] }))).toThrow('a → b → a');
  });

  test('the picture in the documents shows the imports of the code as they are', async () => {
    const drawn = architectureSvg((await readImports(root)).parts);
    expect(readFileSync(join(root, 'docs/architecture.svg'), 'utf8'), 'npm run modules draws the picture').toBe(drawn);
    for (const name of ['orders', 'payments', 'pricing']) expect(drawn).toContain(`>${name}</text>`);
  });
});

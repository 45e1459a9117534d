import { describe, expect, test } from 'vitest';
import { direct, layers } from './architecture-picture.ts';

/** Builds a graph from `name: imports` lines. */
function graph(imports: Record<string, string[]>): Map<string, Map<string, number>> {
  return new Map(
    Object.entries(imports).map(([name, targets]) => [name, new Map(targets.map((target) => [target, 1]))]),
  );
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
});

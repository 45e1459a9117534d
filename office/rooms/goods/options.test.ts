import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  missingSkus,
  nameOf,
  newValue,
  renamedOption,
  renamedValue,
  type Varied,
  withOption,
  withoutOption,
  withoutValue,
} from './options.tsx';

const plain: Varied = { id: 'mug', options: [], skus: [{ sku: 'mug', options: {}, stock: {} }] };
const word = fc.stringMatching(/^[A-Za-z]{1,6}$/);
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'value', 'rename', 'renameValue', 'fill', 'removeValue', 'remove'),
    word,
    at: fc.nat(3),
  }),
  {
    maxLength: 15,
  },
);

function step(varied: Varied, { what, word: to, at }: { what: string; word: string; at: number }): Varied {
  const option = varied.options[at];
  const names = varied.options.map(nameOf);
  if (what === 'fill') return { ...varied, skus: [...varied.skus, ...missingSkus(varied).slice(0, at + 1)] };
  if (what === 'add')
    return names.includes(to) || names.length === 4 ? varied : withOption(varied, to, 'One');
  if (!option) return varied;
  const name = nameOf(option);
  const values = option.values.map(nameOf);
  if (what === 'remove') return withoutOption(varied, name);
  if (what === 'removeValue') return withoutValue(varied, name, values[0] ?? '');
  if (what === 'rename') return names.includes(to) ? varied : renamedOption(varied, name, to);
  if (values.includes(to)) return varied;
  if (what === 'renameValue') return renamedValue(varied, name, values[0] ?? '', to);
  const options = varied.options.with(at, { ...option, values: [...option.values, newValue(to)] });
  return { ...varied, options };
}

it('after any changes of options, each SKU has one value of each of them, and no two have the same', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { options, skus } = all.reduce(step, plain);
      for (const { options: chosen } of skus) {
        expect(Object.keys(chosen).sort()).toEqual(options.map(nameOf).sort());
        for (const option of options) expect(option.values.map(nameOf)).toContain(chosen[nameOf(option)]);
      }
      const combinations = skus.map(({ options: chosen }) => JSON.stringify(Object.entries(chosen).sort()));
      expect(new Set(combinations).size).toBe(combinations.length);
      expect(new Set(skus.map(({ sku }) => sku)).size).toBe(skus.length);
    }),
    { numRuns: 200 },
  );
});

it('the SKUs that are missing are those of all combinations, up to 2,048', () => {
  const values = Array.from({ length: 10 }, (_, index) => newValue(`v${index}`));
  const options = ['a', 'b', 'c'].map((name) => ({ name: { en: name }, values }));
  expect(missingSkus({ id: 'mug', options, skus: [] })).toHaveLength(1000);
  const four = [...options, { name: { en: 'd' }, values }];
  expect(missingSkus({ id: 'mug', options: four, skus: [] })).toHaveLength(2048);
});

import { expect, test } from 'vitest';
import { lateBound } from './late-bound.ts';

test('a late-bound port forwards to the implementation that was connected', () => {
  const { port, connect } = lateBound<{ add(a: number, b: number): number }>('adder');
  connect({ add: (a, b) => a + b });
  expect(port.add(2, 3)).toBe(5);
});

test('a late-bound port that is used too early names itself', () => {
  expect(() => lateBound<{ add(): void }>('adder').port.add()).toThrow('adder is used before it is connected');
});

import { describe, expect, it } from 'vitest';
import { stepQuantity, typedQuantity } from './quantity-stepper.tsx';

describe('the range of a quantity', () => {
  it('a quantity stops at 1 and at 98', () => {
    expect(stepQuantity(1, -1)).toBe(1);
    expect(stepQuantity(97, 1)).toBe(98);
    expect(stepQuantity(98, 1)).toBe(98);
  });

  it('a quantity outside its range is moved into it', () => {
    expect(stepQuantity(0, 1)).toBe(1);
    expect(stepQuantity(5, 1, { min: 1, max: 3 })).toBe(3);
  });

  it.each([
    ['7', 7],
    [' 12 ', 12],
    ['１２', 12],
    ['500', 98],
    ['0', 0],
    ['', 0],
    ['-3', 0],
    ['1.5', 0],
    ['two', 0],
  ])('a quantity typed as %j is %d', (text, value) => {
    expect(typedQuantity(text)).toBe(value);
  });
});

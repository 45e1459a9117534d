import { expect, it } from 'vitest';
import { tabAfter } from './tabs.tsx';

it('goes round with the arrow keys and jumps to the ends', () => {
  expect(tabAfter('ArrowRight', 2, 3)).toBe(0);
  expect(tabAfter('ArrowLeft', 0, 3)).toBe(2);
  expect(tabAfter('Home', 2, 3)).toBe(0);
  expect(tabAfter('End', 0, 3)).toBe(2);
  expect(tabAfter('Tab', 0, 3)).toBeNull();
});

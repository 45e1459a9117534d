import { describe, expect, it } from 'vitest';
import { blocksCheckout, lineStatus } from './cart-lines.tsx';

const line = { inventoryProcessingStatus: 'available', obtainable: 40, quantity: 2 } as const;

describe('the status of a cart line', () => {
  it('a line with plenty in stock has no message', () => {
    expect(lineStatus(line)).toEqual({ kind: 'fine' });
    expect(blocksCheckout(line)).toBe(false);
  });

  it('a line with few units left says how many and allows checkout', () => {
    const few = { ...line, obtainable: 3 };
    expect(lineStatus(few)).toEqual({ kind: 'scarce', left: 3 });
    expect(blocksCheckout(few)).toBe(false);
  });

  it('a line blocks checkout if it is out of stock, could not be held, or has fewer units than wanted', () => {
    expect(lineStatus({ ...line, inventoryProcessingStatus: 'notAvailable', obtainable: 0 })).toEqual({
      kind: 'outOfStock',
    });
    expect(lineStatus({ ...line, inventoryProcessingStatus: 'processingFailed' })).toEqual({
      kind: 'failed',
    });
    const tooMany = { inventoryProcessingStatus: 'notAvailable', obtainable: 3, quantity: 5 } as const;
    expect(lineStatus(tooMany)).toEqual({ kind: 'tooFew', left: 3 });
    for (const status of ['notAvailable', 'processingFailed'] as const) {
      expect(blocksCheckout({ ...tooMany, inventoryProcessingStatus: status })).toBe(true);
    }
  });

  it('a line with more than three units left has no message', () => {
    expect(lineStatus({ ...line, obtainable: 4 })).toEqual({ kind: 'fine' });
  });

  it('a line shows a shortage before the server has answered the new quantity', () => {
    expect(lineStatus({ ...line, obtainable: 3, quantity: 4 })).toEqual({ kind: 'tooFew', left: 3 });
  });
});

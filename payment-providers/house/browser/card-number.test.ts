import { describe, expect, it } from 'vitest';
import { caretAfterGrouping, groupCardNumber, typedDigits } from './card-number.ts';

describe('a card number', () => {
  it('a card number is shown in the groups printed on the card', () => {
    expect(groupCardNumber('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(groupCardNumber('4242-4242 42')).toBe('4242 4242 42');
    expect(groupCardNumber('378282246310005')).toBe('3782 822463 10005');
    expect(groupCardNumber('')).toBe('');
  });

  it('a card number takes 19 digits and nothing else', () => {
    expect(typedDigits('4242x4242 4242 4242 4242 4242')).toBe('4242424242424242424');
  });

  it('the caret stays behind the digit that was typed', () => {
    expect(caretAfterGrouping('42424', 5)).toBe(6);
    expect(caretAfterGrouping('4294 2424 2', 3)).toBe(3);
    expect(caretAfterGrouping('4242 9424 2', 6)).toBe(6);
    expect(caretAfterGrouping('4242 ', 5)).toBe(4);
  });
});

import { expect, test } from 'vitest';
import { isGtin } from './gtin.ts';

test.each(['96385074', '036000291452', '4006381333931', '10614141000415'])('%s is a GTIN', (text) => {
  expect(isGtin(text)).toBe(true);
});

test.each(['4006381333932', '400638133393', '400638133393 1', '', '123', '٤٠٠٦٣٨١٣٣٣٩٣١'])(
  '“%s” is no GTIN',
  (text) => {
    expect(isGtin(text)).toBe(false);
  },
);

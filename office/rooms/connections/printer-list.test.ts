/** The form of the ticket printers, whose state is the text of a variable. */
import { expect, test } from 'vitest';
import { printersIn, textOf } from './printer-list.ts';

const printer = {
  store: 'queen-west',
  host: '192.168.1.50',
  port: '9100',
  columns: '42',
  encoding: 'gb18030',
};

test.each([
  '',
  '192.168.1.50',
  '192.168.1.50:',
  '192.168.1.50:9100',
  'http://printer',
  'printer?',
  '[fe80::1]',
])('a printer stays in the form while its address reads %j', (host) => {
  expect(printersIn(textOf([{ ...printer, host }]))).toEqual([{ ...printer, host }]);
});

test('a printer keeps its place while its port is empty', () => {
  const printers = [{ ...printer, port: '' }, printer];
  expect(printersIn(textOf(printers))).toEqual(printers);
});

test('a printer without width and character set has the usual ones', () => {
  expect(printersIn('queen-west=tcp://192.168.1.50:9100')).toEqual([printer]);
});

import { describe, expect, it } from 'vitest';
import { isFrequentPassword, isMadeOf, shopWords } from './common-passwords.ts';

describe('the list of frequent passwords', () => {
  it.each([
    'terminator',
    'California',
    'under-taker',
    'christopher!',
    'aleksandra',
    'volleyball',
    'tinkerbell',
  ])('the password %s is frequent, however it is written', (password) => {
    expect(isFrequentPassword(password)).toBe(true);
  });

  it.each(['a pot of oolong at four', 'seven clay cups and a kettle', 'ubaguhewiyo', '我家门前有一条小河流'])(
    'the password %s is not frequent',
    (password) => {
      expect(isFrequentPassword(password)).toBe(false);
    },
  );
});

describe('names of the shop', () => {
  const words = shopWords({ en: 'Mu & Co. Tea', zh: '木茶' }, 'https://www.teahouse.example');

  it('the shop is known by its names, its host and the parts of its host', () => {
    expect(words).toEqual(['mucotea', '木茶', 'muandcotea', 'wwwteahouseexample', 'teahouse']);
  });

  it.each([
    'MuCoTea2026',
    'mu & co. tea!!',
    'muandcotea',
    'teahouse12345',
    'Teahouse MuCoTea',
    '木茶木茶木茶木茶木茶',
    'www.teahouse.example',
  ])('the password %s is made of the shop’s names', (password) => {
    expect(isMadeOf(words, password)).toBe(true);
  });

  it.each(['a teahouse on the corner', '1234567890', 'tea at four'])(
    'the password %s is not made of the shop’s names',
    (password) => {
      expect(isMadeOf(words, password)).toBe(false);
    },
  );
});

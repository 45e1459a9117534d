import { describe, expect, it } from 'vitest';
import { locales } from './locales.ts';
import { addressedName, familyNameFirst, personName } from './names.ts';
import { translator } from './translate.ts';

const en = translator('en', (await locales.en.load()).default);
const zh = translator('zh', (await locales.zh.load()).default);

describe('names of people', () => {
  it('a name is written as its own language does, whatever the language of the page', () => {
    expect(personName({ firstName: 'Mei', lastName: 'Tremblay' })).toBe('Mei Tremblay');
    expect(personName({ firstName: '嘉', lastName: '林' })).toBe('林嘉');
    expect(personName({ firstName: '', lastName: 'Lin' })).toBe('Lin');
    expect(personName({ firstName: '', lastName: '' })).toBe('');
  });

  it('a greeting uses the form of name that the page’s language uses', () => {
    expect([en, zh].map(familyNameFirst)).toEqual([false, true]);
    expect(addressedName({ firstName: '嘉', lastName: '林' }, zh)).toBe('林嘉');
    expect(addressedName({ firstName: 'Mei', lastName: 'Tremblay' }, zh)).toBe('Mei Tremblay');
    expect(addressedName({ firstName: 'Mei', lastName: 'Tremblay' }, en)).toBe('Mei');
  });
});

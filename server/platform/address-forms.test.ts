import Value from 'typebox/value';
import { describe, expect, it, test } from 'vitest';
import { countryCodes } from '#contract/countries.ts';
import { addressErrors, provinceOfPostCode, readPostCode } from '#contract/rules/address.ts';
import { Id } from '#contract/schemas/common.ts';
import { addressForm, addressRules } from './address-forms.ts';
import { findProvince, offeredProvinces } from './provinces.ts';

const codeIn = (country: string, text: string) => {
  const { postCode } = addressRules(country);
  return postCode && readPostCode(text, postCode);
};
const asked = (country: string, locale: 'en' | 'zh' = 'en') =>
  addressForm(country, locale).fields.map(({ name, required, label }) => [name, label, required]);

describe('the form of an address', () => {
  test('every country has a street, and a postal code of its own pattern where it has postal codes', () => {
    for (const country of countryCodes) {
      const { fields, postCode, provinces } = addressForm(country, 'en');
      const names = fields.map(({ name }) => name);
      expect(names).toContain('streetNumberAndNameDetails');
      expect([country, names.includes('postCode')]).toEqual([country, postCode !== null]);
      if (postCode)
        expect([country, readPostCode(postCode.example, postCode)]).toEqual([country, postCode.example]);
      expect([country, new Set(provinces.map(({ id }) => id)).size]).toEqual([country, provinces.length]);
    }
  });

  test('a country is asked only for what its addresses have, with its own labels and order', () => {
    expect(asked('CA')).toEqual([
      ['streetNumberAndNameDetails', 'Street address', true],
      ['city', 'City', true],
      ['province', 'Province', true],
      ['postCode', 'Postal code / ZIP', true],
    ]);
    expect(asked('DE')).toEqual([
      ['streetNumberAndNameDetails', 'Street address', true],
      ['postCode', 'Postal code', true],
      ['city', 'City', true],
    ]);
    expect(asked('HK')).toEqual([
      ['streetNumberAndNameDetails', 'Street address', true],
      ['city', 'District', false],
      ['province', 'Area', true],
    ]);
    expect(asked('AE').slice(1)).toEqual([['province', 'Emirate', true]]);
    expect(asked('QA').slice(1)).toEqual([['city', 'City', true]]);
    expect(asked('IE').slice(1)).toEqual([
      ['city', 'City', true],
      ['province', 'County', false],
      ['postCode', 'Eircode', false],
    ]);
    expect(asked('SG').slice(1)).toEqual([['postCode', 'Postal code', true]]);
    expect(asked('JP', 'zh').map(([, label]) => label)).toEqual(['邮编', '都道府县', '城市', '街道与门牌号']);
  });

  test('the list of US states is the SPEC’s, and what it leaves out stands in a list of its own', () => {
    const { provinces } = addressForm('US', 'en');
    const [states, others] = [false, true].map((of) =>
      provinces.filter(({ isOther }) => isOther === of).map(({ id }) => id),
    );
    expect(states).toHaveLength(50);
    expect(offeredProvinces('US')).toHaveLength(50);
    expect(others?.toSorted()).toEqual([
      'AA',
      'AE',
      'AP',
      'AS',
      'DC',
      'FM',
      'GU',
      'MH',
      'MP',
      'PR',
      'PW',
      'UM',
      'VI',
    ]);
    expect(findProvince('US', 'district of columbia')?.code).toBe('DC');
  });
});

it.each([
  ['CA', 'm5v2t6', 'M5V 2T6'],
  ['CA', 'Ｍ５Ｖ　２Ｔ６', 'M5V 2T6'],
  ['CA', '90210', null],
  ['CA', 'ABCDE', null],
  ['US', '90210', '90210'],
  ['US', '90210-1234', '90210-1234'],
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['GB', 'm25bq', 'M2 5BQ'],
  ['PL', '00950', '00-950'],
  ['JP', '1540023', '154-0023'],
  ['DE', 'D-10115', '10115'],
  ['CH', 'CH 8001', '8001'],
  ['SE', 'SE-114 55', '114 55'],
  ['NL', '1234ab', '1234 AB'],
  ['BR', '40301–110', '40301-110'],
  ['HK', '999077', null],
])('the postal code of %s, %j, is read as %j', (country, text, code) => {
  expect(codeIn(country, text)).toBe(code);
});

it.each([
  ['CA', 'M5G 1Z8', 'ON'],
  ['CA', 'h2x', 'QC'],
  ['CA', 'V6', 'BC'],
  ['CA', 'Ｔ２Ｐ', 'AB'],
  ['CA', 'X0A 0H0', 'NU'],
  ['CA', 'X1A 2P7', 'NT'],
  ['US', '90210', 'CA'],
  ['US', '20500', 'DC'],
  ['US', '00907', 'PR'],
])('a postal code of %s, %s, is of the province %s', (country, text, province) => {
  expect(provinceOfPostCode(text, addressRules(country).provinces)?.id).toBe(province);
});

it.each(['', 'M', 'X0', 'D1A', '90210', 'Main', 'K1A'])('the text %j names no province of Canada', (text) => {
  expect(provinceOfPostCode(text, addressRules('CA').provinces)).toBeUndefined();
});

test('the ids of provinces are ids as calls carry them', () => {
  for (const country of countryCodes)
    for (const { id } of addressForm(country, 'en').provinces)
      expect([country, id, Value.Check(Id, id)]).toEqual([country, id, true]);
});

describe('what decides tax', () => {
  const at = (province: string, postCode: string, country = 'CA') =>
    addressErrors(
      { streetNumberAndNameDetails: '1 Main', city: 'Town', province, postCode, countryISOCode: country },
      'address',
      addressRules(country),
    );
  it('a postal code of another province is refused with that province’s code', () => {
    expect(at('Ontario', 'V6B 1A1')).toEqual({
      'address.postCode': { key: 'rule.zipcodeElsewhere', values: { place: 'BC' } },
    });
    expect(at('BC', 'V6B 1A1')).toEqual({});
    expect(at('New York', '90210', 'US')).toHaveProperty(['address.postCode', 'values', 'place'], 'CA');
    expect(at('DC', '20500', 'US')).toEqual({});
    expect(at('AE', '09128', 'US')).toEqual({});
  });
  it('the government’s K1A is of both Ontario and Quebec', () => {
    expect([at('ON', 'K1A 0B1'), at('QC', 'K1A 0B1')]).toEqual([{}, {}]);
  });
  it('a postal code that is none is refused with an example', () => {
    expect(at('Ontario', '90210')).toEqual({
      'address.postCode': { key: 'rule.zipcodeInvalid', values: { example: 'H3Z 2Y7' } },
    });
  });
});

it.each([
  ['JP', 'tokyo', '13'],
  ['JP', '東京都', '13'],
  ['JP', 'JP-13', '13'],
  ['IE', 'County Dublin', 'D'],
  ['AE', 'دبي', 'DU'],
  ['IT', 'Roma', 'RM'],
  ['BR', 'sao paulo', 'SP'],
  ['IN', 'Karnataka', 'KA'],
])('a province of %s, %s, has the code %s', (country, text, code) => {
  expect(findProvince(country, text)?.code).toBe(code);
});

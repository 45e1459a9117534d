import { describe, expect, test } from 'vitest';
import {
  addressListErrors,
  forgotPasswordErrors,
  passwordChangeErrors,
  passwordResetErrors,
  registrationErrors,
  sameSitePath,
  signOnErrors,
  withAddressDefaults,
} from './account.ts';
import { passwordAdvice, passwordErrors } from './password.ts';

const jordan = {
  firstName: 'Jordan',
  lastName: 'Lin',
  email: 'jordan.lin@example.com',
  password: 'a pot of oolong',
};

describe('registration', () => {
  test('registration accepts the fields it needs', () => {
    expect(registrationErrors(jordan)).toEqual({});
    expect(
      registrationErrors({ ...jordan, passwordConfirm: jordan.password, mobilePhone: '+1 519-555-0104' }),
    ).toEqual({});
  });

  test('registration names each missing field', () => {
    expect(registrationErrors({ firstName: ' ' })).toEqual({
      firstName: 'rule.firstNameMissing',
      lastName: 'rule.lastNameMissing',
      email: 'rule.emailMissing',
      password: 'rule.passwordMissing',
    });
  });

  test('registration names each invalid field', () => {
    expect(
      registrationErrors({
        ...jordan,
        email: 'jordan@',
        mobilePhone: 'none',
        passwordConfirm: 'a pot of keemun',
      }),
    ).toEqual({
      email: 'rule.emailInvalid',
      mobilePhone: 'rule.phoneInvalid',
      passwordConfirm: 'rule.passwordMismatch',
    });
  });
});

describe('the password policy', () => {
  test.each([
    ['too sh0rt', { key: 'rule.passwordShort', values: { limit: 10 } }],
    ['x7'.repeat(65), { key: 'rule.passwordLong', values: { limit: 128 } }],
    ['jordan.lin@example.com', 'rule.passwordIsEmail'],
    ['JORDAN.LIN@example.com', 'rule.passwordIsEmail'],
    ['jordanlin2026', 'rule.passwordIsEmail'],
    ['Password123', 'rule.passwordCommon'],
    ['password 123!', 'rule.passwordCommon'],
    ['aaaaaaaaaaaa', 'rule.passwordCommon'],
    ['1234567890', 'rule.passwordCommon'],
    ['0987654321', 'rule.passwordCommon'],
    ['abcabcabcabc', 'rule.passwordCommon'],
    ['qwertyuiop', 'rule.passwordCommon'],
    ['woaini1314520', 'rule.passwordCommon'],
  ])('a password like %s is rejected', (password, problem) => {
    expect(passwordErrors({ password }, [jordan.email, jordan.firstName, jordan.lastName])).toEqual({
      password: problem,
    });
  });

  test('a password may have spaces and any script and needs no special characters', () => {
    for (const password of ['kettle lamp seven', '我家门前有一条小河流', 'ubaguhewiyo', '       x y z t'])
      expect(passwordErrors({ password })).toEqual({});
  });

  test('a password is counted in characters, not in code units', () => {
    expect(passwordErrors({ password: '🍵🫖🍶🥢🏺🪴🧺🕯️🪵'.slice(0, 12) })).toHaveProperty('password');
  });

  test('a password gets advice that grows with its strength', () => {
    const strengths = [
      'short',
      'Password123',
      'abcdefgxyz',
      'kettle lamp seven',
      'Kettle lamp, seven clay cups',
    ].map((password) => passwordAdvice(password).strength);
    expect(strengths).toEqual([...strengths].sort());
    expect(strengths[0]).toBe(0);
    expect(strengths.at(-1)).toBe(4);
  });
});

test('the forms for signing in, forgetting and resetting a password name what is missing', () => {
  expect(signOnErrors({})).toEqual({ userID: 'rule.userIDMissing', password: 'rule.passwordMissing' });
  expect(signOnErrors({ userID: 'x', password: ' ' })).toEqual({ userID: 'rule.emailInvalid' });
  expect(forgotPasswordErrors({ emailID: '' })).toEqual({ emailID: 'rule.userIDMissing' });
  expect(forgotPasswordErrors({ emailID: 'nobody' })).toEqual({ emailID: 'rule.emailInvalid' });
  expect(passwordResetErrors({ userID: jordan.email })).toEqual({
    temporaryPassword: 'rule.temporaryPasswordMissing',
    password: 'rule.passwordMissing',
  });
  expect(
    passwordChangeErrors({
      userID: jordan.email,
      password: jordan.password,
      currentPassword: jordan.password,
    }),
  ).toEqual({
    password: 'rule.passwordUnchanged',
  });
});

describe('the address book', () => {
  test('a saved address needs street, city and postal code, named by its place in the list', () => {
    const good = { streetNumberAndDetails: '12 Example Street', city: 'Toronto', postCode: 'M5V 0A1' };
    expect(addressListErrors([good, {}])).toEqual({
      '1.streetNumberAndNameDetails': 'rule.addressMissing',
      '1.city': 'rule.cityMissing',
      '1.postCode': 'rule.zipcodeMissing',
    });
    expect(addressListErrors(Array.from({ length: 21 }, () => good))).toHaveProperty('body');
  });

  test('a saved address is in Ontario unless it says otherwise', () => {
    expect(withAddressDefaults({})).toMatchObject({ province: 'Ontario', countryISOCode: 'CA' });
    expect(withAddressDefaults({ countryISOCode: 'US' })).toEqual({ countryISOCode: 'US' });
  });
});

test('the return path after signing in stays inside the shop', () => {
  for (const path of ['/', '/checkout', '/zh/account/orders?page=2', '/search?key=a%20b'])
    expect(sameSitePath(path)).toBe(path);
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ];
  for (const path of [
    ...elsewhere,
    '/\n/evil.example',
    ' /x',
    'checkout',
    '',
    null,
    undefined,
    ['/'],
    `/${'x'.repeat(3000)}`,
  ])
    expect(sameSitePath(path)).toBeNull();
});

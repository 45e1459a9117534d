/** SPEC §3, §5. Fields are named as in the calls; address fields have their position in the list as a prefix, `0.city`. */
import type { FieldErrors } from '../errors.ts';
import { addressDefaults, limits } from '../limits.ts';
import type {
  PasswordChangeInput,
  PasswordResetInput,
  ProfileInput,
  RegistrationInput,
  SignOnInput,
} from '../schemas/account.ts';
import type { AddressInput } from '../schemas/order.ts';
import { type AddressRules, addressBookErrors } from './address.ts';
import { isEmail, isPhone } from './email-and-phone.ts';
import { isBlank } from './fields.ts';
import { passwordErrors } from './password.ts';

export function registrationErrors(input: RegistrationInput): FieldErrors {
  const { email, firstName, lastName } = input;
  return {
    ...personErrors(input),
    ...(isBlank(email) ? { email: 'rule.emailMissing' as const } : {}),
    ...(isBlank(email) || isEmail(email ?? '') ? {} : { email: 'rule.emailInvalid' as const }),
    ...passwordErrors(input, [email, firstName, lastName]),
  };
}

type PersonInput = Pick<ProfileInput, 'firstName' | 'lastName' | 'mobilePhone'>;

export function profileErrors(input: PersonInput): FieldErrors {
  return personErrors(input);
}

function personErrors({ firstName, lastName, mobilePhone }: PersonInput): FieldErrors {
  const errors: FieldErrors = {};
  if (isBlank(firstName)) errors.firstName = 'rule.firstNameMissing';
  if (isBlank(lastName)) errors.lastName = 'rule.lastNameMissing';
  if (!isBlank(mobilePhone) && !isPhone(mobilePhone ?? '')) errors.mobilePhone = 'rule.phoneInvalid';
  return errors;
}

export function signOnErrors({ userID, password }: SignOnInput): FieldErrors {
  return {
    ...userErrors('userID', userID),
    ...(password ? {} : { password: 'rule.passwordMissing' as const }),
  };
}

/** SPEC §5: 'Email is missing', 'Please enter a valid email'. */
export function forgotPasswordErrors({ emailID }: { emailID?: string | undefined }): FieldErrors {
  return userErrors('emailID', emailID);
}

export function passwordResetErrors(input: PasswordResetInput): FieldErrors {
  return {
    ...userErrors('userID', input.userID),
    ...(isBlank(input.temporaryPassword)
      ? { temporaryPassword: 'rule.temporaryPasswordMissing' as const }
      : {}),
    ...passwordErrors(input, [input.userID]),
  };
}

/** `owner` is the customer's email and names. */
export function passwordChangeErrors(
  input: PasswordChangeInput,
  owner: readonly (string | undefined)[] = [],
): FieldErrors {
  const errors = passwordErrors(input, [input.userID, ...owner]);
  if (!input.currentPassword) errors.currentPassword = 'rule.currentPasswordMissing';
  else if (!errors.password && input.currentPassword === input.password)
    errors.password = 'rule.passwordUnchanged';
  return errors;
}

/** SPEC §5. `at` is the address's position in the list; `rules` are those of its country, as far as they are known. */
export function savedAddressErrors(
  address: AddressInput,
  at: number | string = 0,
  rules?: AddressRules | null,
): FieldErrors {
  const errors = addressBookErrors(address, String(at), rules);
  if (!isBlank(address.contactPhone) && !isPhone(address.contactPhone ?? ''))
    errors[`${at}.contactPhone`] = 'rule.phoneInvalid';
  return errors;
}

export function addressListErrors(addresses: readonly AddressInput[]): FieldErrors {
  if (addresses.length > limits.addressesMax)
    return { body: { key: 'rule.addressesTooMany', values: { limit: limits.addressesMax } } };
  return Object.assign({}, ...addresses.map((address, at) => savedAddressErrors(address, at)));
}

/** SPEC §3: a new address defaults to Ontario, Canada. */
export function withAddressDefaults(address: AddressInput): AddressInput {
  if (!isBlank(address.countryISOCode) || !isBlank(address.country)) return address;
  const { province, countryISOCode } = addressDefaults;
  return {
    ...address,
    countryISOCode,
    province: isBlank(address.province) ? province : (address.province ?? ''),
  };
}

function userErrors(field: string, email: string | undefined): FieldErrors {
  if (isBlank(email)) return { [field]: 'rule.userIDMissing' };
  return isEmail(email ?? '') ? {} : { [field]: 'rule.emailInvalid' };
}

/** Null unless it stays in the shop: a path with an optional query, which no browser reads as another site's address. */
export function sameSitePath(referFrom: unknown): string | null {
  return typeof referFrom === 'string' &&
    referFrom.length <= 2000 &&
    /^\/(?!\/)[^\\\s\p{Cc}]*$/u.test(referFrom)
    ? referFrom
    : null;
}

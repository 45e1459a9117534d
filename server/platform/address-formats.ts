/** How addresses are written in each country. `scripts/address-formats.ts` writes the data, and says where it is from. */
import data from './address-formats.json' with { type: 'json' };

/** The letters of fields are A street, C city, S province, Z postal code. */
export interface AddressFormat {
  /** Rows of letters, such as `A C SZ`. */
  order: string;
  /** The same in a language that begins with the largest, if the country has one. */
  native?: string;
  require: string;
  /** A regular expression of the whole postal code. */
  zip?: string;
  example?: string;
  names?: { province?: string; city?: string; postCode?: string };
  provinces?: readonly (readonly [code: string, name: string, aliases?: string, postCodes?: string])[];
}

export const addressFormats = data.countries as unknown as Readonly<
  Record<string, AddressFormat | undefined>
>;

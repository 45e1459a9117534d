/** The address of a customer or a store (SPEC §3). */
import Type, { type Static } from 'typebox';

export const Address = Type.Object({
  streetNumberAndNameDetails: Type.String(),
  city: Type.String(),
  /** The province's or state's name as in `provinces`. */
  province: Type.String(),
  postCode: Type.String(),
  country: Type.String(),
  countryISOCode: Type.String(),
  addressDescription: Type.String(),
  contactPhone: Type.String(),
});
export type Address = Static<typeof Address>;

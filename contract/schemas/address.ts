import Type, { type Static } from 'typebox';
import { described } from './annotate.ts';

export const Address = Type.Object({
  streetNumberAndNameDetails: Type.String(),
  city: Type.String(),
  province: described("The province's or state's name as in `provinces`.", Type.String()),
  postCode: Type.String(),
  country: Type.String(),
  countryISOCode: described('ISO 3166-1 alpha-2.', Type.String()),
  addressDescription: described('Such as a floor or a door code.', Type.String()),
  contactPhone: Type.String(),
});
export type Address = Static<typeof Address>;

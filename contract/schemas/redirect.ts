/** An old address of the shop that leads to another one, as merchants write it in the office and in files. */
import Type, { type Static } from 'typebox';
import { described } from './common.ts';

/** Neither another host nor the start page. */
const inShop = '/[^/\\\\\\s#?][^\\s#?]*';

export const OldAddress = described(
  'The old address, without host and language: `/products/river-mug`. It leads on where no page is at it.',
  Type.String({ maxLength: 500, pattern: `^${inShop}$`, problem: 'problem.redirect.from' }),
);
export const NewAddress = described(
  'The new address, without host and language: `/product/river-mug`.',
  Type.String({ maxLength: 500, pattern: `^(?:/|${inShop})(?:[?#]\\S*)?$`, problem: 'problem.redirect.to' }),
  { label: 'office.redirect.to', control: 'link', hint: 'office.redirect.toHint' },
);

export const RedirectDocument = Type.Object({ id: OldAddress, to: NewAddress });
export type RedirectDocument = Static<typeof RedirectDocument>;

/** The calls about forms, feeds and photographs (SPEC §7 "Social, blog, forms"), for the table of all endpoints. */
import Type from 'typebox';
import type { Endpoint } from './endpoints.ts';
import { limits } from './limits.ts';
import { Success } from './schemas/account.ts';
import { LangQuery, Strict } from './schemas/common.ts';
import { Feed, SocialPhoto } from './schemas/feeds.ts';

const lang = Strict(LangQuery);

/**
 * `mailTo` and `formName` as a published form has them; each key of `messageDetails` is a field's name.
 * `website` is a field that people do not see, and `secondsOpen` how long the form was in sight: what
 * fills in the one or is quicker than anybody is kept aside as spam.
 */
export const FormMessage = Strict({
  mailTo: Type.String({ maxLength: 254 }),
  formName: Type.String({ maxLength: 100 }),
  messageDetails: Type.Array(
    Strict({ key: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: limits.formLongTextLength }) }),
    { maxItems: limits.formFields },
  ),
  website: Type.Optional(Type.String({ maxLength: 1000 })),
  secondsOpen: Type.Optional(Type.Number({ minimum: 0, maximum: 10_000_000 })),
});
export type FormMessage = Type.Static<typeof FormMessage>;

export const contentEndpoints = {
  submitForm: {
    route: 'POST message/submitForm',
    summary: 'Sends what a form of a page asks for to the address that the page names. Sending it twice sends it once.',
    audience: 'session',
    changes: true,
    query: lang,
    body: FormMessage,
    response: Success,
  },
  readFeed: {
    route: 'GET feed/read',
    summary: 'The entries of a feed that a page names, latest first: as last read where its source is down.',
    audience: 'public',
    query: Strict({ url: Type.String({ minLength: 1, maxLength: limits.feedUrlLength }), ...LangQuery }),
    response: Feed,
  },
  recentPhotos: {
    route: 'GET social/ig/recent',
    summary: "The shop's recent photographs: from Instagram where it is set up, otherwise those that came with the shop.",
    audience: 'public',
    query: lang,
    response: Type.Object({ data: Type.Array(SocialPhoto) }),
  },
} as const satisfies Record<string, Endpoint>;

import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import { Success } from '../schemas/account.ts';
import { described } from '../schemas/annotate.ts';
import { LangQuery, Strict } from '../schemas/common.ts';
import { Feed, SocialPhoto } from '../schemas/feeds.ts';

const lang = Strict(LangQuery);

export const FormMessage = Strict({
  mailTo: described('As the published form has it.', Type.String({ maxLength: 254 })),
  formName: described('As the published form has it.', Type.String({ maxLength: 100 })),
  messageDetails: Type.Array(
    Strict({
      key: described('The name of a field.', Type.String({ maxLength: 100 })),
      value: Type.String({ maxLength: limits.formLongTextLength }),
    }),
    { maxItems: limits.formFields },
  ),
  website: Type.Optional(described('Hidden from people: filled in, it marks spam.', Type.String({ maxLength: 1000 }))),
  secondsOpen: Type.Optional(
    described(
      'How long the form was visible: less than a person takes to type marks spam.',
      Type.Number({ minimum: 0, maximum: 10_000_000 }),
    ),
  ),
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
  commonSearches: {
    route: 'GET common3/commonSearches',
    summary: 'The searches that the search page offers before a customer has typed one.',
    audience: 'public',
    query: lang,
    response: Type.Object({ searches: Type.Array(Type.String()) }),
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

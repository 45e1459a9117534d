/** The calls of the room Navigation. */
import Type from 'typebox';
import { navigationPlaces } from '../limits.ts';
import { localeCodes } from '../locales.ts';
import { Count, described, Strict } from '../schemas/common.ts';
import { NavigationDocument } from '../schemas/navigation.ts';
import { fixedDocumentCalls, ofDocument } from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';
import { Drawn } from './pages.ts';

export const navigationEndpoints = {
  ...fixedDocumentCalls('navigation', 'navigations', {
    route: 'navigation',
    called: 'the header or the footer',
    answer: documentOf(NavigationDocument),
    list: Type.Object({
      places: Type.Array(
        Type.Object({
          id: Type.Enum(navigationPlaces),
          links: described('How many links of the merchant’s own it has, without those of groups.', Count),
        }),
      ),
    }),
    needs: ['content.write', 'content.write'],
  }),
  tryNavigation: {
    route: 'POST navigation/:id/try',
    reads: true,
    summary:
      'The first page of the shop as the storefront would draw it after an edit, without scripts. Changes nothing.',
    needs: 'content.write',
    params: ofDocument,
    body: Strict({
      edits: Patch.properties.edits,
      language: described('In which it is drawn.', Type.Enum(localeCodes)),
    }),
    response: Drawn,
  },
} as const satisfies Record<string, StaffEndpoint>;

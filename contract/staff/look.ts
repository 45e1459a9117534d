/** The calls of the room Look. */
import Type from 'typebox';
import { lookPages } from '../limits.ts';
import { localeCodes } from '../locales.ts';
import { described, Strict } from '../schemas/common.ts';
import { LookColours, LookDocument } from '../schemas/look.ts';
import { fixedDocumentCalls, ofDocument } from './documents.ts';
import { documentOf, Patch, type StaffEndpoint } from './endpoint.ts';
import { Drawn } from './pages.ts';

export const lookEndpoints = {
  ...fixedDocumentCalls('look', 'looks', {
    route: 'look',
    called: 'the look of the shop',
    answer: documentOf(LookDocument),
    list: Type.Object({
      looks: Type.Array(
        Type.Object({
          id: Type.Enum(['shop']),
          delivered: described(
            'The colours without an own look: those of the program, or of the folder of `BRAND`.',
            Type.Object({ day: LookColours, night: LookColours }),
          ),
        }),
      ),
    }),
    needs: ['settings.shop', 'settings.shop'],
  }),
  tryLook: {
    route: 'POST look/:id/try',
    reads: true,
    summary:
      'A page of the shop as the storefront would draw it after an edit of the look, without scripts. Changes nothing.',
    needs: 'settings.shop',
    params: ofDocument,
    body: Strict({
      edits: Patch.properties.edits,
      language: described('In which it is drawn.', Type.Enum(localeCodes)),
      page: described('Which page is drawn.', Type.Enum(lookPages)),
    }),
    response: Drawn,
  },
} as const satisfies Record<string, StaffEndpoint>;

/** The calls of the room Old addresses. */
import Type from 'typebox';
import { described, Strict } from '../schemas/common.ts';
import { NewAddress, OldAddress, RedirectDocument } from '../schemas/redirect.ts';
import { documentCalls } from './documents.ts';
import { documentOf, type StaffEndpoint } from './endpoint.ts';

export const redirectEndpoints = {
  ...documentCalls('redirect', 'redirects', {
    route: 'redirects',
    called: 'an old address',
    answer: documentOf(RedirectDocument),
    list: Type.Object({
      redirects: described(
        'By their old addresses.',
        Type.Array(Type.Object({ id: Type.String(), to: Type.String() })),
      ),
    }),
    needs: ['content.write', 'content.publish'],
    add: Strict({ from: OldAddress, to: NewAddress }),
    begins: 'that leads on from then',
  }),
} as const satisfies Record<string, StaffEndpoint>;

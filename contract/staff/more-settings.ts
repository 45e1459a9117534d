/** The calls of the room More settings. */
import Type from 'typebox';
import { NamedRef } from '../schemas/common.ts';
import { MoreSettingsDocument } from '../schemas/more-settings.ts';
import { fixedDocumentCalls } from './documents.ts';
import { documentOf, type StaffEndpoint } from './endpoint.ts';

export const moreSettingsEndpoints = {
  ...fixedDocumentCalls('settings', 'settingsChoices', {
    route: 'more-settings',
    called: 'the settings that stand in no other room',
    answer: documentOf(MoreSettingsDocument),
    list: Type.Object({
      settings: Type.Array(Type.Object({ id: Type.Enum(['shop']) })),
      pages: Type.Array(NamedRef),
      categories: Type.Array(NamedRef),
      tags: Type.Array(NamedRef),
    }),
    needs: ['settings.shop', 'settings.shop'],
  }),
} as const satisfies Record<string, StaffEndpoint>;

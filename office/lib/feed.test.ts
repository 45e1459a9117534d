/** What the live feed asks for again. */
import { expect, test } from 'vitest';
import { documentNames } from '#contract/staff/document-names.ts';
import { outdates } from './feed.tsx';

test.each(documentNames)(
  'the list and the form of a %s are asked for again when somebody else changes one',
  (kind) => {
    expect(outdates[kind].length).toBeGreaterThanOrEqual(2);
  },
);

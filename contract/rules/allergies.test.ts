import { expect, it } from 'vitest';
import { isAllergyNote } from './allergies.ts';

it.each([
  'peanut allergy!!',
  'NO NUTS please',
  'Gluten free',
  'lactose intolerant',
  '对花生过敏',
  '不要坚果',
  'hazelnuts: none',
  'allergique aux noix',
])('the note “%s” is marked as one about an allergy', (note) => expect(isAllergyNote(note)).toBe(true));

it.each(['no straw', 'less ice', 'a doughnut on the side', 'by the window', '少冰', '靠窗'])(
  'the note “%s” is an ordinary one',
  (note) => expect(isAllergyNote(note)).toBe(false),
);

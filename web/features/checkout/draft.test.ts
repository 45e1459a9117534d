import { describe, expect, it } from 'vitest';
import { type Draft, emptyDraft, loadDraft, saveDraft } from './draft.ts';

function memory(saved?: string) {
  const items = new Map(saved === undefined ? [] : [['checkout', saved]]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe('what was typed at checkout', () => {
  it('is Ontario, Canada before anything is typed', () => {
    expect(loadDraft(emptyDraft, memory()).address).toMatchObject({ province: 'Ontario', countryISOCode: 'CA' });
  });

  it('comes back as it was', () => {
    const storage = memory();
    const draft: Draft = {
      ...emptyDraft,
      methodName: 'pickup',
      contact: { firstName: '嘉', lastName: '林', phoneNumber: '416', email: '' },
      pickupStore: 'toronto-queen-west',
    };
    saveDraft(draft, storage);
    expect(loadDraft(emptyDraft, storage)).toEqual(draft);
  });

  it('survives a stored text that somebody meddled with', () => {
    expect(loadDraft(emptyDraft, memory('{'))).toEqual(emptyDraft);
    expect(loadDraft(emptyDraft, memory('"x"'))).toEqual(emptyDraft);
    const odd = JSON.stringify({ methodName: 'drone', contact: { email: 7, evil: 'x' }, address: null, tableNumber: ['7'] });
    expect(loadDraft(emptyDraft, memory(odd))).toEqual(emptyDraft);
  });

  it('goes on without storage', () => {
    const refusing = {
      setItem: () => {
        throw new Error('quota');
      },
    };
    expect(() => saveDraft(emptyDraft, refusing)).not.toThrow();
  });
});

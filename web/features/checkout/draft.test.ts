import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Draft, emptyDraft, loadDraft, saveDraft, saveTable } from './draft.ts';

let items: Map<string, string>;

beforeEach(() => {
  items = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const draft: Draft = {
  ...emptyDraft,
  methodName: 'pickup',
  contact: { firstName: '嘉', lastName: '林', phoneNumber: '416', email: '' },
  choices: { ...emptyDraft.choices, pickupStore: 'toronto-queen-west' },
};

describe('what was typed at checkout', () => {
  it('is Ontario, Canada before anything is typed', () => {
    expect(loadDraft(emptyDraft).address).toMatchObject({ province: 'Ontario', countryISOCode: 'CA' });
  });

  it('comes back as it was', () => {
    saveDraft(draft);
    expect(loadDraft(emptyDraft)).toEqual(draft);
  });

  it('survives a kept text that somebody meddled with', () => {
    for (const text of ['{', '"x"', '[]', 'null']) {
      items.set('checkout', text);
      expect(loadDraft(emptyDraft)).toEqual(emptyDraft);
    }
    const odd = { methodName: 'drone', contact: { email: 7, evil: 'x' }, address: null, choices: { tableNumber: ['7'] } };
    items.set('checkout', JSON.stringify(odd));
    expect(loadDraft(emptyDraft)).toEqual(emptyDraft);
  });

  it('goes on without storage', () => {
    vi.stubGlobal('sessionStorage', undefined);
    expect(() => saveDraft(emptyDraft)).not.toThrow();
    expect(loadDraft(draft)).toEqual(draft);
  });

  it("takes store and table from the link on a table's sign, and keeps the rest", () => {
    saveDraft(draft);
    saveTable('7', 'markham-unionville');
    const { methodName, contact, choices } = loadDraft(emptyDraft);
    expect(methodName).toBe('instore');
    expect(contact).toEqual(draft.contact);
    expect(choices).toMatchObject({ tableNumber: '7', tableStore: 'markham-unionville', pickupStore: 'toronto-queen-west' });
  });
});

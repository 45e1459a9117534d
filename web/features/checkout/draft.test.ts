import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Draft, emptyDraft, loadDraft, orderAtTable, saveDraft, saveTable } from './draft.ts';

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

describe('the checkout draft', () => {
  it('an untouched checkout draft has Ontario, Canada as its place', () => {
    expect(loadDraft(emptyDraft).address).toMatchObject({ province: 'Ontario', countryISOCode: 'CA' });
  });

  it('a stored checkout draft comes back as it was', () => {
    saveDraft(draft);
    expect(loadDraft(emptyDraft)).toEqual(draft);
  });

  it('a checkout draft survives a stored text that was tampered with', () => {
    for (const text of ['{', '"x"', '[]', 'null']) {
      items.set('checkout', text);
      expect(loadDraft(emptyDraft)).toEqual(emptyDraft);
    }
    const odd = {
      methodName: 'drone',
      contact: { email: 7, evil: 'x' },
      address: null,
      choices: { tableNumber: ['7'] },
    };
    items.set('checkout', JSON.stringify(odd));
    expect(loadDraft(emptyDraft)).toEqual(emptyDraft);
  });

  it('a checkout draft works without storage', () => {
    vi.stubGlobal('sessionStorage', undefined);
    expect(() => saveDraft(emptyDraft)).not.toThrow();
    expect(loadDraft(draft)).toEqual(draft);
  });

  it('a checkout draft takes store and table from the link on a table’s sign and keeps the rest', () => {
    saveDraft(draft);
    saveTable('7', 'markham-unionville');
    const { methodName, contact, choices } = loadDraft(emptyDraft);
    expect(methodName).toBeNull();
    expect(contact).toEqual(draft.contact);
    expect(choices).toMatchObject({
      tableNumber: '7',
      tableStore: 'markham-unionville',
      pickupStore: 'toronto-queen-west',
    });
  });

  it('a checkout draft is for the table only once its menu led there: a mug that is bought later is sent', () => {
    saveTable('7', 'markham-unionville');
    expect(loadDraft(emptyDraft).methodName).toBeNull();
    orderAtTable();
    expect(loadDraft(emptyDraft)).toMatchObject({
      methodName: 'instore',
      choices: { tableNumber: '7', atTable: 'yes' },
    });
  });

  it('the table of a link lasts for the visit: next day in the same tab the checkout begins without it', () => {
    vi.useFakeTimers();
    saveDraft(draft);
    saveTable('7', 'markham-unionville', 'token');
    orderAtTable();
    vi.advanceTimersByTime(3 * 60 * 60_000);
    expect(loadDraft(emptyDraft)).toMatchObject({
      methodName: 'instore',
      choices: { tableNumber: '7', tableCard: 'token' },
    });
    vi.advanceTimersByTime(20 * 60 * 60_000);
    const { pickupStore } = draft.choices;
    expect(loadDraft(emptyDraft)).toEqual({
      ...draft,
      methodName: null,
      choices: { ...emptyDraft.choices, pickupStore },
    });
    vi.useRealTimers();
  });
});

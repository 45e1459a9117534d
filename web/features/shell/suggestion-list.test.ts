import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ApiClient } from '#web/lib/api.ts';
import { recentSearches } from '#web/lib/device-list.ts';
import { offerStart } from './suggestion-list.tsx';

const names = ['teaware', 'tea', 'tableware', 'home', 'tea-bar'];
const image = { imageURL: '/media/x.jpg', width: 1, height: 1, color: '#ffffff' };
const categories = names.map((name) => ({
  categoryName: name,
  categoryNameContent: { en: name.toUpperCase() },
  image,
}));

const apiThat = (call: () => Promise<unknown>) => ({ locale: 'en', call }) as unknown as ApiClient;
const offer = (call: () => Promise<unknown> = async () => categories) =>
  offerStart(new QueryClient({ defaultOptions: { queries: { retry: false } } }), apiThat(call));

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

it('the empty search box offers four categories with images', async () => {
  const offered = await offer();
  expect(offered?.groups).toEqual([
    {
      heading: 'shell.search.categories',
      suggestions: names
        .slice(0, 4)
        .map((name) => ({ href: `/products/${name}`, label: name.toUpperCase(), image })),
    },
  ]);
});

it('the empty search box offers the latest four searches of the device, each once', async () => {
  for (const text of ['mug', 'teapot', 'gaiwan', 'Mug', 'vase', 'bowl']) recentSearches.remember(text);
  const [recent] = (await offer())?.groups ?? [];
  expect(recent?.heading).toBe('recent.searches');
  expect(recent?.suggestions.map(({ label }) => label)).toEqual(['bowl', 'vase', 'Mug', 'gaiwan']);
  expect(recent?.suggestions[0]?.href).toBe('/search?key=bowl');
});

it('the empty search box offers searches where categories fail, and nothing where storage is denied as well', async () => {
  const failing = async () => {
    throw new Error('offline');
  };
  recentSearches.remember('mug');
  expect((await offer(failing))?.groups.map(({ heading }) => heading)).toEqual(['recent.searches']);
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
  recentSearches.remember('mug');
  expect(await offer(failing)).toBeNull();
});

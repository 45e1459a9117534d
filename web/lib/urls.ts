/** Every address of SPEC §2; no other module builds one. They have no language: `Link`, `navigate` and `redirect` add it. */
import { type AddressType, type SortValue, unknownAddress } from '#contract/limits.ts';
import { isOrderLinkPath } from '#contract/locales.ts';

/** Plain text, no JSON and no types (`?key=2024` is the text "2024"). Empty values are dropped, so that one page has one address. */
type PlainSearch = Record<string, string>;

export function parsePlainSearch(search: string): PlainSearch {
  const plain: PlainSearch = {};
  for (const [key, value] of new URLSearchParams(search)) {
    if (value !== '' && !Object.hasOwn(plain, key)) plain[key] = value;
  }
  return plain;
}

export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.append(key, String(value));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

export type BrandsView = 'grid' | 'list';

export interface ListSearch {
  /** Filters a list by category, unless the list belongs to one. */
  cat?: string | undefined;
  brand?: string | undefined;
  /** Cents, such as `3000-5999`. */
  price?: string | undefined;
  /** Millilitres, such as `151-350`. */
  capacity?: string | undefined;
  colour?: string | undefined;
  /** The id of a store that has the products in stock. */
  store?: string | undefined;
  /** Filters a list by tag, unless the list belongs to one. */
  tag?: string | undefined;
  sort?: SortValue | undefined;
  page?: number | undefined;
}

const segment = encodeURIComponent;

function withSearch(path: string, search: Record<string, unknown>): string {
  return path + stringifyPlainSearch(search);
}

/** The parameters come in one order, so that one list has one address; the first page and the default order are left out. */
function listSearch({
  sort,
  page,
  cat,
  brand,
  price,
  capacity,
  colour,
  store,
  tag,
}: ListSearch): Record<string, unknown> {
  const filters = { cat, brand, price, capacity, colour, store, tag };
  return {
    ...filters,
    sort: sort === 'default' ? undefined : sort,
    page: page && page > 1 ? page : undefined,
  };
}

function pageSearch(page = 1): Record<string, unknown> {
  return { page: page > 1 ? page : undefined };
}

export const urls = {
  home: () => '/',
  /** The home page in place of an unknown address, which it then names as the reason. To the server's redirects `server/http` adds it. */
  homeInstead: () => (import.meta.env.SSR ? '/' : `/#${unknownAddress}`),
  brands: (view: BrandsView = 'grid') => withSearch('/brands', { view: view === 'grid' ? undefined : view }),
  brand: (name: string, search: ListSearch = {}) => withSearch(`/brand/${segment(name)}`, listSearch(search)),
  clearance: (search: ListSearch = {}) => withSearch('/clearance', listSearch(search)),
  tag: (name: string, search: ListSearch = {}) => withSearch(`/tag/${segment(name)}`, listSearch(search)),
  search: (key = '', search: ListSearch = {}) => withSearch('/search', { key, ...listSearch(search) }),
  category: (name: string, search: ListSearch = {}) =>
    withSearch(`/products/${segment(name)}`, listSearch(search)),
  productList: ({ newArrival, ...search }: ListSearch & { newArrival?: boolean | undefined } = {}) =>
    withSearch('/productlist', { newArrival: newArrival || undefined, ...listSearch(search) }),
  /** `options` are option names and chosen values, in the default language. */
  product: (id: string, options: Record<string, string> = {}) =>
    withSearch(`/product/${segment(id)}`, options),
  /** `notice`: the reason for the redirect, shown on the page. */
  cart: (search: { notice?: CartNotice } = {}) => withSearch('/cart', { ...search }),
  checkout: () => '/checkout',
  payment: (search: PaymentSearch = {}) => withSearch('/payment', { ...search }),
  confirm: (search: { oid: string; pickUpAandPayAtStore?: boolean | undefined }) =>
    withSearch('/cart/confirm', { ...search }),
  login: (referFrom?: string) => withSearch('/account/login', { referFrom }),
  signup: (referFrom?: string) => withSearch('/account/signup', { referFrom }),
  account: () => '/account/menu',
  orders: () => '/account/orders',
  order: (id: string) => `/account/orders/${segment(id)}`,
  profile: () => '/account/profile',
  addresses: (type: AddressType) => `/account/address/${type}`,
  changePassword: () => '/account/resetpassword',
  forgotPassword: () => '/account/forgotpassword',
  verifyPassword: () => '/account/verifypassword',
  favorites: () => '/myFavorite',
  blog: (page?: number) => withSearch('/blog', pageSearch(page)),
  blogCategory: (name: string, page?: number) => withSearch(`/blog/cat/${segment(name)}`, pageSearch(page)),
  blogTag: (name: string, page?: number) => withSearch(`/blog/tag/${segment(name)}`, pageSearch(page)),
  blogPost: (link: string) => `/blog/post/${segment(link)}`,
  /** The blog's feeds. These are files, not pages: link to them with the language prefix and a full page load. */
  blogFeed: (format: 'rss' | 'atom') => (format === 'rss' ? '/blog/feed.xml' : '/blog/atom.xml'),
  contact: () => '/contact',
  page: (name: string) => `/${segment(name)}`,
};

/** 'sentBack': the order failed to load (SPEC §8). 'table': a table's link was followed with an empty cart. */
export type CartNotice = 'sentBack' | 'table';

export interface PaymentSearch {
  /** The `dueVersion` of a placed order, to pay what is due of it in place of the cart. */
  due?: string | undefined;
  referFrom?: string | undefined;
  pickUpAtStore?: boolean | undefined;
  pickUpAandPayAtStore?: boolean | undefined;
  localStoreName?: string | undefined;
}

export interface ReferredSearch {
  referFrom?: string;
}

const privatePaths = ['/cart', '/checkout', '/payment', '/account', '/myFavorite'];

/** Whether a page (path without language) belongs to one customer: never cached, never indexed. */
export function isPrivatePath(pathname: string): boolean {
  return (
    isOrderLinkPath(pathname) ||
    privatePaths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  );
}

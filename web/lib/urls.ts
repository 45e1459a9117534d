/**
 * Every address of SPEC §2, built here and nowhere else. They carry no language: `Link`, `navigate`
 * and `redirect` put it in front. Give them as `href`.
 */
import type { AddressType, SortValue } from '#contract/limits.ts';
import { stringifyPlainSearch } from './search-params.ts';

/** How the page of all brands shows them. */
export type BrandsView = 'grid' | 'list';

export interface ListSearch {
  /** Narrows a list to a category, where the list is not of one. */
  cat?: string | undefined;
  brand?: string | undefined;
  sort?: SortValue | undefined;
  page?: number | undefined;
}

const segment = encodeURIComponent;

function withSearch(path: string, search: Record<string, unknown>): string {
  return path + stringifyPlainSearch(search);
}

/** The first page and the default order stand in the bare address. */
function listSearch({ cat, brand, sort, page }: ListSearch): Record<string, unknown> {
  return { cat, brand, sort: sort === 'default' ? undefined : sort, page: page && page > 1 ? page : undefined };
}

/** The first page stands in the bare address. */
function pageSearch(page = 1): Record<string, unknown> {
  return { page: page > 1 ? page : undefined };
}

export const urls = {
  home: () => '/',
  brands: (view: BrandsView = 'grid') => withSearch('/brands', { view: view === 'grid' ? undefined : view }),
  brand: (name: string, search: ListSearch = {}) => withSearch(`/brand/${segment(name)}`, listSearch(search)),
  clearance: (search: ListSearch = {}) => withSearch('/clearance', listSearch(search)),
  tag: (name: string, search: ListSearch = {}) => withSearch(`/tag/${segment(name)}`, listSearch(search)),
  search: (key = '', search: ListSearch = {}) => withSearch('/search', { key, ...listSearch(search) }),
  category: (name: string, search: ListSearch = {}) => withSearch(`/products/${segment(name)}`, listSearch(search)),
  productList: ({ newArrival, ...search }: ListSearch & { newArrival?: boolean | undefined } = {}) =>
    withSearch('/productlist', { newArrival: newArrival || undefined, ...listSearch(search) }),
  /** `options` are option names and the values chosen, in the default language. */
  product: (id: string, options: Record<string, string> = {}) => withSearch(`/product/${segment(id)}`, options),
  /** `notice`: why one comes here, said on the page. */
  cart: (search: { notice?: CartNotice } = {}) => withSearch('/cart', { ...search }),
  checkout: () => '/checkout',
  payment: (search: PaymentSearch = {}) => withSearch('/payment', { ...search }),
  confirm: (search: { oid: string; pickUpAandPayAtStore?: boolean | undefined }) => withSearch('/cart/confirm', { ...search }),
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
  /** The blog for feed readers. These are files, not pages: link to them whole, with the language in front. */
  blogFeed: (format: 'rss' | 'atom') => (format === 'rss' ? '/blog/feed.xml' : '/blog/atom.xml'),
  contact: () => '/contact',
  page: (name: string) => `/${segment(name)}`,
};

/** 'sentBack': the order could not be had (SPEC §8). 'table': a table's link was followed with nothing in the cart yet. */
export type CartNotice = 'sentBack' | 'table';

export interface PaymentSearch {
  referFrom?: string | undefined;
  pickUpAtStore?: boolean | undefined;
  pickUpAandPayAtStore?: boolean | undefined;
  localStoreName?: string | undefined;
}

export interface ReferredSearch {
  /** Where to go back to. Not yet known to lead to this shop. */
  referFrom?: string;
}

/** SPEC §2: links starting with http are external, others internal. */
export function isExternal(link: string): boolean {
  return /^(https?:|mailto:|tel:)/i.test(link);
}

/** Whether an address of the shop is no page of it: a feed, a sitemap, a picture, a call. */
export function isFile(href: string): boolean {
  return /^\/(media|api)\/|\.(xml|txt|json)$/.test(href.split(/[?#]/, 1)[0] ?? '');
}

const privatePaths = ['/cart', '/checkout', '/payment', '/account', '/myFavorite'];

/** Whether a page (path without language) is one shopper's own: never cached, never indexed. */
export function isPrivatePath(pathname: string): boolean {
  return privatePaths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

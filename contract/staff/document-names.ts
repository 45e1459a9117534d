/** The kinds of documents that merchants edit, and what their calls are named: server, contract and office find them by it. */

/**
 * `action` begins the words of their changes: `stores change`; `place` the paths of their problems: `stores.queen-west`.
 * `scope` is what people see of them who work in some stores only.
 */
export const documentKinds = {
  store: { action: 'stores', place: 'stores', scope: 'store' },
  modifierGroup: { action: 'modifiers', place: 'modifierGroups', scope: 'shop' },
  category: { action: 'taxonomy', place: 'categories', scope: 'shop' },
  brand: { action: 'taxonomy', place: 'brands', scope: 'shop' },
  tag: { action: 'taxonomy', place: 'tags', scope: 'shop' },
  coupon: { action: 'coupon', place: 'coupons', scope: 'shop' },
  page: { action: 'pages', place: 'pages', scope: 'shop' },
  post: { action: 'posts', place: 'posts', scope: 'shop' },
  blog: { action: 'blog', place: 'blogs', scope: 'shop' },
  redirect: { action: 'redirects', place: 'redirects', scope: 'shop' },
  webhook: { action: 'webhooks', place: 'webhooks', scope: 'shop' },
  navigation: { action: 'navigation', place: 'navigation', scope: 'shop' },
  settings: { action: 'settings', place: 'settings', scope: 'shop' },
  look: { action: 'look', place: 'look', scope: 'shop' },
  email: { action: 'emails', place: 'emails', scope: 'shop' },
} as const;
export type DocumentName = keyof typeof documentKinds;
export const documentNames = Object.keys(documentKinds) as DocumentName[];

/** Of which nobody adds or removes one: every shop has the same, and a blog comes with its first post. */
export const fixedKinds = [
  'navigation',
  'look',
  'email',
  'blog',
  'settings',
] as const satisfies readonly DocumentName[];
export type FixedName = (typeof fixedKinds)[number];
export const isFixed = (kind: DocumentName): kind is FixedName =>
  (fixedKinds as readonly DocumentName[]).includes(kind);

export function documentCallNames<const K extends string>(kind: K) {
  const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<K>;
  return {
    read: kind,
    add: `add${title}`,
    save: `save${title}`,
    revisions: `${kind}Revisions`,
    restore: `restore${title}`,
    use: `${kind}Use`,
    remove: `remove${title}`,
  } as const;
}

/** What is saved of them is a draft, which visitors see once it is published. */
export const draftedKinds = ['page', 'post'] as const satisfies readonly DocumentName[];
export type DraftedName = (typeof draftedKinds)[number];
export const isDrafted = (kind: DocumentName): kind is DraftedName =>
  (draftedKinds as readonly DocumentName[]).includes(kind);

export function publishingCallNames<const K extends string>(kind: K) {
  const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<K>;
  return {
    tryPublish: `tryPublish${title}`,
    publish: `publish${title}`,
    withdraw: `withdraw${title}`,
    unschedule: `unschedule${title}`,
    revert: `revert${title}`,
    links: `${kind}Links`,
    share: `share${title}`,
    unshare: `unshare${title}`,
  } as const;
}

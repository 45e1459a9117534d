/** The services as tests use them: each operation of a merchant runs as a change of its own. */
import type { Services } from '#server/container.ts';
import type { Change, RunChange } from '#server/modules/changes/index.ts';

/** The operations by service: those that take a `Change` first, and those that take a `RunChange` because they make several. */
const operations = {
  settings: { changes: ['update'] },
  coupons: { changes: ['add', 'end', 'put'] },
  stores: { changes: ['upsert'] },
  webhooks: { changes: ['resend', 'add', 'remove', 'pause', 'resume', 'rotate'] },
  content: { changes: ['upsertPages'] },
  photographs: { changes: ['replaceGallery'] },
  'blog.editor': { changes: ['upsertAll', 'upsertBlog', 'upsertPosts'] },
  editor: {
    changes: [
      'upsertBrands',
      'upsertCategories',
      'upsertTags',
      'upsertModifierGroups',
      'upsertProducts',
      'markSoldOut',
      'unmarkSoldOut',
    ],
    runs: ['importProducts'],
  },
  stock: { changes: ['count', 'transfer', 'correct'] },
  media: { runs: ['importOriginals', 'addOriginal'] },
  removal: { changes: ['remove'] },
  orderLinks: { changes: ['revokeOf'] },
  orderRefunds: { runs: ['refund', 'refundParts', 'cancelOrder'] },
  orderChanges: { runs: ['book'] },
  checkout: { runs: ['tableCardTokens'] },
  fulfilment: { changes: ['move', 'take', 'takeBack', 'cancel', 'answerAboutStock'] },
  'payments.refunds': { changes: ['settle'], runs: ['retry'] },
  'accounts.fulfilment': { changes: ['export', 'erase', 'signOut', 'setBlocked'] },
} satisfies Record<string, { changes?: string[]; runs?: string[] }>;

/** Without the change that an operation takes first. */
type Operation<F> = F extends (...input: infer I) => infer R
  ? I extends [Change | RunChange, ...infer Rest]
    ? (...input: Rest) => R
    : F
  : F;
type Service<S> = S extends (...input: never) => unknown
  ? S
  : { [M in keyof S]: S[M] extends (...input: never) => unknown ? Operation<S[M]> : S[M] };
/** The services whose operations are in a service within them. */
interface Inner {
  blog: 'editor';
  accounts: 'fulfilment';
  payments: 'refunds';
}
type With<S, M extends keyof S> = Omit<S, M> & { [N in M]: Service<S[N]> };
export type MerchantServices = {
  [S in keyof Services]: S extends keyof Inner
    ? With<Services[S], Inner[S] & keyof Services[S]>
    : Service<Services[S]>;
};

export function asMerchant(services: Services): MerchantServices {
  const run = services.changes.by({ kind: 'terminal' }, 'test');
  // Services hold each other, so what tests get is a copy.
  const copy: Record<string, unknown> = { ...services };
  for (const [path, methods] of Object.entries(operations)) {
    const [outer = '', inner] = path.split('.');
    const service = { ...(copy[outer] as Record<string, unknown>) };
    copy[outer] = service;
    const holder = inner === undefined ? service : { ...(service[inner] as Record<string, unknown>) };
    if (inner !== undefined) service[inner] = holder;
    const lists: { changes?: readonly string[]; runs?: readonly string[] } = methods;
    for (const name of [...(lists.changes ?? []), ...(lists.runs ?? [])]) {
      const operation = holder[name] as (...input: unknown[]) => Promise<unknown>;
      const takesRun = lists.runs?.includes(name);
      holder[name] = (...input: unknown[]) =>
        takesRun ? operation(run, ...input) : run(async (change) => operation(change, ...input));
    }
  }
  return copy as unknown as MerchantServices;
}

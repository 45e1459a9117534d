/** In ascending order of their ranks. In the browser build, `web/build-plugins.ts` replaces it with a plain table. */
import * as contracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';

export type ProviderContracts = typeof contracts;

/** In the registries. */
export type ProviderKey = keyof ProviderContracts;

type Named<K extends ProviderKey> = { readonly key: K } & Omit<
  ProviderContracts[K],
  'rank' | 'endpoints' | 'schemas' | 'connection' | 'usedInExamples'
>;
export type NamedProvider = { [K in ProviderKey]: Named<K> }[ProviderKey];

const entries: readonly (readonly [string, ProviderContract])[] = Object.entries(contracts);

// Each entry has the names of the contract of its key.
export const providers = entries
  .toSorted(([, a], [, b]) => a.rank - b.rank)
  .map(([key, { rank, endpoints, schemas, connection, usedInExamples, ...names }]) => ({
    key,
    ...names,
  })) as readonly NamedProvider[];

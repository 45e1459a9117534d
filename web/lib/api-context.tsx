import { createContext, type ReactNode, useContext } from 'react';
import type { ApiClient } from './api.ts';

const ApiContext = createContext<ApiClient | null>(null);

export function ApiProvider({ api, children }: { api: ApiClient; children: ReactNode }) {
  return <ApiContext value={api}>{children}</ApiContext>;
}

/** The API client of the page's language. Pass it to the query options of a feature. */
export function useApi(): ApiClient {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi outside of ApiProvider');
  return api;
}

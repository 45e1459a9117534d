import { type ApiClient, callQuery } from '#web/lib/api.ts';

export const orderQuery = (api: ApiClient, id: string) => callQuery(api, 'order', { params: { id } }, { enabled: id !== '' });

export const orderByLinkQuery = (api: ApiClient, token: string) => callQuery(api, 'orderLink', { params: { token } });

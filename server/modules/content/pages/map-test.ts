/** Tries the tile server of the map by its tile of the whole world. */
import type { ConnectionsService, ConnectionTest } from '#server/modules/connections/index.ts';
import type { SafeFetch } from '#server/platform/safe-fetch/safe-fetch.ts';

const tileBytes = 1024 * 1024;

export function createMapTest({
  connections,
  externalFetch,
}: {
  connections: Pick<ConnectionsService, 'current'>;
  externalFetch: SafeFetch;
}): ConnectionTest {
  return async () => {
    const { mapTilesUrl } = await connections.current();
    // The shop's own host, or whoever serves its tiles there, is asked by the browser.
    if (mapTilesUrl.startsWith('/')) return { works: true, text: 'office.connections.map.test.own' };
    const url = mapTilesUrl
      .replace('{s}', 'a')
      .replace('{z}', '0')
      .replace('{x}', '0')
      .replace('{y}', '0')
      .replace('{r}', '');
    const { host } = new URL(url);
    return externalFetch({ url, accepts: (type) => type.startsWith('image/'), maxBytes: tileBytes }).then(
      () => ({ works: true, text: 'office.connections.map.test.read', values: { host } }),
      () => ({ works: false, text: 'office.connections.test.noAnswer', values: { host } }),
    );
  };
}

/** Parses MEDIA_URL, the address of an S3-compatible object store. */

export interface MediaStoreTarget {
  bucket: string;
  /** '' or a path that ends in a slash. */
  prefix: string;
  /** The http:// or https:// address of the store; null is Amazon S3. */
  endpoint: string | null;
  region: string;
}

/** The names that Amazon allows, which other stores follow. */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPart = /^[\w.-]{1,200}$/;
const parameterNames = new Set(['endpoint', 'region']);

/** Parses `s3://bucket/prefix?endpoint=https://store.example&region=ca-central-1`. Returns undefined if it is not such an address. */
export function mediaStoreTarget(text: string): MediaStoreTarget | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, searchParams, username, hash } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '');
  const endpoint = searchParams.get('endpoint');
  const isValid =
    protocol === 's3:' &&
    bucketName.test(host) &&
    parts.every((part) => prefixPart.test(part)) &&
    [...searchParams.keys()].every((name) => parameterNames.has(name)) &&
    (endpoint === null || isHttp(endpoint)) &&
    !username &&
    !hash;
  if (!isValid) return undefined;
  return {
    bucket: host,
    prefix: parts.map((part) => `${part}/`).join(''),
    endpoint,
    region: searchParams.get('region') ?? 'us-east-1',
  };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** `/.well-known/ucp`: what agents need to know of the shop before they call. */
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import type { AgentKeys } from './keys.ts';
import { handlerRegistry } from './presenting.ts';
import {
  type Body,
  capabilities,
  currentVersion,
  food,
  type Offer,
  offeredCapabilities,
  olderVersion,
  permalink,
  shopping,
  type UcpVersion,
} from './protocol.ts';
import { foodPath, mcpPath, profilePath, restPath } from './routes.ts';

interface ProfileDeps {
  origin: string;
  keys: AgentKeys;
  provider: PaymentProvider | null;
}

/** Of one version. The current one names the older. Drafts are only in a profile of their own, which no other names. */
export async function shopProfile(offer: Offer, version: UcpVersion, { origin, keys, provider }: ProfileDeps): Promise<Body> {
  const site = `https://ucp.dev/${version}`;
  const isOlder = version === olderVersion;
  const service = (transport: string, endpoint: string, schema: string) => ({
    version,
    spec: `${site}/specification/overview`,
    transport,
    endpoint: origin + endpoint,
    schema: `${site}/services/${schema}`,
  });
  const both = (folder: string, rest: string, mcp: string) => [
    service('rest', rest, `${folder}/rest.openapi.json`),
    service('mcp', mcp, `${folder}/mcp.openrpc.json`),
  ];
  const hasBuy = origin.startsWith('https:');
  const names = offeredCapabilities(offer, version).filter((name) => hasBuy || name !== permalink);
  const named = names.map((name) => {
    const { spec, schema = spec, extends: parents = [] } = capabilities[name] ?? { spec: '' };
    const extended = parents.filter((parent) => names.includes(parent));
    const entry = {
      version,
      spec: `${site}/specification/${isOlder ? spec.replace('shopping/', '') : spec}`,
      schema: `${site}/schemas/${schema}.json`,
      extends: extended.length > 1 ? extended : extended[0],
      config: name === permalink ? { endpoint: `${origin}/buy` } : undefined,
    };
    return [name, [entry]];
  });
  const drafts = offer.drafts
    ? { 'dev.ucp.common': both('common', restPath, mcpPath), [food]: both('food', foodPath, `${foodPath}/mcp`) }
    : {};
  const isLeaf = isOlder || offer.drafts;
  return {
    ucp: {
      version,
      supported_versions: isLeaf ? undefined : { [olderVersion]: `${origin}${profilePath}/${olderVersion}` },
      services: { [shopping]: both('shopping', restPath, mcpPath), ...drafts },
      capabilities: Object.fromEntries(named),
      payment_handlers: offer.access === 'all' && provider ? handlerRegistry(provider, origin, version) : {},
    },
    [isOlder ? 'signing_keys' : 'keys']: await keys.published(),
  };
}

/** By what follows the path of the profile; null if there is none. */
export function profileKind(name: string | undefined, offer: Offer): { offer: Offer; version: UcpVersion } | null {
  if (name === 'draft') return offer.drafts ? { offer, version: currentVersion } : null;
  const version = name === undefined ? currentVersion : name === olderVersion ? olderVersion : null;
  return version && { offer: { ...offer, drafts: false }, version };
}

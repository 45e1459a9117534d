/** `/.well-known/ucp`: what agents need to know of the shop before they call. */
import type { PaymentProvider } from '#server/modules/payments/index.ts';
import type { AgentKeys } from './keys.ts';
import { handlerRegistry } from './presenting.ts';
import { type Access, type Body, capabilities, offeredCapabilities, shopping, ucpVersion } from './protocol.ts';
import { mcpPath, restPath } from './routes.ts';

const site = `https://ucp.dev/${ucpVersion}`;

export async function shopProfile(
  access: Access,
  { origin, keys, provider }: { origin: string; keys: AgentKeys; provider: PaymentProvider | null },
): Promise<Body> {
  const service = (transport: string, endpoint: string, schema: string) => ({
    version: ucpVersion,
    spec: `${site}/specification/overview`,
    transport,
    endpoint: origin + endpoint,
    schema: `${site}/services/shopping/${schema}`,
  });
  const named = offeredCapabilities(access).map((name) => {
    const { spec, schema, extends: parents = [] } = capabilities[name] ?? { spec: '', schema: '' };
    const offered = parents.filter((parent) => offeredCapabilities(access).includes(parent));
    const extending = offered.length > 1 ? { extends: offered } : offered.length === 1 ? { extends: offered[0] } : {};
    const entry = {
      version: ucpVersion,
      spec: `${site}/specification/${spec}`,
      schema: `${site}/schemas/shopping/${schema}.json`,
    };
    return [name, [{ ...entry, ...extending }]];
  });
  return {
    ucp: {
      version: ucpVersion,
      services: { [shopping]: [service('rest', restPath, 'rest.openapi.json'), service('mcp', mcpPath, 'mcp.openrpc.json')] },
      capabilities: Object.fromEntries(named),
      payment_handlers: access === 'all' && provider ? handlerRegistry(provider, origin) : {},
    },
    signing_keys: await keys.published(),
  };
}

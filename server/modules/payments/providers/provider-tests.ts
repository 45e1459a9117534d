/** Tries the keys of payment providers as owners set them in the office, without an effect, and says in words what came of it. */
import { connectionNames } from '#contract/staff/connections.ts';
import type { ConnectionsService, TestResult } from '#server/modules/connections/index.ts';
import { type PaymentProvider, RightMissing } from './provider.ts';
import { keyModes, type PaymentKeys, type PaymentRegistry } from './registry.ts';

/** Each right that a provider needs is tried, as `doctor` does. A provider that names none is asked for its latest payments. */
export function registerProviderTests(
  connections: Pick<ConnectionsService<PaymentKeys>, 'current' | 'registerTest'>,
  registry: PaymentRegistry,
  now: () => number,
): void {
  const isKey = (name: string): name is keyof PaymentKeys => Object.hasOwn(registry.keys(), name);
  for (const name of connectionNames.filter(isKey))
    connections.registerTest(name, async () => {
      const current = await connections.current();
      const provider = registry.get(name);
      if (!provider) return { works: false, text: 'office.connections.test.off' };
      const mode = keyModes(current).find((each) => each.provider === provider.name)?.mode ?? 'test';
      return (
        (await failure(provider, now())) ?? {
          works: true,
          text: `office.connections.test.${mode}`,
          values: { provider: provider.name },
        }
      );
    });
}

async function failure(provider: PaymentProvider, at: number): Promise<TestResult | null> {
  const { name } = provider;
  try {
    const rights = (await provider.rights?.()) ?? [];
    for (const { attempt } of rights) await attempt();
    if (rights.length === 0) await provider.takenSince?.(at);
    return null;
  } catch (error) {
    if (error instanceof RightMissing)
      return { works: false, text: 'office.connections.test.right', values: { reason: error.message } };
    return { works: false, text: 'office.connections.test.keys', values: { provider: name } };
  }
}

/** How what owners type reads as variables of the environment, which have one reader (`server/platform/env.ts`). */
import { connections } from '#contract/staff/connections.ts';

/** By the names of fields. */
export type FieldValues = Readonly<Record<string, string>>;
type Variables = Record<string, string>;

interface Composer {
  /** Of a connection whose fields do not each stand in a variable of their own. */
  compose(values: FieldValues): Variables;
  /** Fields whose values have not the form that they need. */
  misshapen(values: FieldValues): string[];
}

const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/;
const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const composers: Readonly<Record<string, Composer>> = {
  mail: {
    compose({ host, security, port, user, password }) {
      if (!host) return {};
      const scheme = security === 'tls' ? 'smtps' : 'smtp';
      const auth = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@` : '';
      return { SMTP_URL: `${scheme}://${auth}${host}${port ? `:${port}` : ''}` };
    },
    misshapen: ({ host, port }) => [
      ...(host && !hostForm.test(host) ? ['host'] : []),
      ...(port && !isPort(port) ? ['port'] : []),
    ],
  },
};

export function variablesOf(name: string, values: FieldValues): Variables {
  const composer = composers[name];
  if (composer) return composer.compose(values);
  return Object.fromEntries(
    Object.entries(connections[name] ?? {}).flatMap(([field, { variable }]) => {
      const value = values[field];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}

export const misshapenFields = (name: string, values: FieldValues): string[] =>
  composers[name]?.misshapen(values) ?? [];

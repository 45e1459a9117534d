/** Splits each language's messages for the browser: `en.json` has those of every page, `en.json?own` those of one part. */
import type { Plugin } from 'vite';
import { partOf } from './message-parts.ts';

export function splitMessages(): Plugin {
  return {
    name: 'split-messages',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/contract\/messages\/\w+\.json(\?|$)/ },
      handler(code, id) {
        const [, wanted = 'all'] = /[?&](own|content|lists|product|more)\b/.exec(id) ?? [];
        const entries = Object.entries(JSON.parse(code) as Record<string, string>);
        const part = Object.fromEntries(entries.filter(([key]) => partOf(key) === wanted));
        return { code: JSON.stringify(part), moduleType: 'json' };
      },
    },
  };
}

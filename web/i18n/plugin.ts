/** Splits each language's messages for the browser: `en.json` without, `en.json?own` with only those of private pages. */
import type { Plugin } from 'vite';
import { isOwnMessage } from './own-messages.ts';

export function splitMessages(): Plugin {
  return {
    name: 'split-messages',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/contract\/messages\/\w+\.json(\?|$)/ },
      handler(code, id) {
        const own = /\?(.*&)?own\b/.test(id);
        const entries = Object.entries(JSON.parse(code) as Record<string, string>);
        const part = Object.fromEntries(entries.filter(([key]) => isOwnMessage(key) === own));
        return { code: JSON.stringify(part), moduleType: 'json' };
      },
    },
  };
}

/** Serves `/.well-known/security.txt` (RFC 9116): the contact for reporting a vulnerability of this shop. */
import type { FastifyInstance } from 'fastify';
import { offeredLocales } from '#contract/locales.ts';
import { unknownEndpoint } from '#server/http/errors.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { dayMs } from '#server/platform/durations.ts';

/** The RFC recommends less than a year. */
const validDays = 180;

interface SecurityTxtOptions {
  /** Scheme and host of the shop. */
  origin: () => string;
  /** The clock, epoch ms. */
  now: () => number;
}

/** Serves the file from the setting `securityContact`; answers 404 while it is empty. */
export function registerSecurityTxt(
  app: FastifyInstance,
  { settings }: { settings: SettingsService },
  { origin, now }: SecurityTxtOptions,
): void {
  const path = '/.well-known/security.txt';
  app.get(path, async (request, reply) => {
    const { securityContact } = await settings.all();
    if (securityContact === '') return unknownEndpoint(request, reply);
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(securityTxt(securityContact, { canonical: origin() + path, now: now() }));
  });
}

/** The file's text. It expires at a midnight (UTC), so that it stays the same for a day. */
function securityTxt(contact: string, { canonical, now }: { canonical: string; now: number }): string {
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs);
  const lines = [
    `Contact: ${contact.startsWith('https://') ? contact : `mailto:${contact}`}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${offeredLocales().join(', ')}`,
    `Canonical: ${canonical}`,
  ];
  return `${lines.join('\n')}\n`;
}

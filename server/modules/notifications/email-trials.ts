/** What the room Words shows of an email before its texts are saved, and the test that whoever writes them gets. */
import type { FastifyInstance } from 'fastify';
import { type EmailId, isEmailId } from '#contract/emails.ts';
import type { Edit } from '#contract/rules/patch.ts';
import type { EmailsSetting } from '#contract/schemas/email.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { withoutScripts } from '#server/http/still-page.ts';
import { emailsDraft, type SettingsService } from '#server/modules/settings/index.ts';
import { notFound } from '#server/platform/errors.ts';
import type { RateLimitsService } from '#server/platform/rate-limits/rate-limits.service.ts';
import { transactOnce } from '#server/platform/request-keys/request-keys.ts';
import type { EmailRegistry } from './email-frame.ts';
import type { OutboxService } from './outbox.service.ts';

interface EmailTrialsDeps {
  db: Database;
  rateLimits: RateLimitsService;
  settings: Pick<SettingsService, 'all'>;
  emails: EmailRegistry;
  mail: OutboxService;
  mailDestination(): Promise<{ sends: boolean }>;
  person(id: string): Promise<{ email: string } | null>;
}

export function registerEmailTrials(app: FastifyInstance, deps: EmailTrialsDeps): void {
  const { db, rateLimits, settings, emails, mail } = deps;

  /** @throws {AppError} 404 if there is no such email */
  async function drafted(
    id: string,
    edits: readonly Edit[],
  ): Promise<{ email: EmailId; texts: EmailsSetting }> {
    const texts = emailsDraft(await settings.all(), id, edits);
    if (!texts || !isEmailId(id)) throw notFound();
    return { email: id, texts };
  }

  /** Whoever asks: no call names an address. */
  async function answerFor(id: string): Promise<{ to: string; sends: boolean }> {
    const person = await deps.person(id);
    if (!person) throw notFound();
    return { to: person.email, sends: (await deps.mailDestination()).sends };
  }

  serveStaff(app, 'tryEmail', async ({ params, body: { edits, language } }) => {
    const { email, texts } = await drafted(params.id, edits);
    const { from, subject, html } = await emails.example(email, language, texts);
    return { from: `${from.name} <${from.address}>`, subject, html: withoutScripts(html) };
  });
  serveStaff(
    app,
    'sendTestEmail',
    async ({ caller, params, body: { edits, language } }) => {
      const { id } = caller();
      const data = await drafted(params.id, edits);
      const answer = await answerFor(id);
      await rateLimits.count([['emailTest', id]]);
      await transactOnce(db, (trx) =>
        mail.enqueue(trx, { kind: 'emailTest', recipient: answer.to, locale: language, data }),
      );
      return answer;
    },
    // The answer is somebody's address, and not stored a second time.
    { again: ({ caller }) => answerFor(caller().id) },
  );
}

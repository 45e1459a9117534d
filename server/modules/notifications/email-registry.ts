/** The registry of email templates: each module registers those of its own emails. */
import type { Locale } from '#contract/locales.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { readEmailColours } from './email-colours.ts';
import { mailShop } from './email-frame.ts';
import type { EmailTemplates, EmailTemplatesOf } from './mail-delivery.ts';
import { merchantAlertMail } from './merchant-alert-email.ts';

export interface EmailRegistryDeps {
  env: Pick<Env, 'publicUrl' | 'brand'>;
  settings: Pick<SettingsService, 'all'>;
}

export type EmailRegistry = ReturnType<typeof createEmailRegistry>;

/** Creates the registry with the template of merchant alerts, which any module may raise. */
export function createEmailRegistry({ env, settings }: EmailRegistryDeps) {
  const frame = { publicUrl: env.publicUrl, colours: readEmailColours(env.brand) };
  const shopFor = async (locale: Locale) => mailShop(await settings.all(), frame, locale);
  const templates: Partial<EmailTemplates> & EmailTemplatesOf<'notifications'> = {
    async merchantAlert({ alert, values }) {
      const { contactEmail, staffLanguage: locale } = await settings.all();
      if (!contactEmail) return null;
      return { ...merchantAlertMail(await shopFor(locale), locale, alert, values), to: contactEmail };
    },
  };
  return {
    /** The templates registered so far, by kind. */
    templates,
    /** The shop as emails in a language present it, from the current settings. */
    shopFor,
    /** Adds the templates of a module's emails. */
    register(added: Partial<EmailTemplates>): void {
      Object.assign(templates, added);
    },
  };
}

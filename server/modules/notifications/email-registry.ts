/** The registry of email templates: each module registers those of its own emails. */
import type { Locale } from '#contract/locales.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { readEmailColours } from './email-colours.ts';
import { type MailShop, mailShop } from './email-frame.ts';
import type { EmailTemplates } from './mail-delivery.ts';
import { merchantAlertMail } from './merchant-alert-email.ts';

export interface EmailRegistryDeps {
  env: Pick<Env, 'publicUrl' | 'brand'>;
  settings: Pick<SettingsService, 'all'>;
}

export interface EmailRegistry {
  /** Adds the templates of a module's emails. */
  register(templates: Partial<EmailTemplates>): void;
  /** The shop as emails in a language present it, from the current settings. */
  shopFor(locale: Locale): Promise<MailShop>;
  /** The templates registered so far, by kind. */
  readonly templates: Partial<EmailTemplates>;
}

/** Creates the registry with the template of merchant alerts, which any module may raise. */
export function createEmailRegistry({ env, settings }: EmailRegistryDeps): EmailRegistry {
  const frame = { publicUrl: env.publicUrl, colours: readEmailColours(env.brand) };
  const shopFor = async (locale: Locale) => mailShop(await settings.all(), frame, locale);
  const templates: Partial<EmailTemplates> = {
    async merchantAlert({ alert, values }) {
      const { contactEmail, staffLanguage: locale } = await settings.all();
      if (!contactEmail) return null;
      return { ...merchantAlertMail(await shopFor(locale), locale, alert, values), to: contactEmail };
    },
  };
  return {
    templates,
    shopFor,
    register(added) {
      Object.assign(templates, added);
    },
  };
}

/** Each module registers the templates of its own emails. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBrandColours } from '#contract/brand-colours.ts';
import type { Locale } from '#contract/locales.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { translate } from '#server/platform/i18n.ts';
import { mailShop, renderEmail } from './email-frame.ts';
import { type EmailColours, emailTokens } from './email-layout.ts';
import type { EmailTemplates, EmailTemplatesOf } from './mail-sender.ts';

export interface EmailRegistryDeps {
  env: Pick<Env, 'publicUrl' | 'brand'>;
  settings: Pick<SettingsService, 'all'>;
}

export type EmailRegistry = ReturnType<typeof createEmailRegistry>;

/** With the template of merchant alerts, which any module may raise. */
export function createEmailRegistry({ env, settings }: EmailRegistryDeps) {
  const frame = { publicUrl: env.publicUrl, colours: readEmailColours(env.brand) };
  const shopFor = async (locale: Locale) => mailShop(await settings.all(), frame, locale);
  const templates: Partial<EmailTemplates> & EmailTemplatesOf<'notifications'> = {
    async merchantAlert({ alert, values }) {
      const { contactEmail, staffLanguage: locale } = await settings.all();
      if (!contactEmail) return null;
      const shop = await shopFor(locale);
      const t = translate(locale);
      const subject = t(`mail.alert.${alert}.subject`, { ...values, shop: shop.name });
      const text = t(`mail.alert.${alert}.text`, { ...values, shop: shop.name });
      const why = t('mail.why.merchant', { shop: shop.name });
      const email = renderEmail({ shop, locale, subject, title: subject, parts: [{ kind: 'text', text }], why });
      return { ...email, to: contactEmail };
    },
  };
  return {
    templates,
    /** In a language, from the current settings. */
    shopFor,
    register: (added: Partial<EmailTemplates>): void => void Object.assign(templates, added),
  };
}

const root = join(import.meta.dirname, '../../..');

/** A `brand` folder without `tokens.css`, or null, is the demo's. @throws {Error} if a colour that emails use is missing */
function readEmailColours(brand: string | null): EmailColours {
  const own = brand === null ? '' : resolve(root, brand, 'tokens.css');
  const file = existsSync(own) ? own : join(root, 'web/styles/tokens.css');
  const { light, dark } = readBrandColours(readFileSync(file, 'utf8'));
  const pick = (colours: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      emailTokens.map((token) => {
        const colour = colours.get(token);
        if (!colour) throw new Error(`${file} lacks --color-${token}`);
        return [token, colour];
      }),
    ) as EmailColours['light'];
  return { light: pick(light), dark: pick(dark) };
}

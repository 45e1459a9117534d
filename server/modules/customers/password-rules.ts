/** What the server alone knows against a new password: the long list of frequent ones, and what this shop is called. */
import type { FieldErrors } from '#contract/errors.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { isFrequentPassword, isMadeOf, shopWords } from './common-passwords.ts';

export interface PasswordRules {
  /** `{ password: … }` for one that is easy to guess, else `{}`. Missing and short ones are left to the shared rules. */
  errorsOf(password: string | undefined): Promise<FieldErrors>;
}

export function createPasswordRules({ settings, env }: Pick<AccountsDeps, 'settings' | 'env'>): PasswordRules {
  return {
    async errorsOf(password = '') {
      if (password === '') return {};
      const { shopName } = await settings.all();
      const guessable = isFrequentPassword(password) || isMadeOf(shopWords(shopName, env.publicUrl), password);
      return guessable ? { password: 'rule.passwordCommon' } : {};
    },
  };
}

import type { FieldErrors } from '#contract/errors.ts';
import type { AccountsDeps } from './accounts.service.ts';
import { isFrequentPassword, isMadeOf, shopWords } from './common-passwords.ts';

export type PasswordRules = ReturnType<typeof createPasswordRules>;

export function createPasswordRules({ settings, env }: Pick<AccountsDeps, 'settings' | 'env'>) {
  return {
    /** `{}` for one that is hard to guess. The shared rules cover missing and short ones. */
    async errorsOf(password: string | undefined = ''): Promise<FieldErrors> {
      if (password === '') return {};
      const { shopName } = await settings.all();
      const guessable = isFrequentPassword(password) || isMadeOf(shopWords(shopName, env.publicUrl), password);
      return guessable ? { password: 'rule.passwordCommon' } : {};
    },
  };
}

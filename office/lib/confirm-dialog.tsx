import type { Me } from '#contract/staff/schemas.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import type { Call } from './api.tsx';
import { useStaffT } from './i18n.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { SendForm } from './send-form.tsx';

interface ConfirmDialogProps {
  call: Call;
  me: Me | null;
  /** Called with whether passkey, or password and code, were right. */
  onEnd: (confirmed: boolean) => void;
}

/** Asks for a passkey, or for password and code, again. */
export function ConfirmDialog({ call, me, onEnd }: ConfirmDialogProps) {
  const t = useStaffT();
  const form = useForm({
    initial: { password: '', code: '' },
    send: ({ password, code }) => call('confirm', { body: { password, ...(code ? { code } : {}) } }),
    onSent: () => onEnd(true),
  });
  const hasPasskeys = Boolean(me?.passkeys);
  return (
    <Dialog open onClose={() => onEnd(false)} title={t('office.confirm.title')}>
      {hasPasskeys && (
        <PasskeyButton
          label={t('office.confirm.passkey')}
          onPasskey={(passkey) => call('confirmPasskey', { body: passkey }).then(() => onEnd(true))}
        />
      )}
      {(!hasPasskeys || me?.secondFactor) && (
        <>
          <p>{t('office.confirm.text')}</p>
          <SendForm form={form} label={t('office.confirm.send')} variant={hasPasskeys ? 'secondary' : 'primary'}>
            <TextField {...form.field('password')} label={t('office.password')} type="password" autoComplete="current-password" />
            {me?.secondFactor && (
              <TextField {...form.field('code')} label={t('office.code')} inputMode="numeric" autoComplete="one-time-code" />
            )}
          </SendForm>
        </>
      )}
    </Dialog>
  );
}

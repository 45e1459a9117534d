import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import type { Call } from './api.tsx';
import { useStaffT } from './i18n.tsx';

interface ConfirmDialogProps {
  call: Call;
  secondFactor: boolean;
  /** Called with whether password and code were right. */
  onEnd: (confirmed: boolean) => void;
}

/** Asks for password and code again. */
export function ConfirmDialog({ call, secondFactor, onEnd }: ConfirmDialogProps) {
  const t = useStaffT();
  const form = useForm({
    initial: { password: '', code: '' },
    validate: () => ({}),
    send: ({ password, code }) => call('confirm', { body: { password, ...(code ? { code } : {}) } }),
    onSent: () => onEnd(true),
  });
  return (
    <Dialog open onClose={() => onEnd(false)} title={t('office.confirm.title')}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <p>{t('office.confirm.text')}</p>
        <FormProblem>{form.problem}</FormProblem>
        <TextField {...form.field('password')} label={t('office.password')} type="password" autoComplete="current-password" />
        {secondFactor && (
          <TextField {...form.field('code')} label={t('office.code')} inputMode="numeric" autoComplete="one-time-code" />
        )}
        <Button type="submit" busy={form.busy}>
          {t('office.confirm.send')}
        </Button>
      </form>
    </Dialog>
  );
}

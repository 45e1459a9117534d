import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { UserName } from './email-field.tsx';
import { PasswordField } from './password-field.tsx';
import { noticeSignedOut } from './queries.ts';

/** Exports the customer's data as one JSON file. */
export function ExportData() {
  const t = useT();
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const exportData = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      saveFile('account.json', JSON.stringify(await api.call('accountData'), null, 2));
    } catch (error) {
      setProblem(errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="flex max-w-form flex-col items-start gap-3">
      <h2 className="text-lg">{t('account.data.title')}</h2>
      <p>{t('account.data.text')}</p>
      <FormProblem>{problem}</FormProblem>
      <Button variant="secondary" busy={busy} onClick={() => void exportData()}>
        {t('account.data.export')}
      </Button>
    </section>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Deletes the account with `remove`, after a dialog that asks for the password: deletion cannot be undone. */
export function DeleteAccount({ email, remove }: { email: string; remove: (currentPassword: string) => Promise<void> }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const { field, problem, busy, setValues, formProps } = useForm({
    initial: { currentPassword: '' },
    validate: ({ currentPassword }) => (currentPassword ? {} : { currentPassword: 'rule.currentPasswordMissing' as const }),
    send: ({ currentPassword }) => remove(currentPassword),
    onSent: () => undefined,
    onRejected: (error) => noticeSignedOut(client, error),
  });
  const close = () => {
    setOpen(false);
    setValues({ currentPassword: '' });
  };
  return (
    <section className="flex max-w-form flex-col items-start gap-3">
      <h2 className="text-lg">{t('account.delete.title')}</h2>
      <p>{t('account.delete.text')}</p>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('account.delete.open')}
      </Button>
      <Dialog open={open} onClose={close} title={t('account.delete.sure')}>
        <form {...formProps} className="flex flex-col gap-5">
          <p>{t('account.delete.sureText')}</p>
          <FormProblem>{problem}</FormProblem>
          <UserName email={email} />
          <PasswordField {...field('currentPassword')} label={t('account.password.current')} autoComplete="current-password" />
          <DialogActions>
            <Button variant="secondary" onClick={close}>
              {t('account.delete.keep')}
            </Button>
            <Button type="submit" busy={busy}>
              {t('account.delete.submit')}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </section>
  );
}

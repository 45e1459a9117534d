import { useQueryClient } from '@tanstack/react-query';
import { profileErrors } from '#contract/rules/account.ts';
import type { User } from '#contract/schemas/shop.ts';
import { FieldFrame, fieldLabelClass } from '#ui/field.tsx';
import { FormActions, FormProblem, formClass, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Checkbox } from '#ui/inputs.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { useAlert } from './alert.tsx';
import { NameFields, PhoneField } from './person-fields.tsx';
import { noticeSignedOut, sessionKey } from './queries.ts';

export function ProfileForm({ user }: { user: User }) {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const { show, clear, alert } = useAlert();
  const { firstName, lastName, mobilePhone, acceptNewsletter } = user;
  const { field, values, change, problem, busy, formProps } = useForm({
    initial: { firstName, lastName, mobilePhone, acceptNewsletter },
    validate: profileErrors,
    send: (body) => api.call('updateUserInfo', { body }),
    onRejected: (error) => noticeSignedOut(client, error),
    onSent: (session) => {
      client.setQueryData(sessionKey, session);
      show({ tone: 'good', title: t('account.profile.saved') });
    },
  });
  return (
    <form {...formProps} className={formClass} onInput={clear}>
      <FormProblem>{problem}</FormProblem>
      <FieldFrame>
        <p className={fieldLabelClass}>{t('account.email')}</p>
        <p className="break-words">{user.email}</p>
      </FieldFrame>
      <NameFields field={field} />
      <PhoneField field={field} />
      <Checkbox
        name="acceptNewsletter"
        label={t('account.newsletter')}
        checked={values.acceptNewsletter}
        onChange={(event) => change({ acceptNewsletter: event.target.checked })}
      />
      <FormActions label={t('account.profile.submit')} busy={busy} />
      {alert}
    </form>
  );
}

import { registrationErrors } from '#contract/rules/account.ts';
import type { RegistrationInput } from '#contract/schemas/account.ts';
import type { Contact } from '#contract/schemas/order.ts';
import { FormActions, FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { PasswordField } from './fields.tsx';

interface SaveDetailsProps {
  contact: Contact;
  register: (input: RegistrationInput) => Promise<unknown>;
  onDone: () => void;
}

export function SaveDetails({ contact, register, onDone }: SaveDetailsProps) {
  const t = useT();
  const person = {
    firstName: contact.firstName,
    lastName: contact.lastName,
    email: contact.email,
    mobilePhone: contact.phoneNumber,
    // Nobody has asked for email news here.
    acceptNewsletter: false,
  };
  const { field, problem, busy, formProps } = useForm({
    initial: { password: '' },
    validate: ({ password }) => registrationErrors({ ...person, password }),
    send: ({ password }) => register({ ...person, password }),
    onSent: onDone,
  });
  return (
    <section className="rounded-lg bg-surface-inset p-6">
      <h2 className="mb-4 text-lg">{t('confirm.save.title')}</h2>
      <form {...formProps} className="flex max-w-form flex-col gap-4">
        <FormProblem>{problem}</FormProblem>
        {/* Password managers store the password under this name. */}
        <input type="email" name="username" autoComplete="username" value={contact.email} readOnly hidden />
        <PasswordField
          {...field('password')}
          label={t('confirm.save.password')}
          hint={t('confirm.save.hint', { email: contact.email })}
          autoComplete="new-password"
          adviseFor={[contact.email, contact.firstName, contact.lastName]}
        />
        <FormActions label={t('confirm.save.action')} busy={busy} />
      </form>
    </section>
  );
}

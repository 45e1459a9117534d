/** Forms that send: why they were rejected, and the button. */
import type { ComponentProps, ReactNode } from 'react';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Once, useOnce } from './api.ts';
import { useLanguage } from './i18n.tsx';

interface SendFormProps extends Omit<ComponentProps<typeof Button>, 'form'> {
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'problem' | 'busy'>;
  label: string;
  children: ReactNode;
}

/** Why the form was rejected, its fields, and the button that sends it, to which all other props go. */
export function SendForm({ form, label, children, ...button }: SendFormProps) {
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FormProblem>{form.problem}</FormProblem>
      {children}
      <Button label={label} type="submit" busy={form.busy} {...button} />
    </form>
  );
}

/** Why a call was rejected, or got no answer; nothing where none was. */
export function Problem({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const t = useT();
  return error ? <Notice tone="bad" title={errorText(error, t)} onClose={onClose} /> : null;
}

interface AddNamedProps<Answer> {
  title: string;
  /** By default of an address of the shop. */
  idLabel?: string;
  idHint?: string;
  send: (named: { id: string; name: LocalText }, once: Once) => Promise<Answer>;
  onSent: (answer: Answer, id: string) => void;
  onClose: () => void;
  /** Further fields. */
  children?: ReactNode;
}

/** Adds a thing by a name, and under the address that it suggests. */
export function AddNamed<Answer>({ title, idLabel, idHint, send, onSent, onClose, children }: AddNamedProps<Answer>) {
  const { t } = useLanguage();
  const once = useOnce();
  const form = useForm({
    initial: { name: '', id: '' },
    send: ({ name, id }) => send({ id: id || addressOf(name), name: { [mainLocale()]: name } }, once),
    onSent: (answer, { name, id }) => {
      onClose();
      onSent(answer, id || addressOf(name));
    },
  });
  return (
    <Dialog open onClose={onClose} title={title}>
      <SendForm form={form} label={title}>
        <TextField {...form.field('name')} label={t('office.goods.name')} autoComplete="off" required />
        <TextField
          {...form.field('id')}
          label={idLabel ?? t('office.goods.address')}
          hint={idHint ?? t('office.goods.addressHint')}
          placeholder={addressOf(form.values.name)}
          autoComplete="off"
        />
        {children}
      </SendForm>
    </Dialog>
  );
}

/** A part of an address from a name: letters and digits with hyphens; empty for a name in Chinese. */
const addressOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);

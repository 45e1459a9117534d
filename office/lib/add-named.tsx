/** Adds a thing by a name, and under the address that it suggests. */
import type { ReactNode } from 'react';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useLanguage } from './i18n.tsx';

interface AddNamedProps<Answer> {
  title: string;
  /** By default of an address of the shop. */
  idLabel?: string;
  idHint?: string;
  send: (named: { id: string; name: LocalText }) => Promise<Answer>;
  onSent: (answer: Answer, id: string) => void;
  onClose: () => void;
  /** Further fields. */
  children?: ReactNode;
}

export function AddNamed<Answer>({ title, idLabel, idHint, send, onSent, onClose, children }: AddNamedProps<Answer>) {
  const { t } = useLanguage();
  const form = useForm({
    initial: { name: '', id: '' },
    validate: () => ({}),
    send: ({ name, id }) => send({ id: id || addressOf(name), name: { [mainLocale()]: name } }),
    onSent: (answer, { name, id }) => {
      onClose();
      onSent(answer, id || addressOf(name));
    },
  });
  return (
    <Dialog open onClose={onClose} title={title}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
        <TextField {...form.field('name')} label={t('office.goods.name')} autoComplete="off" required />
        <TextField
          {...form.field('id')}
          label={idLabel ?? t('office.goods.address')}
          hint={idHint ?? t('office.goods.addressHint')}
          placeholder={addressOf(form.values.name)}
          autoComplete="off"
        />
        {children}
        <Button type="submit" busy={form.busy}>
          {title}
        </Button>
      </form>
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

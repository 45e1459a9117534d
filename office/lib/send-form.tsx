/** Forms that send: why they were rejected, and the button. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import type { LocalText } from '#contract/locales.ts';
import type { AddressKind } from '#contract/staff/taxonomy.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ApiError, errorText } from '#ui/errors.ts';
import { FormProblem, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Once, useCall, useOnce } from './api.ts';
import { useLanguage, useStaffT } from './i18n.tsx';
import { NameFields, newName, noName } from './new-name.tsx';

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

/** Why a call was rejected, or got no answer; nothing where none was. What was only asked for can be asked for again. */
export function Problem({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const t = useT();
  if (!error) return null;
  return (
    <Notice tone="bad" title={errorText(error, t)} onClose={onClose}>
      <Retry error={error} />
    </Notice>
  );
}

/** For a query on the page that ended with this error. */
function Retry({ error }: { error: unknown }) {
  const t = useStaffT();
  const queries = useQueryClient();
  const failed = () =>
    queries.getQueryCache().findAll({ type: 'active', predicate: ({ state }) => state.error === error })[0];
  const [isTrying, setTrying] = useState(false);
  if (!failed()) return null;
  const retry = async () => {
    setTrying(true);
    await failed()
      ?.fetch()
      .catch(() => undefined);
    setTrying(false);
  };
  return (
    <Button variant="secondary" size="small" className="mt-3" busy={isTrying} onClick={() => void retry()}>
      {t('office.room.retry')}
    </Button>
  );
}

interface AddNamedProps<Answer> {
  title: string;
  kind: AddressKind;
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
export function AddNamed<Answer>({
  title,
  kind,
  idLabel,
  idHint,
  send,
  onSent,
  onClose,
  children,
}: AddNamedProps<Answer>) {
  const { t, locale } = useLanguage();
  const once = useOnce();
  const call = useCall();
  const given = useRef<{ name: string; id: string } | null>(null);
  /** The server writes names of any script in an address, and knows which are taken. */
  const freeAddress = async (name: string) =>
    (await call('freeAddress', { params: { kind }, query: { name } })).id;
  const form = useForm({
    initial: { ...noName, id: '' },
    send: async ({ id: typed, ...names }) => {
      const { name } = names;
      // The same again if an answer was lost: then it may be there already.
      if (!typed && name.trim() !== '' && given.current?.name !== name)
        given.current = { name, id: await freeAddress(name) };
      const id = typed || (given.current?.id ?? '');
      return { id, answer: await send({ id, name: newName(names, locale) }, once) };
    },
    onRejected: (error) => {
      if (error instanceof ApiError && error.status > 0) given.current = null;
    },
    onSent: ({ answer, id }) => {
      onClose();
      onSent(answer, id);
    },
  });
  const name = useRested(form.values.name.trim());
  const suggested = useQuery({
    queryKey: ['free-address', kind, name],
    queryFn: () => freeAddress(name),
    enabled: name !== '' && form.values.id === '',
    placeholderData: (before) => before,
  }).data;
  return (
    <Dialog open onClose={onClose} title={title}>
      <SendForm form={form} label={title}>
        <NameFields form={form} label={t('office.goods.name')} />
        <TextField
          {...form.field('id')}
          label={idLabel ?? t('office.goods.address')}
          hint={idHint ?? t('office.goods.addressHint')}
          placeholder={name === '' ? '' : suggested}
          autoComplete="off"
        />
        {children}
      </SendForm>
    </Dialog>
  );
}

/** A text once its typing has rested. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

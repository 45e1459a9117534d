/** What staff write about an order or a customer for each other. */
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { TextArea } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';

interface NotesProps {
  notes: OrderSheet['notes'];
  mayWrite: boolean;
  /** The key of the query that has the notes. */
  about: readonly string[];
  send: (note: { text: string }) => Promise<unknown>;
}

export function Notes({ notes, mayWrite, about, send }: NotesProps) {
  const { t, locale, shop, queries } = useOffice();
  const form = useForm({
    initial: { text: '' },
    send,
    onSent: async () => {
      form.change({ text: '' });
      await queries.invalidateQueries({ queryKey: about });
    },
  });
  return (
    <>
      {notes.length > 0 && (
        <ul className="flex flex-col gap-3">
          {notes.map(({ id, text, by, at }) => (
            <li key={id} className="whitespace-pre-line rounded-md bg-surface-inset p-3">
              {text}
              <span className="block text-ink-soft text-sm">
                {by || t('office.formerStaff')} · {formatDate(at, locale, shop.timeZone, 'dateTime')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <form {...form.formProps} className="flex flex-col gap-3">
          <FormProblem>{form.problem}</FormProblem>
          <TextArea
            label={t('office.notes.label')}
            hint={t('office.notes.hint')}
            rows={2}
            maxLength={2000}
            {...form.field('text')}
          />
          <Button
            type="submit"
            variant="secondary"
            className="self-start"
            busy={form.busy}
            disabled={form.values.text.trim() === ''}
          >
            {t('office.notes.send')}
          </Button>
        </form>
      )}
    </>
  );
}

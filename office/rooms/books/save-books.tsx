/** The buttons that save a page of the books as a file, and print it. */
import { useMutation } from '@tanstack/react-query';
import { type TableForm, tableForms } from '#contract/staff/book-figures.ts';
import type { TableFile } from '#contract/staff/books.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { printIcon } from '#ui/page-icons.ts';
import { useOffice } from '../../lib/me.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { Problem } from '../../lib/send-form.tsx';

interface SavePageProps {
  /** Asks the server for the page as a file. */
  load: (form: TableForm) => Promise<TableFile>;
}

/** What the books say. */
export function SaveBooks({ wanted }: { wanted: Omit<StaffBody<'booksFile'>, 'form'> }) {
  const { call } = useOffice();
  return <SavePage load={(form) => call('booksFile', { body: { ...wanted, form } })} />;
}

export function SavePage({ load }: SavePageProps) {
  const { t, may } = useOffice();
  const save = useMutation({
    mutationFn: load,
    onSuccess({ name, type, base64 }) {
      saveFile(
        name,
        type,
        Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
      );
    },
  });
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="flex flex-wrap gap-2">
        {may.includes('books.export') &&
          tableForms.map((form) => (
            <Button
              key={form}
              label={t(`office.books.file.${form}`)}
              variant="secondary"
              size="small"
              className="min-h-11"
              busy={save.isPending && save.variables === form}
              onClick={() => save.mutate(form)}
            />
          ))}
        <Button
          label={t('office.books.print')}
          variant="secondary"
          size="small"
          icon={printIcon}
          className="min-h-11"
          onClick={() => window.print()}
        />
      </div>
      <Problem error={save.error} />
    </div>
  );
}

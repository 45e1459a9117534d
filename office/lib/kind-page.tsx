/** The page of a document, the same for every kind: its form, what was changed of it, going back to how it was, and removing it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { inLocale, type LocalText } from '#contract/locales.ts';
import { documentCallNames } from '#contract/staff/document-names.ts';
import type { RemovalUse, Revisions as RevisionsPage } from '#contract/staff/documents.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms } from '#contract/staff/forms.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { type Call, useCall } from './api.ts';
import { type OpenDocument, useDocument } from './document.tsx';
import { DocumentForm } from './document-form.tsx';
import { useOffice } from './me.tsx';
import { Revisions } from './revisions.tsx';
import { type OwnControls, SchemaForm } from './schema-form.tsx';
import { Problem } from './send-form.tsx';
import { TextLink } from './text-link.tsx';

/** The kinds whose fields the office knows. */
export type KindName = keyof typeof forms;
type Answer<K extends KindName> = StaffResponse<K> & { revision: number; content: { name: LocalText } };

/** The calls of a kind for one of its documents. */
function callsOf<K extends KindName>(call: Call, kind: K, id: string) {
  const names = documentCallNames(kind);
  const params = { id };
  const ask = <R,>(name: string, input: object = {}) =>
    (call as (name: string, input: object) => Promise<unknown>)(name, { params, ...input }) as Promise<R>;
  return {
    load: () => ask<Answer<K>>(names.read),
    save: (body: Patch) => ask<Answer<K>>(names.save, { body }),
    revisions: (query: object) => ask<RevisionsPage>(names.revisions, { query }),
    restore: (revision: number, seen: number) => ask<Answer<K>>(names.restore, { body: { revision, seen } }),
    use: () => ask<RemovalUse>(names.use),
    remove: () => ask<unknown>(names.remove),
  };
}

export interface KindPageProps<K extends KindName> extends OwnControls {
  kind: K;
  id: string;
  /** Begins the paths of problems, and the address of its list below `/office`: `stores`. */
  plural: string;
  /** What its list is called. */
  back: string;
  needs: Permission;
  /** Whether this person may remove it. */
  removable: boolean;
  aside?: (content: Answer<K>['content'], edits: Patch['edits']) => ReactNode;
}

export function KindPage<K extends KindName>(props: KindPageProps<K>) {
  const { kind, id, plural, back, needs, removable, aside, ...controls } = props;
  const { locale, may, queries } = useOffice();
  const calls = callsOf(useCall(), kind, id);
  const changed = () => void queries.invalidateQueries({ queryKey: [plural] });
  const document = useDocument<Answer<K>>({
    name: [kind, id],
    place: `${plural}.${id}`,
    load: calls.load,
    save: async (body) => {
      const saved = await calls.save(body);
      changed();
      return saved;
    },
  });
  const { content, edits } = document;
  if (!content) return <Problem error={document.error} />;
  const name = inLocale(content.name, locale);
  const mayChange = may.includes(needs);
  return (
    <div className="flex max-w-[72rem] flex-col gap-6">
      <TextLink href={`/office/${plural}`}>{back}</TextLink>
      <h1 className="text-2xl">{name}</h1>
      <DocumentForm document={document} aside={aside?.(content, edits)}>
        <SchemaForm fields={forms[kind]} {...controls} />
        <Revisions
          name={[kind, id]}
          document={document as OpenDocument}
          ask={calls.revisions}
          restore={mayChange ? (revision) => calls.restore(revision, document.loaded?.revision ?? 0) : undefined}
          onRestored={changed}
        />
      </DocumentForm>
      {mayChange && removable && <Remove name={name} queryKey={[kind, id]} list={plural} use={calls.use} remove={calls.remove} />}
    </div>
  );
}

interface RemoveProps {
  name: string;
  queryKey: readonly string[];
  /** Its query, and the address below `/office` to which the page goes then. */
  list: string;
  use: () => Promise<RemovalUse>;
  remove: () => Promise<unknown>;
}

function Remove({ name, ...props }: RemoveProps) {
  const { t } = useOffice();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        label={t('office.document.remove')}
        variant="secondary"
        className="self-start"
        aria-label={`${t('office.document.remove')}: ${name}`}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <RemoveDialog name={name} {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function RemoveDialog({ name, queryKey, list, use, remove, onClose }: RemoveProps & { onClose: () => void }) {
  const { t, queries } = useOffice();
  const { history } = useRouter();
  const { data, error } = useQuery({ queryKey: ['use', ...queryKey], queryFn: use, gcTime: 0 });
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      history.push(`/office/${list}`);
      queries.removeQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: [list] });
    },
  });
  const problem = removing.error ?? error;
  return (
    <Dialog open onClose={onClose} title={t('office.document.removeQuestion', { name })}>
      <Problem error={problem} />
      {data?.refused && <p>{data.refused}</p>}
      {data && data.refused === null && (
        <>
          <p>{t(data.affected.length === 0 ? 'office.document.removeNothing' : 'office.document.removeAlso')}</p>
          <ul className="list-disc pl-5 text-sm empty:hidden">
            {data.affected.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <Button label={t('office.document.remove')} busy={removing.isPending} onClick={() => removing.mutate()} />
        </>
      )}
    </Dialog>
  );
}

/** The page of a document, the same for every kind: its form, what was changed of it, going back to how it was, and removing it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { inLocale, type LocalText } from '#contract/locales.ts';
import {
  type DocumentName,
  documentCallNames,
  documentKinds,
  isDrafted,
  publishingCallNames,
} from '#contract/staff/document-names.ts';
import type {
  DraftLinks,
  Publication,
  RemovalUse,
  Revisions as RevisionsPage,
} from '#contract/staff/documents.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { type Call, type Once, useCall, useOnce } from './api.ts';
import { type OpenDocument, useDocument } from './document.tsx';
import { DocumentForm } from './document-form.tsx';
import { useOffice } from './me.tsx';
import { PublicationBar } from './publication.tsx';
import { Affected } from './removal.tsx';
import { Revisions } from './revisions.tsx';
import { Problem } from './send-form.tsx';
import { TextLink } from './text-link.tsx';

type Answer<K extends DocumentName> = StaffResponse<K> & {
  revision: number;
  content: { name: LocalText } | { title: LocalText } | object;
  /** Of kinds whose documents are published apart from saving. */
  publication?: Publication;
};

/** The calls of a kind for one of its documents. `once` keeps an answer that was lost from being a conflict with oneself. */
function callsOf<K extends DocumentName>(call: Call, kind: K, id: string, once: Once) {
  const names = { ...documentCallNames(kind), ...publishingCallNames(kind) };
  const params = { id };
  const ask = <R,>(name: string, input: object = {}) =>
    (call as (name: string, input: object) => Promise<unknown>)(name, { params, ...input }) as Promise<R>;
  return {
    load: () => ask<Answer<K>>(names.read),
    save: (body: Patch) => ask<Answer<K>>(names.save, { body }),
    revisions: (query: object) => ask<RevisionsPage>(names.revisions, { query }),
    restore: (revision: number, seen: number) =>
      ask<Answer<K>>(names.restore, { body: { revision, seen }, once }),
    publish: (body: object) => ask<Answer<K>>(names.publish, { body, once }),
    withdraw: (body: object) => ask<Answer<K>>(names.withdraw, { body, once }),
    unschedule: (body: object) => ask<Answer<K>>(names.unschedule, { body, once }),
    revert: (body: object) => ask<Answer<K>>(names.revert, { body, once }),
    links: () => ask<DraftLinks>(names.links),
    share: () => ask<DraftLinks & { address: string }>(names.share),
    unshare: (body: object) => ask<DraftLinks>(names.unshare, { body }),
    use: () => ask<RemovalUse>(names.use),
    remove: () => ask<unknown>(names.remove, { once }),
  };
}

interface KindPageProps<K extends DocumentName> {
  kind: K;
  id: string;
  /** Of the query; its draft in the browser has the same. */
  name: readonly [string, ...string[]];
  /** Its list: the address below `/office`, the first part of its query, and what it is called. */
  list: { path: string; query: string; title: string };
  /** What it is called, if it has no name of its own. */
  title?: string;
  /** There is only one of its kind, and so no list of them. */
  isOnly?: boolean;
  /** To change it. */
  needs: Permission;
  /** To publish it, if that is apart from saving. */
  publishes?: Permission;
  /** Whether this person may remove it. */
  removable: boolean;
  /** What asks more than whether to remove it, in place of that. */
  ending?: ReactNode;
  aside?: (answer: Answer<K>, edits: Patch['edits']) => ReactNode;
  /** What stands above the form and what is beside it, as wide as both. */
  above?: (answer: Answer<K>, edits: Patch['edits']) => ReactNode;
  /** What stands beside is wider than a few lines of text. */
  isWide?: boolean;
  /** The form of the document as it is edited. */
  children: (answer: Answer<K>, edits: Patch['edits']) => ReactNode;
}

/** Another document is another form. */
export const KindPage = <K extends DocumentName>(props: KindPageProps<K>) => (
  <KindForm key={props.id} {...props} />
);

function KindForm<K extends DocumentName>({ kind, id, name, list, children, ...rest }: KindPageProps<K>) {
  const { t, locale, may, queries } = useOffice();
  const calls = callsOf(useCall(), kind, id, useOnce());
  const changed = () => void queries.invalidateQueries({ queryKey: [list.query] });
  const document = useDocument<Answer<K>>({
    name,
    place: `${documentKinds[kind].place}.${id}`,
    load: calls.load,
    save: async (body) => {
      const saved = await calls.save(body);
      changed();
      return saved;
    },
  });
  const { content, edits, loaded } = document;
  if (!content || !loaded) return <Problem error={document.error} />;
  const answer = { ...loaded, content };
  const own = 'name' in content ? content.name : 'title' in content ? content.title : {};
  const title = rest.title ?? inLocale(own as LocalText, locale);
  const mayChange = may.includes(rest.needs);
  const publication = isDrafted(kind) ? (loaded as Answer<K>).publication : undefined;
  const mayPublish = rest.publishes !== undefined && may.includes(rest.publishes);
  const act: typeof document.act = async (work) => {
    const answered = await document.act(work);
    changed();
    return answered;
  };
  const publish = () => void act((seen) => calls.publish({ seen, at: null })).catch(() => undefined);
  return (
    <div className="flex max-w-room flex-col gap-6">
      {rest.isOnly || <TextLink href={`/office/${list.path}`}>{list.title}</TextLink>}
      <h1 className="text-2xl">{title}</h1>
      {publication && (
        <PublicationBar
          name={name}
          publication={publication}
          mayPublish={mayPublish}
          mayWithdraw={mayPublish && rest.removable}
          isTyped={edits.length > 0}
          busy={document.saving}
          act={act}
          calls={calls}
        />
      )}
      <DocumentForm
        document={document}
        aside={rest.aside?.(answer, edits)}
        above={rest.above?.(answer, edits)}
        isWide={rest.isWide ?? false}
        {...(publication ? { saveLabel: t('office.publish.saveDraft') } : {})}
        actions={
          publication &&
          mayPublish && (
            <Button
              label={t('office.publish.now')}
              busy={document.saving}
              disabled={publication.state === 'live' && edits.length === 0}
              onClick={publish}
            />
          )
        }
      >
        {children(answer, edits)}
        <Revisions
          kind={kind}
          content={loaded.content}
          name={name}
          document={document as OpenDocument}
          ask={calls.revisions}
          restore={mayChange ? (revision) => calls.restore(revision, loaded.revision) : undefined}
          onRestored={changed}
        />
      </DocumentForm>
      {mayChange &&
        rest.removable &&
        (rest.ending ?? (
          <Remove name={title} queryKey={name} list={list} use={calls.use} remove={calls.remove} />
        ))}
    </div>
  );
}

interface RemoveProps {
  name: string;
  queryKey: readonly string[];
  /** To which the page goes then. */
  list: KindPageProps<DocumentName>['list'];
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
      history.push(`/office/${list.path}`);
      queries.removeQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: [list.query] });
    },
  });
  const problem = removing.error ?? error;
  return (
    <Dialog open onClose={onClose} title={t('office.document.removeQuestion', { name })}>
      <Problem error={problem} />
      {data && <Affected use={data} />}
      {data && data.refused === null && (
        <Button
          label={t('office.document.remove')}
          busy={removing.isPending}
          onClick={() => removing.mutate()}
        />
      )}
    </Dialog>
  );
}

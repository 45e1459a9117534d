/** Two versions of a document beside each other, with what differs marked, and going back to the earlier one. */
import { diffArrays } from 'diff';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/inputs.tsx';
import { type ComparedKind, type ComparedPart, compared } from './comparison.ts';
import type { OpenDocument } from './document.tsx';
import { useOffice } from './me.tsx';

export interface Version {
  /** Of the entry of the journal that made it. */
  no: number;
  /** When, and by whom. */
  name: string;
  content: unknown;
  /** Undefined where one cannot go back to it. */
  restore: (() => void) | undefined;
}

interface CompareProps {
  kind: ComparedKind;
  document: Pick<OpenDocument, 'textOf'>;
  /** The newest first. */
  versions: readonly Version[];
  /** The one to begin with. */
  first: number;
  busy: boolean;
  onClose: () => void;
}

export default function Compare({ kind, document, versions, first, busy, onClose }: CompareProps) {
  const { t, locale, shop } = useOffice();
  const [no, setNo] = useState(first);
  const [laterNo, setLaterNo] = useState(versions[0]?.no ?? first);
  const at = versions.findIndex((each) => each.no === no);
  const earlier = versions[at];
  const later = versions.find((each) => each.no === laterNo);
  const parts =
    earlier && later
      ? compared(earlier.content, later.content, {
          kind,
          t,
          locale,
          currency: shop.currency,
          textOf: document.textOf,
        })
      : [];
  const options = versions.map((each) => ({ value: String(each.no), label: each.name }));
  const restore = earlier?.restore;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('office.compare.title')}
      className="form:w-[64rem]"
      actions={restore && <Button label={t('office.compare.restore')} busy={busy} onClick={restore} />}
    >
      <div className="grid gap-5 form:grid-cols-2">
        <Select
          label={t('office.compare.earlier')}
          options={options.slice(1)}
          value={String(no)}
          onChange={({ target }) => setNo(Number(target.value))}
        />
        <Select
          label={t('office.compare.later')}
          options={options.filter((_, index) => index === 0 || index < at)}
          value={String(laterNo)}
          onChange={({ target }) => setLaterNo(Number(target.value))}
        />
      </div>
      {parts.length === 0 && <p className="text-ink-soft">{t('office.compare.same')}</p>}
      {parts.map((part) => (
        <Part key={part.key} part={part} />
      ))}
    </Dialog>
  );
}

const states = { changed: null, added: 'office.compare.added', removed: 'office.compare.removed' } as const;

function Part({ part: { name, state, fields } }: { part: ComparedPart }) {
  const { t } = useOffice();
  const word = states[state];
  return (
    <section className="flex flex-col gap-4 border-line border-t pt-4">
      {name && (
        <h3 className="font-sans font-semibold text-base">
          {name}
          {word && (
            <span className="ml-3 rounded-sm bg-surface-inset px-2 py-0.5 font-normal text-sm">
              {t(word)}
            </span>
          )}
        </h3>
      )}
      {fields.map(({ key, label, before, after }) => {
        const [old, next] = marked(before, after);
        return (
          <div key={key} className="flex flex-col gap-1">
            <h4 className="font-sans font-semibold text-ink-soft text-sm">{label}</h4>
            <div className="grid gap-x-5 gap-y-2 form:grid-cols-2">
              <Side label={t('office.compare.before')} marks={old} />
              <Side label={t('office.compare.after')} marks={next} />
            </div>
          </div>
        );
      })}
    </section>
  );
}

interface Mark {
  text: string;
  /** Whether the other version has it too. */
  isShared: boolean;
  isNew: boolean;
}

function Side({ label, marks }: { label: string; marks: readonly Mark[] }) {
  return (
    <div className="min-w-0 rounded-md border border-line p-3">
      <p className="text-ink-soft text-sm">{label}</p>
      <p className="whitespace-pre-line break-words">
        {marks.length === 0 && '–'}
        {marks.map(({ text, isShared, isNew }, index) => {
          // Words have no other names.
          const key = `${index} ${text}`;
          if (isShared) return <span key={key}>{text}</span>;
          return isNew ? (
            <ins key={key} className="bg-action-tint underline decoration-2 underline-offset-3">
              {text}
            </ins>
          ) : (
            <del key={key} className="bg-clay-tint">
              {text}
            </del>
          );
        })}
      </p>
    </div>
  );
}

/** A comparison that would take longer shows both whole, ms. */
const timeout = 300;

/** Words, spaces, and characters of scripts that have none between words. */
const tokens = (text: string) => text.match(/\p{Script=Han}|[\p{L}\p{N}’']+|\s+|./gsu) ?? [];

function marked(before: string, after: string): [old: Mark[], next: Mark[]] {
  const whole = [
    { value: [before], added: false, removed: true },
    { value: [after], added: true, removed: false },
  ];
  const changes = diffArrays(tokens(before), tokens(after), { timeout }) ?? whole;
  const marks = changes
    .map(({ value, added, removed }) => ({
      text: value.join(''),
      isShared: !added && !removed,
      isNew: added,
    }))
    .filter(({ text }) => text !== '');
  return [
    marks.filter((each) => each.isShared || !each.isNew),
    marks.filter((each) => each.isShared || each.isNew),
  ];
}

/** The links of the header or the footer, those of a group below it: moved by dragging, buttons and keys, also into groups and out. */
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { inLocale, mainLocale } from '#contract/locales.ts';
import type { NavigationLink } from '#contract/schemas/navigation.ts';
import type { FormField } from '#contract/staff/forms.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { FieldError } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import type { Path } from '../../lib/document.tsx';
import { EditedContext, useEdited, wayIcons } from '../../lib/document-form.tsx';
import { Grip, useDragging } from '../../lib/dragging.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Fields, rowOf } from '../../lib/schema-form.tsx';
import { dropped, linksOf, type Moved, pathOf, type Row, rowsOf, sizeOf, stepped, type Way } from './tree.ts';

const keyWays: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};
const icons = { ...wayIcons, in: 'M5 12h14M13 6l6 6-6 6', out: 'M19 12H5M11 6l-6 6 6 6' } as const;
/** From which on a link that is dragged to the right goes below the one above it, px. */
const insidePx = 32;

interface LinksProps {
  path: Path;
  field: FormField;
  /** Only the header has pictures. */
  isHeader: boolean;
  /** The group that is being edited, counted from the last of those with links below them, which is -1. */
  onGroup: (group: number | null) => void;
}

export function Links({ path, field, isHeader, onGroup }: LinksProps) {
  const form = useEdited();
  const { t, locale } = useOffice();
  const latest = useRef(form);
  useLayoutEffect(() => {
    latest.current = form;
  });
  const [open, setOpen] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const rows = rowsOf((form.valueAt(path) ?? []) as NavigationLink[]);
  const nameOf = ({ link }: Row) => inLocale(link.label, locale) || t('office.navigation.unnamed');
  const change = (next: readonly Row[]) => form.change(path, linksOf(next));
  const focusOn = (at: number, name?: string) =>
    requestAnimationFrame(() => {
      const row = list.current?.children[at];
      const field = name && row?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
      (field || row?.querySelector<HTMLElement>('button[aria-expanded]'))?.focus();
    });
  const show = (at: number | null, from: readonly Row[] = rows) => {
    setOpen(at);
    const group = at === null ? -1 : from.findLastIndex((row, index) => index <= at && !row.isChild);
    const groups = from.flatMap((_, index) => (sizeOf(from, index) > 1 ? [index] : []));
    onGroup(groups.includes(group) ? groups.indexOf(group) - groups.length : null);
  };
  const take = (from: number, moved: Moved | null) => {
    const row = moved?.rows[moved.at];
    if (!moved || !row) return false;
    const opened = open === null ? null : open === from ? moved.at : moved.rows.indexOf(rows[open] as Row);
    change(moved.rows);
    show(opened, moved.rows);
    const place = moved.rows.slice(0, moved.at).findLast((each) => !each.isChild);
    setSaid(
      row.isChild && place
        ? t('office.navigation.movedInto', { name: nameOf(row), group: nameOf(place) })
        : t('office.moved', { name: nameOf(row), place: moved.at + 1, count: moved.rows.length }),
    );
    return true;
  };
  const drag = useDragging(list, (from, to, dx) => {
    const isChild = rows[from]?.isChild === true;
    const wantsGroup = isChild ? dx > -insidePx : dx > insidePx;
    const moved = dropped(rows, from, to, wantsGroup);
    const isSame = moved?.at === from && moved.rows[from]?.isChild === isChild;
    if (!isSame) take(from, moved);
  });
  const onKeyDown = (at: number) => (event: KeyboardEvent<HTMLElement>) => {
    const way = keyWays[event.key];
    const isField = event.target instanceof HTMLInputElement;
    // In a field, the keys to the sides move by words.
    if (!event.altKey || !way || event.defaultPrevented || (isField && (way === 'in' || way === 'out')))
      return;
    // To the left would leave the page.
    event.preventDefault();
    const moved = stepped(rows, at, way);
    const [before, after] = [pathOf(rows, at), moved && pathOf(moved.rows, moved.at)].map((each) =>
      [...path, ...(each ?? [])].join('.'),
    );
    const name = isField
      ? (event.target as HTMLInputElement).name.replace(before ?? '', after ?? '')
      : undefined;
    if (moved && take(at, moved)) focusOn(moved.at, name);
  };
  const add = (place: number, isChild: boolean) => {
    const added = rows.toSpliced(place, 0, { link: { label: { [mainLocale()]: '' }, link: '' }, isChild });
    change(added);
    show(place, added);
    focusOn(place, [...path, ...pathOf(added, place), 'label', mainLocale()].join('.'));
  };
  const remove = (at: number) => {
    const row = rows[at] as Row;
    change(rows.toSpliced(at, sizeOf(rows, at)));
    show(null);
    setSaid(t('office.page.removed', { name: nameOf(row) }));
    focusOn(Math.max(0, at - 1));
  };
  const own = field.fields ?? [];
  const below = own.find(({ control }) => control === 'rows')?.fields ?? [];
  const top = own.filter(({ control }) => control !== 'rows');
  return (
    <>
      {field.hint && <p className="text-ink-soft text-sm">{t(field.hint)}</p>}
      <FieldError id={path.join('.')}>{form.errorAt(path, t('office.navigation.links'))}</FieldError>
      <ol ref={list} className="flex flex-col gap-3 empty:hidden">
        {rows.map((row, at) => {
          const inner = pathOf(rows, at);
          const place = [...path, ...inner];
          const isGroup = sizeOf(rows, at) > 1;
          const name = nameOf(row);
          const { className, ...entry } = drag.entryOf(at, rows.length);
          const isWrong = form.isWrong?.(place.slice(0, row.isChild ? undefined : path.length + 1)) ?? false;
          const fields = row.isChild
            ? below
            : top.filter(
                ({ control }) => control !== 'picture' || (isHeader && (isGroup || row.link.picture)),
              );
          return (
            <li
              key={place.join('.')}
              className={cx('min-w-0', row.isChild && 'ml-4 form:ml-8', className)}
              {...entry}
              onKeyDown={onKeyDown(at)}
            >
              <EditedContext value={rowOf(form, latest, path, Number(inner[0]))}>
                <LinkCard
                  {...{ name, fields, isGroup }}
                  path={place}
                  to={row.link.link}
                  grip={<Grip {...drag.gripOf(at)} />}
                  isOpen={open === at || isWrong}
                  onToggle={() => show(open === at ? null : at)}
                  stepOf={(way) => {
                    const moved = stepped(rows, at, way);
                    return moved && (() => take(at, moved) && focusOn(moved.at));
                  }}
                  onAdd={row.isChild ? undefined : () => add(at + sizeOf(rows, at), true)}
                  onRemove={() => remove(at)}
                />
              </EditedContext>
            </li>
          );
        })}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      <Button
        label={t('office.navigation.addLink')}
        variant="secondary"
        icon="plus"
        className="self-start"
        onClick={() => add(rows.length, false)}
      />
    </>
  );
}

interface LinkCardProps {
  path: Path;
  name: string;
  /** Where it leads. */
  to: string;
  fields: readonly FormField[];
  isGroup: boolean;
  grip: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  /** Null where it cannot go. */
  stepOf: (way: Way) => (() => void) | null;
  onAdd: (() => void) | undefined;
  onRemove: () => void;
}

function LinkCard({
  path,
  name,
  to,
  fields,
  isGroup,
  grip,
  isOpen,
  onToggle,
  stepOf,
  onAdd,
  onRemove,
}: LinkCardProps) {
  const { t } = useOffice();
  const id = useId();
  const removal = t(isGroup ? 'office.navigation.removeGroup' : 'office.remove');
  const step = (way: Way) => {
    const go = stepOf(way);
    return (
      <IconButton
        key={way}
        icon={icons[way]}
        label={`${t(stepWords[way])}: ${name}`}
        aria-disabled={!go}
        onClick={() => go?.()}
      />
    );
  };
  return (
    <div className="rounded-md border border-line bg-paper" data-link={name}>
      <div className="flex items-center pr-1">
        {grip}
        <h3 className="min-w-0 flex-1 font-sans">
          <button
            type="button"
            className="flex min-h-13 w-full items-center gap-2 py-2 pr-2 text-left"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={onToggle}
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{name}</span>
              <span className="block truncate text-ink-soft text-sm">{to}</span>
            </span>
            <Icon name="chevron" size={20} className={cx('max-form:hidden', isOpen && 'rotate-180')} />
          </button>
        </h3>
        <span className="ml-auto flex">
          {(['up', 'down', stepOf('out') ? 'out' : 'in'] as const).map(step)}
        </span>
      </div>
      <div id={id} hidden={!isOpen} className="flex flex-col gap-5 border-line border-t p-4">
        {isOpen && (
          <>
            <Fields fields={fields} at={path} />
            <div className="flex flex-wrap gap-3">
              {onAdd && (
                <Button
                  label={t('office.navigation.addChild')}
                  variant="secondary"
                  size="small"
                  icon="plus"
                  aria-label={`${t('office.navigation.addChild')}: ${name}`}
                  onClick={onAdd}
                />
              )}
              <Button
                label={removal}
                variant="secondary"
                size="small"
                aria-label={`${removal}: ${name}`}
                onClick={onRemove}
              />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

const stepWords = {
  up: 'office.moveUp',
  down: 'office.moveDown',
  in: 'office.navigation.moveIn',
  out: 'office.navigation.moveOut',
} as const;

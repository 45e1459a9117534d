/** The blocks of a page: a list in the order in which shoppers see them, each with the fields of its kind. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { BlockType } from '#contract/schemas/blocks.ts';
import { blockForms, type FormField } from '#contract/staff/forms.ts';
import type { StaffMessageKey, StaffTranslate } from '#contract/staff/messages.ts';
import type { ContentChoices } from '#contract/staff/pages.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { FieldError } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import { firstText } from './comparison.ts';
import type { Path } from './document.tsx';
import { Mover, SelectOf, useEdited } from './document-form.tsx';
import { Grip, useDragging } from './dragging.tsx';
import { useOffice } from './me.tsx';
import type { ChosenBlock } from './preview.tsx';
import { Fields, freshOf, type OwnControls } from './schema-form.tsx';

interface Block {
  id: string;
  type: string;
}

/** What there is to add: its fields, and its words. */
export interface PartKind {
  fields: readonly FormField[];
  name: StaffMessageKey;
  about: StaffMessageKey;
}

const freshId = (type: string) => `${type}-${crypto.randomUUID().slice(0, 8)}`;

/** Of pages; those of posts are others. */
const blockKinds = Object.fromEntries(
  Object.entries(blockForms).map(([type, fields]) => [
    type,
    { fields, name: `office.block.${type as BlockType}`, about: `office.block.${type as BlockType}.about` },
  ]),
) as Readonly<Record<string, PartKind>>;

interface BlocksProps {
  path: Path;
  /** In the way of publishing, by their paths in the document. */
  problems: readonly (readonly [path: string, text: string])[];
  kinds?: Readonly<Record<string, PartKind>>;
  /** What the room draws, and what it knows. */
  controls?: OwnControls;
  label?: StaffMessageKey;
  none?: StaffMessageKey;
  /** The one that was pressed in the preview: it opens and takes the focus. */
  pressed?: ChosenBlock | null;
  /** Its fields were opened. */
  onOpen?: (id: string) => void;
}

export function Blocks({
  path,
  problems,
  kinds = blockKinds,
  controls = { own: blockControls },
  label = 'office.page.blocks',
  none = 'office.page.noBlocks',
  pressed = null,
  onOpen,
}: BlocksProps) {
  const form = useEdited();
  const { t, locale } = useOffice();
  const blocks = ((form.valueAt(path) ?? []) as (Block | null)[]).filter(
    (each): each is Block => typeof each?.id === 'string',
  );
  const ids = blocks.map(({ id }) => id);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** After which block one is added; '' for the end; null: none is. */
  const [adding, setAdding] = useState<string | null>(null);
  const [removed, setRemoved] = useState<{ block: Block; order: readonly string[]; name: string } | null>(
    null,
  );
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const nameOf = (block: Block, index: number) =>
    `${index + 1}. ${blockName(t, kinds[block.type], block, locale)}`;
  const reorder = (order: readonly string[]) => form.change([...path, '#'], order);
  const show = (id: string, isOpen = true) =>
    setOpen((before) =>
      isOpen ? new Set([...before, id]) : new Set([...before].filter((each) => each !== id)),
    );
  /** Once it is drawn. */
  const focus = (id: string) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-block="${id}"] button`)?.focus(),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a press opens it
  useEffect(() => {
    if (!pressed) return;
    show(pressed.id);
    focus(pressed.id);
  }, [pressed]);

  const put = (block: Block, after: string) => {
    const place = after === '' ? ids.length : ids.indexOf(after) + 1;
    form.change([...path, block.id], block);
    if (place < ids.length) reorder(ids.toSpliced(place, 0, block.id));
    show(block.id);
    focus(block.id);
  };
  const add = (type: string) => {
    put({ ...freshOf(kinds[type]?.fields ?? []), id: freshId(type), type }, adding ?? '');
    setAdding(null);
  };
  const copy = (block: Block, index: number) => {
    put({ ...block, id: freshId(block.type) }, block.id);
    setSaid(t('office.page.copied', { name: nameOf(block, index) }));
  };
  const remove = (block: Block, index: number) => {
    setRemoved({ block, order: ids, name: nameOf(block, index) });
    form.change([...path, block.id], undefined);
  };
  const undoRemove = () => {
    if (!removed) return;
    form.change([...path, removed.block.id], removed.block);
    reorder(removed.order);
    setRemoved(null);
    focus(removed.block.id);
  };
  const move = (index: number, to: number) => {
    if (to >= 0 && to < ids.length && to !== index)
      reorder(ids.toSpliced(index, 1).toSpliced(to, 0, ids[index] ?? ''));
  };

  const drag = useDragging(list, (from, to) => {
    const block = blocks[from];
    move(from, to);
    if (block) setSaid(t('office.moved', { name: nameOf(block, to), place: to + 1, count: ids.length }));
  });

  return (
    <>
      <FieldError id={path.join('.')}>{form.errorAt(path, t(label))}</FieldError>
      {blocks.length === 0 ? (
        <p className="text-ink-soft">{t(none)}</p>
      ) : (
        <p className="text-ink-soft text-sm">{t('office.page.moveKeys')}</p>
      )}
      <ol ref={list} className="flex flex-col gap-3">
        {blocks.map((block, index) => {
          const name = nameOf(block, index);
          const { className, ...entry } = drag.entryOf(index, ids.length);
          return (
            <li
              key={block.id}
              data-block={block.id}
              className={cx('min-w-0 rounded-md border border-line', className)}
              {...entry}
            >
              <BlockCard
                {...{ name, path: [...path, block.id] }}
                problems={problemsOf([...path, block.id].join('.'), problems)}
                fields={kinds[block.type]?.fields}
                controls={controls}
                isOpen={open.has(block.id) || (form.isWrong?.([...path, block.id]) ?? false)}
                onToggle={(isOpen) => {
                  show(block.id, isOpen);
                  if (isOpen) onOpen?.(block.id);
                }}
                onMove={(by) => move(index, index + by)}
                grip={ids.length > 1 && <Grip {...drag.gripOf(index)} />}
                mover={
                  <Mover
                    index={index}
                    count={ids.length}
                    name={name}
                    onMove={(to) => move(index, to)}
                    isSmall
                  />
                }
              >
                <Button
                  label={t('office.page.copyBlock')}
                  variant="secondary"
                  size="small"
                  aria-label={`${t('office.page.copyBlock')}: ${name}`}
                  onClick={() => copy(block, index)}
                />
                <Button
                  label={t('office.page.addBlockBelow')}
                  variant="secondary"
                  size="small"
                  aria-label={`${t('office.page.addBlockBelow')}: ${name}`}
                  onClick={() => setAdding(block.id)}
                />
                <Button
                  label={t('office.remove')}
                  variant="secondary"
                  size="small"
                  aria-label={`${t('office.remove')}: ${name}`}
                  onClick={() => remove(block, index)}
                />
              </BlockCard>
            </li>
          );
        })}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {removed && !ids.includes(removed.block.id) && (
        <Notice title={t('office.page.removed', { name: removed.name })} onClose={() => setRemoved(null)}>
          <Button
            label={t('office.page.undoRemove')}
            variant="secondary"
            size="small"
            className="mt-2"
            onClick={undoRemove}
          />
        </Notice>
      )}
      <Button
        label={t('office.page.addBlock')}
        variant="secondary"
        icon="plus"
        className="self-start"
        onClick={() => setAdding('')}
      />
      {adding !== null && <AddBlock kinds={kinds} onAdd={add} onClose={() => setAdding(null)} />}
    </>
  );
}

function problemsOf(at: string, problems: readonly (readonly [path: string, text: string])[]): string[] {
  const own = problems.filter(([path]) => path === at || path.startsWith(`${at}.`));
  return [...new Set(own.map(([, text]) => text))];
}

/** Its kind, and what is read of it first. */
function blockName(t: StaffTranslate, known: PartKind | undefined, block: Block, locale: Locale): string {
  const kind = known ? t(known.name) : block.type;
  const words = firstText(block, locale);
  return words === '' ? kind : `${kind}: ${words}`;
}

interface BlockCardProps {
  path: Path;
  name: string;
  /** Undefined for a kind of another version of the program. */
  fields: readonly FormField[] | undefined;
  controls: OwnControls;
  /** What is in the way of publishing it. */
  problems: readonly string[];
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  onMove: (by: -1 | 1) => void;
  grip: ReactNode;
  mover: ReactNode;
  /** What is done with the whole block. */
  children: ReactNode;
}

function BlockCard({
  path,
  name,
  fields,
  controls,
  problems,
  isOpen,
  onToggle,
  onMove,
  grip,
  mover,
  children,
}: BlockCardProps) {
  const form = useEdited();
  const { t } = useOffice();
  const id = useId();
  const head = useRef<HTMLButtonElement>(null);
  const error = form.errorAt(path, name);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    if (!event.altKey || by === null) return;
    event.preventDefault();
    onMove(by);
    // An element that moves within its list loses the focus.
    requestAnimationFrame(() => head.current?.focus());
  };
  return (
    <>
      <div className="flex items-center pr-2">
        {grip}
        <h3 className="min-w-0 flex-1 font-sans">
          <button
            ref={head}
            type="button"
            className="flex min-h-13 w-full items-center gap-3 px-4 py-3 text-left font-semibold"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => onToggle(!isOpen)}
            onKeyDown={onKeyDown}
          >
            <span className="min-w-0 flex-1 break-words">{name}</span>
            <Icon name="chevron" size={20} className={isOpen ? 'rotate-180' : ''} />
          </button>
        </h3>
        {mover}
      </div>
      {problems.length > 0 && (
        <ul
          aria-label={t('office.publish.blocked')}
          className="flex flex-col gap-1 px-4 pb-3 font-medium text-clay text-sm"
        >
          {problems.map((text) => (
            <li key={text} className="flex gap-2">
              <Icon name="warning" size={18} />
              <span className="min-w-0 break-words">{text}</span>
            </li>
          ))}
        </ul>
      )}
      <div id={id} hidden={!isOpen} className="flex flex-col gap-5 border-line border-t p-4">
        {isOpen && (
          <>
            <FieldError id={`${id}-error`}>{error}</FieldError>
            {fields ? (
              <Fields fields={fields} at={path} {...controls} />
            ) : (
              <p className="text-ink-soft">{t('office.page.unknownBlock')}</p>
            )}
            <div className="flex flex-wrap gap-3">{children}</div>
          </>
        )}
      </div>
    </>
  );
}

/** What lists choose from depends on another of their fields. */
export const blockControls: NonNullable<OwnControls['own']> = {
  'blocks.uiAttribute.collectionname': (path) => (
    <CollectionOf
      key="collection"
      path={path}
      kind={['collectiontype']}
      choices={({ collections }) => collections}
      label="office.block.productsOf"
    />
  ),
  'blocks.blog.collectionName': (path) => (
    <CollectionOf
      key="posts"
      path={path}
      kind={['collectionType']}
      choices={({ posts }) => posts}
      label="office.block.postsOf"
    />
  ),
  'blocks.store': (path) => (
    <ChoiceOf
      key="store"
      path={path}
      label="office.block.store"
      none="office.block.allStores"
      from={({ stores }) => stores}
    />
  ),
  'blocks.category': (path) => (
    <ChoiceOf
      key="category"
      path={path}
      label="office.block.menuOf"
      none="office.block.chooseOne"
      from={({ collections }) => collections.category}
    />
  ),
};

function useContentChoices(): ContentChoices | undefined {
  const { locale, call } = useOffice();
  const key = ['content-choices', '', locale];
  return useQuery({ queryKey: key, queryFn: () => call('contentChoices'), staleTime: 60_000 }).data;
}

interface ChoiceOfProps {
  path: Path;
  label: StaffMessageKey;
  /** What an empty field means. */
  none: StaffMessageKey;
  from: (all: ContentChoices) => ContentChoices['stores'];
}

/** One of what the shop has. */
function ChoiceOf({ path, label, none, from }: ChoiceOfProps) {
  const { t, locale } = useOffice();
  const all = useContentChoices();
  if (!all) return null;
  const options = from(all).map(({ name, nameContent }) => ({
    value: name,
    label: inLocale(nameContent, locale),
  }));
  return <SelectOf path={path} label={t(label)} placeholder={t(none)} options={options} />;
}

interface CollectionOfProps {
  path: Path;
  /** The field beside it that says of what kind it is. */
  kind: Path;
  choices: (all: ContentChoices) => Readonly<Record<string, ContentChoices['posts']['tag']>>;
  label: 'office.block.productsOf' | 'office.block.postsOf';
}

function CollectionOf({ path, kind, choices, label }: CollectionOfProps) {
  const form = useEdited();
  const { t, locale } = useOffice();
  const data = useContentChoices();
  const chosen = String(form.valueAt([...path.slice(0, -1), ...kind]));
  const named = data && choices(data)[chosen];
  if (!named) return null;
  return (
    <SelectOf
      path={path}
      label={t(label)}
      placeholder={t('office.block.chooseOne')}
      options={named.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }))}
    />
  );
}

interface AddBlockProps {
  kinds: Readonly<Record<string, PartKind>>;
  onAdd: (type: string) => void;
  onClose: () => void;
}

function AddBlock({ kinds, onAdd, onClose }: AddBlockProps) {
  const { t } = useOffice();
  return (
    <Dialog open onClose={onClose} title={t('office.page.addBlock')} className="form:w-[44rem]">
      <ul className="grid gap-3 form:grid-cols-2">
        {Object.entries(kinds).map(([type, { name, about }]) => (
          <li key={type}>
            <button
              type="button"
              className="flex h-full min-h-16 w-full flex-col rounded-md border border-line px-4 py-3 text-left hover:bg-surface-inset"
              onClick={() => onAdd(type)}
            >
              <span className="font-semibold">{t(name)}</span>
              <span className="text-ink-soft text-sm">{t(about)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

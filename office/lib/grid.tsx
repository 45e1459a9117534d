/**
 * A table that is edited like a spreadsheet: arrow keys, typing, copying and pasting cells, filling down. Only the rows on the screen
 * are drawn, and nothing needs a mouse.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useLanguage } from './i18n.tsx';

export interface GridColumn {
  id: string;
  title: string;
  isNumber?: boolean;
  /** What can be chosen; left out, it is typed. */
  choices?: readonly { value: string; label: string }[];
}

export interface GridCell {
  row: number;
  column: string;
  text: string;
}

interface GridProps {
  label: string;
  count: number;
  columns: readonly GridColumn[];
  /** CSS widths, of the row's name first. */
  template: string;
  rowHeight: number;
  /** The name of the row; undefined while it is loaded. */
  nameOf: (row: number) => string | undefined;
  headOf: (row: number) => ReactNode;
  textOf: (row: number, column: string) => string;
  errorOf?: (row: number, column: string) => string | undefined;
  isChanged?: (row: number, column: string) => boolean;
  /** Typed, pasted or filled in, also in rows that are not loaded. */
  onEdit: (cells: readonly GridCell[]) => void;
  /** What is on the screen. */
  onShow?: (first: number, last: number) => void;
}

interface Place {
  row: number;
  column: number;
}

/** Which cell is active, what is selected above or below it, and what is typed in it. */
function useCursor({ count, columns, textOf, onEdit }: GridProps) {
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  /** The other end of what is selected in the column. */
  const [anchor, setAnchor] = useState(0);
  const [typed, setTyped] = useState<string | null>(null);
  /** What is typed is taken once: leaving the cell follows after Enter and Escape as well. */
  const isTyping = useRef(false);
  const column = columns[active.column];
  const [from, to] = [Math.min(anchor, active.row), Math.max(anchor, active.row)];
  const type = (text: string | null) => {
    isTyping.current = text !== null;
    setTyped(text);
  };
  /** Writes a text into the rows of the column from one on. */
  const write = (row: number, end: number, text: string) => {
    if (column)
      onEdit(
        Array.from({ length: end - row + 1 }, (_, index) => ({ row: row + index, column: column.id, text })),
      );
  };
  return {
    active,
    column,
    from,
    to,
    typed,
    type,
    go(place: Place, keepsAnchor = false): number {
      const row = Math.max(0, Math.min(count - 1, place.row));
      setActive({ row, column: Math.max(0, Math.min(columns.length - 1, place.column)) });
      if (!keepsAnchor) setAnchor(row);
      type(null);
      return row;
    },
    commit(text: string) {
      const isNew = isTyping.current && column && text !== textOf(active.row, column.id);
      type(null);
      if (isNew) onEdit([{ row: active.row, column: column.id, text }]);
    },
    clear: () => write(from, to, ''),
    fill: (end: number) => write(from + 1, end, column ? textOf(from, column.id) : ''),
  };
}
type Cursor = ReturnType<typeof useCursor>;
type Go = (place: Place, keepsAnchor?: boolean) => void;

/** Where a key leads; undefined for one that leads nowhere. `page`: rows of the screen. */
function placeAfter(
  event: KeyboardEvent,
  { row, column }: Place,
  { page, last }: { page: number; last: Place },
): Place | undefined {
  const isWhole = event.ctrlKey || event.metaKey;
  const moves: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + Math.max(1, page), column },
    PageUp: { row: row - Math.max(1, page), column },
    Home: { row: isWhole ? 0 : row, column: 0 },
    End: { row: isWhole ? last.row : row, column: last.column },
  };
  return moves[event.key];
}

function pressWhileTyping(
  event: KeyboardEvent,
  { active, typed, type, commit }: Cursor,
  { go, last }: { go: Go; last: number },
): void {
  const { key, shiftKey } = event;
  if (key !== 'Escape' && key !== 'Enter' && key !== 'Tab') return;
  // From the last cell of a row, Tab leaves the table.
  const leaves = key === 'Tab' && !shiftKey && active.column === last;
  if (!leaves) event.preventDefault();
  if (key === 'Escape') type(null);
  else commit(typed ?? '');
  if (key === 'Enter') go({ ...active, row: active.row + 1 });
  if (key === 'Tab' && !leaves) go({ ...active, column: active.column + (shiftKey ? -1 : 1) });
}

/** Keys, the pointer and the clipboard. */
function handlersOf(props: GridProps, cursor: Cursor, { go, page }: { go: Go; page: () => number }) {
  const { count, columns, textOf, onEdit } = props;
  const { active, column, from, to, typed, type } = cursor;
  const last = { row: count - 1, column: columns.length - 1 };
  return {
    onKeyDown(event: KeyboardEvent) {
      if (event.nativeEvent.isComposing || (event.target as Element).closest('th')) return;
      if (typed !== null) return pressWhileTyping(event, cursor, { go, last: last.column });
      const { key, shiftKey } = event;
      const withControl = event.ctrlKey || event.metaKey;
      const move = placeAfter(event, active, { page: page(), last });
      if (move) go(move, shiftKey && move.column === active.column);
      else if (withControl && key.toLowerCase() === 'd') cursor.fill(to);
      else if (key === 'Enter' || key === 'F2') type(column ? textOf(active.row, column.id) : null);
      else if (key === 'Delete' || key === 'Backspace') cursor.clear();
      else if (key.length === 1 && !withControl && !event.altKey && !column?.choices) type(key);
      else return;
      event.preventDefault();
    },
    onClick(event: MouseEvent) {
      const [row, at] = ((event.target as Element).closest('[data-cell]')?.getAttribute('data-cell') ?? '')
        .split(':')
        .map(Number);
      if (row === undefined || at === undefined) return;
      const again = row === active.row && at === active.column;
      if (again && typed !== null) return;
      const byFinger = (event.nativeEvent as PointerEvent).pointerType === 'touch';
      go({ row, column: at }, event.shiftKey);
      const pointed = columns[at];
      if (pointed && !event.shiftKey && (again || byFinger)) type(textOf(row, pointed.id));
    },
    onPaste(event: ClipboardEvent) {
      if (typed !== null) return;
      event.preventDefault();
      const lines = event.clipboardData
        .getData('text')
        .replace(/\r?\n$/, '')
        .split(/\r?\n/);
      const cells = lines.slice(0, count - from).flatMap((line, index) =>
        line.split('\t').flatMap((text, at) => {
          const into = columns[active.column + at];
          return into ? [{ row: from + index, column: into.id, text: text.trim() }] : [];
        }),
      );
      onEdit(cells);
    },
    onCopy(event: ClipboardEvent) {
      if (typed !== null || !column) return;
      event.preventDefault();
      const lines = Array.from({ length: to - from + 1 }, (_, index) => textOf(from + index, column.id));
      event.clipboardData.setData('text', lines.join('\n'));
    },
  };
}

export function Grid(props: GridProps) {
  const { label, count, columns, template, rowHeight, onShow } = props;
  const { t } = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const cursor = useCursor(props);
  const { active, from, to, typed } = cursor;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingStart: rowHeight,
    // The active cell keeps the focus, wherever the table is scrolled to.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active.row, count - 1)])].sort((a, b) => a - b),
  });
  const items = rows.getVirtualItems();
  const shown = items.filter(({ index }) => index !== active.row);
  const [first, last] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => onShow?.(first, last), [onShow, first, last]);
  useEffect(() => {
    if (hasFocus.current && typed === null)
      box.current
        ?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
        ?.focus({ preventScroll: true });
  }, [active, typed]);
  const go: Go = (place, keepsAnchor) => {
    hasFocus.current = true;
    rows.scrollToIndex(cursor.go(place, keepsAnchor), { align: 'auto' });
  };
  const end = to > from ? to : count - 1;
  return (
    <div className="flex flex-col gap-2">
      <div ref={box} className="max-h-[70dvh] overflow-auto rounded-md border border-line">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is the role of a table that is edited by its cells
          role="grid"
          aria-label={label}
          aria-rowcount={count + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable
          className="block w-max min-w-full text-left text-sm"
          {...handlersOf(props, cursor, {
            go,
            page: () => Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1,
          })}
        >
          <GridHead {...{ label, columns, template }} />
          <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <GridRow key={index} {...{ index, start, props, cursor }} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="small" disabled={end === from} onClick={() => cursor.fill(end)}>
          {t('office.grid.fill', { count: end - from })}
        </Button>
        <p className="text-ink-soft text-sm">{t('office.grid.hint')}</p>
      </div>
    </div>
  );
}

const rowLook = 'grid items-stretch border-line border-b';

function GridHead({ label, columns, template }: Pick<GridProps, 'label' | 'columns' | 'template'>) {
  return (
    <thead className="sticky top-(--bar-height) z-20 block bg-paper">
      <tr aria-rowindex={1} className={rowLook} style={{ gridTemplateColumns: template }}>
        <th scope="col" className="sticky left-0 bg-paper p-2">
          {label}
        </th>
        {columns.map(({ id, title, isNumber }) => (
          <th key={id} scope="col" className={cx('self-center p-2', isNumber && 'text-right')}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function GridRow({
  index,
  start,
  props,
  cursor,
}: {
  index: number;
  start: number;
  props: GridProps;
  cursor: Cursor;
}) {
  const { columns, template, rowHeight, nameOf, headOf, textOf, errorOf, isChanged } = props;
  const { active, from, to, typed, type, commit } = cursor;
  const name = nameOf(index);
  return (
    <tr
      aria-rowindex={index + 2}
      className={cx(rowLook, 'absolute inset-x-0')}
      style={{ gridTemplateColumns: template, height: rowHeight, transform: `translateY(${start}px)` }}
    >
      <th
        scope="row"
        className="sticky left-0 z-10 min-w-0 self-stretch overflow-hidden bg-paper p-2 font-normal"
      >
        {headOf(index)}
      </th>
      {name !== undefined &&
        columns.map(({ id, title, choices, isNumber }, at) => {
          const isActive = active.row === index && active.column === at;
          const text = textOf(index, id);
          return (
            <Cell
              key={id}
              place={`${index}:${at}`}
              label={`${title}: ${name}`}
              text={choices?.find(({ value }) => value === text)?.label ?? text}
              error={errorOf?.(index, id)}
              isNumber={isNumber ?? false}
              isActive={isActive}
              isSelected={active.column === at && index >= from && index <= to}
              isChanged={isChanged?.(index, id) ?? false}
              typed={isActive ? typed : null}
              {...(isActive && { choices, onType: type, onCommit: commit })}
            />
          );
        })}
    </tr>
  );
}

interface CellProps {
  place: string;
  label: string;
  text: string;
  error: string | undefined;
  isNumber: boolean;
  isActive: boolean;
  isSelected: boolean;
  isChanged: boolean;
  typed: string | null;
  choices?: GridColumn['choices'] | undefined;
  onType?: (text: string) => void;
  onCommit?: (text: string) => void;
}

const isSame = (a: CellProps, b: CellProps) =>
  !a.isActive &&
  !b.isActive &&
  (['label', 'text', 'error', 'isSelected', 'isChanged'] as const).every((name) => a[name] === b[name]);

const Cell = memo(function Cell({
  place,
  label,
  text,
  error,
  isActive,
  typed,
  choices,
  onType,
  onCommit,
  ...look
}: CellProps) {
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as the table's
      role="gridcell"
      data-cell={place}
      tabIndex={isActive ? 0 : -1}
      aria-selected={look.isSelected}
      aria-invalid={error ? true : undefined}
      title={error}
      className={cx(
        'flex min-w-0 items-center border-line border-l focus-visible:outline-2 focus-visible:-outline-offset-2',
        look.isNumber && 'justify-end tabular-nums',
        look.isSelected && 'bg-surface-inset',
        error && 'text-bad',
        look.isChanged && 'font-semibold',
      )}
    >
      {typed === null ? (
        <span className="truncate px-2">{text}</span>
      ) : choices ? (
        <select
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the cell that had the focus
          autoFocus
          aria-label={label}
          className="input min-h-0! h-full w-full"
          value={typed}
          onChange={({ target }) => onCommit?.(target.value)}
        >
          {choices.map(({ value, label: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <input
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the cell that had the focus
          autoFocus
          aria-label={label}
          autoComplete="off"
          inputMode={look.isNumber ? 'decimal' : 'text'}
          className={cx('input min-h-0! h-full w-full rounded-none!', look.isNumber && 'text-right')}
          value={typed}
          onChange={({ target }) => onType?.(target.value)}
          onBlur={({ target }) => onCommit?.(target.value)}
        />
      )}
    </td>
  );
}, isSame);

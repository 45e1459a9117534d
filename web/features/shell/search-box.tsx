import { useNavigate, useRouterState } from '@tanstack/react-router';
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useState,
} from 'react';
import { localizePath } from '#contract/locales.ts';
import { IconButton } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { announce } from '#ui/page.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';
import { type Offered, optionId, rowsOf, useSuggestions } from './use-suggestions.ts';

const SuggestionList = lazyWithPreload(async () => (await import('./suggestion-list.tsx')).SuggestionList);

interface SearchBoxProps {
  input: RefObject<HTMLInputElement | null>;
  /** Called after a search, a picked suggestion, or Esc in a box without suggestions. */
  onDone?: () => void;
}

/** ARIA's combobox pattern. The input is uncontrolled, so that no letter is lost, not even before hydration; without scripts it is a form. */
export function SearchBox({ input, onDone }: SearchBoxProps) {
  const t = useT();
  const locale = useLocale();
  const searched = useSearchedText(input);
  const list = useId();
  const box = useSearchBox(input, onDone);
  const { typed, active, shown } = box;
  return (
    <search>
      <form
        action={localizePath('/search', locale)}
        method="get"
        className="relative"
        onSubmit={box.submit}
        onBlur={box.leave}
      >
        <input
          ref={input}
          type="search"
          name="key"
          className="search-input"
          defaultValue={searched}
          placeholder={t('shell.search.placeholder')}
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          aria-label={t('shell.search.label')}
          {...comboboxProps(list, shown !== null, active)}
          onInput={(event) => box.type(event.currentTarget.value)}
          onFocus={box.enter}
          onKeyDown={box.pressKey}
        />
        {/* Not a Tab stop: in the field, Enter does the same. */}
        <button
          type="submit"
          tabIndex={-1}
          aria-label={t('shell.search')}
          className="absolute top-0 left-0 grid h-11 w-12 place-items-center text-ink-soft"
        >
          <Icon name="search" size={20} />
        </button>
        {typed !== '' && (
          <IconButton
            icon="close"
            size="small"
            label={t('shell.search.clear')}
            className="absolute inset-y-0 right-2 my-auto"
            onClick={box.clear}
          />
        )}
        {box.open && (
          <SuggestionList
            id={list}
            offered={shown}
            typed={typed.trim()}
            active={active}
            onPick={box.pick}
            onStart={box.setStart}
          />
        )}
      </form>
    </search>
  );
}

/** The field's role and state in ARIA's combobox pattern, for the list of the id `list` with the highlighted row `active`. */
const comboboxProps = (list: string, expanded: boolean, active: number) =>
  ({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': expanded,
    'aria-controls': expanded ? list : undefined,
    'aria-activedescendant': active >= 0 ? optionId(list, active) : undefined,
  }) as const;

/** `active` is the index of the highlighted row; -1 is the text itself. */
const closedList = { open: false, active: -1 };

function useSearchBox(input: RefObject<HTMLInputElement | null>, onDone: (() => void) | undefined) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [{ open, active }, setList] = useState(closedList);
  const [offered, rows, setStart] = useOffered(typed);
  const shown = open ? offered : null;
  useAnnouncedCount(shown && typed.trim() ? rows.length - 1 : null);

  const type = (text: string) => {
    setTyped(text);
    setList({ ...closedList, open: true });
  };
  const close = () => setList(closedList);
  const finish = () => {
    close();
    input.current?.blur();
    onDone?.();
  };
  const pick = (href: string) => {
    if (input.current && href !== urls.search(typed.trim())) {
      input.current.value = '';
      setTyped('');
    }
    finish();
  };
  const move = (step: number) =>
    setList((list) => ({ open: true, active: nextRow(list.active, step, rows.length) }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    const href = (shown && rows[active]) ?? (text && urls.search(text));
    if (!href) return;
    pick(href);
    void navigate({ href });
  };
  const clear = () => {
    if (input.current) input.current.value = '';
    type('');
    input.current?.focus();
  };
  return {
    typed,
    active,
    open,
    setStart,
    shown,
    type,
    enter: openList(type),
    leave: closeOnLeave(close),
    pressKey: handleKeys(shown ? close : finish, offered ? move : null),
    submit,
    pick,
    clear,
  };
}

/** What is offered for a text, and the addresses of its rows. `setStart` sets what is offered before anything is typed. */
function useOffered(typed: string) {
  const [start, setStart] = useState<Offered | null>(null);
  const suggested = useSuggestions(typed);
  const offered = typed.trim() ? suggested : start;
  return [offered, offered ? rowsOf(offered, typed.trim()) : [], setStart] as const;
}

const openList = (type: (text: string) => void) => (event: FocusEvent<HTMLInputElement>) => {
  // A failed preload is repeated when there are suggestions to show.
  SuggestionList.preload().catch(() => {});
  type(event.currentTarget.value);
};

const closeOnLeave = (close: () => void) => (event: FocusEvent<HTMLFormElement>) => {
  if (!event.currentTarget.contains(event.relatedTarget)) close();
};

/** Escape dismisses; the arrows move through the rows, if there are any. */
const handleKeys = (dismiss: () => void, move: ((step: number) => void) | null) => (event: KeyboardEvent) => {
  // While a Chinese character is composed, keys belong to the input method.
  if (event.nativeEvent.isComposing) return;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (event.key === 'Escape') dismiss();
  else if (step && move) move(step);
  else return;
  event.preventDefault();
};

/** The row before or after `index`, in a circle of `count` rows and the text itself, which is -1. */
function nextRow(index: number, step: number, count: number): number {
  return ((index + 1 + step + count + 1) % (count + 1)) - 1;
}

/** The text of the search page, which the box shows there; elsewhere it is empty. Text that is being typed is left alone. */
function useSearchedText(input: RefObject<HTMLInputElement | null>): string {
  const searched = useRouterState({
    select: ({ location }) =>
      location.pathname === '/search' ? String((location.search as { key?: unknown }).key ?? '') : '',
  });
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = searched;
  }, [input, searched]);
  return searched;
}

function useAnnouncedCount(count: number | null): void {
  const t = useT();
  useEffect(() => {
    if (count !== null) announce(t('shell.search.count', { count }));
  }, [count, t]);
}

import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FocusEvent, type FormEvent, type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { localizePath } from '#web/lib/locale-path.ts';
import { urls } from '#web/lib/urls.ts';
import { announce } from '#web/ui/announce.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { optionId, rowsOf, useSuggestions } from './use-suggestions.ts';

const SuggestionList = lazyWithPreload(async () => (await import('./suggestion-list.tsx')).SuggestionList);

interface SearchBoxProps {
  input: RefObject<HTMLInputElement | null>;
  /** After a search or a suggestion was taken, or Esc in a box without suggestions. */
  onDone?: () => void;
}

/**
 * The search box with suggestions, as ARIA's combobox pattern has it. The input is the browser's own
 * (not controlled), so that no letter is ever late or lost, not even one typed before the page was
 * taken over; without scripts it is a plain form.
 */
export function SearchBox({ input, onDone }: SearchBoxProps) {
  const t = useT();
  const locale = useLocale();
  const navigate = useNavigate();
  const searched = useSearchedText(input);
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useId();
  const offered = useSuggestions(typed);
  const shown = open && offered ? offered : null;
  const rows = shown ? rowsOf(shown, typed.trim()) : [];
  useSaidCount(shown ? rows.length - 1 : null);

  const type = (text: string) => {
    setTyped(text);
    setActive(-1);
    setOpen(true);
  };
  const enter = (event: FocusEvent<HTMLInputElement>) => {
    // Where it does not come now, it is asked for again when there are suggestions.
    SuggestionList.preload().catch(() => {});
    type(event.currentTarget.value);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const done = () => {
    close();
    input.current?.blur();
    onDone?.();
  };
  /** Away to a suggestion. What was typed stays only where it is what the page shows. */
  const pick = (href: string) => {
    if (input.current && href !== urls.search(typed.trim())) {
      input.current.value = '';
      setTyped('');
    }
    done();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    const href = rows[active] ?? (text && urls.search(text));
    if (!href) return;
    pick(href);
    void navigate({ href });
  };
  const press = (event: KeyboardEvent) => {
    // Keys that choose a Chinese character belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (shown) close();
      else done();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && offered) {
      event.preventDefault();
      const count = rowsOf(offered, typed.trim()).length;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setOpen(true);
      // One place more than rows: the text itself.
      setActive((index) => ((index + 1 + step + count + 1) % (count + 1)) - 1);
    }
  };
  const leave = (event: FocusEvent<HTMLFormElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  const clear = () => {
    if (input.current) input.current.value = '';
    type('');
    input.current?.focus();
  };

  return (
    <search>
      <form action={localizePath('/search', locale)} method="get" className="relative" onSubmit={submit} onBlur={leave}>
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
          role="combobox"
          aria-label={t('shell.search.label')}
          aria-autocomplete="list"
          aria-expanded={shown !== null}
          aria-controls={shown ? list : undefined}
          aria-activedescendant={active >= 0 ? optionId(list, active) : undefined}
          onInput={(event) => type(event.currentTarget.value)}
          onFocus={enter}
          onKeyDown={press}
        />
        {/* By keyboard Enter does it from within the field. */}
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
            onClick={clear}
          />
        )}
        {shown && <SuggestionList id={list} offered={shown} typed={typed.trim()} active={active} onPick={pick} />}
      </form>
    </search>
  );
}

/** The text of the search page; the box shows it there, and is empty elsewhere. What is being typed is left alone. */
function useSearchedText(input: RefObject<HTMLInputElement | null>): string {
  const searched = useRouterState({
    select: ({ location }) => (location.pathname === '/search' ? String((location.search as { key?: unknown }).key ?? '') : ''),
  });
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = searched;
  }, [input, searched]);
  return searched;
}

/** Says how many suggestions there are, once they stand. */
function useSaidCount(count: number | null): void {
  const t = useT();
  useEffect(() => {
    if (count !== null) announce(t('shell.search.count', { count }));
  }, [count, t]);
}

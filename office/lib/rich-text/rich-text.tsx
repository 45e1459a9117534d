/** A field for formatted text. Its file loads with the first product that has some. */
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { FieldError, FieldFrame, fieldHintClass, fieldLabelClass } from '#ui/field.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useLanguage } from '../i18n.tsx';
import { documentFrom, htmlFrom, isWholeInEditor, withLists } from './html.ts';
import {
  type BlockName,
  fromOutside,
  hasMark,
  isIn,
  isLink,
  linkAt,
  linked,
  plugins,
  toggled,
  toggledBlock,
} from './schema.ts';
import './rich-text.css';

interface RichTextProps {
  label: string;
  lang: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  onChange: (html: string) => void;
  /** Where a picture of the shop is shown from. */
  addressOf: (file: string) => string | undefined;
  autoFocus?: boolean;
}

export default function RichText({ label, lang, hint, error, autoFocus = false, ...text }: RichTextProps) {
  const { t } = useLanguage();
  const id = useId();
  const [isLinking, setIsLinking] = useState(false);
  const { box, view, state, isWhole } = useEditor({ ...text, onLink: () => setIsLinking(true) });
  const describedBy = cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  useLayoutEffect(() => {
    const attributes = {
      id,
      lang,
      class: 'prose rich',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': `${id}-label`,
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(error ? { 'aria-invalid': 'true' } : {}),
    };
    view?.setProps({ attributes });
  }, [view, id, lang, describedBy, error]);
  useEffect(() => {
    if (autoFocus) view?.focus();
  }, [view, autoFocus]);
  return (
    <FieldFrame>
      <span id={`${id}-label`} className={fieldLabelClass}>
        {label}
      </span>
      {hint && (
        <p id={`${id}-hint`} className={fieldHintClass}>
          {hint}
        </p>
      )}
      {!isWhole && <Notice silent>{t('office.text.partly')}</Notice>}
      <div
        className={cx(
          'flex flex-col rounded-md border bg-raised has-focus-visible:outline-2 has-focus-visible:outline-focus',
          error ? 'border-clay' : 'border-edge',
        )}
      >
        <Toolbar label={t('office.text.tools', { field: label })} controls={id}>
          {view && state && <Tools view={view} state={state} lang={lang} onLink={() => setIsLinking(true)} />}
        </Toolbar>
        <div
          ref={box}
          className="max-h-[36rem] min-h-40 cursor-text overflow-y-auto px-3.5 py-3 *:min-h-34"
        />
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {isLinking && view && <LinkDialog view={view} onClose={() => setIsLinking(false)} />}
    </FieldFrame>
  );
}

type EditorOptions = Pick<RichTextProps, 'value' | 'onChange' | 'addressOf'> & { onLink: () => void };

function useEditor(options: EditorOptions) {
  const { value } = options;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  /** What is in the editor, as HTML. */
  const written = useRef(value);
  const [view, setView] = useState<EditorView | null>(null);
  const [state, setState] = useState<EditorState | null>(null);
  const [isWhole, setIsWhole] = useState(() => isWholeInEditor(value));
  useLayoutEffect(() => {
    latest.current = options;
  });
  useLayoutEffect(() => {
    const editor = new EditorView(box.current, {
      state: EditorState.create({
        doc: documentFrom(written.current),
        plugins: plugins(() => latest.current.onLink()),
      }),
      nodeViews: {
        img: ({ attrs }) => {
          const dom = document.createElement('img');
          dom.src = latest.current.addressOf(String(attrs.src)) ?? '';
          dom.alt = String(attrs.alt ?? '');
          return { dom };
        },
      },
      transformPastedHTML: withLists,
      // Steps back are those of the whole form, which hears these keys; the browser's own would miss them.
      handleDOMEvents: {
        keydown: (_view, { key, ctrlKey, metaKey }) => (ctrlKey || metaKey) && /^[zy]$/i.test(key),
        beforeinput: (_view, event) => {
          if (event.inputType.startsWith('history')) event.preventDefault();
        },
      },
      dispatchTransaction(transaction) {
        const before = editor.state.doc;
        editor.updateState(editor.state.apply(transaction));
        setState(editor.state);
        if (transaction.getMeta(fromOutside) || editor.state.doc.eq(before)) return;
        written.current = htmlFrom(editor.state.doc);
        latest.current.onChange(written.current);
      },
    });
    setView(editor);
    setState(editor.state);
    return () => editor.destroy();
  }, []);
  // Not later: a key that is pressed meanwhile would be lost.
  useLayoutEffect(() => {
    if (!view || value === written.current) return;
    written.current = value;
    setIsWhole(isWholeInEditor(value));
    show(view, value);
  }, [view, value]);
  return { box, view, state, isWhole };
}

/** Changes no more than what differs, so that the cursor stays where it is. */
function show(view: EditorView, html: string): void {
  const next = documentFrom(html);
  const { doc, tr } = view.state;
  const start = doc.content.findDiffStart(next.content);
  const ends = doc.content.findDiffEnd(next.content);
  if (start === null || !ends) return;
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  tr.replace(start, ends.a + overlap, next.slice(start, ends.b + overlap));
  const exact = tr.doc.eq(next) ? tr : view.state.tr.replaceWith(0, doc.content.size, next.content);
  view.dispatch(exact.setMeta(fromOutside, true));
}

/** One stop for the Tab key; arrow keys lead from button to button. */
function Toolbar({ label, controls, children }: { label: string; controls: string; children: ReactNode }) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : buttons.at(to % buttons.length);
    if (!next) return;
    event.preventDefault();
    for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  };
  return (
    <div
      role="toolbar"
      aria-label={label}
      aria-controls={controls}
      onKeyDown={move}
      className="flex min-h-13 flex-wrap gap-x-0.5 border-line border-b p-1"
    >
      {children}
    </div>
  );
}

const blockTools = {
  h3: <b className="font-serif text-lg">H</b>,
  h4: <b className="text-sm">H</b>,
  ul: <Icon name="M9.5 6H20M9.5 12H20M9.5 18H20M4.5 6v.01M4.5 12v.01M4.5 18v.01" />,
  ol: <Icon name="M10.5 6H20M10.5 12H20M10.5 18H20M4 5l1.5-1v5M3.8 14.8c2-1.6 3.4 0 2.2 1.4L3.8 19h2.7" />,
  blockquote: <Icon name="M10 7C7 8 5.5 10 5.5 13v4h5v-5H8M18.5 7c-3 1-4.5 3-4.5 6v4h5v-5h-2.5" />,
} satisfies Record<BlockName, ReactNode>;

function Tools({
  view,
  state,
  lang,
  onLink,
}: {
  view: EditorView;
  state: EditorState;
  lang: string;
  onLink: () => void;
}) {
  const { t } = useLanguage();
  const isLinked = hasMark(state, 'a');
  const run = (command: ReturnType<typeof toggled>) => () => void command(view.state, view.dispatch, view);
  const tool = (
    name: 'strong' | 'em' | 'a' | BlockName,
    isOn: boolean,
    press: () => void,
    sign: ReactNode,
  ) => (
    <button
      key={name}
      type="button"
      tabIndex={name === 'strong' ? 0 : -1}
      aria-label={t(`office.text.${name}`)}
      title={t(`office.text.${name}`)}
      aria-pressed={isOn}
      className="grid size-11 place-items-center rounded-md hover:bg-surface-inset aria-pressed:bg-action-tint aria-pressed:text-action aria-pressed:inset-ring"
      // The cursor stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        press();
        if (detail > 0 && name !== 'a') view.focus();
      }}
    >
      {sign}
    </button>
  );
  return (
    <>
      {tool('strong', hasMark(state, 'strong'), run(toggled('strong')), <b className="text-lg">B</b>)}
      {/* Chinese has no italics. */}
      {!lang.startsWith('zh') &&
        tool(
          'em',
          hasMark(state, 'em'),
          run(toggled('em')),
          <i lang="en" className="font-serif text-lg">
            I
          </i>,
        )}
      {(Object.keys(blockTools) as BlockName[]).map((name) =>
        tool(name, isIn(state, name), run(toggledBlock(name)), blockTools[name]),
      )}
      {tool(
        'a',
        isLinked,
        onLink,
        <Icon name="M10 14a4 4 0 0 0 6 .4l3-3A4 4 0 0 0 13.3 5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3A4 4 0 0 0 10.7 18.3l1-1" />,
      )}
    </>
  );
}

/** People write addresses as they see them. */
function completed(typed: string): string {
  const text = typed.trim();
  if (text === '' || isLink(text)) return text;
  const [host = ''] = text.split(/[/?#]/);
  if (/^[^\s@:]+@[^\s@:.]+(?:\.[^\s@:.]+)+$/.test(text)) return `mailto:${text}`;
  return /^[^\s@:.]+(?:\.[^\s@:.]+)+$/.test(host) ? `https://${text}` : text;
}

function LinkDialog({ view, onClose }: { view: EditorView; onClose: () => void }) {
  const { t } = useLanguage();
  const [place] = useState(() => linkAt(view.state));
  const [typed, setTyped] = useState(place.href);
  const [isWrong, setIsWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const take = (href: string) => {
    linked(place, href)(view.state, view.dispatch);
    onClose();
    requestAnimationFrame(() => view.focus());
  };
  return createPortal(
    <Dialog open onClose={onClose} title={t('office.text.a')}>
      <form
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          const href = completed(typed);
          if (href !== '' && isLink(href)) take(href);
          else setIsWrong(true);
        }}
      >
        <TextField
          ref={field}
          label={t('office.text.address')}
          hint={t('office.text.addressHint')}
          error={isWrong && t('office.text.addressWrong')}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setIsWrong(false);
          }}
        />
        <div className="flex flex-wrap gap-3">
          <Button label={t('office.text.setLink')} type="submit" />
          {place.href !== '' && (
            <Button label={t('office.text.removeLink')} variant="secondary" onClick={() => take('')} />
          )}
        </div>
      </form>
    </Dialog>,
    document.body,
  );
}

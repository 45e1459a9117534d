/** The page beside its form, drawn by the storefront from what is in the form, saved or not. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { lookPages } from '#contract/limits.ts';
import { type Locale, locales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { cx } from '#ui/cx.ts';
import { Select } from '#ui/inputs.tsx';
import { useTrial } from './document.tsx';
import { useOffice } from './me.tsx';
import { Problem } from './send-form.tsx';

/** Of the window that it is drawn in, px. */
export const widths = { phone: 390, tablet: 820, desktop: 1280 } as const satisfies Widths;
type Screen = 'phone' | 'tablet' | 'desktop';
/** Of the window, px. */
type Widths = Readonly<Partial<Record<Screen, number>>>;

const screenNames = {
  phone: 'office.page.previewPhone',
  tablet: 'office.page.previewTablet',
  desktop: 'office.page.previewDesktop',
} as const;

/** In which language, on what screen and at what time something is shown, as somebody chooses. */
export function usePreviewed(languages: readonly Locale[], widths: Widths, first: Screen) {
  const { locale } = useOffice();
  const [screen, setScreen] = useState<Screen>(first);
  const [chosen, setLanguage] = useState<Locale>(locale);
  const [isNight, setIsNight] = useState(false);
  const language = languages.includes(chosen) ? chosen : (languages[0] ?? locale);
  return {
    languages,
    widths,
    screen,
    setScreen,
    language,
    setLanguage,
    isNight,
    setIsNight,
    width: widths[screen] ?? 0,
  };
}

/** The choices, with those of the room. */
export function PreviewChoices({
  of,
  children,
}: {
  of: ReturnType<typeof usePreviewed>;
  children?: ReactNode;
}) {
  const { t } = useOffice();
  const screens = Object.keys(of.widths) as Screen[];
  return (
    <div className="grid grid-cols-2 gap-4">
      {screens.length > 1 && (
        <Select
          label={t('office.page.previewWidth')}
          options={screens.map((value) => ({ value, label: t(screenNames[value]) }))}
          value={of.screen}
          onChange={({ target }) => of.setScreen(target.value as Screen)}
        />
      )}
      {of.languages.length > 1 && (
        <Select
          label={t('office.page.previewLanguage')}
          options={of.languages.map((code) => ({ value: code, label: locales[code].name }))}
          value={of.language}
          onChange={({ target }) => of.setLanguage(target.value as Locale)}
        />
      )}
      {children}
      <Select
        label={t('office.look.previewTime')}
        options={[
          { value: 'day', label: t('office.look.previewDay') },
          { value: 'night', label: t('office.look.previewNight') },
        ]}
        value={of.isNight ? 'night' : 'day'}
        onChange={({ target }) => of.setIsNight(target.value === 'night')}
      />
    </div>
  );
}

interface PreviewProps {
  kind: 'page' | 'post' | 'look';
  id: string;
  edits: Patch['edits'];
  languages: readonly Locale[];
  hint: string;
  /** The block whose fields are open: it comes into view. */
  block?: ChosenBlock | null;
  /** A block of it was pressed. */
  onBlock?: (id: string) => void;
}

/** Each choice is an object of its own, so that the same block can be chosen again. */
export interface ChosenBlock {
  id: string;
}

const trials = { page: 'tryPage', post: 'tryPost' } as const;

export function Preview({ kind, id, edits, languages, hint, block = null, onBlock }: PreviewProps) {
  const { t, call } = useOffice();
  const shown = usePreviewed(languages, widths, kind === 'look' ? 'desktop' : 'phone');
  const { language, width, isNight } = shown;
  const [page, setPage] = useState<(typeof lookPages)[number]>('home');
  const { data, error } = useTrial([`try-${kind}`, id, language, { edits, page }], () => {
    const parts = { params: { id }, body: { edits, language } };
    if (kind === 'look') return call('tryLook', { ...parts, body: { ...parts.body, page } });
    return call(trials[kind], parts);
  });
  return (
    <section className="flex flex-col gap-4" data-preview>
      <h2 className="text-lg">{t('office.page.preview')}</h2>
      <p className="text-ink-soft text-sm">{hint}</p>
      <PreviewChoices of={shown}>
        {kind === 'look' && (
          <Select
            label={t('office.look.previewPage')}
            options={lookPages.map((value) => ({ value, label: t(`office.look.page.${value}`) }))}
            value={page}
            onChange={({ target }) => setPage(target.value as typeof page)}
          />
        )}
      </PreviewChoices>
      <Problem error={error} />
      {data && (
        <Still
          html={withoutStyle(data.html)}
          width={width}
          title={t('office.page.preview')}
          night={isNight}
          block={block}
          onBlock={onBlock}
        />
      )}
    </section>
  );
}

interface NavigationStillProps extends Pick<PreviewProps, 'edits'> {
  id: string;
  screen: 'phone' | 'desktop';
  shown: ReturnType<typeof usePreviewed>;
  /** The group that is open, counted from the end (-1 is the last): categories stand before the merchant's own links. */
  group: number | null;
}

/** The header or the footer of the first page: on a phone with the menu that is behind its button. */
export function NavigationStill({
  id,
  edits,
  screen,
  shown: { language, isNight },
  group,
}: NavigationStillProps) {
  const { t, call } = useOffice();
  const { data, error } = useTrial(['try-navigation', id, language, { edits }], () =>
    call('tryNavigation', { params: { id }, body: { edits, language } }),
  );
  const isHeader = id === 'header';
  return (
    <>
      <Problem error={error} />
      {data && (
        <Still
          html={withoutStyle(data.html)}
          width={widths[screen]}
          title={`${t('office.page.preview')}: ${t(screenNames[screen])}`}
          isEnd={!isHeader}
          menu={isHeader ? { isDrawn: screen === 'phone', group } : null}
          night={isNight}
          className={
            screen === 'phone'
              ? undefined
              : isHeader && group === null
                ? 'aspect-[1280/160]'
                : 'aspect-[1280/380]'
          }
        />
      )}
    </>
  );
}

interface StillProps {
  html: string;
  width: number;
  title: string;
  /** Whether its end is what counts. */
  isEnd?: boolean;
  menu?: OpenMenu | null;
  night: boolean;
  block?: ChosenBlock | null;
  onBlock?: ((id: string) => void) | undefined;
  className?: string | undefined;
}

interface OpenMenu {
  /** Whether it is the one that slides in, of phones. */
  isDrawn: boolean;
  group: number | null;
}

/** A document that only shows. It is drawn once, and then its body is replaced: it keeps its place, and nothing flashes. */
export function Still({
  html,
  width,
  title,
  isEnd = false,
  menu = null,
  night,
  block = null,
  onBlock,
  className,
}: StillProps) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(html);
  const [space, setSpace] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const seen = new ResizeObserver(([entry]) => {
      if (entry) setSpace({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    if (box.current) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  useEffect(() => show(frame.current, { html, isEnd, menu, night }), [html, isEnd, menu, night]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another width it stands elsewhere
  useEffect(() => {
    if (block) bringIntoView(frame.current, block.id);
  }, [block, width]);
  const scale = space.width / width;
  return (
    <div
      ref={box}
      className={cx(
        'overflow-hidden rounded-md border border-line bg-paper',
        className ?? 'h-[min(44rem,70vh)]',
      )}
    >
      <iframe
        ref={frame}
        title={title}
        srcDoc={inert(first)}
        sandbox="allow-same-origin"
        className="origin-top-left border-0"
        style={{ width, height: scale > 0 ? space.height / scale : 0, transform: `scale(${scale})` }}
        onLoad={() => {
          show(frame.current, { html, isEnd, menu, night });
          listen(frame.current, onBlock);
        }}
      />
    </div>
  );
}

/** So that no link of it can be followed before it has loaded. */
const inert = (html: string) => html.replace('<body', '<body inert');

/** Scrolls the document alone. `scrollIntoView` takes the page around it along: on a phone away from the fields, which stand above. */
function bringIntoView(frame: HTMLIFrameElement | null, id: string): void {
  const root = frame?.contentDocument?.documentElement;
  const block = root?.querySelector(`[data-block="${CSS.escape(id)}"]`);
  if (!root || !block) return;
  const { top, height } = block.getBoundingClientRect();
  root.scrollTop += top + height / 2 - root.clientHeight / 2;
}

/** Says which block is pressed: what is inert answers nothing itself, so that the document asks where it was. */
function listen(frame: HTMLIFrameElement | null, onBlock: StillProps['onBlock']): void {
  const shown = frame?.contentDocument;
  if (!shown || !onBlock) return;
  shown.documentElement.style.cursor = 'pointer';
  shown.addEventListener('click', ({ clientY }) => {
    const pressed = [...shown.querySelectorAll<HTMLElement>('[data-block]')].find((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top <= clientY && clientY < bottom;
    });
    if (pressed?.dataset.block) onBlock(pressed.dataset.block);
  });
}

/** Nothing of it can be pressed, and its scripts were left out. Styles are set as properties: no policy forbids that. */
function show(
  frame: HTMLIFrameElement | null,
  { html, isEnd, menu, night }: Pick<StillProps, 'html' | 'isEnd' | 'menu' | 'night'>,
): void {
  const shown = frame?.contentDocument;
  if (!shown?.body || shown.readyState === 'loading') return;
  const next = new DOMParser().parseFromString(html, 'text/html');
  const sheets = next.querySelectorAll<HTMLTemplateElement>('template[data-sheet]');
  const style = [...sheets].map(({ content }) => content.textContent).join('');
  adopt(shown, style);
  setNight(shown, next, night);
  shown.documentElement.lang = next.documentElement.lang;
  const known = new Set(
    [...shown.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')),
  );
  for (const link of next.querySelectorAll('link[rel=stylesheet]'))
    if (!known.has(link.getAttribute('href'))) shown.head.append(shown.importNode(link, true));
  const body = shown.importNode(next.body, true);
  for (const each of [body, ...body.querySelectorAll<HTMLElement>('[data-style]')])
    each.style.cssText = each.dataset.style ?? '';
  body.inert = true;
  if (menu) openMenu(body, menu);
  shown.body.replaceWith(body);
  if (isEnd) shown.documentElement.scrollTop = shown.documentElement.scrollHeight;
}

/** What a press would open. */
function openMenu(body: HTMLElement, { isDrawn, group }: OpenMenu): void {
  const drawer = body.querySelector('dialog.drawer-start');
  drawer?.toggleAttribute('open', isDrawn);
  if (group === null) return;
  const panel = [...body.querySelectorAll<HTMLElement>('.menu-panel')].at(group);
  if (panel) panel.hidden = false;
  [...(drawer?.querySelectorAll('details') ?? [])].at(group)?.setAttribute('open', '');
}

/** Its own style as a text: the office forbids it as an element. */
export const withoutStyle = (html: string) =>
  html.replaceAll(/<style>([\s\S]*?)<\/style>/g, '<template data-sheet>$1</template>');

/** The page's own style, as a sheet that no policy forbids. */
function adopt(shown: Document, style: string): void {
  const { defaultView: view } = shown;
  if (!view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(style);
  shown.adoptedStyleSheets = [sheet];
}

const darkQuery = '(prefers-color-scheme: dark)';
/** What a rule or picture asks for, before it is answered. */
const asked = new WeakMap<CSSMediaRule, string>();
const answerTo = (query: string, night: boolean) =>
  query.replaceAll(darkQuery, night ? '(min-width: 0px)' : '(max-width: 0px)');

/** Answers what the document asks of the device: whether it is dark. */
function setNight(shown: Document, next: Document, night: boolean): void {
  const answer = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (isMediaRule(rule)) {
        const query = asked.get(rule) ?? rule.media.mediaText;
        if (query.includes(darkQuery)) {
          asked.set(rule, query);
          rule.media.mediaText = answerTo(query, night);
        }
      }
      if ('cssRules' in rule) answer(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of [...shown.styleSheets, ...shown.adoptedStyleSheets]) answer(sheet.cssRules);
  for (const source of next.querySelectorAll('source[media]'))
    source.setAttribute('media', answerTo(source.getAttribute('media') ?? '', night));
  shown.documentElement.style.colorScheme = night ? 'dark' : 'light';
}

/** Of the window that is shown, whose classes are others. */
const isMediaRule = (rule: CSSRule): rule is CSSMediaRule => 'media' in rule && 'conditionText' in rule;

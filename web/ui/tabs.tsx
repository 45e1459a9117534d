import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

export interface Tab {
  id: string;
  label: ReactNode;
  content: ReactNode;
}

/** Where the arrow keys go from tab `at` of `count`; null for other keys. */
export function tabAfter(key: string, at: number, count: number): number | null {
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[key];
  return next === undefined ? null : (next + count) % count;
}

/** Parts of a page that take turns. All of them are in the page, for search engines and finding in page. */
export function Tabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  const base = useId();
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const press = (event: KeyboardEvent<HTMLElement>, at: number) => {
    const next = tabAfter(event.key, at, tabs.length);
    const tab = next === null ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    setChosen(tab.id);
    document.getElementById(`${base}-${tab.id}`)?.focus();
  };
  return (
    <div>
      <div className="tabs-list" role="tablist" aria-label={label}>
        {tabs.map((tab, at) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-controls={`${base}-${tab.id}-panel`}
            aria-selected={tab.id === chosen}
            tabIndex={tab.id === chosen ? 0 : -1}
            className="tabs-tab"
            onClick={() => setChosen(tab.id)}
            onKeyDown={(event) => press(event, at)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${base}-${tab.id}-panel`}
          aria-labelledby={`${base}-${tab.id}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of text alone must be reachable to be scrolled
          tabIndex={0}
          hidden={tab.id !== chosen}
          className="tabs-panel"
        >
          {tab.content}
        </div>
      ))}
    </div>
  );
}

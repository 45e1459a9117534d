/** Styles Stripe's form like the shop: its frame has no access to our style sheets, so it receives the token values. */
import type { Appearance } from '@stripe/stripe-js';
import { useSyncExternalStore } from 'react';

/** Reads computed token values by their names without dashes, such as `read('color-paper')`. */
export type ReadToken = (name: string) => string;

/** The frame does not have our fonts either; it uses the next one of the family that it has. */
export function appearanceOf(read: ReadToken): Appearance {
  const edge = `1px solid ${read('color-edge')}`;
  return {
    theme: 'flat',
    variables: {
      colorPrimary: read('color-action'),
      accessibleColorOnColorPrimary: read('color-on-action'),
      colorBackground: read('color-raised'),
      colorText: read('color-ink'),
      colorTextSecondary: read('color-ink-soft'),
      colorTextPlaceholder: read('color-ink-soft'),
      colorDanger: read('color-clay'),
      colorSuccess: read('color-action'),
      iconColor: read('color-ink-soft'),
      fontFamily: read('font-sans'),
      fontSizeBase: '18px',
      fontSizeSm: '18px',
      fontSizeXs: '15px',
      fontWeightMedium: read('font-weight-semibold'),
      fontLineHeight: '1.4',
      borderRadius: read('radius-md'),
      gridRowSpacing: '20px',
      gridColumnSpacing: '16px',
    },
    rules: {
      '.Label': { fontWeight: read('font-weight-semibold'), color: read('color-ink'), marginBottom: '6px' },
      '.Input': { border: edge, boxShadow: 'none', padding: '11px 14px' },
      '.Input:hover': { borderColor: read('color-ink') },
      '.Input:focus': { borderColor: read('color-focus'), boxShadow: `0 0 0 2px ${read('color-focus')}` },
      '.Input--invalid': { borderColor: read('color-clay'), boxShadow: `inset 0 0 0 1px ${read('color-clay')}` },
      '.Error': { color: read('color-clay'), fontSize: '15px' },
      '.Tab': { border: edge, boxShadow: 'none', backgroundColor: read('color-raised') },
      '.Tab--selected': {
        borderColor: read('color-action'),
        backgroundColor: read('color-action-tint'),
        color: read('color-ink'),
        boxShadow: `inset 0 0 0 1px ${read('color-action')}`,
      },
      '.TabIcon--selected': { fill: read('color-ink') },
      '.Block': { border: edge, boxShadow: 'none', backgroundColor: read('color-raised') },
    },
  };
}

const dark = '(prefers-color-scheme: dark)';

function readPage(): Appearance {
  const style = getComputedStyle(document.documentElement);
  return appearanceOf((name) => style.getPropertyValue(`--${name}`).trim());
}

let shown: { scheme: boolean; appearance: Appearance } | undefined;

function current(): Appearance {
  const scheme = matchMedia(dark).matches;
  if (shown?.scheme !== scheme) shown = { scheme, appearance: readPage() };
  return shown.appearance;
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(dark);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    current,
    current,
  );
}

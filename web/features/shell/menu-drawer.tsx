import { useState } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { IconButton } from '#ui/button.tsx';
import { Drawer } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import { lazyWithPreload, usePreload } from '#web/lib/lazy-with-preload.tsx';
import { useBeforeNavigate } from '#web/lib/use-before-navigate.ts';

/** In a file of its own: the menu's links are in every page already, as the expanded menu. */
const DrawerMenu = lazyWithPreload(async () => (await import('./drawer-menu.tsx')).DrawerMenu);

/** The menu below 960 px: a button, and the drawer that it opens. */
export function MenuDrawer({ content, signedIn }: { content: AppContent; signedIn: boolean | undefined }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  /** Whether it was ever open; its content stays while it slides out. */
  const [filled, setFilled] = useState(false);
  const close = () => setOpen(false);
  useBeforeNavigate(close);
  return (
    <>
      <IconButton
        icon="menu"
        label={t('shell.menu.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        {...usePreload(DrawerMenu)}
        onClick={() => {
          setFilled(true);
          setOpen(true);
        }}
      />
      <Drawer side="start" open={open} onClose={close} title={t('shell.menu')}>
        {filled && <DrawerMenu content={content} signedIn={signedIn} />}
      </Drawer>
    </>
  );
}

import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';

/** In a file of its own: the menu's links are in every page already, as the expanded menu. */
const DrawerMenu = lazyWithPreload(async () => (await import('./drawer-menu.tsx')).DrawerMenu);

/** The menu below 960 px: a button, and the drawer that it opens. */
export function MenuDrawer({ content, signedIn }: { content: AppContent; signedIn: boolean | undefined }) {
  const t = useT();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  /** Whether it was ever open; its content stays while it slides out. */
  const [filled, setFilled] = useState(false);
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  // A failed preload is repeated when the drawer opens.
  const preload = () => void DrawerMenu.preload().catch(() => {});
  return (
    <>
      <IconButton
        icon="menu"
        label={t('shell.menu.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => {
          setFilled(true);
          setOpen(true);
        }}
      />
      <Drawer side="start" open={open} onClose={() => setOpen(false)} title={t('shell.menu')}>
        {filled && <DrawerMenu content={content} signedIn={signedIn} />}
      </Drawer>
    </>
  );
}

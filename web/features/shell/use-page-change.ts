import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusPage } from '#web/lib/focus.ts';
import { announce } from '#web/ui/announce.ts';

/** Does what a browser does for a new document: moves focus to its start and announces its title. */
export function usePageChange(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        focusPage();
        announce(document.title);
      }),
    [router],
  );
}

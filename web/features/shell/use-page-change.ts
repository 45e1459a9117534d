import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { focusPage } from '#web/lib/focus.ts';
import { announce } from '#web/ui/announce.ts';

/** What a browser does for a new document: focus goes to its beginning, and its title is said. */
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

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '#ui/announce.tsx';
import { focusPage } from '#ui/focus.ts';

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

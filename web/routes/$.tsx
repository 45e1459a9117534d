/** SPEC §2: any unknown address goes to /. */
import { createFileRoute, redirect } from '@tanstack/react-router';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/$')({
  beforeLoad: () => {
    throw redirect({ href: urls.homeInstead(), statusCode: 302, replace: true });
  },
});

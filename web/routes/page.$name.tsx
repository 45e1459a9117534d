import { createFileRoute, redirect } from '@tanstack/react-router';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/page/$name')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: urls.page(params.name), statusCode: 301, replace: true });
  },
});

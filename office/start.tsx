import { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { openDocument } from './lib/open.tsx';
import { createOfficeRouter } from './router.tsx';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true } } });
void openDocument(queries, <RouterProvider router={createOfficeRouter()} />);

import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { isLocale, locales } from '#contract/locales.ts';
import { I18nProvider, loadI18n } from '#web/i18n/i18n.tsx';
import '../../styles/main.css';
import './gallery.css';
import { LiveRegion } from '../live-region.tsx';
import { Commerce } from './commerce.tsx';
import { Controls } from './controls.tsx';
import { Surfaces } from './surfaces.tsx';

const asked = new URLSearchParams(location.search).get('lang');
const i18n = await loadI18n(isLocale(asked) ? asked : 'en');
document.documentElement.lang = locales[i18n.locale].tag;

function Gallery() {
  return (
    <I18nProvider i18n={i18n}>
      <main id="main">
        <Commerce />
        <Controls />
        <Surfaces />
      </main>
      <LiveRegion />
    </I18nProvider>
  );
}

const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
});

const root = document.getElementById('root');
// This router is not the shop's, which is the one its types know.
if (root) createRoot(root).render(<RouterProvider router={router as never} />);

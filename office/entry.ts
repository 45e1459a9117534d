/**
 * The first script of the office. It asks at once for what the first screen needs (who is there, the messages, the room's view), which
 * is then there when the office itself is loaded and evaluated.
 */
import './styles.css';
import { locales } from '#contract/locales.ts';
import { askEarly, firstLocale } from './lib/early.ts';
import { loadViewOf } from './rooms/index.ts';

askEarly('me');
void locales[firstLocale()].load();
loadViewOf(location.pathname.replace(/^\/office/, ''));
void import('./office.tsx');

/** While developing, what Vite would otherwise write as an inline script: React Refresh goes first. */
import '@vitejs/plugin-react/preamble';

await import('./entry.client.tsx');

/** Loads React Refresh first during development, which Vite would otherwise do with an inline script. */
import '@vitejs/plugin-react/preamble';

await import('./entry.client.tsx');

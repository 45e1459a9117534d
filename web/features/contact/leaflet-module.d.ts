/** Leaflet as modules: the package's own entry is CommonJS, whose wrapping every page would carry. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}

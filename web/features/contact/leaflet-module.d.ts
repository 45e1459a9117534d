/** Types Leaflet's ES module: the package's own entry is CommonJS, whose wrapper every page would carry. */
declare module 'leaflet/dist/leaflet-src.esm.js' {
  export * from 'leaflet';
}

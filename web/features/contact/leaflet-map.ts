/** Loaded when a customer requests the map, as are Leaflet and the tiles. */
import {
  control,
  divIcon,
  type Map as LeafletMap,
  type Marker,
  map as makeMap,
  marker as makeMarker,
  tileLayer,
} from 'leaflet/dist/leaflet-src.esm.js';
import 'leaflet/dist/leaflet.css';
import './leaflet-map.css';

export interface MapStore {
  id: string;
  name: string;
  lat: number;
  lng: number;
  lines: string[];
}

export interface MapOptions {
  stores: readonly MapStore[];
  selected: string;
  /** With {z}, {x} and {y}, as Leaflet expects. */
  tilesUrl: string;
  attribution: string;
  words: { zoomIn: string; zoomOut: string };
  still: boolean;
  onSelect: (id: string) => void;
  onFailure: () => void;
}

export interface StoreMap {
  show(id: string): void;
  remove(): void;
}

/** SPEC §2. */
const storeZoom = 15;
const furthestZoom = 19;
/** The number of tiles that may fail before any arrives until the map is abandoned. */
const patience = 4;

/** Puts the map into an element of its own, which has its final size. */
export function openMap(element: HTMLElement, options: MapOptions): StoreMap {
  const { stores, words, still } = options;
  const map = makeMap(element, {
    zoomControl: false,
    attributionControl: false,
    // The wheel scrolls the page, also over the map.
    scrollWheelZoom: false,
    zoomAnimation: !still,
    fadeAnimation: !still,
    markerZoomAnimation: !still,
  });
  // Nothing is drawn before the map has a position.
  const start = stores.find(({ id }) => id === options.selected) ?? stores[0];
  if (start) map.setView([start.lat, start.lng], storeZoom);
  control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map);
  control.attribution({ prefix: false }).addTo(map).addAttribution(attributionHtml(options.attribution));
  addTiles(map, options);

  const markers = new Map(stores.map((store) => [store.id, addMarker(map, store, options.onSelect)]));
  const show = (id: string) => {
    const store = stores.find((candidate) => candidate.id === id);
    if (!store) return;
    for (const [other, marker] of markers) {
      marker.getElement()?.classList.toggle('map-pin-selected', other === id);
      marker.setZIndexOffset(other === id ? 1000 : 0);
    }
    map.setView([store.lat, store.lng], storeZoom, { animate: !still });
    markers.get(id)?.openPopup();
  };
  show(options.selected);
  return {
    show,
    remove: () => void map.remove(),
  };
}

function addTiles(map: LeafletMap, { tilesUrl, onFailure }: MapOptions): void {
  const tiles = tileLayer(tilesUrl, { maxZoom: furthestZoom });
  let failed = 0;
  tiles.on('tileerror', () => {
    failed += 1;
    if (failed === patience) onFailure();
  });
  // One tile that loads shows that others may.
  tiles.on('tileload', () => {
    failed = Number.NEGATIVE_INFINITY;
  });
  tiles.addTo(map);
}

const pin =
  '<svg viewBox="0 0 32 42" aria-hidden="true"><path d="M16 41C24 30 30 23 30 15.5a14 14 0 0 0-28 0C2 23 8 30 16 41z"/><circle cx="16" cy="15.5" r="5"/></svg>';

/** A pin in the shop's colour, reached by Tab and opened by Enter or Space. */
function addMarker(map: LeafletMap, store: MapStore, onSelect: (id: string) => void): Marker {
  const icon = divIcon({
    className: 'map-pin',
    html: pin,
    iconSize: [32, 42],
    iconAnchor: [16, 41],
    popupAnchor: [0, -36],
  });
  const marker = makeMarker([store.lat, store.lng], { icon, title: store.name, riseOnHover: true });
  marker.addTo(map).bindPopup(popup(store), { closeButton: false, autoPan: false });
  marker.on('click', () => onSelect(store.id));
  const element = marker.getElement();
  element?.setAttribute('aria-label', store.name);
  element?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onSelect(store.id);
  });
  return marker;
}

function popup({ name, lines }: MapStore): HTMLElement {
  const element = document.createElement('div');
  for (const [index, text] of [name, ...lines].entries()) {
    const line = document.createElement(index === 0 ? 'strong' : 'span');
    line.textContent = text;
    element.append(line);
  }
  return element;
}

/** Leaflet accepts markup here. OpenStreetMap requires a link to its terms. */
function attributionHtml(attribution: string): string {
  const element = document.createElement('a');
  element.textContent = attribution;
  element.href = 'https://www.openstreetmap.org/copyright';
  element.rel = 'noopener';
  return attribution.includes('OpenStreetMap') ? element.outerHTML : element.innerHTML;
}

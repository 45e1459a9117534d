export interface PinnedStore {
  id: string;
  name: string;
  /** Degrees. */
  lat: number;
  lng: number;
}

interface Point {
  x: number;
  y: number;
}

interface PlacedStore extends PinnedStore, Point {
  /** Where its name is written. */
  label: Point & { textAnchor: 'start' | 'end' };
}

/** The drawing's own units. */
const width = 400;
const height = 220;
const margin = { x: 48, y: 30 };
const lines = [1, 2, 3, 4, 5, 6, 7];

/** Where the stores are to each other, drawn without a map: to scale, north up. The list beside it says the same in words. */
export function StorePins({ stores }: { stores: readonly PinnedStore[] }) {
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="min-h-0 w-full flex-1" aria-hidden="true">
      <g className="stroke-line" fill="none">
        {lines.map((line) => (
          <path key={line} d={`M${line * 50} 0v${height}M0 ${line * 50 - 22}h${width}`} />
        ))}
      </g>
      {placed(stores).map(({ id, name, x, y, label }) => (
        <g key={id}>
          <circle cx={x} cy={y} r="6" className="fill-action" />
          <text {...label} className="fill-ink text-[14px]">
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The stores in the drawing, which they fill as far as its shape allows. Mercator's projection, as maps on the web have it. */
export function placed(stores: readonly PinnedStore[]): PlacedStore[] {
  const points = stores.map(({ lat, lng }) => ({ x: (lng * Math.PI) / 180, y: -Math.asinh(Math.tan((lat * Math.PI) / 180)) }));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const extent = (values: number[]) => Math.max(...values) - Math.min(...values);
  const scale = Math.min((width - 2 * margin.x) / extent(xs), (height - 2 * margin.y) / extent(ys));
  // A single store, or several in one place, are in the middle.
  const unit = Number.isFinite(scale) ? scale : 0;
  const at = (value: number, values: number[], size: number) => Math.round(size / 2 + (value - middle(values)) * unit);
  const pins = points.map(({ x, y }) => ({ x: at(x, xs, width), y: at(y, ys, height) }));
  return stores.map((store, index) => {
    const pin = pins[index] ?? { x: 0, y: 0 };
    return { ...store, ...pin, label: labelAt(pin, pins) };
  });
}

/** Beside the pin, on the side of the middle; under it if another pin with its label is there. */
function labelAt({ x, y }: Point, pins: readonly Point[]): PlacedStore['label'] {
  if (x > width / 2) return { x: x - 12, y: y + 5, textAnchor: 'end' };
  const taken = pins.some((pin) => pin.x > x + 24 && pin.x < x + 130 && Math.abs(pin.y - y) < 18);
  return taken ? { x: x - 6, y: y + 22, textAnchor: 'start' } : { x: x + 12, y: y + 5, textAnchor: 'start' };
}

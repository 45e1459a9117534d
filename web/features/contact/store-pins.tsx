export interface PinnedStore {
  id: string;
  name: string;
  /** Degrees. */
  lat: number;
  lng: number;
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
      {placed(stores).map(({ id, name, x, y }) => (
        <g key={id}>
          <circle cx={x} cy={y} r="6" className="fill-action" />
          <text
            x={x > width / 2 ? x - 12 : x + 12}
            y={y + 5}
            textAnchor={x > width / 2 ? 'end' : 'start'}
            className="fill-ink text-[14px]"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The stores in the drawing, which they fill as far as its shape allows. Mercator's projection, as maps on the web have it. */
export function placed(stores: readonly PinnedStore[]): (PinnedStore & { x: number; y: number })[] {
  const points = stores.map(({ lat, lng }) => ({ x: (lng * Math.PI) / 180, y: -Math.asinh(Math.tan((lat * Math.PI) / 180)) }));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const extent = (values: number[]) => Math.max(...values) - Math.min(...values);
  const scale = Math.min((width - 2 * margin.x) / extent(xs), (height - 2 * margin.y) / extent(ys));
  // A single store, or several in one place, are in the middle.
  const unit = Number.isFinite(scale) ? scale : 0;
  const at = (value: number, values: number[], size: number) => Math.round(size / 2 + (value - middle(values)) * unit);
  return stores.map((store, index) => ({
    ...store,
    x: at(points[index]?.x ?? 0, xs, width),
    y: at(points[index]?.y ?? 0, ys, height),
  }));
}

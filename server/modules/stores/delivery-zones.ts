/** Zones to which a store delivers itself: their rules, and whether an address lies in one. */
import { type Problem, problem, shown } from '#contract/problems.ts';
import type { DeliveryZone, Point } from '#contract/schemas/store.ts';

/** What the schema cannot state: ids that repeat or are too long, and polygons that cross themselves. */
export function zoneProblems(storeId: string, zones: readonly DeliveryZone[]): Problem[] {
  const ids = zones.map(({ id }) => id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...repeated].map((id) => problem(['deliveryZones'], 'problem.repeatedEntry', { name: id })),
    ...zones.flatMap(({ id, polygon }, index) => {
      const path = ['deliveryZones', String(index)];
      // Both make up the id of the shipping method.
      const isLong = storeId.length + id.length > 99;
      return [
        ...(isLong ? [problem([...path, 'id'], 'problem.zone.id', { found: shown(id) })] : []),
        ...(isSimple(polygon) ? [] : [problem([...path, 'polygon'], 'problem.zone.polygon')]),
      ];
    }),
  ];
}

/** The first zone that holds an address: by its point, or by its postal code if the point is unknown. */
export function zoneOf(zones: readonly DeliveryZone[], postCode: string, point: Point | null): DeliveryZone | null {
  const code = plain(postCode);
  const holds = ({ polygon, postalCodes }: DeliveryZone) =>
    point ? isInside(point, polygon) : postalCodes.some((start) => code.startsWith(plain(start)));
  return zones.find(holds) ?? null;
}

function plain(postCode: string): string {
  return postCode.replace(/[^a-z0-9]/gi, '').toUpperCase();
}

/** Whether a point lies in a polygon, by the number of edges that a ray from it crosses. Degrees count as a plane. */
export function isInside({ lat, lng }: Point, polygon: readonly Point[]): boolean {
  return (
    edgesOf(polygon).filter(
      ([from, to]) =>
        from.lat > lat !== to.lat > lat && lng < from.lng + ((lat - from.lat) / (to.lat - from.lat)) * (to.lng - from.lng),
    ).length %
      2 ===
    1
  );
}

type Edge = readonly [from: Point, to: Point];

function edgesOf(polygon: readonly Point[]): Edge[] {
  return polygon.map((from, index) => [from, polygon[(index + 1) % polygon.length] ?? from]);
}

/** Whether edges meet at the corners that they share and nowhere else. */
export function isSimple(polygon: readonly Point[]): boolean {
  const edges = edgesOf(polygon);
  if (edges.some(([a, b]) => a.lat === b.lat && a.lng === b.lng)) return false;
  return edges.every(([a, b], first) =>
    edges.every(([c, d], second) => {
      if (second <= first) return true;
      if (second === first + 1) return !doublesBack(a, b, d);
      if (first === 0 && second === edges.length - 1) return !doublesBack(c, d, b);
      return !touches([a, b], [c, d]);
    }),
  );
}

/** Whether the edge from `b` to `c` runs back along the one from `a` to `b`. */
function doublesBack(a: Point, b: Point, c: Point): boolean {
  return side(a, b, c) === 0 && (b.lng - a.lng) * (c.lng - b.lng) + (b.lat - a.lat) * (c.lat - b.lat) < 0;
}

function touches([a, b]: Edge, [c, d]: Edge): boolean {
  const sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)] as const;
  if (sides[0] !== sides[1] && sides[2] !== sides[3]) return true;
  return (
    (sides[0] === 0 && isBetween(a, c, b)) ||
    (sides[1] === 0 && isBetween(a, d, b)) ||
    (sides[2] === 0 && isBetween(c, a, d)) ||
    (sides[3] === 0 && isBetween(c, b, d))
  );
}

/** On which side of the line from `a` to `b` a point lies: −1, 1, or 0 on it. */
function side(a: Point, b: Point, { lat, lng }: Point): number {
  return Math.sign((b.lng - a.lng) * (lat - a.lat) - (b.lat - a.lat) * (lng - a.lng));
}

/** Whether a point of the line from `a` to `b` lies between them. */
function isBetween(a: Point, { lat, lng }: Point, b: Point): boolean {
  const between = (from: number, value: number, to: number) => Math.min(from, to) <= value && value <= Math.max(from, to);
  return between(a.lat, lat, b.lat) && between(a.lng, lng, b.lng);
}

/** A reproducible random generator: mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  chance(often: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (often) => next() < often,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}

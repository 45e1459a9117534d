import type { FilterColour } from '#contract/list-filters.ts';

/** Below this difference between the strongest and the weakest channel (0–1), a colour is seen as grey. */
const leastChroma = 0.06;

/** Such as `#d9c7a6`. */
export function colourFamily(hex: string): FilterColour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255);
  const strongest = Math.max(red, green, blue);
  const chroma = strongest - Math.min(red, green, blue);
  const lightness = strongest - chroma / 2;
  if (lightness > 0.86 && chroma < 0.12) return 'white';
  if (lightness < 0.15 && chroma < 0.12) return 'black';
  if (chroma < leastChroma) return lightness > 0.86 ? 'white' : lightness < 0.2 ? 'black' : 'grey';
  return familyOfHue(hueOf({ red, green, blue, strongest, chroma }), lightness, chroma);
}

interface Channels {
  red: number;
  green: number;
  blue: number;
  strongest: number;
  chroma: number;
}

function hueOf({ red, green, blue, strongest, chroma }: Channels): number {
  const sector =
    strongest === red ? (green - blue) / chroma : strongest === green ? (blue - red) / chroma + 2 : (red - green) / chroma + 4;
  return (sector * 60 + 360) % 360;
}

function familyOfHue(hue: number, lightness: number, chroma: number): FilterColour {
  if (hue < 20 || hue >= 335) return lightness > 0.6 ? 'pink' : hue >= 10 && hue < 20 && chroma < 0.45 ? 'brown' : 'red';
  if (hue < 70) {
    if (lightness >= 0.6 && chroma < 0.35) return 'beige';
    if (lightness < 0.48) return hue < 45 ? 'brown' : 'green';
    return hue < 42 ? 'orange' : 'yellow';
  }
  if (hue < 170) return 'green';
  if (hue < 255) return 'blue';
  return lightness > 0.75 && hue > 300 ? 'pink' : 'purple';
}

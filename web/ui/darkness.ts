/**
 * Whether light text reads better than dark text on a colour (`#rrggbb`): its relative luminance (WCAG 2.2) is under 0.18,
 * where black and white have the same contrast.
 */
export function isDark(color: string): boolean {
  const [red = 1, green = 1, blue = 1] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}

/** The page's colours, made from the operator's one accent so that the page looks like theirs. */

type Rgb = readonly [red: number, green: number, blue: number];

/** The first letters of the names are CSS custom properties, and so differ (scripts/build-page.ts). */
export interface Palette {
  readonly bg: string;
  readonly paper: string;
  readonly ink: string;
  /** Lesser text: still 7:1. */
  readonly soft: string;
  readonly rule: string;
  /** Where the ticket comes out. */
  readonly gap: string;
  /** Fills and the visitor's own figure: 3:1 against paper and background. */
  readonly accent: string;
  readonly on: string;
  /** The accent where it is text: 7:1. */
  readonly tint: string;
}

export interface Palettes {
  readonly light: Palette;
  readonly dark: Palette;
}

/** Indigo, as cloth is dyed. */
export const DEFAULT_ACCENT = "#1d4e79";

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const TEXT_CONTRAST = 7;
const SHAPE_CONTRAST = 3;
const STEPS = 40;

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const print = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** `share` of `a`, the rest of `b`. */
const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] * share + b[0] * (1 - share),
  a[1] * share + b[1] * (1 - share),
  a[2] * share + b[2] * (1 - share),
];

/** Relative luminance, WCAG 2.2. */
const luminance = (color: Rgb): number => {
  const [red, green, blue] = color.map((part) => {
    const value = Math.round(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const ratio = (a: Rgb, b: Rgb): number => {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

/** Contrast of two `#rrggbb` colours, WCAG 2.2: 1 to 21. */
export const contrast = (a: string, b: string): number => ratio(parse(a), parse(b));

/** The nearest mixture of `color` and `pole` that stands out enough from every ground. */
const standOut = (color: Rgb, pole: Rgb, grounds: readonly Rgb[], least: number): Rgb => {
  for (let step = 0; step < STEPS; step++) {
    const candidate = parse(print(mix(pole, color, step / STEPS)));
    if (grounds.every((ground) => ratio(candidate, ground) >= least)) return candidate;
  }
  return pole;
};

const scheme = (accent: Rgb, grounds: { bg: Rgb; paper: Rgb }, pole: Rgb): Palette => {
  const both = [grounds.bg, grounds.paper];
  const fill = standOut(accent, pole, both, SHAPE_CONTRAST);
  return {
    bg: print(grounds.bg),
    paper: print(grounds.paper),
    ink: print(mix(accent, mix(pole, grounds.bg, 0.91), 0.08)),
    soft: print(standOut(mix(pole, grounds.bg, 0.62), pole, both, TEXT_CONTRAST)),
    rule: print(mix(pole, grounds.bg, 0.18)),
    gap: print(mix(accent, mix(pole, grounds.bg, pole === BLACK ? 0.85 : 0.35), 0.2)),
    accent: print(fill),
    on: print(ratio(fill, WHITE) >= ratio(fill, BLACK) ? WHITE : BLACK),
    tint: print(standOut(accent, pole, both, TEXT_CONTRAST)),
  };
};

/** @param accent `#rrggbb`; anything else means the default */
export const palettesOf = (accent: string | null): Palettes => {
  const color = parse(accent !== null && /^#[0-9a-f]{6}$/i.test(accent) ? accent : DEFAULT_ACCENT);
  return {
    light: scheme(color, { bg: mix(color, [248, 248, 245], 0.06), paper: [255, 254, 251] }, BLACK),
    dark: scheme(
      color,
      { bg: mix(color, [17, 18, 20], 0.06), paper: mix(color, [33, 35, 38], 0.07) },
      WHITE,
    ),
  };
};

const declarations = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name.slice(0, 1)}:${value}`)
    .join(";");

export const paletteCss = ({ light, dark }: Palettes): string =>
  `:root{${declarations(light)}}` +
  `@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}`;

import type { Appearance } from "../../core/definition.ts";
import { paletteCss, palettesOf } from "./palette.ts";

const safeLogo = (logo: string | null): string | null =>
  logo !== null && /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(logo) ? logo : null;

/** As it stands in an attribute with double quotes: only what would end a URL is encoded. */
const iconOf = (accent: string): string =>
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  `<path fill='%23${accent.slice(1)}' d='M2 2h12v4.5a1 1 0 0 0 0 3v4.5h-12v-4.5a1 1 0 0 0 0-3z'/></svg>`;

/** What a template shows of the operator's appearance. */
export const looksOf = ({ accent, logo }: Appearance) => {
  const palettes = palettesOf(accent);
  return {
    palette: paletteCss(palettes),
    themeLight: palettes.light.bg,
    themeDark: palettes.dark.bg,
    icon: iconOf(palettes.light.accent),
    logo: safeLogo(logo),
  };
};

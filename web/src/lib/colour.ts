/** Colours that stay legible: a theme's accent is chosen for its look, the shade that carries text is derived from it. */

type Rgb = [number, number, number];

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** The lightness scaled by `share`, the saturation kept: a deeper tone, not a duller one. */
function scaled(rgb: Rgb, share: number): Rgb {
  const [least, most] = [Math.min(...rgb), Math.max(...rgb)];
  const lightness = (least + most) / 2;
  const half = Math.min(lightness, 255 - lightness);
  const target = lightness * share;
  const spread = half === 0 ? 0 : Math.min(target, 255 - target) / half;
  return rgb.map((part) => target + (part - lightness) * spread) as Rgb;
}

function format(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, WCAG 2. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio of two `#rrggbb` colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

/** The lightest shade of `hex` that reaches `ratio` against white. */
export function legible(hex: string, ratio = 4.6): string {
  const rgb = parse(hex);
  for (let share = 1; share > 0; share -= 0.01) {
    const shade = format(scaled(rgb, share));
    if (contrast(shade, '#ffffff') >= ratio) return shade;
  }
  return '#000000';
}

/** A deeper tone of `hex`; `share` 0 to 1 is what is left of its lightness. */
export function deeper(hex: string, share: number): string {
  return format(scaled(parse(hex), share));
}

/** The tone of `hex` nearest to it that reaches `ratio` on `ground`: lighter on a dark one, deeper on a light one. */
export function legibleOn(hex: string, ground: string, ratio = 4.6): string {
  const onDark = luminance(parse(ground)) < 0.3;
  let rgb = parse(hex);
  for (let step = 0; step < 100; step += 1) {
    const shade = format(rgb);
    if (contrast(shade, ground) >= ratio) return shade;
    rgb = onDark
      ? (rgb.map((part) => part + (255 - part) * 0.06) as Rgb)
      : (rgb.map((part) => part * 0.95) as Rgb);
  }
  return onDark ? '#ffffff' : '#000000';
}

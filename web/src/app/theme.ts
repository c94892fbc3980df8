/** The default theme: antd's tokens, and the same colours as --x-… for our own style sheets. */
import type { ThemeConfig } from 'antd';
import { deeper, legible } from '@/lib/colour';
import { site } from '@/site';

const accent = legible(site.colour);

const FONT =
  "-apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";

const colours = {
  ground: '#f4f6f8',
  surface: '#ffffff',
  line: '#e4e8ec',
  text: '#1b2530',
  'text-2': '#5a6673',
  'text-3': '#6b7682',
  side: '#18222e',
  'side-text': '#c9d2dc',
  accent,
  /** The accent as it was chosen: for lines and marks, not for text. */
  'accent-pure': site.colour,
  'accent-tint': `color-mix(in srgb, ${site.colour} 10%, white)`,
  'accent-line': `color-mix(in srgb, ${site.colour} 30%, white)`,
};

export const theme: ThemeConfig = {
  token: {
    colorPrimary: accent,
    colorInfo: accent,
    colorLink: accent,
    // Antd would go lighter, and white text on it would no longer be legible.
    colorPrimaryHover: deeper(accent, 0.88),
    colorPrimaryActive: deeper(accent, 0.76),
    colorLinkHover: deeper(accent, 0.76),
    colorError: '#c5281f',
    colorSuccess: '#1c7c45',
    colorWarning: '#a86400',
    colorText: colours.text,
    colorTextSecondary: colours['text-2'],
    colorTextDescription: colours['text-2'],
    colorTextPlaceholder: '#66707b',
    colorBgLayout: colours.ground,
    colorBorderSecondary: colours.line,
    borderRadius: 6,
    fontFamily: FONT,
    fontSize: 14,
    motionDurationMid: '0.14s',
    motionDurationSlow: '0.2s',
  },
  components: {
    Layout: { siderBg: colours.side, headerBg: colours.surface, headerHeight: 52, headerPadding: '0 16px' },
    Menu: {
      darkItemBg: colours.side,
      darkSubMenuItemBg: colours.side,
      darkItemColor: colours['side-text'],
      darkItemSelectedBg: accent,
      itemHeight: 40,
    },
    Table: { headerBg: '#f8f9fb', headerColor: colours['text-2'], headerSplitColor: 'transparent' },
    Form: { verticalLabelPadding: '0 0 4px', labelColor: colours['text-2'] },
    // Tabs stand on the ground, which is a little darker than the white that the accent is made for.
    Tabs: { itemSelectedColor: deeper(accent, 0.88), itemHoverColor: deeper(accent, 0.88) },
    Tree: { titleHeight: 30 },
  },
};

/** Hands the colours to the style sheets. */
export function applyTheme(): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries({ ...colours, font: FONT }))
    style.setProperty(`--x-${name}`, value);
}

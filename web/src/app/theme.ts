/** From a look and a colour to antd's tokens, and the same colours as --x-… for our own style sheets. */
import { theme as antd, type ThemeConfig } from 'antd';
import { deeper, legible, legibleOn } from '@/lib/colour';
import { stored } from '@/lib/stored';
import { site } from '@/site';
import { LOOKS, type Look } from './themes';

const FONT =
  "-apple-system, 'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";

export interface Chosen {
  look: string;
  colour: string;
}

/** What the person has chosen on this device. */
export const chosen = stored<Chosen>('xunwei.look', { look: 'default', colour: site.colour });

export function lookOf(name: string): Look {
  return LOOKS.find((look) => look.name === name) ?? (LOOKS[0] as Look);
}

/** A share of one colour over another, as color-mix does it in srgb; antd has to calculate with it. */
export function mixed(over: string, share: number, under: string): string {
  const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const sum = [1, 3, 5].map((at) => Math.round(part(over, at) * share + part(under, at) * (1 - share)));
  return `#${sum.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour of what can be done next: the person's, or where that is the site's own, the look's. */
function accentOf(look: Look, colour: string): string {
  return colour.toLowerCase() === site.colour.toLowerCase() ? (look.accent ?? colour) : colour;
}

/** Every colour of our style sheets, without the leading --x-. */
export function coloursOf({ look: name, colour }: Chosen) {
  const look = lookOf(name);
  const pure = accentOf(look, colour);
  const page = look.dark
    ? {
        ground: '#0d1319',
        surface: '#161d26',
        raised: '#1d2631',
        line: '#2b3744',
        text: '#e6ebf0',
        'text-2': '#a9b5c1',
        'text-3': '#8f9ca9',
      }
    : {
        ground: '#f4f6f8',
        surface: '#ffffff',
        raised: '#ffffff',
        line: '#e4e8ec',
        text: '#1b2530',
        'text-2': '#5a6673',
        'text-3': '#65707c',
      };
  return {
    ...page,
    side: look.side,
    'side-text': look.sideText,
    'side-strong': legibleOn('#ffffff', look.side, 7),
    head: look.head,
    'head-text': look.headText,
    /** Carries white text. */
    fill: legible(pure),
    /** Carries meaning as text, on the ground and on hovered rows too, which are a little darker than white. */
    accent: look.dark ? legibleOn(pure, page.raised) : legible(pure, 5.1),
    /** As it was chosen: for lines and marks, not for text. */
    'accent-pure': pure,
    'accent-tint': mixed(pure, look.dark ? 0.18 : 0.1, page.surface),
    'accent-line': mixed(pure, 0.3, page.surface),
  };
}

/** `rest`: nothing moves. Antd has to know: a list whose motion is merely made short opens outside the window. */
export function themeOf(choice: Chosen, rest = false): ThemeConfig {
  const look = lookOf(choice.look);
  const colours = coloursOf(choice);
  const { fill, accent } = colours;
  const stronger = look.dark ? legibleOn(accent, colours.raised, 7) : deeper(accent, 0.76);
  const bad = look.dark ? '#f0776f' : '#c5281f';
  return {
    algorithm: look.dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    token: {
      colorPrimary: fill,
      colorInfo: accent,
      colorLink: accent,
      // Antd would go lighter, and white text on it would no longer be legible.
      colorPrimaryHover: deeper(fill, 0.88),
      colorPrimaryActive: deeper(fill, 0.76),
      colorLinkHover: stronger,
      colorLinkActive: stronger,
      colorError: bad,
      colorErrorText: bad,
      colorErrorHover: look.dark ? '#f4958f' : deeper(bad, 0.88),
      colorErrorActive: look.dark ? '#f7b1ac' : deeper(bad, 0.76),
      colorSuccess: look.dark ? '#5cc98a' : '#1c7c45',
      colorWarning: look.dark ? '#e0a13c' : '#a86400',
      colorText: colours.text,
      colorTextSecondary: colours['text-2'],
      colorTextTertiary: colours['text-3'],
      colorTextDescription: colours['text-2'],
      colorTextPlaceholder: look.dark ? '#93a0ad' : '#66707b',
      colorBgLayout: colours.ground,
      colorBgContainer: colours.surface,
      colorBgElevated: colours.raised,
      colorBorderSecondary: colours.line,
      // What is chosen; antd's own shade of a pale or a grey colour is too dark for words.
      controlItemBgActive: colours['accent-tint'],
      controlItemBgActiveHover: colours['accent-line'],
      borderRadius: look.radius,
      fontFamily: FONT,
      fontSize: 14,
      motion: !rest,
      motionDurationMid: '0.14s',
      motionDurationSlow: '0.2s',
    },
    components: {
      Layout: { siderBg: look.side, headerBg: look.head, headerHeight: 52, headerPadding: '0 16px' },
      Menu: {
        darkItemBg: look.side,
        darkSubMenuItemBg: look.side,
        darkPopupBg: look.side,
        darkItemColor: look.sideText,
        darkItemHoverColor: colours['side-strong'],
        darkItemSelectedBg: fill,
        darkItemSelectedColor: '#ffffff',
        itemHeight: 40,
      },
      // Where antd writes in the main colour, which is made to be written on: the accent is for words.
      Button: {
        dangerColor: look.dark ? '#1d0b0a' : '#ffffff',
        defaultHoverColor: accent,
        defaultHoverBorderColor: accent,
        defaultActiveColor: stronger,
        defaultActiveBorderColor: stronger,
      },
      Tabs: {
        inkBarColor: accent,
        itemSelectedColor: accent,
        itemHoverColor: stronger,
        itemActiveColor: stronger,
      },
      Pagination: { itemActiveColor: accent, itemActiveColorHover: stronger },
      Dropdown: { colorPrimary: stronger },
      // Carries white figures.
      Badge: { colorError: '#c5281f' },
      Table: {
        headerBg: look.dark ? colours.raised : '#f8f9fb',
        headerColor: colours['text-2'],
        headerSplitColor: 'transparent',
      },
      Form: { verticalLabelPadding: '0 0 4px', labelColor: colours['text-2'] },
      Tree: { titleHeight: 30 },
    },
  };
}

/** Hands the colours to the style sheets. */
export function applyTheme(choice: Chosen = chosen.get()): void {
  const { style, dataset } = document.documentElement;
  for (const [name, value] of Object.entries({ ...coloursOf(choice), font: FONT }))
    style.setProperty(`--x-${name}`, value);
  style.colorScheme = lookOf(choice.look).dark ? 'dark' : 'light';
  dataset.look = choice.look;
  dataset.dark = String(lookOf(choice.look).dark);
}

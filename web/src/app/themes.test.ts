/** Every look must be legible, with any colour that a person may pick: WCAG AA, 4.5 to 1 for words. */
import { theme as antd } from 'antd';
import { expect, test } from 'vitest';
import { contrast } from '@/lib/colour';
import { site } from '@/site';
import { type Chosen, coloursOf, mixed, themeOf } from './theme';
import { LOOKS } from './themes';

const AA = 4.5;
const NAMES = ['default', 'white', 'dark', 'star', 'bule', 'iview', 'vip', 'cool', 'd2', 'hey', 'lte'];
/** The site's own, some of the common ones, and what nobody should pick. */
const COLOURS = [site.colour, '#1463d8', '#d46b08', '#cf1322', '#ffff00', '#ffffff', '#000000', '#808080'];
const CHOICES = NAMES.flatMap((look) => COLOURS.map((colour): [string, string] => [look, colour]));

type Tokens = Record<string, string>;

function tokensOf(choice: Chosen) {
  const theme = themeOf(choice);
  const all = { ...antd.getDesignToken(theme), ...theme.token } as unknown as Tokens;
  const of = (component: 'Badge' | 'Button' | 'Dropdown' | 'Menu' | 'Pagination' | 'Table' | 'Tabs') =>
    ({ ...all, ...theme.components?.[component] }) as Tokens;
  return { all, of };
}

/** What is hard to read, as "words on ground ratio". */
function faint(pairs: [words: string | undefined, ground: string | undefined][]): string[] {
  return pairs.flatMap(([words, ground]) => {
    // antd shortens #ffffff.
    const [one, other] = [words, ground].map((hex) => hex?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'));
    if (!/^#[0-9a-f]{6}$/i.test(one ?? '') || !/^#[0-9a-f]{6}$/i.test(other ?? ''))
      return [`${words} on ${ground} is no pair of colours`];
    const ratio = contrast(one as string, other as string);
    return ratio < AA ? [`${one} on ${other} ${ratio.toFixed(2)}`] : [];
  });
}

test('mixing is what the browser does', () => {
  expect(mixed('#ffffff', 0.1, '#000000')).toBe('#1a1a1a');
  expect(mixed('#409eff', 0.18, '#161d26')).toBe('#1e344d');
});

test('there are the eleven of the specification, in its order, one file each', () => {
  expect(LOOKS.map((look) => look.name)).toEqual(NAMES);
  const files = Object.keys(import.meta.glob('./themes/*.ts')).map((file) => file.slice(9, -3));
  expect(files.filter((name) => name !== 'index' && name !== 'look').sort()).toEqual([...NAMES].sort());
});

test.each(LOOKS)('$name decides the same things as the others', (look) => {
  const { accent, ...rest } = look;
  expect(Object.keys(rest).sort()).toEqual([
    'dark',
    'head',
    'headText',
    'name',
    'radius',
    'side',
    'sideText',
  ]);
  for (const colour of [rest.side, rest.sideText, rest.head, rest.headText, accent ?? '#000000'])
    expect(colour).toMatch(/^#[0-9a-f]{6}$/);
});

test('the site’s colour leaves a look its own accent, any other colour is taken', () => {
  expect(coloursOf({ look: 'cool', colour: '#409eff' })['accent-pure']).toBe('#0b8a8f');
  expect(coloursOf({ look: 'cool', colour: '#cf1322' })['accent-pure']).toBe('#cf1322');
  expect(coloursOf({ look: 'default', colour: '#409EFF' })['accent-pure']).toBe('#409EFF');
});

test('every look has the same names for the style sheets', () => {
  const names = Object.keys(coloursOf({ look: 'default', colour: site.colour }));
  for (const look of NAMES) expect(Object.keys(coloursOf({ look, colour: site.colour }))).toEqual(names);
});

test.each(CHOICES)('%s with %s: words of our own style sheets', (look, colour) => {
  const x = coloursOf({ look, colour });
  const grounds = [x.ground, x.surface, x.raised];
  expect(
    faint([
      ...grounds.flatMap((ground): [string, string][] =>
        [x.text, x['text-2'], x['text-3'], x.accent].map((words) => [words, ground]),
      ),
      [x['side-text'], x.side],
      [x['side-strong'], x.side],
      [x['head-text'], x.head],
      // The header's buttons under the pointer.
      [x['head-text'], mixed(x['head-text'], 0.1, x.head)],
      ['#ffffff', x.fill],
      [mixed(x.accent, 0.8, x.text), x['accent-tint']],
    ]),
  ).toEqual([]);
});

test.each(CHOICES)('%s with %s: words of antd', (look, colour) => {
  const x = coloursOf({ look, colour });
  const { all, of } = tokensOf({ look, colour });
  const page = [x.surface, x.raised];
  const words = [
    'colorText',
    'colorTextSecondary',
    'colorTextTertiary',
    'colorTextDescription',
    'colorTextPlaceholder',
    'colorTextHeading',
    'colorTextLabel',
    'colorInfo',
    'colorLink',
    'colorLinkHover',
    'colorLinkActive',
    'colorError',
    'colorErrorHover',
    'colorErrorActive',
    'colorErrorText',
    'colorSuccess',
    'colorWarning',
  ].map((name) => all[name]);
  expect(
    faint(page.flatMap((ground) => words.map((word): [string, string] => [word ?? '', ground]))),
  ).toEqual([]);
  const button = of('Button');
  const dropdown = of('Dropdown');
  const menu = of('Menu');
  const tabs = of('Tabs');
  expect(
    faint([
      // The main button as it lies there, under the pointer, and pressed; the dangerous one likewise.
      [button.primaryColor ?? button.colorTextLightSolid, button.colorPrimary],
      [button.primaryColor ?? button.colorTextLightSolid, button.colorPrimaryHover],
      [button.primaryColor ?? button.colorTextLightSolid, button.colorPrimaryActive],
      [button.dangerColor ?? button.colorTextLightSolid, button.colorError],
      [button.dangerColor ?? button.colorTextLightSolid, button.colorErrorHover],
      [button.dangerColor ?? button.colorTextLightSolid, button.colorErrorActive],
      [of('Badge').colorTextLightSolid, of('Badge').colorError],
      [menu.darkItemColor, menu.darkItemBg],
      [menu.darkItemColor, menu.darkSubMenuItemBg],
      [menu.darkItemColor, menu.darkPopupBg],
      [menu.darkItemHoverColor, menu.darkPopupBg],
      [menu.darkItemSelectedColor, menu.darkItemSelectedBg],
      [of('Table').headerColor, of('Table').headerBg],
      [dropdown.colorPrimary, x.raised],
      [dropdown.colorPrimary, dropdown.controlItemBgActive],
      [all.colorText, all.controlItemBgActive],
      [all.colorText, all.controlItemBgActiveHover],
      ...page.flatMap((ground): [string | undefined, string][] => [
        [button.defaultHoverColor ?? button.colorPrimaryHover, ground],
        [button.defaultActiveColor ?? button.colorPrimaryActive, ground],
        [tabs.itemSelectedColor ?? tabs.colorPrimary, ground],
        [tabs.itemHoverColor ?? tabs.colorPrimaryHover, ground],
        [tabs.itemActiveColor ?? tabs.colorPrimaryActive, ground],
        [of('Pagination').itemActiveColor ?? of('Pagination').colorPrimary, ground],
      ]),
    ]),
  ).toEqual([]);
});

/** The two languages. Texts come by area and language, when somebody first needs them; what follows the language outside
 * React (document, dates) is set here too. */
import 'dayjs/locale/zh-cn';
import dayjs from 'dayjs';
import i18next, { type ResourceLanguage } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { type Language, site } from '@/site';
import type { zhCN } from './zh-CN';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof zhCN };
  }
}

/** A file of texts, and the first part of its keys. */
export type Area = keyof typeof zhCN;

const STORED = 'xunwei.language';

/** Each file exports its texts under its own name. */
const files = import.meta.glob<ResourceLanguage>(['./{zh-CN,en-US}/*.ts', '!**/{index,library}.ts']);

function follow(language: Language) {
  document.documentElement.lang = language;
  dayjs.locale(language === 'zh-CN' ? 'zh-cn' : 'en');
}

const remembered = localStorage.getItem(STORED);
const initial: Language = remembered === 'en-US' || remembered === 'zh-CN' ? remembered : site.language;

i18next.use(initReactI18next).init({
  lng: initial,
  fallbackLng: false,
  resources: {},
  interpolation: { escapeValue: false },
  initAsync: false,
});
follow(initial);

export const t = i18next.t;

export function language(): Language {
  return i18next.language as Language;
}

const wanted = new Set<Area>();

/** Fetches the texts of an area in one language, which need not be the person's. */
export async function fetchTexts(area: Area, of: Language): Promise<void> {
  if (i18next.getResource(of, 'translation', area)) return;
  const texts = await files[`./${of}/${area}.ts`]?.();
  i18next.addResourceBundle(of, 'translation', { [area]: texts?.[area] }, true, true);
}

/** Fetches the texts of these areas in the person's language; a page is drawn after that, so that it never shows keys. */
export async function loadTexts(areas: readonly Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  const of = language();
  await Promise.all(areas.map((area) => fetchTexts(area, of)));
  // The language was changed meanwhile.
  if (of !== language()) await loadTexts(areas);
}

/** Changes the language of everything and remembers it on this device. Rejects, and leaves all as it was, where the texts
 * of the chosen language cannot be fetched. */
export async function setLanguage(chosen: Language): Promise<void> {
  await Promise.all([...wanted].map((area) => fetchTexts(area, chosen)));
  localStorage.setItem(STORED, chosen);
  follow(chosen);
  await i18next.changeLanguage(chosen);
}

export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}

export { useTranslation };
